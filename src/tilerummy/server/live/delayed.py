"""The delayed feed of a room: spectators see it later, so that nobody can tell players what is up.

All delayed spectators of a room on a node share one feed. It holds the room as it was, and reads
what becomes due from the store; nothing waits in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tilerummy.server.live.live_room import Listener, LiveRoom
from tilerummy.server.live.stored_log import replay
from tilerummy.server.live.update import Update
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import Store, StoreError
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.delayed")

BATCH = 64
"""Events that are read at a time."""
RETRY_SECONDS = 1.0
"""The pause after the store has failed."""


class DelayedListener:
    """A spectator of the feed."""

    def __init__(self, notify: Callable[[Update], None]) -> None:
        self.notify = notify


class DelayedFeed:
    def __init__(self, live: LiveRoom, room: Room, delay: int, store: Store) -> None:
        """`room` is the room as it was `delay` milliseconds ago."""
        self.room = room
        self._live = live
        self._delay = delay
        self._store = store
        self._listeners: dict[Listener, None] = {}
        self._news = asyncio.Event()
        self._news.set()
        self._task: asyncio.Task[None] | None = None

    def notify(self, update: Update) -> None:
        """The live room has an update, which becomes due later."""
        self._news.set()

    def join(self, listener: Listener) -> None:
        self._listeners[listener] = None
        self._live.listeners[self] = None
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def leave(self, listener: Listener) -> None:
        self._listeners.pop(listener, None)
        if not self._listeners:
            self.close()

    def close(self) -> None:
        self._live.listeners.pop(self, None)
        if self._live.delayed is self:
            self._live.delayed = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while True:
            try:
                await self._advance()
            except StoreError as error:
                self._store.outage.note(error, room=self.room.id)
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:
                log.exception("delayed feed failed", room=self.room.id)
                await asyncio.sleep(RETRY_SECONDS)

    async def _advance(self) -> None:
        """Wait for the next events that are due, and broadcast them."""
        await self._news.wait()
        self._news.clear()
        while stored := await self._store.events(self.room.id, self.room.version, limit=BATCH):
            wait = stored[0].at + self._delay - self._store.now()
            if wait > 0:
                await asyncio.sleep(wait / 1000)
            seen = self._store.now() - self._delay
            due = [event for event in stored if event.at <= seen] or stored[:1]
            update = Update(replay(self.room, due))
            self.room = update.room
            for listener in [*self._listeners]:
                try:
                    listener.notify(update)
                except Exception:
                    log.exception("a listener failed", room=self.room.id)
