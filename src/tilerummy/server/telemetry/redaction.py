"""Redaction: removes tokens, cookies, shuffle secrets, tiles and room codes from logs.

In doubt it removes too much.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

HIDDEN = "…"
LONGEST = 8_000
"""Characters of a text."""
DEEPEST = 4
"""Levels of nested fields."""
MOST = 50
"""Values of a field."""

WORDS = (
    "authorization",
    "cookie",
    "draft",
    "password",
    "pool",
    "query",
    "rack",
    "secret",
    "seed",
    "tiles",
    "token",
)
"""A field is secret if its name contains one of these."""

_QUERY = re.compile(r"(?<=[\w/])\?[^\s\"'<>]+")
_LOGIN = re.compile(r"(?<=://)[^\s/@]*:[^\s/]*@")
_BEARER = re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{6,}", re.IGNORECASE)
# Databases and their drivers quote values in their errors.
_VALUES = re.compile(r"(\[parameters: |Failing row contains |Key \([^)]*\)=).*", re.IGNORECASE)
# A tile in the notation: `k13`, `k13.2`, `J.1`. In hexadecimal ids such letters have neighbours.
_TILE = re.compile(r"\b(?:[rbko](?:1[0-3]|[1-9])(?:\.\d+)?|[JDMC]\.\d+)\b")
# The code of a private room is its key.
_ROOM = re.compile(r"(/(?:rooms|room|r)/)[^\s/\"'?#<>]+")
# A name followed by a separator; in `('token', 'abc')` it is a comma.
_NAMED = re.compile(
    rf"(?:{'|'.join(WORDS)})[\w-]{{0,20}}(?:[\"']?\s*[=:]\s*|[\"']\s*,\s*)", re.IGNORECASE
)
_HEADER = re.compile(r"(?:cookie|authorization)\s*:", re.IGNORECASE)
_QUOTED = re.compile(r"(['\"])(?:\\.|(?!\1).)*(?:\1|$)", re.DOTALL)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def is_secret(name: str) -> bool:
    """Whether a field of this name must not be logged."""
    small = name.lower()
    return any(word in small for word in WORDS)


def clean(value: object, depth: int = 0) -> Any:
    """A field as it may be logged: plain values without secrets. Any other value becomes its
    redacted `repr`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str | BaseException):
        return scrub(str(value))
    if depth == DEEPEST:
        return HIDDEN
    if isinstance(value, Mapping):
        return {
            scrub(str(name)): HIDDEN if is_secret(str(name)) else clean(inner, depth + 1)
            for name, inner in list(value.items())[:MOST]
        }
    # Not a named tuple: the names of its fields say which are secret, and `repr` shows them.
    if type(value) is list or type(value) is tuple:
        if len(value) == 2 and isinstance(value[0], str | bytes) and is_secret(str(value[0])):
            return [scrub(str(value[0])), HIDDEN]  # the form of ASGI headers
        return [clean(inner, depth + 1) for inner in value[:MOST]]
    return scrub(repr(value))


def scrub(text: str) -> str:
    """A text without query strings, logins in URLs, room codes in paths, tiles, and values that
    follow a name like `token`.

    A long text keeps its end, where a trace names the exception.
    """
    text = _VALUES.sub(rf"\1{HIDDEN}", text)
    text = _LOGIN.sub(f"{HIDDEN}@", text)
    text = _QUERY.sub(f"?{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _ROOM.sub(rf"\1{HIDDEN}", text)
    text = _TILE.sub(HIDDEN, text)
    text = _without_named(text)
    return text if len(text) <= LONGEST else HIDDEN + text[-LONGEST:]


def _without_named(text: str) -> str:
    parts = []
    at = 0
    while found := _NAMED.search(text, at):
        parts += [text[at : found.end()], HIDDEN]
        is_header = _HEADER.match(found.group())
        at = _end_of_line(text, found.end()) if is_header else _end_of_value(text, found.end())
    return "".join([*parts, text[at:]])


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _end_of_value(text: str, start: int) -> int:
    """The end of the value that starts here: quoted text, anything in brackets, or a word. An
    unterminated value extends to the end of the text."""
    waiting: list[str] = []
    at = start
    while at < len(text):
        letter = text[at]
        if quoted := _QUOTED.match(text, at):
            at = quoted.end()
            if not waiting:
                return at
            continue
        if letter in _PAIRS:
            waiting.append(_PAIRS[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
            if not waiting:
                return at + 1
        elif not waiting and (letter.isspace() or letter in ",;)]}"):
            return at
        at += 1
    return len(text)
