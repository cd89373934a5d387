"""Projection: a room and its events as one seat, or a spectator (None), may see them.

The only place that builds what leaves the process. For games it relies on `play.view`.
"""

from __future__ import annotations

from typing import assert_never

from tilerummy.play import events as play
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.play.views import Final, View, view
from tilerummy.server.protocol import infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import declared_out, row_out, table_out
from tilerummy.server.rooms import events
from tilerummy.server.rooms.room import Room, Transition
from tilerummy.server.rooms.seats import Seat

SAME_FOR_ALL = {
    events.Seated,
    events.Left,
    events.Forgotten,
    events.Hosted,
    events.Dropped,
    events.Returned,
    events.Replaced,
    events.Asked,
    events.Paused,
    events.Resumed,
    events.ClockHeld,
    events.ClockReleased,
    events.Closed,
    play.Created,
    play.Seeded,
    play.StarterDrawn,
    play.Played,
    play.Passed,
    play.Ended,
}
"""Events that look the same to every listener, and so are encoded once."""


def seen_from(step: Transition, seat: int | None) -> int | None:
    """The seat, if its view of an event may differ from a spectator's; otherwise None."""
    event = step.entry.event
    if isinstance(event, play.Drew):
        return seat if seat == event.seat else None
    return None if type(event) in SAME_FOR_ALL else seat


def seen_room(room: Room, seat: int | None, draft: infos.DraftInfo | None = None) -> infos.RoomInfo:
    """The whole room."""
    return infos.RoomInfo(
        room=room.id,
        code=room.code,
        settings=room.settings,
        phase=room.phase,
        since=room.since,
        seats=_seats(room),
        host=room.host,
        match=None if room.match is None else _match(room.match),
        game=None if room.game is None else _game(room, room.game, seat),
        paused=room.paused,
        chat=[
            infos.SaidInfo(said.at, said.seat, said.text, said.emote)
            for said in room.chat
            if seat is None or (seat, said.seat) not in room.muted
        ],
        muted=sorted(other for one, other in room.muted if one == seat),
        draft=draft if seat is not None else None,
    )


def seen_event(step: Transition, seat: int | None) -> out.OutEvent:
    """One event of the room."""
    event, room, at = step.entry.event, step.room, step.at
    match event:
        case play.Played() | play.Drew() | play.Passed():
            return _turn(event, at, room, seat)
        case play.Created() | play.Seeded() | play.StarterDrawn() | play.Dealt() | play.Ended():
            return _game_event(event, at, room, seat)
        case _:
            return _room_event(event, at, room, seat)


def _game_event(
    event: play.Created | play.Seeded | play.StarterDrawn | play.Dealt | play.Ended,
    at: int,
    room: Room,
    seat: int | None,
) -> out.OutEvent:
    """The start and the end of a game."""
    match event:
        case play.Created():
            return out.Created(at, event.game, event.commitment, event.starter)
        case play.Seeded():
            return out.Seeded(at, event.seat, event.seed)
        case play.StarterDrawn():
            draws = [(drawer, row_out([tile])[0]) for drawer, tile in event.draws]
            return out.Starter(at, event.starter, draws)
        case play.Dealt():
            seen = _view(room, seat)
            return out.Dealt(
                at,
                row_out(seen.rack),
                list(seen.rack_sizes),
                seen.pool_size,
                seen.current,
                seen.turn,
                room.deadline,
                seen.final_turns,
            )
        case play.Ended():
            final, match = _view(room, seat).final, room.match
            assert final is not None, "the game has ended"
            assert match is not None, "it was one of a match"
            return out.Ended(at, _final(final), _match(match), room.phase)
        case _:
            assert_never(event)


