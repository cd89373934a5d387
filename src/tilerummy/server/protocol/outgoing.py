"""What a client gets over its socket.

Every change of a room is an event with a version, one more than the one before. A client that knows
version n gets what came after it, or a snapshot where that would be too much. Times are in
milliseconds of the server's clock.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from tilerummy.locales.sentences import Naming
from tilerummy.server.protocol.tiles import Declaration
from tilerummy.server.rooms.settings import Settings

Row = list[str]
Table = list[Row]
Declared = list[Declaration]


class _Struct(msgspec.Struct, frozen=True, omit_defaults=True):
    pass


# The room


class SeatInfo(_Struct, frozen=True):
    """`kind` is `free`, `person` or `bot`; a person who is away may have a bot that plays."""

    kind: str
    name: str = ""
    bot: str | None = None
    away: bool = False
    pause: bool = False
    more: bool = False


class ResultInfo(_Struct, frozen=True):
    """`end` is the rule that ended the game: `out`, `nobody_can` (proven: no player can play),
    `first_unable` (proven: the player to move cannot), `final_round`, or `all_passed` (a full
    round without a play)."""

    scores: list[int]
    winners: list[int]
    blocked: bool = False
    end: str = ""


class MatchInfo(_Struct, frozen=True):
    """`totals` are the points of each seat so far; `leaders` win once the match is over."""

    rounds: int
    games: int
    results: list[ResultInfo]
    totals: list[int]
    leaders: list[int]


class LastTurn(_Struct, frozen=True):
    """`action` is `played`, `drew` or `passed`; `why` is `choice`, `clock`, `penalty` or `illegal`.
    `tiles` are those laid, or those drawn if they are your own."""

    seat: int
    action: str
    why: str
    count: int = 0
    tiles: Row = []


class FinalInfo(_Struct, frozen=True):
    """What is laid open when a game is over; with the secret everybody can check the shuffle.
    `end` is as in a result; `unable` is the seat that could not play, where that ended the game."""

    scores: list[int]
    winners: list[int]
    blocked: bool
    racks: list[Row]
    pool: Row
    secret: str
    end: str = ""
    unable: int | None = None


class GameInfo(_Struct, frozen=True):
    """A game as one seat sees it. `rack` is your own; of others only the sizes are known."""

    number: int
    phase: str
    commitment: str
    seeds: list[str | None]
    starter: int | None = None
    starter_draws: list[tuple[int, str]] = []
    rack: Row = []
    rack_sizes: list[int] = []
    pool: int = 0
    table: Table = []
    declared: Declared = []
    opened: list[bool] = []
    current: int = 0
    turn: int = 0
    turn_began: int = 0
    deadline: int | None = None
    passes: int = 0
    final_turns: int | None = None
    manipulation: bool = True
    last: LastTurn | None = None
    final: FinalInfo | None = None


class SaidInfo(_Struct, frozen=True):
    at: int
    seat: int
    text: str = ""
    emote: str = ""


class DraftInfo(_Struct, frozen=True):
    """The seat's own unfinished table."""

    turn: int
    table: Table
    declared: Declared = []


class RoomInfo(_Struct, frozen=True):
    """Everything about a room that one seat, or a spectator, may know."""

    room: str
    code: str
    settings: Settings
    phase: str
    since: int
    seats: list[SeatInfo]
    host: int | None = None
    match: MatchInfo | None = None
    game: GameInfo | None = None
    paused: int | None = None
    chat: list[SaidInfo] = []
    muted: list[int] = []
    draft: DraftInfo | None = None


# Events


class _Event(msgspec.Struct, frozen=True, omit_defaults=True, tag=str.lower):
    at: int


class Seated(_Event, frozen=True):
    seat: int
    name: str
    bot: str | None = None


class Left(_Event, frozen=True):
    """With `bot` a bot goes on in this place, otherwise the seat is free."""

    seat: int
    removed: bool = False
    bot: str | None = None


class Forgotten(_Event, frozen=True):
    """Somebody wants to be forgotten: these seats have this name now. Show nothing any more of what
    was said before."""

    seats: list[int]
    name: str


class Hosted(_Event, frozen=True):
    seat: int


class Began(_Event, frozen=True):
    """A match has begun. `seats` are those who play, in order; yours may have another number."""

    seats: list[SeatInfo]
    you: int | None
    host: int | None
    match: MatchInfo


class Created(_Event, frozen=True):
    """A game is about to be dealt: the dealer's commitment is here, give your seed now."""

    number: int
    commitment: str
    starter: int | None = None


class Seeded(_Event, frozen=True):
    seat: int
    seed: str


class Starter(_Event, frozen=True):
    """Who begins, and the tiles that were drawn for it."""

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
    """A turn is over. `current`, `turn` and `deadline` are those of the next. `unproven`: whether
    players can play was not proven in time, so the game went on without that."""

    seat: int
    current: int
    turn: int
    deadline: int | None
    final_turns: int | None
    manipulation: bool
    why: str


