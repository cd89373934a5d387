"""Parts of outgoing messages: a room, its seats, match and game as one seat, or a spectator (None),
may see them. Each stands beside the function that fills it from the state.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from tilerummy.bots.remarks import Thought, last_remark
from tilerummy.locales.sentences import Naming
from tilerummy.play.commit_reveal import CancelledDeal, SeedSource
from tilerummy.play.events import Why
from tilerummy.play.game import Game
from tilerummy.play.game import Phase as GamePhase
from tilerummy.play.match import Match
from tilerummy.play.shuffle import SHUFFLE_VERSION
from tilerummy.play.views import Action, Final, view
from tilerummy.rules.reasons import ReasonCode
from tilerummy.rules.scores import Ending
from tilerummy.server.protocol.tiles import Declaration, declared_out, row_out, table_out
from tilerummy.server.rooms.events import EmoteName, Motion
from tilerummy.server.rooms.room import Room, RoomPhase
from tilerummy.server.rooms.seats import Seat
from tilerummy.server.rooms.settings import Settings
from tilerummy.solver.steps.step import StepKind

Row = list[str]
Table = list[Row]
Declared = list[Declaration]

SeatKind: TypeAlias = Literal["free", "person", "bot"]


class Info(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of all parts."""


class SeatInfo(Info, frozen=True):
    """A person who is away may have a `bot` that plays for them."""

    kind: SeatKind
    name: str = ""
    bot: str | None = None
    away: bool = False
    pause: bool = False
    more: bool = False


def seat_infos(room: Room) -> list[SeatInfo]:
    return [_seat_info(seat) for seat in room.seats]


def _seat_info(seat: Seat) -> SeatInfo:
    kind: SeatKind = (
        "person" if seat.guest is not None else "bot" if seat.bot is not None else "free"
    )
    return SeatInfo(kind, seat.name, seat.bot, seat.away is not None, seat.pause, seat.more)


class ResultInfo(Info, frozen=True):
    """`end` is the rule that ended the game: `out`, `nobody_can` (proven: no player can play),
    `first_unable` (proven: the player to move cannot play), `final_round`, or `all_passed` (a full
    round without a play)."""

    scores: list[int]
    winners: list[int]
    blocked: bool = False
    end: Ending | None = None


class MatchInfo(Info, frozen=True):
    """`totals` are the points of each seat so far; `leaders` win once the match is over."""

    rounds: int
    games: int
    results: list[ResultInfo]
    totals: list[int]
    leaders: list[int]


def match_info(match: Match) -> MatchInfo:
    standing = match.standing
    return MatchInfo(
        match.rounds,
        match.games_agreed,
        [ResultInfo(list(r.scores), list(r.winners), r.blocked, r.end) for r in match.results],
        list(standing.totals),
        list(standing.leaders),
    )


class RemarkInfo(Info, frozen=True):
    """Why a bot has played as it did, as the key of a sentence. `count` is its number, if it has
    one: of tiles, of sets, or the number on a tile. It follows from what everybody has seen."""

    thought: Thought
    count: int = 0


def remark_info(room: Room) -> RemarkInfo | None:
    """What the bot that made the latest turn says of it."""
    if room.mover is None or room.game is None:
        return None
    said = last_remark(room.mover, room.game, room.game_log)
    return None if said is None else RemarkInfo(said.thought, said.count)


class LastTurn(Info, frozen=True):
    """The previous turn. `tiles` are the tiles laid, or the tiles drawn if they are your own; a
    bot says why in `remark`."""

    seat: int
    action: Action
    why: Why
    count: int = 0
    tiles: Row = []
    remark: RemarkInfo | None = None


class DealInfo(Info, frozen=True):
    """The tiles as they were dealt. Tiles are drawn from the end of the pool."""

    racks: list[Row]
    pool: Row


class CancelledInfo(Info, frozen=True):
    """A deal that was cancelled, because some seats did not reveal their seeds: those with a
    commitment and without a seed."""

    secret: str
    commitment: str
    commitments: list[str | None]
    sources: list[SeedSource]
    seeds: list[str | None]


class FinalInfo(Info, frozen=True):
    """What is revealed when a game is over; the secret lets everybody verify the shuffle.
    `end` is as in a result; `unable` is the seat that could not play, if that ended the game."""

    scores: list[int]
    winners: list[int]
    blocked: bool
    racks: list[Row]
    pool: Row
    secret: str
    end: Ending | None = None
    unable: int | None = None
    dealt: DealInfo | None = None


def final_info(final: Final) -> FinalInfo:
    result, dealt = final.result, final.dealt
    return FinalInfo(
        list(result.scores),
        list(result.winners),
        result.blocked,
        [row_out(rack) for rack in final.racks],
        row_out(final.pool),
        final.secret,
        result.end,
        final.unable,
        None
        if dealt is None
        else DealInfo([row_out(rack) for rack in dealt.racks], row_out(dealt.pool)),
    )