def _room_event(event: events.RoomEvent, at: int, room: Room, seat: int | None) -> out.OutEvent:
    match event:
        case events.Seated():
            return out.Seated(at, event.seat, event.name, event.bot)
        case events.Left():
            return out.Left(at, event.seat, event.removed, event.bot)
        case events.Forgotten():
            return out.Forgotten(at, list(event.seats), event.name)
        case events.Hosted():
            return out.Hosted(at, event.seat)
        case events.Dropped():
            return out.Dropped(at, event.seat)
        case events.Returned():
            return out.Returned(at, event.seat)
        case events.Replaced():
            return out.Replaced(at, event.seat, event.bot)
        case events.Asked():
            return out.Asked(at, event.seat, event.what, event.want)
        case events.Began():
            assert room.match is not None, "a match has begun"
            return out.Began(at, _seats(room), seat, room.host, _match(room.match))
        case events.Reopened():
            return out.Reopened(at, _seats(room), seat, room.host)
        case events.Paused():
            return out.Paused(at)
        case events.Resumed():
            game = room.game
            if game is None:
                return out.Resumed(at)
            return out.Resumed(at, game.turn_began + room.lost, room.deadline)
        case events.ClockHeld() | events.ClockReleased():
            assert room.game is not None, "a game is on"
            return out.Clock(at, room.game.turn_began + room.lost, room.deadline)
        case events.Said():
            if seat is not None and (seat, event.seat) in room.muted:
                return out.Hidden(at)
            return out.Said(at, event.seat, event.text, event.emote)
        case events.Muted():
            if seat != event.seat:
                return out.Hidden(at)
            return out.Muted(at, event.other, event.on)
        case events.Closed():
            return out.Closed(at, event.why)
        case events.Opened():
            return out.Hidden(at)
        case _:
            assert_never(event)


def _turn(
    event: play.Played | play.Drew | play.Passed, at: int, room: Room, seat: int | None
) -> out.OutEvent:
    game = room.game
    assert game is not None, "a game is on"
    next_turn = game.current, game.turn, room.deadline, game.final_turns, game.manipulation
    match event:
        case play.Played():
            why: play.Why = "clock" if event.by_clock else "choice"
            tiles, table = row_out(event.tiles), table_out(event.table)
            said = declared_out(event.declared)
            return out.Played(at, event.seat, *next_turn, why, tiles, table, said, event.unproven)
        case play.Drew():
            own = row_out(event.tiles) if event.seat == seat else []
            count = len(event.tiles)
            return out.Drew(at, event.seat, *next_turn, event.why, count, own, event.unproven)
        case play.Passed():
            return out.Passed(at, event.seat, *next_turn, event.why, event.unproven)
        case _:
            assert_never(event)


def _view(room: Room, seat: int | None) -> View:
    assert room.game is not None, "a game is on"
    return view(room.game, seat)


def _seats(room: Room) -> list[infos.SeatInfo]:
    return [_seat(seat) for seat in room.seats]


def _seat(seat: Seat) -> infos.SeatInfo:
    kind: infos.SeatKind = (
        "person" if seat.guest is not None else "bot" if seat.bot is not None else "free"
    )
    return infos.SeatInfo(kind, seat.name, seat.bot, seat.away is not None, seat.pause, seat.more)


def _match(match: Match) -> infos.MatchInfo:
    standing = match.standing
    return infos.MatchInfo(
        match.rounds,
        match.games_agreed,
        [
            infos.ResultInfo(list(r.scores), list(r.winners), r.blocked, r.end)
            for r in match.results
        ],
        list(standing.totals),
        list(standing.leaders),
    )


def _final(final: Final) -> infos.FinalInfo:
    result = final.result
    return infos.FinalInfo(
        list(result.scores),
        list(result.winners),
        result.blocked,
        [row_out(rack) for rack in final.racks],
        row_out(final.pool),
        final.secret,
        result.end,
        final.unable,
    )


def _game(room: Room, game: Game, seat: int | None) -> infos.GameInfo:
    seen = view(game, seat)
    last = seen.last
    return infos.GameInfo(
        number=seen.game,
        phase=seen.phase,
        commitment=seen.commitment,
        seeds=list(seen.seeds),
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
        else infos.LastTurn(
            last.seat,
            last.action,
            last.why,
            len(last.played) or last.drawn,
            row_out(last.played or last.own_drawn),
        ),
        final=None if seen.final is None else _final(seen.final),
    )
