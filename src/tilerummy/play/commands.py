"""What a seat, or the clock, asks of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilerummy.rules.declarations import Declared
from tilerummy.rules.tiles import Table


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
    """Submit the whole table as it shall be; `declared` says what its jokers are."""

    seat: int
    table: Table
    declared: Declared = field(default_factory=dict, hash=False)


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
    declared: Declared = field(default_factory=dict, hash=False)


Command: TypeAlias = GiveSeed | Start | Play | Draw | Pass | TimeOut

Turn: TypeAlias = Play | Draw | Pass
"""A command that ends the turn of a seat by its own choice."""
