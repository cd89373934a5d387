"""What is asked of a room: by a seat, by its host, by somebody who comes, or by the clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.rules.declarations import Declared
from tilerummy.rules.tiles import Table

Move: TypeAlias = Play | Draw | Pass


@dataclass(frozen=True, slots=True)
class Sit:
    """A guest sits down, on the given seat or on the first that is free."""

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
class Forget:
    """A guest wants to be forgotten: they leave, and their seats are called otherwise."""

    guest: str
    name: str


@dataclass(frozen=True, slots=True)
class Begin:
    """The host begins the match. `secret` is the dealer's, for the first game."""

    by: int
    secret: str


@dataclass(frozen=True, slots=True)
class Seed:
    """A seat's own randomness for the deal that is coming."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class Deal:
    """The time for seeds is over."""

    game: int


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """A move, for the turn that its player saw."""

    move: Move
    turn: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock of a turn ran out over this draft, if there was one."""

    turn: int
    draft: Table | None = None
    declared: Declared = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class HoldClock:
    """A seat that must play waits to be shown a play: its clock stands for so many milliseconds at
    most, once a turn."""

    seat: int
    turn: int
    most: int


@dataclass(frozen=True, slots=True)
class ReleaseClock:
    """The play was shown, or there is none: the clock of the turn goes on."""

    turn: int


@dataclass(frozen=True, slots=True)
class NextGame:
    """People have looked at the result for long enough. `secret` is the dealer's."""

    game: int
    secret: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat wants `pause` or `more`, or no longer. `secret` is the dealer's, for the next game."""

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
    """The grace of a seat that is away is over: a bot plays for it, another is host, and where
    nobody is here the game stands."""

    seat: int
    since: int


@dataclass(frozen=True, slots=True)
class Close:
    why: str


Command: TypeAlias = (
    Sit
    | AddBot
    | Leave
    | Remove
    | Forget
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
