"""Appends for the tests: made up, as the store does not look into events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from tilerummy.server.store import Append, FinishedGame, Listing, Result, Store, StoredEvent
from tilerummy.server.store.schema import due

LISTING = Listing("lobby", people=1, free=3, here=1, host=None, active_at=1_000)


def event(seq: int, text: str = "something") -> StoredEvent:
    return StoredEvent(seq, 1_000 + seq, f"0:{seq}" if seq % 2 else None, f"{text} {seq}".encode())


def append(
    room: str, expected: int, count: int = 1, text: str = "something", **more: Any
) -> Append:
    events = [event(expected + number, text) for number in range(1, count + 1)]
    return Append(room, expected, events, more.pop("listing", LISTING), **more)


async def opened(store: Store, *rooms: str, **more: Any) -> None:
    """Rooms of version 1, each with its name as code."""
    for room in rooms:
        await store.create(room, append(room, 0, **more), edition="classic", public=True)


def finished(game: int, first: int, last: int, match: int = 1) -> FinishedGame:
    options = {"hand_size": 14}
    return FinishedGame(match, game, first, last, "classic", options, ["Ann", "Bob"], 1, 5_000)


def result(guest: str, game: int, score: int, edition: str = "classic") -> Result:
    return Result(guest, 1, game, edition, score, score > 0, 2, 5_000)


def places(events: Sequence[StoredEvent]) -> list[int]:
    return [event.seq for event in events]


async def due_of(store: Store, room: str) -> list[tuple[str, int]]:
    """Kind and key of all that is due in a room, now or later."""
    query = select(due.c.kind, due.c.key).where(due.c.room == room)
    return await store._database.read(
        lambda connection: [(row.kind, row.key) for row in connection.execute(query)]
    )


async def until_ready(store: Store, wanted: bool = True) -> None:
    """Wait until the store knows that it can be written, or that it cannot."""
    async with asyncio.timeout(60):
        while await store.ready() is not wanted:
            await asyncio.sleep(0.01)
