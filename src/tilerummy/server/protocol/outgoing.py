"""Outgoing messages: what the server sends over a socket.

Every change of a room is an event with a version, one higher than the version before. A client that
knows version n gets the events after it, or a snapshot if that would be too much. Times are in
milliseconds of the server's clock.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

import msgspec

from tilerummy.play.commit_reveal import SeedSource
from tilerummy.play.events import Why
from tilerummy.play.shuffle import SHUFFLE_VERSION
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.protocol.codes import ErrorCode, Refusal
from tilerummy.server.protocol.infos import (
    Declared,
    DraftInfo,
    FinalInfo,
    MatchInfo,
    MissedInfo,
    ReasonInfo,
    RemarkInfo,
    RoomInfo,
    Row,
    SeatInfo,
    StepInfo,
    Table,
)
from tilerummy.server.rooms.events import Closed, EmoteName, PublicPlayEvent, PublicSeatEvent
from tilerummy.server.rooms.room import RoomPhase

# Events that differ from those of the room. The public ones are sent as they are.


class _Event(msgspec.Struct, frozen=True, omit_defaults=True, tag=str.lower):
    at: int


class Seated(_Event, frozen=True):
    seat: int
    name: str
    bot: str | None = None


class Began(_Event, frozen=True):
    """A match has begun. `seats` are the players in order; your seat may have a new number."""

    seats: list[SeatInfo]
    you: int | None
    host: int | None
    match: MatchInfo


class Created(_Event, frozen=True):
    """A game is about to be dealt: this is the dealer's commitment. Commit to your seed now."""

    number: int
    commitment: str
    starter: int | None = None
    transcript: str = ""
    shuffle_version: int = SHUFFLE_VERSION


class Seeded(_Event, frozen=True):
    """A seat gave its seed, in a game of shuffle version 1."""

    seat: int
    seed: str


class Committed(_Event, frozen=True):
    """A seat committed to a seed."""

    seat: int
    commitment: str


class Fixed(_Event, frozen=True):
    """All commitments are fixed: reveal your seed now, if the source of your seat is `own`. The
    seed of a bot comes from the `dealer`; a seat without a commitment plays with the `default`."""

    sources: list[SeedSource]


class Revealed(_Event, frozen=True):
    """A seat revealed its seed."""

    seat: int
    seed: str


class Cancelled(_Event, frozen=True):
    """The deal is cancelled, because these seats did not reveal their seeds. `secret` is the
    dealer's of the cancelled deal, `commitment` that to the next one. Commit to a new seed."""

    withheld: list[int]
    secret: str
    commitment: str
    transcript: str


class Starter(_Event, frozen=True):
    """The starting player, and the tiles drawn to choose them."""

    starter: int
    draws: list[tuple[int, str]]


class Dealt(_Event, frozen=True):
    rack: Row
    rack_sizes: list[int]
    pool: int
    current: int
    turn: int
    deadline: int | None = None
    final_turns: int | None = None


class _Turn(_Event, frozen=True):
    """A turn is over. `current`, `turn` and `deadline` describe the next one. `unproven`: whether
    players can play was not proven in time, so the game continued without a proof. A bot says why
    in `remark`."""

    seat: int
    current: int
    turn: int
    deadline: int | None
    final_turns: int | None
    manipulation: bool
    why: Why


class Played(_Turn, frozen=True):
    tiles: Row
    table: Table
    declared: Declared = []
    unproven: bool = False
    remark: RemarkInfo | None = None


class Drew(_Turn, frozen=True):
    """Only the seat that drew them gets `tiles`."""

    count: int
    tiles: Row = []
    unproven: bool = False
    remark: RemarkInfo | None = None


class Passed(_Turn, frozen=True):
    unproven: bool = False
    remark: RemarkInfo | None = None


class Ended(_Event, frozen=True):
    final: FinalInfo
    match: MatchInfo
    phase: RoomPhase


