"""Events: the facts of a game. A game is its list of events; its state is a fold over them.

Events hold secrets (racks, the pool, the dealer's secret): they are for the store and for records
of finished games. Players see the projection by `view` only.

Every event has a time, in milliseconds of the caller's clock. `event_json` converts events to plain
dictionaries and back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias, get_args

from tilerummy.play.commit_reveal import SeedSource
from tilerummy.play.shuffle import SHUFFLE_VERSION
from tilerummy.rules.declarations import Declared
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import (
    Table,
    Tile,
)

SCHEMA = 3
RULES_VERSION = 2
"""The version of the procedures of a new game. In version 1, that of schema 1, a blocked game ended
after a round of passes or at the first pass of a final round, proven or not."""


EventName: TypeAlias = Literal[
    "created",
    "seeded",
    "committed",
    "fixed",
    "revealed",
    "cancelled",
    "starter",
    "dealt",
    "played",
    "drew",
    "passed",
    "ended",
]
Why: TypeAlias = Literal["choice", "clock", "penalty", "illegal"]
"""Why a seat drew or passed: its own choice; the clock ran out over an untouched table, or over
an unfinished one, which costs a penalty; or an illegal table was submitted, which costs one too."""
WHYS: tuple[Why, ...] = get_args(Why)


@dataclass(frozen=True, slots=True)
class Created:
    """A new game, with the commitment to the dealer's secret."""

    at: int
    edition: str
    options: Mapping[str, object] = field(hash=False)
    players: tuple[str, ...]
    game: int
    secret: str
    commitment: str
    starter: int | None = None
    """Set if the first player is known; otherwise tiles are drawn for it."""
    rules_version: int = RULES_VERSION
    shuffle_version: int = SHUFFLE_VERSION
    type: ClassVar[EventName] = "created"


@dataclass(frozen=True, slots=True)
class Seeded:
    """A seat's own randomness for the shuffle, in shuffle version 1."""

    at: int
    seat: int
    seed: str
    type: ClassVar[EventName] = "seeded"


@dataclass(frozen=True, slots=True)
class Committed:
    """A seat committed to a seed that nobody else knows yet."""

    at: int
    seat: int
    commitment: str
    type: ClassVar[EventName] = "committed"


@dataclass(frozen=True, slots=True)
class Fixed:
    """All commitments are fixed: from now on seats reveal their seeds."""

    at: int
    sources: tuple[SeedSource, ...]
    """Of each seat: where its seed comes from."""
    type: ClassVar[EventName] = "fixed"


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat revealed the seed that it had committed to."""

    at: int
    seat: int
    seed: str
    type: ClassVar[EventName] = "revealed"


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A deal was cancelled, because these seats did not reveal their seeds.

    The secret and the commitment are those of the dealer for the next try.
    """

    at: int
    withheld: tuple[int, ...]
    secret: str
    commitment: str
    type: ClassVar[EventName] = "cancelled"


@dataclass(frozen=True, slots=True)
class StarterDrawn:
    """The draw for the first turn."""

    at: int
    draws: tuple[tuple[int, Tile], ...]
    starter: int
    type: ClassVar[EventName] = "starter"


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deal: the first turn begins."""

    at: int
    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]
    starter: int
    unproven: bool = False
    type: ClassVar[EventName] = "dealt"


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that changed the table.

    `unproven`, here and in other events: the game needed a proof that a player can or cannot play,
    and the search did not finish in time. So the game continued without the answer.
    """

    at: int
    seat: int
    tiles: tuple[Tile, ...]
    table: Table
    declared: Declared = field(default_factory=dict, hash=False)
    by_clock: bool = False
    """The clock ran out over a draft that was a legal turn."""
    unproven: bool = False
    type: ClassVar[EventName] = "played"


@dataclass(frozen=True, slots=True)
class Drew:
    """Tiles taken from the pool, in the order drawn, and why.

    `draft` is the unfinished or illegal table, `declared` the declarations of its rows.
    """

    at: int
    seat: int
    tiles: tuple[Tile, ...]
    why: Why = "choice"
    draft: Table | None = None
    declared: Declared = field(default_factory=dict, hash=False)
    unproven: bool = False
    type: ClassVar[EventName] = "drew"


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing played and nothing to draw; the fields are those of `Drew`."""

    at: int
    seat: int
    why: Why = "choice"
    draft: Table | None = None
    declared: Declared = field(default_factory=dict, hash=False)
    unproven: bool = False
    type: ClassVar[EventName] = "passed"


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of the game, with its scores."""

    at: int
    blocked: bool
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    end: Ending | None = None
    """None in games of rules version 1, whose events do not have it."""
    type: ClassVar[EventName] = "ended"


Setup: TypeAlias = Created | Seeded | Committed | Fixed | Revealed | Cancelled | StarterDrawn
"""What happens before the deal."""
Event: TypeAlias = Setup | Dealt | Played | Drew | Passed | Ended
"""Everything that happens in a game."""
TYPES: dict[EventName, type[Event]] = {
    cls.type: cls
    for cls in (
        Created,
        Seeded,
        Committed,
        Fixed,
        Revealed,
        Cancelled,
        StarterDrawn,
        Dealt,
        Played,
        Drew,
        Passed,
        Ended,
    )
}
