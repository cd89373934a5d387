"""Loads rooms from the store: the latest snapshot, then the log after it, a batch at a time.

A long log is folded in a thread. On a node one such fold runs at a time and holds one batch in
memory, so that it does not matter how long a log is and how many want to see the room.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

from tilerummy.server.live.stored_log import evolved, room_of
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import Loaded, Store

T = TypeVar("T")

SHORT_LOG = 64
"""A log with fewer events than this is folded at once, in the event loop."""
BATCH = 512
"""Events of a longer log that are read at a time."""


class Loader:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._folding = asyncio.Lock()

    async def newest(self, room: str) -> Room | None:
        """The current state of a room; None if there is no such room."""
        loaded = await self._store.load(room, SHORT_LOG)
        return None if loaded is None else await self._folded(loaded)

    async def at(self, room: str, moment: int) -> Room | None:
        """The room as it was at a moment, at the earliest at its first event."""
        loaded = await self._store.load(room, SHORT_LOG)
        if loaded is None:
            return None
        version = loaded.snapshot_version
        if any(event.at > moment for event in await self._store.events(room, version - 1, version)):
            events = await self._store.events(room, limit=SHORT_LOG)  # the snapshot is too new
            loaded = Loaded(0, None, events)
        return await self._folded(loaded, moment)

    async def _folded(self, loaded: Loaded, moment: int | None = None) -> Room:
        if len(loaded.events) < SHORT_LOG:
            return room_of(loaded, moment)
        async with self._folding:
            room = await asyncio.to_thread(room_of, loaded, moment)
            seq = loaded.version
            while room.version == seq:  # the moment is not reached
                events = await self._store.events(room.id, seq, limit=BATCH)
                if not events:
                    break
                room = await asyncio.to_thread(evolved, room, events, moment)
                seq = events[-1].seq
            return room


class SingleFlight(Generic[T]):
    """Callers that want the same at the same time share one task."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[T]] = {}

    async def get(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `work`, or of the work under this key that is already on its way."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work())
            task.add_done_callback(partial(self._finished, key))
        return await asyncio.shield(task)

    def _finished(self, key: Hashable, task: asyncio.Task[T]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # retrieved, even if no caller waits any more

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
