"""Forgetting a guest: their seats, their results, and their name where it is written down."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from tilerummy.play import events as play
from tilerummy.play.game import Refused
from tilerummy.server.keeper import Keeper, logged_of
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.events import LogEvent, Logged, Said, Seated, encode
from tilerummy.server.rooms.room import Phase, Room

NOBODY = "Guest"
"""What stands in the place of a name."""


async def forget(keeper: Keeper, guest: str) -> None:
    """Give up the guest's seats, delete them, and take their name out of closed rooms.

    A room that is open keeps the name until it is purged, as the others see whom they played with.
    """
    for room in await keeper.store.rooms_of_guest(guest):
        await _leave(keeper, room, guest)
    for room in await keeper.store.delete_guest(guest):
        await _redact(keeper, room, guest)


async def _leave(keeper: Keeper, room: str, guest: str) -> None:
    state = await keeper.look(room)
    seat = None if state is None else state.seat_of(guest)
    if seat is not None:
        try:
            await keeper.apply(room, commands.Leave(seat))
        except Refused:
            return  # the room is closed by now


async def _redact(keeper: Keeper, room: str, guest: str) -> None:
    log = [logged_of(stored) for stored in await keeper.store.events(room)]
    state = Room.fold(log)
    if state.phase is not Phase.CLOSED:
        return
    names = {
        logged.event.name
        for logged in log
        if isinstance(logged.event, Seated) and logged.event.guest == guest
    }
    changed = without(log, guest, names)
    await keeper.store.redact(room, changed, dict.fromkeys(names, NOBODY))


def without(log: list[Logged], guest: str, names: set[str]) -> dict[int, bytes]:
    """The events that name the guest, or that they said, without it; by their place."""
    changed: dict[int, bytes] = {}
    room = Room.fold(log[:1])
    for logged in log[1:]:
        event = _without(logged.event, room, guest, names)
        if event is not logged.event:
            changed[logged.seq] = encode(event)
        room = room.evolve(logged)
    return changed


def _without(event: LogEvent, room: Room, guest: str, names: set[str]) -> LogEvent:
    match event:
        case Seated(guest=seated) if seated == guest:
            return msgspec.structs.replace(event, name=NOBODY)
        case Said() if room.seats[event.seat].guest == guest:
            return msgspec.structs.replace(event, text="")
        case play.Created() if names & {*event.players}:
            players = tuple([NOBODY if name in names else name for name in event.players])
            return replace(event, players=players)
        case _:
            return event
