"""Catch-up: follows the changes that other nodes store, woken by the bus or by polling.

At most one read per room runs at a time; news that arrive meanwhile lead to one more read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from tilerummy.server.live.bus import Bus, Changes
from tilerummy.server.live.live_room import LiveRoom
from tilerummy.server.store import Store, StoreError


class CatchUp:
    def __init__(
        self,
        store: Store,
        bus: Bus,
        rooms: Mapping[str, LiveRoom],
        read: Callable[[LiveRoom], Awaitable[None]],
    ) -> None:
        """`rooms` are the live rooms by id; `read` reads what is new in one of them."""
        self._store = store
        self._rooms = rooms
        self._read = read
        self._unsubscribe = bus.subscribe(self.on_changes)
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._news: set[str] = set()
        """Rooms with news that the current read may have missed."""

    def on_changes(self, changes: Changes) -> None:
        """The bus has news; None means that any room may have changed."""
        rooms = self._rooms if changes is None else changes
        for room in [*rooms]:
            live = self._rooms.get(room)
            if live is not None and (changes is None or changes[room] > live.room.version):
                self._schedule(live)

    async def poll(self) -> None:
        """Compare versions with the store, for changes whose message was lost."""
        known = {room: live.room.version for room, live in self._rooms.items()}
        if not known:
            return
        versions = await self._store.versions([*known])
        self.on_changes(
            {room: version for room, version in versions.items() if version > known[room]}
        )

    def _schedule(self, live: LiveRoom) -> None:
        room = live.room.id
        self._news.add(room)
        if room not in self._reading:
            self._reading[room] = asyncio.create_task(self._read_news(live))

    async def _read_news(self, live: LiveRoom) -> None:
        room = live.room.id
        try:
            while room in self._news:
                self._news.discard(room)
                await self._read(live)
        except StoreError as error:
            self._store.outage.note(error, room=room)
        finally:
            self._news.discard(room)
            del self._reading[room]

    def close(self) -> None:
        self._unsubscribe()
        for task in [*self._reading.values()]:
            task.cancel()
