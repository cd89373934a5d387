"""Erasure: deletes a guest, their results, and their name wherever it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

import msgspec

from tilerummy.play import events as play
from tilerummy.play.refusals import Refused
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.loading import BATCH
from tilerummy.server.live.stored_log import entry_of
from tilerummy.server.rooms import seating
from tilerummy.server.rooms.events import LogEvent, Said, Seated, encode
from tilerummy.server.rooms.fold import evolve, fold
from tilerummy.server.rooms.room import Room
from tilerummy.server.rooms.snapshot import freeze
from tilerummy.server.store import Snapshot, Store, StoredEvent

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
    await _redact(keeper.store, room, guest)


async def _redact(store: Store, room: str, guest: str) -> None:
    """Replace what is stored of a room, reading its log a batch at a time."""
    redaction: Redaction | None = None
    while True:
        seq = 0 if redaction is None else redaction.room.version
        stored = await store.events(room, seq, limit=BATCH)
        if not stored:
            break
        redaction = await asyncio.to_thread(without, stored, guest, redaction)
    if redaction is not None:
        snapshot = Snapshot(redaction.room.version, freeze(redaction.room))
        await store.redact(room, redaction.events, redaction.players, snapshot)


class Redaction(NamedTuple):
    """Replacements for stored data."""

    room: Room
    """After the redacted log."""
    events: dict[int, bytes]
    """By sequence number."""
    players: dict[tuple[int, int], tuple[str, ...]]
    """The players of finished games, by match and game number."""


def without(stored: list[StoredEvent], guest: str, before: Redaction | None = None) -> Redaction:
    """The events that contain the guest's name or words, redacted; they follow those `before`."""
    log = [entry_of(event) for event in stored]
    if before is None:
        before = Redaction(fold(log[:1]), {}, {})
        log = log[1:]
    room, events, players = before
    for entry in log:
        event = _without(entry.event, room, guest)
        if event is not entry.event:
            events[entry.seq] = encode(event)
            if isinstance(event, play.Created):
                players[room.matches, event.game] = event.players
        room = evolve(room, entry._replace(event=event))
    return Redaction(room, events, players)


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