class Played(_Turn, frozen=True):
    tiles: Row
    table: Table
    declared: Declared = []
    unproven: bool = False


class Drew(_Turn, frozen=True):
    """`tiles` are given to the seat that drew them."""

    count: int
    tiles: Row = []
    unproven: bool = False


class Passed(_Turn, frozen=True):
    unproven: bool = False


class Ended(_Event, frozen=True):
    final: FinalInfo
    match: MatchInfo
    phase: str


class Dropped(_Event, frozen=True):
    seat: int


class Returned(_Event, frozen=True):
    seat: int


class Replaced(_Event, frozen=True):
    """A bot plays for a seat that is away."""

    seat: int
    bot: str


class Asked(_Event, frozen=True):
    seat: int
    what: str
    want: bool


class Paused(_Event, frozen=True):
    """All who are here want it, or nobody is here any more. The clock stands, and nobody can play.
    Where nobody was here it ends with the first who comes back."""


class Resumed(_Event, frozen=True):
    """The clock goes on where it stood."""

    turn_began: int | None = None
    deadline: int | None = None


class Clock(_Event, frozen=True):
    """The clock of this turn has another end: it stands while a player who must play waits to be
    shown a play."""

    turn_began: int
    deadline: int | None = None


class Reopened(_Event, frozen=True):
    """The room is open for another match. Yours may be another seat than before."""

    seats: list[SeatInfo]
    you: int | None
    host: int | None


class Said(_Event, frozen=True):
    seat: int
    text: str = ""
    emote: str = ""


class Muted(_Event, frozen=True):
    seat: int
    on: bool


class Hidden(_Event, frozen=True):
    """Something happened that is not for you; only the version goes on."""


class Closed(_Event, frozen=True):
    why: str


OutEvent: TypeAlias = (
    Seated
    | Left
    | Forgotten
    | Hosted
    | Began
    | Created
    | Seeded
    | Starter
    | Dealt
    | Played
    | Drew
    | Passed
    | Ended
    | Dropped
    | Returned
    | Replaced
    | Asked
    | Paused
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
    """The room as it is at this version, for the seat `you`, or a spectator without one."""

    version: int
    now: int
    you: int | None
    room: RoomInfo
    re: str | None = None


class Events(_Message, frozen=True):
    """What happened, in order; the last of them has this version.

    `re` is the id of your command, if one of yours led to some of it. What others did at the same
    moment may be in the same message.
    """

    version: int
    events: list[OutEvent]
    re: str | None = None


class Done(_Message, frozen=True):
    """A command that had been applied before, or changed nothing."""

    re: str
    version: int


class ReasonInfo(_Struct, frozen=True):
    """Why a turn is not legal: a stable code, a sentence, and the faces concerned, such as `r7`.

    `params` fill in the translated sentence of the code.
    """

    code: str
    message: str
    faces: Row = []
    params: dict[str, int | str] = {}


class Refused(_Message, frozen=True):
    """A command that is not allowed now. Nothing has changed."""

    re: str
    code: str
    message: str
    reasons: list[ReasonInfo] = []


class Error(_Message, frozen=True):
    """A message that could not be read or was too much. The connection lives."""

    code: str
    message: str
    re: str | None = None


class Pong(_Message, frozen=True):
    re: str
    now: int


class Draft(_Message, frozen=True):
    """The draft of your seat, as another of your tabs has it."""

    draft: DraftInfo


class NamedInfo(_Struct, frozen=True):
    """Tiles that a sentence names, and how: one by one, as a run, as a group and so on."""

    how: Naming
    tiles: Row


class SentenceInfo(_Struct, frozen=True):
    """The key of a translated sentence, and what it names by parameter."""

    key: str
    names: dict[str, NamedInfo]


class StepInfo(_Struct, frozen=True):
    """One movement of the hands: `take`, `lay`, `add`, `move`, `join`, `swap` or `split`, the tiles
    that move, and the table after it. They leave the row `source`, of which `left` remains, and
    come to `target`, which becomes `result`; a swap takes up `freed`. `say` is its sentence."""

    kind: str
    tiles: Row
    table: Table
    say: SentenceInfo
    source: Row = []
    left: Table = []
    target: Row = []
    result: Table = []
    freed: Row = []


class Hint(_Message, frozen=True):
    """The best turn: how many tiles, which, the table after it, and the steps that lead there.

    `declared` is what has to be said of that table, where the rules ask for it.
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
    """The solver is busy: your hint waits for its turn, and comes later."""

    re: str


class MissedInfo(_Struct, frozen=True):
    """The best turn that a seat could still have played: its tiles, and the table after it."""

    seat: int
    tiles: Row
    table: Table


class Missed(_Message, frozen=True):
    """What could still have been played when a game ended; seats that could not are left out."""

    re: str
    game: int
    plays: list[MissedInfo]


Outgoing: TypeAlias = (
    Snapshot | Events | Done | Refused | Error | Pong | Draft | Hint | Queued | Missed
)

_encoder = msgspec.json.Encoder()
encode = _encoder.encode
