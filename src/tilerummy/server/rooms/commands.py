"""Commands to a room: from a seat, from its host, from a guest who arrives, or from a timer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.rules.declarations import Declared
from tilerummy.rules.tiles import Table
from tilerummy.server.rooms.events import CloseReason

Move: TypeAlias = Play | Draw | Pass


@dataclass(frozen=True, slots=True)
class Sit:
    """A guest takes the given seat, or the first free one."""

    guest: str
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class AddBot:
    by: int
    bot: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    seat: int


@dataclass(frozen=True, slots=True)
class Remove:
    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase a guest: they leave, and `name` replaces theirs on every seat that carries it."""

    guest: str
    name: str


@dataclass(frozen=True, slots=True)
class Begin:
    """The host begins the match. `secret` is the dealer's secret for the first game."""

    by: int
    secret: str


@dataclass(frozen=True, slots=True)
class Seed:
    """A seat contributes its own randomness to the coming deal."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class Deal:
    """The time to give seeds is over: deal."""

    game: int


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """A move for the turn that the player saw."""

    move: Move
    turn: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock of a turn ran out; `draft` is the table that the player had laid by then."""

    turn: int
    draft: Table | None = None
    declared: Declared = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class HoldClock:
    """Stop the clock for a player who must play and waits for a hint: for at most this many
    milliseconds, and once per turn."""

    seat: int
    turn: int
    most: int


@dataclass(frozen=True, slots=True)
class ReleaseClock:
    """The hint was shown, or there is none: the clock of the turn runs again."""

    turn: int


@dataclass(frozen=True, slots=True)
class NextGame:
    """The time to look at the result is over. `secret` is the dealer's secret."""

    game: int
    secret: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat votes for a wish or withdraws its vote. `what` comes from a client and is checked by
    the room; `secret` is the dealer's secret for the next game."""

    seat: int
    what: str
    want: bool
    secret: str


@dataclass(frozen=True, slots=True)
class Say:
    seat: int
    text: str = ""
    emote: str = ""


@dataclass(frozen=True, slots=True)
class Mute:
    seat: int
    other: int
    on: bool


@dataclass(frozen=True, slots=True)
class Drop:
    seat: int


@dataclass(frozen=True, slots=True)
class Return:
    seat: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """The grace period of a seat that is away is over: a bot plays for it, another seat becomes
    host, and if everybody is away the game pauses."""

    seat: int
    since: int


@dataclass(frozen=True, slots=True)
class Close:
    why: CloseReason


Command: TypeAlias = (
    Sit
    | AddBot
    | Leave
    | Remove
    | Erase
    | Begin
    | Seed
    | Deal
    | TakeTurn
    | TimeUp
    | HoldClock
    | ReleaseClock
    | NextGame
    | Ask
    | Say
    | Mute
    | Drop
    | Return
    | StandIn
    | Close
)
