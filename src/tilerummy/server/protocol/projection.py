"""Projection of events: what one seat, or a spectator (None), may see of each.

The only way out for an event; `infos` is that of the state. For games both ask `play.views`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tilerummy.play import events as play
from tilerummy.play.views import View, view
from tilerummy.server.protocol import infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import declared_out, row_out, table_out
from tilerummy.server.rooms import events
from tilerummy.server.rooms.room import Room, Transition

SAME_FOR_ALL = {
    events.Seated,
    events.Resumed,
    events.ClockHeld,
    events.ClockReleased,
    play.Created,
    play.Seeded,
    play.Committed,
    play.Fixed,
    play.Revealed,
    play.Cancelled,
    play.StarterDrawn,
    play.Played,
    play.Passed,
    play.Ended,
}
"""Events that look the same to every listener, and so are encoded once, as public ones are."""


def own_view(step: Transition) -> Sequence[int] | None:
    """The seats whose view of an event may differ from a spectator's; None if all may."""
    event = step.entry.event
    if type(event) in SAME_FOR_ALL or isinstance(event, events.Public):
        return ()
    return (event.seat,) if isinstance(event, play.Drew) else None


def seen_from(step: Transition, seat: int | None) -> int | None:
    """The seat, if its view of an event may differ from a spectator's; otherwise None."""
    own = own_view(step)
    return seat if own is None or seat in own else None


def seen_event(step: Transition, seat: int | None) -> out.OutEvent:
    """One event of the room."""
    event, room, at = step.entry.event, step.room, step.at
    match event:
        case play.Played() | play.Drew() | play.Passed():
            return _turn(event, at, room, seat)
        case play.StarterDrawn() | play.Dealt() | play.Ended():
            return _game_event(event, at, room, seat)
        case play.Created() | play.Cancelled():
            return _new_deal(event, at, room)
        case play.Seeded() | play.Committed() | play.Fixed() | play.Revealed():
            return _seed_event(event, at)
        case _:
            return _room_event(event, at, room, seat)


def _new_deal(event: play.Created | play.Cancelled, at: int, room: Room) -> out.OutEvent:
    """The dealer commits to another secret. The one of a cancelled deal is public from then on."""
    game = room.game
    assert game is not None, "a game is on"
    if isinstance(event, play.Created):
        return out.Created(
            at, event.game, event.commitment, event.starter, game.transcript, event.shuffle_version
        )
    cancelled = game.cancelled[-1]
    return out.Cancelled(
        at, list(event.withheld), cancelled.secret, event.commitment, game.transcript
    )


def _seed_event(
    event: play.Seeded | play.Committed | play.Fixed | play.Revealed, at: int
) -> out.OutEvent:
    match event:
        case play.Seeded():
            return out.Seeded(at, event.seat, event.seed)
        case play.Committed():
            return out.Committed(at, event.seat, event.commitment)
        case play.Fixed():
            return out.Fixed(at, list(event.sources))
        case play.Revealed():
            return out.Revealed(at, event.seat, event.seed)
        case _:
            assert_never(event)


def _game_event(
    event: play.StarterDrawn | play.Dealt | play.Ended, at: int, room: Room, seat: int | None
) -> out.OutEvent:
    """The start and the end of a game."""
    match event:
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
            return out.Ended(at, infos.final_info(final), infos.match_info(match), room.phase)
        case _:
            assert_never(event)


def _room_event(event: events.RoomEvent, at: int, room: Room, seat: int | None) -> out.OutEvent:
    match event:
        case events.Public():
            return event
        case events.Seated():
            return out.Seated(at, event.seat, event.name, event.bot)
        case events.Began():
            assert room.match is not None, "a match has begun"
            return out.Began(
                at, infos.seat_infos(room), seat, room.host, infos.match_info(room.match)
            )
        case events.Reopened():
            return out.Reopened(at, infos.seat_infos(room), seat, room.host)
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
        case events.Opened():
            return out.Hidden(at)
        case _:
            assert_never(event)


def _turn(
    event: play.Played | play.Drew | play.Passed, at: int, room: Room, seat: int | None
) -> out.OutEvent:
    game = room.game
    assert game is not None, "a game is on"
    said = infos.remark_info(room)
    next_turn = game.current, game.turn, room.deadline, game.final_turns, game.manipulation
    match event:
        case play.Played():
            why: play.Why = "clock" if event.by_clock else "choice"
            tiles, table = row_out(event.tiles), table_out(event.table)
            declared, unproven = declared_out(event.declared), event.unproven
            return out.Played(
                at, event.seat, *next_turn, why, tiles, table, declared, unproven, said
            )
        case play.Drew():
            own = row_out(event.tiles) if event.seat == seat else []
            count = len(event.tiles)
            return out.Drew(at, event.seat, *next_turn, event.why, count, own, event.unproven, said)
        case play.Passed():
            return out.Passed(at, event.seat, *next_turn, event.why, event.unproven, said)
        case _:
            assert_never(event)


def _view(room: Room, seat: int | None) -> View:
    assert room.game is not None, "a game is on"
    return view(room.game, seat)
