"""JSON Lines in, JSON Lines out: one answer for each line, in order, whatever the line holds."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, BinaryIO

from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import Face, parse_faces

LONGEST_LINE = 1 << 20
Request = Mapping[str, Any]


class RequestError(TileRummyError):
    """A line that does not ask what the command answers."""

    code = "bad-request"


def answer_lines(
    answer: Callable[[Request], dict[str, Any]], source: BinaryIO | None = None
) -> None:
    """Answer standard input, or another source, line by line on standard output.

    Constant memory.
    """
    out = sys.stdout.buffer
    try:
        for line in _lines(sys.stdin.buffer if source is None else source):
            out.write(_answer(answer, line))
            out.flush()
    except BrokenPipeError:
        # Whoever reads our answers has left; there is nobody to tell.
        sys.stderr.close()
        raise SystemExit(1) from None


def _answer(answer: Callable[[Request], dict[str, Any]], line: bytes | None) -> bytes:
    try:
        reply = answer(_request(line))
    except TileRummyError as error:
        reply = {"error": {"code": error.code, "message": str(error)}}
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
            f"the line is longer than {LONGEST_LINE} bytes: send one question a line",
            code="line-too-long",
        )
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise RequestError(f"the line is not UTF-8: {error}", code="bad-utf8") from None
    try:
        request = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"the line is not JSON: {error}", code="bad-json") from None
    if not isinstance(request, dict):
        raise RequestError(f"a line is a JSON object, not {_kind(request)}")
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
        raise RequestError(f"options is an object such as {{}}, not {_kind(options)}")
    if not isinstance(name, str):
        raise RequestError(f"edition is a name such as classic, not {_kind(name)}")
    return _edition(name, json.dumps(options, sort_keys=True))


@lru_cache(256)
def _edition(name: str, options: str) -> Edition:
    return edition(name, json.loads(options))


def read_faces(request: Request, key: str) -> tuple[Face, ...]:
    return _faces(_needed(request, key), key)


def read_rows(request: Request, key: str) -> tuple[tuple[Face, ...], ...]:
    rows = _needed(request, key)
    if not isinstance(rows, list):
        raise RequestError(f"{key} is a list of rows of tiles, not {_kind(rows)}")
    return tuple([_faces(row, f"a row of {key}") for row in rows])


def read_bool(request: Request, key: str) -> bool:
    value = _needed(request, key)
    if not isinstance(value, bool):
        raise RequestError(f"{key} is true or false, not {_kind(value)}")
    return value


def _needed(request: Request, key: str) -> Any:
    if key not in request:
        raise RequestError(f"the line has no {key!r}")
    return request[key]


def _faces(value: object, what: str) -> tuple[Face, ...]:
    if not isinstance(value, list):
        raise RequestError(f'{what} is a list of tiles such as ["r7", "J"], not {_kind(value)}')
    return parse_faces(value)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
