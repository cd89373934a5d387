"""JSON Lines in, JSON Lines out: one answer per line, in order, an error object for a bad line."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, TypeAlias

from tilerummy.locales import error_text
from tilerummy.queries.contract import Answer, Request
from tilerummy.queries.parsing import QueryError, read_object
from tilerummy.rules.errors import TileRummyError

LONGEST_LINE = 1 << 20

Ask: TypeAlias = Callable[[Request], Answer]


def answer_lines(ask: Ask, lang: str, source: BinaryIO | None = None) -> None:
    """Answer standard input, or another source, line by line on standard output.

    Memory use is constant. Sentences and errors are in the given language.
    """
    out = sys.stdout.buffer
    try:
        for line in _lines(sys.stdin.buffer if source is None else source):
            out.write(_answer(ask, lang, line))
            out.flush()
    except BrokenPipeError:
        # The reader has closed the pipe: there is nowhere to report it.
        sys.stderr.close()
        raise SystemExit(1) from None


def _answer(ask: Ask, lang: str, line: bytes | None) -> bytes:
    reply: Mapping[str, object]
    try:
        reply = ask(_request(line)).to_json(lang)
    except TileRummyError as error:
        reply = {"error": {"code": error.code, "message": error_text(error, lang)}}
    except RecursionError:
        reply = {"error": {"code": "bad-json", "message": "the line is nested too deeply"}}
    except Exception as error:  # a bug, which must not lose the lines that follow
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
        raise QueryError(
            "the line is longer than {most} bytes: send one question per line",
            code="line-too-long",
            key="error.line.long",
            most=LONGEST_LINE,
        )
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise QueryError(
            "the line is not UTF-8: {what}", code="bad-utf8", key="error.line.utf8", what=error
        ) from None
    try:
        request = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise QueryError(
            "the line is not JSON: {what}", code="bad-json", key="error.line.json", what=error
        ) from None
    return read_object(request)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")
