"""JSON Lines in, JSON Lines out: one answer for each line, in order, whatever the line holds."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, BinaryIO

from tilerummy.locales import error_text
from tilerummy.rules.declarations import Declaration, from_plain
from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import Face, Row, parse_faces

LONGEST_LINE = 1 << 20
Request = Mapping[str, Any]


class RequestError(TileRummyError):
    """A line that does not ask what the command answers."""

    code = "bad-request"


def answer_lines(
    answer: Callable[[Request], dict[str, Any]], lang: str, source: BinaryIO | None = None
) -> None:
    """Answer standard input, or another source, line by line on standard output.

    Constant memory. Errors are answered in the given language.
    """
    out = sys.stdout.buffer
    try:
        for line in _lines(sys.stdin.buffer if source is None else source):
            out.write(_answer(answer, lang, line))
            out.flush()
    except BrokenPipeError:
        # Whoever reads our answers has left; there is nobody to tell.
        sys.stderr.close()
        raise SystemExit(1) from None


def _answer(answer: Callable[[Request], dict[str, Any]], lang: str, line: bytes | None) -> bytes:
    try:
        reply = answer(_request(line))
    except TileRummyError as error:
        reply = {"error": {"code": error.code, "message": error_text(error, lang)}}
    except RecursionError:
        reply = {"error": {"code": "bad-json", "message": "the line is nested too deeply"}}
    except Exception as error:  # our fault, but no reason to lose the lines that follow
        traceback.print_exc()
        message = f"a fault of this program, please report it: {type(error).__name__}: {error}"
        reply = {"error": {"code": "internal", "message": message}}
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is too long, which is skipped unread."""
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(LONGEST_LINE)
            yield None
        else:
            yield line


def _request(line: bytes | None) -> Request:
    if line is None:
        raise RequestError(
            "the line is longer than {most} bytes: send one question a line",
            code="line-too-long",
            key="error.line.long",
            most=LONGEST_LINE,
        )
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise RequestError(
            "the line is not UTF-8: {what}", code="bad-utf8", key="error.line.utf8", what=error
        ) from None
    try:
        request = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RequestError(
            "the line is not JSON: {what}", code="bad-json", key="error.line.json", what=error
        ) from None
    if not isinstance(request, dict):
        raise RequestError(
            "a line is a JSON object, not {given}", key="error.line.object", given=_kind(request)
        )
    return request


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def read_edition(request: Request) -> Edition:
    """The keys `edition` and `options` of a line."""
    name = _needed(request, "edition")
    options = request.get("options")
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise RequestError(
            "options is an object such as {{}}, not {given}",
            key="error.line.options",
            given=_kind(options),
        )
    if not isinstance(name, str):
        raise RequestError(
            "edition is a name such as classic, not {given}",
            key="error.line.edition",
            given=_kind(name),
        )
    return _edition(name, json.dumps(options, sort_keys=True))


@lru_cache(256)
def _edition(name: str, options: str) -> Edition:
    return edition(name, json.loads(options))


def read_faces(request: Request, key: str) -> tuple[Face, ...]:
    return _faces(_needed(request, key), key)


def read_rows(request: Request, key: str) -> tuple[tuple[Face, ...], ...]:
    rows = _needed(request, key)
    if not isinstance(rows, list):
        raise RequestError(
            "{name} is a list of rows of tiles, not {given}",
            key="error.line.rows",
            name=key,
            given=_kind(rows),
        )
    return tuple([_faces(row, key) for row in rows])


def read_declared(request: Request) -> dict[Row, Declaration]:
    """The key `declared`, which may be missing."""
    value = request.get("declared")
    return {} if value is None else from_plain(value, parse_faces)


def read_bool(request: Request, key: str) -> bool:
    value = _needed(request, key)
    if not isinstance(value, bool):
        raise RequestError(
            "{name} is true or false, not {given}",
            key="error.line.bool",
            name=key,
            given=_kind(value),
        )
    return value


def _needed(request: Request, key: str) -> Any:
    if key not in request:
        raise RequestError("the line has no '{name}'", key="error.line.missing", name=key)
    return request[key]


def _faces(value: object, key: str) -> tuple[Face, ...]:
    if not isinstance(value, list):
        raise RequestError(
            '{name} holds lists of tiles such as ["r7", "J"], not {given}',
            key="error.line.tiles",
            name=key,
            given=_kind(value),
        )
    return parse_faces(value)


def _kind(value: object) -> str:
    """What a JSON value is, in the words of JSON."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean"}
    return "null" if value is None else names.get(type(value), "number")
