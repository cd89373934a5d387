"""Erasure: deletes a guest, their results, and their name wherever it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

import msgspec

from tilerummy.play import events as play
from tilerummy.play.refusals import Refused
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.stored_log import entry_of
from tilerummy.server.rooms import seating
from tilerummy.server.rooms.events import LogEntry, LogEvent, Said, Seated, encode
from tilerummy.server.rooms.fold import evolve, fold
from tilerummy.server.rooms.room import GAME_EVENTS, Room
from tilerummy.server.store import StoredEvent

ANONYMOUS = "Guest"
"""Replaces an erased name."""


async def erase(keeper: Keeper, guest: str) -> None:
    """Vacate the guest's seats, redact their name in all rooms, and delete them.

    The guest is deleted last, so that they can retry if something fails on the way.
    """
    rooms = await keeper.store.rooms_of_guest(guest)
    for room in rooms:
        await _erase_in(keeper, room, guest)
    for room in await keeper.store.delete_guest(guest):
        if room not in rooms:  # they took a seat there meanwhile
            await _erase_in(keeper, room, guest)


async def _erase_in(keeper: Keeper, room: str, guest: str) -> None:
    try:
        # After this event no node writes the name any more, so the log read below is complete.
        await keeper.apply(room, seating.Erase(guest, ANONYMOUS))
    except Refused as error:
        if error.code not in ("room-closed", "no-room"):  # those are never written to
            raise
    stored = await keeper.store.events(room)
    if stored:
        found = await asyncio.to_thread(without, stored, guest)
        await keeper.store.redact(room, found.events, found.players)


class Redacted(NamedTuple):
    """Replacements for stored data."""

    events: dict[int, bytes]
    """By sequence number."""
    players: dict[tuple[int, int], tuple[str, ...]]
    """The players of finished games, by match and game number."""


def without(stored: list[StoredEvent], guest: str) -> Redacted:
    """The events that contain the guest's name or words, redacted."""
    found = Redacted({}, {})
    first, *log = [entry_of(event) for event in stored]
    room = fold([first])
    for entry in log:
        event = _without(entry.event, room, guest)
        if event is not entry.event:
            found.events[entry.seq] = encode(event)
            if isinstance(event, play.Created):
                found.players[room.matches, event.game] = event.players
        room = _next(room, entry)
    return found


def _next(room: Room, entry: LogEntry) -> Room:
    """The room as far as seats are concerned, which events of a game do not change."""
    return room if isinstance(entry.event, GAME_EVENTS) else evolve(room, entry)


def _without(event: LogEvent, room: Room, guest: str) -> LogEvent:
    match event:
        case Seated(guest=seated) if seated == guest:
            return msgspec.structs.replace(event, name=ANONYMOUS)
        case Said() if event.text and room.seats[event.seat].guest == guest:
            return msgspec.structs.replace(event, text="")
        case play.Created() if seats := room.named_after(guest):
            names = enumerate(event.players)
            players = tuple([ANONYMOUS if number in seats else name for number, name in names])
            return replace(event, players=players)
        case _:
            return event
