"""Event sourcing: the state of a room as a fold over its log.

`evolve(room, entry)` applies one event. Events are facts: they are not judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, assert_never

import msgspec

from tilerummy.play import events as play
from tilerummy.play.change import changed, put
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.server.rooms import events
from tilerummy.server.rooms.events import LogEntry, LogEvent, RoomEvent
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import GAME_EVENTS, Hold, Remembered, Room, RoomPhase, Vote
from tilerummy.server.rooms.seats import Seat
from tilerummy.server.rooms.settings import Settings

CHAT_KEPT = 50
CAUSES_KEPT = 32
"""Command ids remembered per seat: each of them may be repeated without effect."""
CAUSES_TIME = 120_000
"""Milliseconds for which a command id is remembered at least, whatever came after it."""
MOST_CAUSES = 512
"""Bounds the memory of ids: more commands of one seat do not fit into `CAUSES_TIME`."""
MOST_REMOVED = 100


def open_room(room: str, code: str, settings: Settings, now: int) -> tuple[Room, LogEvent]:
    """A new, empty room and its first event. Raises what `Settings.check` raises."""
    settings.check()
    event = events.Opened(now, room, code, settings.plain())
    return _opened(event), event


def fold(log: Iterable[LogEntry]) -> Room:
    """The room after a whole log. Raises Refused if the log does not start with `Opened`."""
    stream = iter(log)
    first = next(stream, None)
    if first is None or not isinstance(first.event, events.Opened):
        raise RoomRefused("bad-log", "a room begins with its opened event")
    room = _opened(first.event)
    for entry in stream:
        room = evolve(room, entry)
    return room


def evolve(room: Room, entry: LogEntry) -> Room:
    """The room after one event."""
    event = entry.event
    if isinstance(event, play.Created):
        game: Game | None = Game.fold([event])
    elif isinstance(event, GAME_EVENTS) and room.game is not None:
        game = room.game.evolve(event)
    else:
        game = room.game
    return evolve_to(room, entry, game)


def evolve_to(room: Room, entry: LogEntry, game: Game | None) -> Room:
    """The room after an event whose game is already computed."""
    seq, event, cause = entry
    # Recorded under the seat number before the event; renumbering takes it along.
    causes = room.causes
    if cause is not None:
        at = event.at if isinstance(event, msgspec.Struct) else event.at + room.lost
        causes = _remember(causes, entry, at)
    if isinstance(event, msgspec.Struct):
        before = room if cause is None else changed(room, causes=causes)
        return changed(_after(before, event), version=seq)
    assert game is not None, "a game is on"
    changes = _game_changes(room, event, game, seq)
    return changed(room, version=seq, causes=causes, game=game, **changes)


def _opened(event: events.Opened) -> Room:
    settings = event.settings
    return Room(
        id=event.room,
        code=event.code,
        settings=settings,
        edition=settings.rules(),
        opened=event.at,
        seats=(Seat(),) * settings.seats,
        since=event.at,
        active=event.at,
    )


def _remember(
    causes: Mapping[int, Mapping[str, Remembered]], entry: LogEntry, at: int
) -> Mapping[int, Mapping[str, Remembered]]:
    assert entry.cause is not None
    seat, command, digest = entry.cause
    ids = {**causes.get(seat, {}), command: Remembered(entry.seq, at, digest)}
    while len(ids) > CAUSES_KEPT:
        oldest = next(iter(ids))
        if len(ids) <= MOST_CAUSES and ids[oldest].at > at - CAUSES_TIME:
            break
        del ids[oldest]
    return {**causes, seat: ids}


def _game_changes(room: Room, event: play.Event, game: Game, seq: int) -> dict[str, Any]:
    """What an event of the game changes in the room besides the game."""
    if isinstance(event, play.Created):
        return {
            "phase": RoomPhase.DEALING,
            "since": event.at,
            "game_log": (event,),
            "game_first": seq,
            "lost": 0,
            "hold": None,
            "held_turn": 0,
            "mover": None,
            "seats": tuple([changed(seat, more=False) for seat in room.seats]),
            "votes": frozenset(),
        }
    changes: dict[str, Any] = {"game_log": (*room.game_log, event)}
    match event:
        case play.Played() | play.Drew() | play.Passed():
            changes["mover"] = bot = room.seats[event.seat].bot
            if bot is None:
                changes["active"] = event.at + room.lost
            if room.votes:
                kept = [vote for vote in room.votes if vote.what != "stand-in"]
                changes["votes"] = frozenset(kept)
        case play.Dealt():
            changes |= {"phase": RoomPhase.PLAYING, "since": event.at + room.lost}
        case play.Ended():
            assert room.match is not None, "a match is on"
            assert game.result is not None, "it has ended"
            changes["match"] = match = room.match.with_result(game.result, game.starter)
            changes["phase"] = RoomPhase.OVER if match.is_over else RoomPhase.BETWEEN
            changes["since"] = event.at + room.lost
        case play.Fixed() | play.Cancelled():
            changes["since"] = event.at + room.lost
        case play.Seeded() | play.Committed() | play.Revealed() | play.StarterDrawn():
            pass
        case _:
            assert_never(event)
    return changes


def _after(room: Room, event: RoomEvent) -> Room:
    match event:
        case events.Opened():
            return _opened(event)
        case events.Seated() | events.Left() | events.Dropped() | events.Returned():
            return _after_coming_or_going(room, event)
        case events.Forgotten():
            return _after_forgotten(room, event)
        case events.Hosted():
            return changed(room, host=event.seat)
        case events.Began():
            return _after_began(room, event)
        case events.Replaced():
            return _edit(_without_votes(room, event.seat), event.seat, bot=event.bot)
        case events.Asked():
            wish = {"pause": event.want} if event.what == "pause" else {"more": event.want}
            return changed(_edit(room, event.seat, **wish), talk=room.talk.after(event.at))
        case events.Voted():
            vote = frozenset({Vote(event.what, event.about, event.seat)})
            votes = room.votes | vote if event.want else room.votes - vote
            return changed(room, votes=votes, talk=room.talk.after(event.at))
        case events.Paused():
            return changed(room, paused=event.at)
        case events.Resumed():
            return _after_pause(room, event.at)
        case events.ClockHeld():
            hold = Hold(event.turn, event.at, event.most)
            return changed(room, hold=hold, held_turn=event.turn, lost=room.lost + event.most)
        case events.ClockReleased():
            return changed(room, hold=None, lost=room.lost - event.unused)
        case events.Reopened():
            return _after_reopened(room, event.at)
        case events.Said():
            said = (*room.chat, event)[-CHAT_KEPT:]
            active = room.active if room.in_match else event.at
            return changed(room, chat=said, active=active, talk=room.talk.after(event.at))
        case events.Muted():
            pair = frozenset({(event.seat, event.other)})
            muted = room.muted | pair if event.on else room.muted - pair
            return changed(room, muted=muted, talk=room.talk.after(event.at))
        case events.Closed():
            return changed(room, phase=RoomPhase.CLOSED, since=event.at)
        case _:
            assert_never(event)


def _after_coming_or_going(
    room: Room, event: events.Seated | events.Left | events.Dropped | events.Returned
) -> Room:
    match event:
        case events.Seated():
            seats = put(room.seats, event.seat, Seat(event.name, event.guest, event.bot))
            causes = {other: ids for other, ids in room.causes.items() if other != event.seat}
            return changed(room, seats=seats, active=event.at, causes=causes)
        case events.Left():
            left = room.seats[event.seat]
            room = _without_votes(room, event.seat)
            if event.removed and left.guest is not None and len(room.removed) < MOST_REMOVED:
                room = changed(room, removed=room.removed | {left.guest})
            if event.bot is not None:
                seat = Seat(left.name, bot=event.bot, left=left.guest)
                return changed(room, seats=put(room.seats, event.seat, seat))
            others = {seat: seat for seat in range(len(room.seats)) if seat != event.seat}
            seats = put(room.seats, event.seat, Seat())
            return changed(room, seats=seats, **_renumbered_talk(room, others))
        case events.Dropped():
            here = _without_votes(room, event.seat)
            return _edit(here, event.seat, away=event.at, pause=False, more=False)
        case events.Returned():
            active = room.active if room.in_match else event.at
            return changed(_edit(room, event.seat, away=None, bot=None), active=active)
        case _:
            assert_never(event)


def _edit(room: Room, number: int, **changes: object) -> Room:
    seat = changed(room.seats[number], **changes)
    return changed(room, seats=put(room.seats, number, seat))


def _without_votes(room: Room, seat: int) -> Room:
    """Without the votes of a seat, and those about it."""
    if not room.votes:
        return room
    votes = frozenset([vote for vote in room.votes if seat not in (vote.seat, vote.about)])
    return changed(room, votes=votes)


def _renumbered_talk(room: Room, place: Mapping[int, int]) -> dict[str, Any]:
    """Chat and mutes after seats are renumbered. Entries of seats without a new number are dropped:
    the next person on such a seat did not say them."""
    return {
        "chat": tuple(
            [
                msgspec.structs.replace(said, seat=place[said.seat])
                for said in room.chat
                if said.seat in place
            ]
        ),
        "muted": frozenset({(place[a], place[b]) for a, b in room.muted if {a, b} <= {*place}}),
    }


def _after_forgotten(room: Room, event: events.Forgotten) -> Room:
    """Replaces the name everywhere in the state, so that a snapshot does not contain it either."""
    after = room
    for number in event.seats:
        after = _edit(after, number, name=event.name)
    after = changed(after, chat=())
    if room.match is None:
        return after
    players = room.match.players
    for number in event.seats:
        players = put(players, number, event.name)
    after = changed(after, match=replace(room.match, players=players))
    if room.game is None:
        return after
    first, *later = room.game_log
    assert isinstance(first, play.Created), "a game begins with it"
    log = (replace(first, players=players), *later)
    return changed(after, game=Game.fold(log), game_log=log)


def _after_began(room: Room, event: events.Began) -> Room:
    """Free seats are removed, so that the seats of the room are those of the game."""
    seats = tuple([room.seats[seat] for seat in event.seats])
    place = {old: new for new, old in enumerate(event.seats)}
    names = tuple([seat.name for seat in seats])
    return changed(
        room,
        seats=seats,
        host=place.get(room.host) if room.host is not None else None,
        **_renumbered_talk(room, place),
        causes={place[seat]: ids for seat, ids in room.causes.items() if seat in place},
        match=Match(room.edition, names, room.settings.rounds),
        matches=room.matches + 1,
        since=event.at,
        active=event.at,
        votes=frozenset(),
    )


def _after_pause(room: Room, at: int) -> Room:
    """The clock continues where it stopped."""
    stood = 0 if room.paused is None else at - room.paused
    seats = tuple([changed(seat, pause=False) for seat in room.seats])
    return changed(room, paused=None, lost=room.lost + stood, seats=seats)


def _after_reopened(room: Room, at: int) -> Room:
    """Back to the lobby with the people who are here and the bots that had a seat of their own."""
    stay = [
        number
        for number, seat in enumerate(room.seats)
        if seat.is_here or (seat.bot is not None and seat.guest is None)
    ]
    kept = [
        Seat(seat.name, seat.guest, None if seat.guest else seat.bot, left=seat.left)
        for seat in map(room.seats.__getitem__, stay)
    ]
    here = {seat.guest: number for number, seat in enumerate(kept) if seat.guest is not None}
    host = None if room.host is None else room.seats[room.host].guest
    kept += [Seat()] * (room.settings.seats - len(kept))
    return changed(
        room,
        phase=RoomPhase.LOBBY,
        since=at,
        seats=tuple(kept),
        host=here[host] if host in here else min(here.values(), default=None),
        match=None,
        game=None,
        game_log=(),
        votes=frozenset(),
        **_renumbered_talk(room, {old: new for new, old in enumerate(stay)}),
        causes={
            here[seat.guest]: room.causes[number]
            for number, seat in enumerate(room.seats)
            if seat.guest in here and number in room.causes
        },
    )
