"""Static files: the page for browsers and its assets.

All files are read once, when the server starts; no request reaches the file system. The path of a
screen gets the page, whose router shows that screen. Any other path that looks like one gets the
page too, with status 404.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.server.protocol.routes import OPERATIONS

FOLDER = Path(__file__).parents[1] / "page"
"""Built by `tools/page.py`."""
INDEX = "index.html"
SCREENS = "screens.json"
"""The paths of all screens, such as `/r/:code`; not served."""
HASHED = "assets/"
"""Files whose names contain a hash of their content."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""In order of preference, smallest first."""
MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
UNKNOWN = "application/octet-stream"

log = logging.getLogger(__name__)


class Body(NamedTuple):
    """A file in one of its encodings."""

    data: bytes
    headers: Mapping[str, str]


class Site:
    """Serves every path outside the routing table."""

    def __init__(self, folder: Path | None = None) -> None:
        self._files = _read(folder or FOLDER)
        self._screens = _screens(self._files.pop(SCREENS, None))
        if INDEX not in self._files:
            log.warning("the page for browsers is missing: build it with `make page`")

    def route(self) -> Route:
        return Route("/{path:outside}", self.answer, methods=["GET"])

    async def answer(self, request: Request) -> Response:
        path = request.path_params["path"]
        found = self._files.get(path)
        status = HTTPStatus.OK
        if found is None:
            if path.startswith(HASHED) or "." in path.rpartition("/")[2]:
                raise HTTPException(HTTPStatus.NOT_FOUND)
            found = self._files.get(INDEX)
            if found is None:
                return _without_page()
            if not any(_fits(screen, path) for screen in self._screens):
                status = HTTPStatus.NOT_FOUND
        body = found[_encoding(request.headers.get("accept-encoding", ""), found)]
        known = request.headers.get("if-none-match", "")
        tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
        if status is HTTPStatus.OK and body.headers["etag"] in tags:
            return Response(None, HTTPStatus.NOT_MODIFIED, body.headers)
        return Response(body.data, status, body.headers)


def _read(folder: Path) -> dict[str, dict[str, Body]]:
    """Every file by its path, in every available encoding."""
    files: dict[str, dict[str, Body]] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.name.startswith(".") and path.suffix not in (".br", ".gz"):
            files[name] = {"": _body(name, path.read_bytes(), "")}
            for encoding, suffix in ENCODINGS.items():
                smaller = path.with_name(path.name + suffix)
                if smaller.is_file():
                    files[name][encoding] = _body(name, smaller.read_bytes(), encoding)
    return files


def _screens(file: Mapping[str, Body] | None) -> list[list[str]]:
    """The parts of each screen's path. A page without the list has its start page alone."""
    paths: list[str] = json.loads(file[""].data) if file else ["/"]
    return [_parts(path) for path in paths]


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _fits(screen: list[str], path: str) -> bool:
    """Matches a path like `match` in `web/src/router.ts`."""
    parts = _parts(path)
    return len(parts) == len(screen) and all(
        wanted.startswith(":") or wanted == part for wanted, part in zip(screen, parts, strict=True)
    )


def _body(name: str, data: bytes, encoding: str) -> Body:
    headers = {
        "content-type": MEDIA.get(Path(name).suffix, UNKNOWN),
        "cache-control": FOR_EVER if name.startswith(HASHED) else ASK_AGAIN,
        "etag": f'"{hashlib.sha256(data).hexdigest()[:32]}"',
        "vary": "Accept-Encoding",
    }
    if encoding:
        headers["content-encoding"] = encoding
    return Body(data, headers)


def _encoding(accepted: str, found: Mapping[str, Body]) -> str:
    """Content negotiation: the best available encoding that the browser accepts."""
    wishes = {}
    for wish in accepted.lower().split(","):
        name, _, quality = wish.partition(";")
        wishes[name.strip()] = quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    for encoding in ENCODINGS:
        if encoding in found and wishes.get(encoding, wishes.get("*", False)):
            return encoding
    return ""


def _without_page() -> Response:
    """An error page in all languages, as the visitor's language is unknown."""
    texts = "".join(
        f'<p lang="{language}">{catalogue(language).text("site.missing")}</p>'
        for language in LANGUAGES
    )
    page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>tilerummy</title>{texts}'
    headers = {"cache-control": "no-store"}
    return Response(page, HTTPStatus.SERVICE_UNAVAILABLE, headers, media_type="text/html")


_TAKEN = sorted({operation.path.split("/")[1] for operation in OPERATIONS})


class Outside(Convertor[str]):
    """A path outside the routing table: unknown paths under `/api` and the like get a 404 as
    JSON."""

    regex = f"(?!(?:{'|'.join(_TAKEN)})(?:/|$)).*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("outside", Outside())
