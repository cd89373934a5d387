"""The delayed feed of a room: spectators see it later, so that nobody can tell players what is up.

All delayed spectators of a room on a node share one feed. It holds the room as it was, and reads
what becomes due from the store; nothing waits in memory. It goes on for a while after the last of
them has left, as to start one again may take a whole log.
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
LINGER_SECONDS = 10.0
"""How long a feed without spectators goes on."""
RETRY_SECONDS = 1.0
"""The pause after the store has failed."""


class DelayedListener:
    """A spectator of the feed."""

    def __init__(self, notify: Callable[[Update], None]) -> None:
        self.notify = notify


class DelayedFeed:
    def __init__(
        self,
        live: LiveRoom,
        room: Room,
        delay: int,
        store: Store,
        on_close: Callable[[LiveRoom], None],
    ) -> None:
        """`room` is the room as it was `delay` milliseconds ago. `on_close` is called when the feed
        does not use the live room any more."""
        self.room = room
        self._live = live
        self._delay = delay
        self._store = store
        self._listeners: dict[Listener, None] = {}
        self._news = asyncio.Event()
        self._news.set()
        self._task: asyncio.Task[None] | None = None
        self._on_close = on_close
        self._closing: asyncio.TimerHandle | None = None
        """Set when the last listener has left."""

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
        if not self._listeners and self._closing is None:
            loop = asyncio.get_running_loop()
            self._closing = loop.call_later(LINGER_SECONDS, self._close_unused)

    def _close_unused(self) -> None:
        self._closing = None
        if not self._listeners:
            self.close()

    def close(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
        self._live.listeners.pop(self, None)
        if self._live.delayed is self:
            self._live.delayed = None
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._on_close(self._live)

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