class GameInfo(Info, frozen=True):
    """A game as one seat sees it. `rack` is your own; of other racks you see only the size.

    `commitments` and `seeds` are those of the seats for this deal, `sources` where the seeds come
    from; it is empty until the commitments are fixed."""

    number: int
    phase: GamePhase
    commitment: str
    seeds: list[str | None]
    shuffle_version: int = SHUFFLE_VERSION
    transcript: str = ""
    commitments: list[str | None] = []
    sources: list[SeedSource] = []
    cancelled: list[CancelledInfo] = []
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


def _cancelled_info(deal: CancelledDeal) -> CancelledInfo:
    return CancelledInfo(
        deal.secret,
        deal.commitment,
        list(deal.commitments),
        list(deal.sources),
        list(deal.seeds),
    )


def _game_info(room: Room, game: Game, seat: int | None) -> GameInfo:
    seen = view(game, seat)
    last = seen.last
    return GameInfo(
        number=seen.game,
        phase=seen.phase,
        commitment=seen.commitment,
        seeds=list(seen.seeds),
        shuffle_version=seen.shuffle_version,
        transcript=seen.transcript,
        commitments=list(seen.commitments),
        sources=list(seen.sources),
        cancelled=[_cancelled_info(deal) for deal in seen.cancelled],
        starter=seen.starter,
        starter_draws=[(drawer, row_out([tile])[0]) for drawer, tile in seen.starter_draws],
        rack=row_out(seen.rack),
        rack_sizes=list(seen.rack_sizes),
        pool=seen.pool_size,
        table=table_out(seen.table),
        declared=declared_out(seen.declared),
        opened=list(seen.opened),
        current=seen.current,
        turn=seen.turn,
        turn_began=seen.turn_began + room.lost,
        deadline=room.deadline,
        passes=seen.passes,
        final_turns=seen.final_turns,
        manipulation=seen.manipulation,
        last=None
        if last is None
        else LastTurn(
            last.seat,
            last.action,
            last.why,
            len(last.played) or last.drawn,
            row_out(last.played or last.own_drawn),
            remark_info(room),
        ),
        final=None if seen.final is None else final_info(seen.final),
    )


class SaidInfo(Info, frozen=True):
    at: int
    seat: int
    text: str = ""
    emote: EmoteName | Literal[""] = ""


class DraftInfo(Info, frozen=True):
    """The seat's own unfinished table."""

    turn: int
    table: Table
    declared: Declared = []


class VoteInfo(Info, frozen=True):
    """`seat` wants something to be done about the player `about`."""

    what: Motion
    about: int
    seat: int


class RoomInfo(Info, frozen=True):
    """Everything about a room that one seat, or a spectator, may see."""

    room: str
    code: str
    settings: Settings
    phase: RoomPhase
    since: int
    seats: list[SeatInfo]
    host: int | None = None
    match: MatchInfo | None = None
    game: GameInfo | None = None
    paused: int | None = None
    chat: list[SaidInfo] = []
    muted: list[int] = []
    draft: DraftInfo | None = None
    votes: list[VoteInfo] = []


def seen_room(room: Room, seat: int | None, draft: DraftInfo | None = None) -> RoomInfo:
    """The whole room."""
    return RoomInfo(
        room=room.id,
        code=room.code,
        settings=room.settings,
        phase=room.phase,
        since=room.since,
        seats=seat_infos(room),
        host=room.host,
        match=None if room.match is None else match_info(room.match),
        game=None if room.game is None else _game_info(room, room.game, seat),
        paused=room.paused,
        chat=[
            SaidInfo(said.at, said.seat, said.text, said.emote)
            for said in room.chat
            if seat is None or (seat, said.seat) not in room.muted
        ],
        muted=sorted(other for one, other in room.muted if one == seat),
        draft=draft if seat is not None else None,
        votes=[VoteInfo(*vote) for vote in sorted(room.votes)],
    )


class ReasonInfo(Info, frozen=True):
    """Why a turn is not legal: a stable code, a sentence, and the faces concerned, such as `r7`.

    `params` fill in the translated sentence of the code.
    """

    code: ReasonCode
    message: str
    faces: Row = []
    params: dict[str, int | str] = {}


class NamedInfo(Info, frozen=True):
    """Tiles that a sentence names, and how: one by one, as a run, as a group and so on."""

    how: Naming
    tiles: Row


class SentenceInfo(Info, frozen=True):
    """The key of a translated sentence, and the tiles that it names by parameter."""

    key: str
    names: dict[str, NamedInfo]


class StepInfo(Info, frozen=True):
    """One step towards a turn: the tiles that move, and the table after it. They leave the set
    `source`, of which `left` remains, and join `target`, which becomes `result`; a swap picks up
    `freed`. `say` is its sentence."""

    kind: StepKind
    tiles: Row
    table: Table
    say: SentenceInfo
    source: Row = []
    left: Table = []
    target: Row = []
    result: Table = []
    freed: Row = []


class MissedInfo(Info, frozen=True):
    """The best turn that a seat could still have played: its tiles, and the table after it."""

    seat: int
    tiles: Row
    table: Table
