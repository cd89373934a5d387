"""What browsers get: the page, its files, and nothing else."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.server.live_server import LiveServer, live_server
from tilerummy.server.edge import site
from tools import page

SCRIPT = b"console.log(1);" * 20
FILES = {
    "index.html": b"<!doctype html><p>the page",
    "index.html.gz": gzip.compress(b"<!doctype html><p>the page"),
    "favicon.svg": b"<svg/>",
    "app.webmanifest": b"{}",
    "screens.json": b'["/", "/join", "/rules", "/r/:code"]',
    "assets/index-abc.js": SCRIPT,
    "assets/index-abc.js.br": b"as small as can be",
    "assets/index-abc.js.gz": gzip.compress(SCRIPT),
    "assets/words-def.js": b"export {};",
    "assets/font.woff2": b"font",
    "assets/strange.xyz": b"?",
    ".inputs": b"not for others",
}
PAGE = FILES["index.html"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("site")
    for name, data in FILES.items():
        (folder / "page" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "page" / name).write_bytes(data)
    (folder / "secret.txt").write_text("not for others")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "FOLDER", folder / "page")
        with live_server(folder) as server:
            yield server
            assert server.complaints.lines == []


def browser(server: LiveServer) -> httpx2.Client:
    """Knows nothing of the table of requests, which these are not in."""
    return httpx2.Client(base_url=server.url, trust_env=False)


def ask(server: LiveServer, path: str, method: str = "GET", **headers: str) -> httpx2.Response:
    with browser(server) as client:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.request(method, path, headers={"accept-encoding": "identity", **headers})


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?a=b",
        "/join",
        "/rules",
        "/rules/",
        "/r/ABCDEF",
        "/r/ABCDEF/",
    ],
)
def test_the_page_answers_for_all_its_places(server: LiveServer, path: str) -> None:
    answer = ask(server, path)
    assert (answer.status_code, answer.content) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["/settings", "/r", "/r/ABCDEF/more", "/API/rooms", "/apis", "/Join", "/r/:code/x", "/join/x"],
)
def test_any_other_path_is_a_404_with_the_page(server: LiveServer, path: str) -> None:
    answer = ask(server, path)
    assert (answer.status_code, answer.content) == (404, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    again = ask(server, path, if_none_match=answer.headers["etag"])
    assert (again.status_code, again.content) == (404, PAGE)
    assert ask(server, path, "HEAD").status_code == 404


@pytest.mark.parametrize(
    ("path", "media", "cache"),
    [
        ("/index.html", "text/html; charset=utf-8", site.ASK_AGAIN),
        ("/favicon.svg", "image/svg+xml", site.ASK_AGAIN),
        ("/app.webmanifest", "application/manifest+json", site.ASK_AGAIN),
        ("/assets/index-abc.js", "text/javascript; charset=utf-8", site.FOR_EVER),
        ("/assets/font.woff2", "font/woff2", site.FOR_EVER),
        ("/assets/strange.xyz", "application/octet-stream", site.FOR_EVER),
    ],
)
def test_files_say_what_they_are_and_how_long_they_last(
    server: LiveServer, path: str, media: str, cache: str
) -> None:
    answer = ask(server, path)
    assert (answer.status_code, answer.content) == (200, FILES[path[1:]])
    assert answer.headers["content-type"] == media
    assert answer.headers["cache-control"] == cache
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.000, gzip", "gzip"),
        ("br;q=0.001", "br"),
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("*;q=0", ""),
        ("deflate, zstd", ""),
        ("identity", ""),
        ("", ""),
        (";;,,q=", ""),
    ],
)
def test_a_file_comes_as_small_as_the_browser_takes_it(
    server: LiveServer, accepted: str, encoding: str
) -> None:
    name = "assets/index-abc.js"
    headers = {"Accept-Encoding": accepted}
    with browser(server) as client, client.stream("GET", f"/{name}", headers=headers) as answer:
        data = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding", "") == encoding
    assert data == FILES[name + site.ENCODINGS.get(encoding, "")]
    assert answer.headers["content-length"] == str(len(data))


def test_what_does_not_get_smaller_comes_as_it_is(server: LiveServer) -> None:
    answer = ask(server, "/assets/words-def.js", accept_encoding="br, gzip")
    assert "content-encoding" not in answer.headers
    assert answer.content == b"export {};"


def test_who_knows_the_page_gets_it_not_again(server: LiveServer) -> None:
    for path in ("/", "/r/ABCDEF", "/assets/index-abc.js"):
        first = ask(server, path)
        tag = first.headers["etag"]
        for known in (tag, f"W/{tag}", f'"other", {tag}'):
            again = ask(server, path, if_none_match=known)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == tag
            assert again.headers["cache-control"] == first.headers["cache-control"]
        assert ask(server, path, if_none_match='"other"').status_code == 200
    packed = ask(server, "/assets/index-abc.js", accept_encoding="gzip")
    assert packed.headers["etag"] != tag, "it is another thing to a cache"


@pytest.mark.parametrize("path", ["/", "/join", "/assets/index-abc.js"])
def test_the_head_of_a_file(server: LiveServer, path: str) -> None:
    whole, head = ask(server, path), ask(server, path, "HEAD")
    assert (head.status_code, head.content) == (200, b"")
    assert {**head.headers, "date": ""} == {**whole.headers, "date": ""}


@pytest.mark.parametrize("path", ["/", "/join", "/assets/index-abc.js", "/assets/none.js"])
def test_a_file_can_only_be_read(server: LiveServer, path: str) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        answer = server.request(method, path, token=server.guest("Ann"))
        assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed")
        assert {*answer.headers["allow"].split(", ")} == {"GET", "HEAD"}


@pytest.mark.parametrize(
    "path",
    [
        "/assets/none.js",
        "/assets/",
        "/assets/none",
        "/robots.txt",
        "/screens.json",
        "/.inputs",
        "/assets/index-abc.js.br",
        "/wp-login.php",
        "/r/../secret.txt",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
        "//etc/passwd.txt",
        "/secret.txt%00",
        "/api",
        "/api/",
        "/api/none",
        "/healthz/",
        "/api/../index.html",
    ],
)
def test_only_files_of_the_page_are_served(server: LiveServer, path: str) -> None:
    """Asked for as it is written: a client would tidy it up."""
    parts = urlsplit(server.url)
    assert parts.hostname is not None
    with socket.create_connection((parts.hostname, parts.port or 0), timeout=10) as line:
        request = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n"
        line.sendall(request.encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 ")
    assert b'"code":"not-found"' in body
    assert b"not for others" not in body


def test_where_there_is_no_page_it_is_said_in_every_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "FOLDER", tmp_path / "none")
    with live_server(tmp_path) as server:
        answer = ask(server, "/")
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        for text in ("This server has no page", "没有网页", "沒有網頁", "make page"):
            assert text in answer.text
        assert ask(server, "/assets/x.js").status_code == 404
        assert ask(server, "/healthz").status_code == 200


def test_every_file_of_the_page_has_a_kind() -> None:
    page.build()
    endings = {path.suffix for path in page.PAGE.rglob("[!.]*") if path.is_file()}
    assert endings - {".br", ".gz"} <= {*site.MEDIA}
