"""What a seat, or the clock, asks of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, Table

NOTHING_DECLARED: Mapping[Row, Kind] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class GiveSeed:
    """Add a seat's own randomness to the shuffle, before the deal."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class Start:
    """Draw for the first turn, deal, and start the clock."""


@dataclass(frozen=True, slots=True)
class Play:
    """Submit the whole table as it shall be; `declared` names the reading of ambiguous rows."""

    seat: int
    table: Table
    declared: Mapping[Row, Kind] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Draw:
    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The clock of a turn ran out; `draft` is the table as the player had it by then, if known."""

    turn: int
    draft: Table | None = None
    declared: Mapping[Row, Kind] = field(default_factory=dict, hash=False)


Command: TypeAlias = GiveSeed | Start | Play | Draw | Pass | TimeOut
