"""Commands: what a seat, or the clock, asks of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilerummy.play.shuffle import Deal
from tilerummy.rules.declarations import Declared
from tilerummy.rules.tiles import Table, table_text


@dataclass(frozen=True, slots=True)
class GiveSeed:
    """Add a seat's own randomness to the shuffle. Only in games of shuffle version 1."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class Commit:
    """Commit to a seed: `commitment` is `commit_reveal.seat_commitment` of it."""

    seat: int
    commitment: str


@dataclass(frozen=True, slots=True)
class FixCommitments:
    """Accept no more commitments: now the seats may reveal their seeds.

    `local` are the bots and the seats on the dealer's device: their seeds come from its secret.
    Other seats without a commitment play with the default seed.
    """

    local: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """Reveal the seed that a seat has committed to."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class CancelDeal:
    """Cancel the deal, as some seats did not reveal their seeds; all commit again.

    `secret` is a new secret of the dealer.
    """

    secret: str


@dataclass(frozen=True, slots=True)
class Start:
    """Draw for the first turn, deal, and start the clock.

    Where no seat has committed, all of them are on the dealer's device.

    `deal` replaces the fair shuffle: for simulations and set positions, where the starter is
    fixed. A record of such a game does not verify.
    """

    deal: Deal | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Play:
    """Submit the whole new table; `declared` says what its rows and jokers are."""

    seat: int
    table: Table
    declared: Declared = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"<Play seat {self.seat}: {table_text(self.table)}>"


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a tile from the pool instead of playing."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing: only on an empty pool."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The clock of a turn ran out. `draft` is the table as the player had it then, if known."""

    turn: int
    draft: Table | None = None
    declared: Declared = field(default_factory=dict, hash=False)


Command: TypeAlias = (
    GiveSeed | Commit | FixCommitments | Reveal | CancelDeal | Start | Play | Draw | Pass | TimeOut
)
"""Everything that `Game.apply` takes."""

Turn: TypeAlias = Play | Draw | Pass
"""A command that ends the turn of a seat by its own choice."""
