"""Forgetting a guest: their seats, their results, and their name where it is written down."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

import msgspec

from tilerummy.play import events as play
from tilerummy.play.refusals import Refused
from tilerummy.server.live.keeper import Keeper, logged_of
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.events import LogEvent, Logged, Said, Seated, encode
from tilerummy.server.rooms.room import GAME_EVENTS, Room
from tilerummy.server.store import StoredEvent

NOBODY = "Guest"
"""What stands in the place of a name."""


async def forget(keeper: Keeper, guest: str) -> None:
    """Give up the guest's seats, take their name out of all rooms, and delete them.

    They go last: where something fails on the way, they can ask again.
    """
    rooms = await keeper.store.rooms_of_guest(guest)
    for room in rooms:
        await _forget_in(keeper, room, guest)
    for room in await keeper.store.delete_guest(guest):
        if room not in rooms:  # somebody who sat down somewhere meanwhile
            await _forget_in(keeper, room, guest)


async def _forget_in(keeper: Keeper, room: str, guest: str) -> None:
    try:
        # Once this is stored, nobody writes the name any more. So what is read now has all of it.
        await keeper.apply(room, commands.Forget(guest, NOBODY))
    except Refused as error:
        if error.code not in ("room-closed", "no-room"):  # where nobody writes at all
            raise
    stored = await keeper.store.events(room)
    if stored:
        found = await asyncio.to_thread(without, stored, guest)
        await keeper.store.redact(room, found.events, found.players)


class Redacted(NamedTuple):
    """What has to be written otherwise."""

    events: dict[int, bytes]
    """By their place in the log."""
    players: dict[tuple[int, int], tuple[str, ...]]
    """Of finished games, by the numbers of match and game."""


def without(stored: list[StoredEvent], guest: str) -> Redacted:
    """The events that name the guest, or that they said, without it."""
    found = Redacted({}, {})
    first, *log = [logged_of(event) for event in stored]
    room = Room.fold([first])
    for logged in log:
        event = _without(logged.event, room, guest)
        if event is not logged.event:
            found.events[logged.seq] = encode(event)
            if isinstance(event, play.Created):
                found.players[room.matches, event.game] = event.players
        room = _next(room, logged)
    return found


def _next(room: Room, logged: Logged) -> Room:
    """The room as far as it matters who sits where, which nothing in a game changes."""
    return room if isinstance(logged.event, GAME_EVENTS) else room.evolve(logged)


def _without(event: LogEvent, room: Room, guest: str) -> LogEvent:
    match event:
        case Seated(guest=seated) if seated == guest:
            return msgspec.structs.replace(event, name=NOBODY)
        case Said() if event.text and room.seats[event.seat].guest == guest:
            return msgspec.structs.replace(event, text="")
        case play.Created() if seats := room.named_after(guest):
            names = enumerate(event.players)
            players = tuple([NOBODY if number in seats else name for number, name in names])
            return replace(event, players=players)
        case _:
            return event
