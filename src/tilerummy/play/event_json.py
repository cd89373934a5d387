"""Events as plain dictionaries, ready for JSON, and back. Each carries its schema version.

Dictionaries of older schemas are upgraded when they are read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, cast

from tilerummy.play import schema1
from tilerummy.play.commit_reveal import SOURCES, SeedSource
from tilerummy.play.events import RULES_VERSION, SCHEMA, TYPES, WHYS, Event, EventName, Why
from tilerummy.play.shuffle import SHUFFLE_VERSION
from tilerummy.rules import declarations
from tilerummy.rules.declarations import Declaration
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import (
    Row,
    Table,
    parse_physical_tiles,
    parse_tile,
    tile_text,
    tile_texts,
)


class EventError(TileRummyError):
    """Data that is not an event of a known schema."""

    code = "bad-event"


def to_dict(event: Event) -> dict[str, Any]:
    """A plain dictionary, ready for JSON, tiles as text."""
    data: dict[str, Any] = {"schema": SCHEMA, "type": event.type}
    for name, encode in _FIELDS[type(event)]:
        value = getattr(event, name)
        data[name] = encode(value) if encode and value is not None else value
    return data


def from_dict(data: object) -> Event:
    """The event of a dictionary, upgraded from older schemas. Raises EventError."""
    if not isinstance(data, dict):
        raise EventError(f"an event is an object with a type, not {type(data).__name__}")
    data = _upgraded(cast(dict[str, Any], data))
    name = data.pop("type", None)
    cls = TYPES.get(cast(EventName, name)) if isinstance(name, str) else None
    if cls is None:
        raise EventError(f"unknown event type {str(name)[:40]!r}: there are {', '.join(TYPES)}")
    values: dict[str, Any] = {}
    for field_name, is_required, decode in _READERS[cls]:
        if is_required and data.get(field_name) is None:
            raise EventError(f"a {name} event needs {field_name!r}")
        if field_name not in data:
            continue
        try:
            values[field_name] = decode(data.pop(field_name))
        except (TypeError, ValueError, AttributeError) as error:
            if isinstance(error, EventError):
                raise
            raise EventError(f"{field_name!r} of a {name} event cannot be read: {error}") from error
    if data:
        raise EventError(f"a {name} event has no {sorted(data)[0]!r}")
    return cls(**values)


def _upgraded_from_2(data: dict[str, Any]) -> dict[str, Any]:
    """An event of schema 2 as schema 3 has it."""
    return {**data, "shuffle_version": 1} if data.get("type") == "created" else data


UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: schema1.upgraded_event,
    2: _upgraded_from_2,
}
"""From each older schema to the next."""


def _upgraded(data: dict[str, Any]) -> dict[str, Any]:
    data = dict(data)
    schema = data.pop("schema", None)
    if not _is_int(schema) or schema < 1:
        raise EventError(f"an event carries its schema, 1 to {SCHEMA}, not {str(schema)[:20]!r}")
    if schema > SCHEMA:
        raise EventError(
            f"this event has schema {schema}, this version of tilerummy reads up to {SCHEMA}: "
            "update tilerummy"
        )
    while schema < SCHEMA:
        data = UPGRADES[schema](data)
        schema += 1
    return data


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _int(value: object) -> int:
    if not _is_int(value):
        raise EventError(f"expected a whole number, not {str(value)[:20]!r}")
    return cast(int, value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise EventError(f"expected text, not {str(value)[:20]!r}")
    return value


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise EventError(f"expected true or false, not {str(value)[:20]!r}")
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise EventError(f"expected a list, not {str(value)[:20]!r}")
    return value


def _tiles(value: object) -> Row:
    texts = _list(value)
    if not all(type(text) is str for text in texts):
        texts = [_text(text) for text in texts]
    return parse_physical_tiles(texts)


def _table(value: object) -> Table:
    return tuple([_tiles(row) for row in _list(value)])


def _end(value: object) -> Ending:
    try:
        return Ending(_text(value))
    except ValueError as error:
        raise EventError(f"unknown end {str(value)[:20]!r}: {', '.join(Ending)}") from error


def read_why(value: object) -> Why:
    """The `why` of plain data. Raises EventError."""
    text = _text(value)
    for why in WHYS:
        if text == why:
            return why
    raise EventError(f"unknown why {text[:20]!r}: {', '.join(WHYS)}")


def _optional(decode: Callable[[object], Any]) -> Callable[[object], Any]:
    return lambda value: None if value is None else decode(value)


def _rules_version(value: object) -> int:
    version = _int(value)
    if not 1 <= version <= RULES_VERSION:
        raise EventError(f"unknown rules version {version}: there are 1 to {RULES_VERSION}")
    return version


def _shuffle_version(value: object) -> int:
    version = _int(value)
    if not 1 <= version <= SHUFFLE_VERSION:
        raise EventError(f"unknown shuffle version {version}: there are 1 to {SHUFFLE_VERSION}")
    return version


def read_source(value: object) -> SeedSource:
    """The source of a seed from plain data. Raises EventError."""
    text = _text(value)
    for source in SOURCES:
        if text == source:
            return source
    raise EventError(f"unknown source {text[:20]!r}: {', '.join(SOURCES)}")


def _ints(value: object) -> tuple[int, ...]:
    return tuple(_int(item) for item in _list(value))


def _options(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise EventError("expected an object of options")
    return dict(value)


def _declared(value: object) -> dict[Row, Declaration]:
    return declarations.from_plain(value, _tiles)


_ENCODERS: dict[str, Callable[[Any], Any]] = {
    "options": dict,
    "players": list,
    "draws": lambda draws: [[seat, tile_text(tile)] for seat, tile in draws],
    "racks": lambda racks: [tile_texts(rack) for rack in racks],
    "pool": tile_texts,
    "tiles": tile_texts,
    "table": lambda table: [tile_texts(row) for row in table],
    "draft": lambda table: [tile_texts(row) for row in table],
    "declared": lambda declared: declarations.plain(declared, tile_texts),
    "winners": list,
    "scores": list,
    "sources": list,
    "withheld": list,
}
_FIELDS: dict[type, list[tuple[str, Callable[[Any], Any] | None]]] = {
    cls: [(item.name, _ENCODERS.get(item.name)) for item in dataclasses.fields(cls)]
    for cls in TYPES.values()
}
"""Of each event, and how they become plain."""
_DECODERS: dict[str, Callable[[object], Any]] = {
    "at": _int,
    "edition": _text,
    "options": _options,
    "players": lambda value: tuple(_text(item) for item in _list(value)),
    "game": _int,
    "secret": _text,
    "commitment": _text,
    "starter": _optional(_int),
    "rules_version": _rules_version,
    "shuffle_version": _shuffle_version,
    "sources": lambda value: tuple(read_source(item) for item in _list(value)),
    "withheld": _ints,
    "seat": _int,
    "seed": _text,
    "draws": lambda value: tuple(
        (_int(seat), parse_tile(_text(tile))) for seat, tile in map(_list, _list(value))
    ),
    "racks": _table,
    "pool": _tiles,
    "tiles": _tiles,
    "table": _table,
    "declared": _declared,
    "by_clock": _bool,
    "unproven": _bool,
    "end": _optional(_end),
    "why": read_why,
    "draft": _optional(_table),
    "blocked": _bool,
    "winners": _ints,
    "scores": _ints,
}
_READERS: dict[type, list[tuple[str, bool, Callable[[object], Any]]]] = {
    cls: [
        (
            item.name,
            item.default is item.default_factory is dataclasses.MISSING,
            _DECODERS[item.name],
        )
        for item in dataclasses.fields(cls)
    ]
    for cls in TYPES.values()
}
"""The fields of each event, whether they are required, and how they are read."""
