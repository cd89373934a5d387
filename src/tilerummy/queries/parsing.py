"""Strict parsers for the JSON of questions. Errors name the key, the type given and a valid one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from tilerummy.queries.contract import Request
from tilerummy.rules.declarations import Declaration, DeclarationError, Declared, from_plain
from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Table, parse_tiles, row_text
from tilerummy.rules.turns import check_position

DEFAULT_EDITION = "classic"


class QueryError(TileRummyError):
    """JSON that is not a valid question."""

    code = "bad-request"


def read_object(request: object) -> Request:
    """A question is a JSON object, whatever its keys are."""
    if not isinstance(request, Mapping):
        raise QueryError(
            "a question is a JSON object, not {given}",
            key="error.line.object",
            given=json_kind(request),
        )
    return request


def read_optional(request: Request, key: str, default: Any = None) -> Any:
    """The value of a key as it came in; the default stands for a missing key."""
    return read_object(request).get(key, default)


def read_edition(request: Request, default: str | None = None) -> Edition:
    """The keys `edition` and `options`."""
    name = _value(request, "edition", default)
    options = read_optional(request, "options")
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise QueryError(
            "options is an object such as {{}}, not {given}",
            key="error.line.options",
            given=json_kind(options),
        )
    if not isinstance(name, str):
        raise QueryError(
            "edition is a name such as classic, not {given}",
            key="error.line.edition",
            given=json_kind(name),
        )
    try:
        text = json.dumps(options, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return edition(name, options)  # which names the option that cannot be
    return _cached_edition(name, text)


@lru_cache(256)
def _cached_edition(name: str, options: str) -> Edition:
    return edition(name, json.loads(options))


def read_row(request: Request, key: str) -> Row:
    """A list of tiles: `["r7", "J"]`."""
    return _row(_needed(request, key), key)


def read_rows(request: Request, key: str) -> Table:
    """A list of lists of tiles."""
    rows = _needed(request, key)
    if not isinstance(rows, list):
        raise QueryError(
            "{name} is a list of rows of tiles, not {given}",
            key="error.line.rows",
            name=key,
            given=json_kind(rows),
        )
    return tuple([_row(row, key) for row in rows])


def read_declared(request: Request) -> dict[Row, Declaration]:
    """The optional key `declared`."""
    value = read_optional(request, "declared")
    return {} if value is None else from_plain(value, parse_tiles)


def read_bool(request: Request, key: str, default: bool | None = None) -> bool:
    """`true` or `false`; the default stands for a missing key."""
    value = _value(request, key, default)
    if not isinstance(value, bool):
        raise QueryError(
            "{name} is true or false, not {given}",
            key="error.line.bool",
            name=key,
            given=json_kind(value),
        )
    return value


def read_int(request: Request, key: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    value = _needed(request, key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise QueryError(
            "{name} is a whole number from {low} to {high}",
            key="error.line.int",
            name=key,
            low=low,
            high=high,
        )
    return value


def read_text(request: Request, key: str) -> str:
    """A string."""
    value = _needed(request, key)
    if not isinstance(value, str):
        raise QueryError(
            "{name} is a string, not {given}",
            key="error.line.text",
            name=key,
            given=json_kind(value),
        )
    return value


def read_position(request: Request) -> Position:
    """The keys `edition`, `options`, `rack`, `table`, `opened` and `declared`; only rack and table
    are required. Raises PositionError where the box does not allow it."""
    rules = read_edition(request, DEFAULT_EDITION)
    rack, table = read_row(request, "rack"), read_rows(request, "table")
    opened = read_bool(request, "opened", default=True)
    check_position(rules, rack, table)
    declared = declared_of(table, read_declared(request))
    return Position(rules, table, rack, opened, declared=declared)


def declared_of(rows: Iterable[Row], declared: Declared) -> Declared:
    """The same declarations. Raises DeclarationError where one is about a row that is not there."""
    laid = {*rows}
    for row in declared:
        if row not in laid:
            raise DeclarationError(
                "{row} is declared, but it is not on the table",
                key="error.declared.not-there",
                row=row_text(row),
            )
    return declared


def json_kind(value: object) -> str:
    """The JSON name of a value's type."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean"}
    return "null" if value is None else names.get(type(value), "number")


def _value(request: Request, key: str, default: object) -> Any:
    """The value of a key. It may be missing if there is a default."""
    return _needed(request, key) if default is None else read_optional(request, key, default)


def _needed(request: Request, key: str) -> Any:
    if key not in read_object(request):
        raise QueryError("the line has no '{name}'", key="error.line.missing", name=key)
    return request[key]


def _row(value: object, key: str) -> Row:
    if not isinstance(value, list):
        raise QueryError(
            '{name} holds lists of tiles such as ["r7", "J"], not {given}',
            key="error.line.tiles",
            name=key,
            given=json_kind(value),
        )
    return parse_tiles(value)