class Resumed(_Event, frozen=True):
    """The clock continues where it stopped."""

    turn_began: int | None = None
    deadline: int | None = None


class Clock(_Event, frozen=True):
    """The deadline of this turn has changed: the clock stops while a player who must play waits
    for a hint."""

    turn_began: int
    deadline: int | None = None


class Reopened(_Event, frozen=True):
    """The room is open for another match. Your seat may have a new number."""

    seats: list[SeatInfo]
    you: int | None
    host: int | None


class Said(_Event, frozen=True):
    seat: int
    text: str = ""
    emote: EmoteName | Literal[""] = ""


class Muted(_Event, frozen=True):
    """You muted this seat, or unmuted it."""

    seat: int
    on: bool


class Hidden(_Event, frozen=True):
    """Something happened that you may not see; only the version increases."""


OutEvent: TypeAlias = (
    Seated
    | PublicSeatEvent
    | Began
    | Created
    | Seeded
    | Committed
    | Fixed
    | Revealed
    | Cancelled
    | Starter
    | Dealt
    | Played
    | Drew
    | Passed
    | Ended
    | PublicPlayEvent
    | Resumed
    | Clock
    | Reopened
    | Said
    | Muted
    | Hidden
    | Closed
)


# Messages


class _Message(msgspec.Struct, frozen=True, omit_defaults=True, tag=str.lower):
    pass


class Snapshot(_Message, frozen=True):
    """The room at this version, as the seat `you` sees it, or a spectator if it is null."""

    version: int
    now: int
    you: int | None
    room: RoomInfo
    re: str | None = None


class Events(_Message, frozen=True):
    """What happened, in order; the last event has this version.

    `re` is the id of your command, if one of yours led to some of the events. The message may also
    contain what others did at the same moment.
    """

    version: int
    events: list[OutEvent]
    re: str | None = None


class Done(_Message, frozen=True):
    """A command that was applied before, or that changed nothing."""

    re: str
    version: int


class Refused(_Message, frozen=True):
    """A command that is not allowed now. Nothing has changed."""

    re: str
    code: Refusal
    message: str
    reasons: list[ReasonInfo] = []


class Error(_Message, frozen=True):
    """A message that could not be read, or that exceeded a limit. The connection stays open.

    `params` are the numbers in the message, for a client that says it in its own words.
    """

    code: ErrorCode
    message: str
    re: str | None = None
    params: dict[str, int] = {}


class Pong(_Message, frozen=True):
    re: str
    now: int


class Draft(_Message, frozen=True):
    """The draft of your seat, from another of your tabs."""

    draft: DraftInfo


class Hint(_Message, frozen=True):
    """The best turn: how many tiles, which ones, the table after it, and the steps to it.

    `declared` are the declarations that the rules require for that table.
    """

    re: str
    turn: int
    tiles: int
    value: int
    played: Row
    table: Table
    steps: list[StepInfo]
    exact: bool
    declared: Declared = []


class Queued(_Message, frozen=True):
    """The solver is busy: your hint is queued and comes later."""

    re: str


class Missed(_Message, frozen=True):
    """What could still have been played when a game ended; seats without a play are omitted."""

    re: str
    game: int
    plays: list[MissedInfo]


Outgoing: TypeAlias = (
    Snapshot | Events | Done | Refused | Error | Pong | Draft | Hint | Queued | Missed
)

_encoder = msgspec.json.Encoder()
encode = _encoder.encode


def failed(error: TileRummyError) -> Error:
    """The answer to a request that fails. Tests check that its codes are those of `ErrorCode`."""
    numbers = {name: value for name, value in error.params.items() if type(value) is int}
    return Error(cast(ErrorCode, error.code), str(error), params=numbers)


def refused(re: str, error: TileRummyError, reasons: list[ReasonInfo] | None = None) -> Refused:
    """The message that refuses a command. Tests check that its codes are those of `Refusal`."""
    return Refused(re, cast(Refusal, error.code), str(error), reasons or [])
