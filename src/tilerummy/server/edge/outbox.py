"""The outbox of a connection: a send queue with backpressure, bounded in messages and bytes.

A client that reads too slowly fills the queue; then its connection is closed. Of the snapshots in
the queue only the newest is kept. All outboxes of a node share one budget of bytes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.server.edge.wire import Wire
from tilerummy.server.limits.byte_budget import ByteBudget
from tilerummy.server.protocol.closing import Closing

MOST_WAITING = 256
"""Messages that a slow client may be behind before its connection is closed."""
MOST_BYTES = 256 * 1024
"""Bytes that a slow client may be behind; one larger message may always wait."""


class Outbox:
    def __init__(self, socket: WebSocket, budget: ByteBudget, on_close: Callable[[], None]) -> None:
        """`on_close` is called when the connection is to be closed."""
        self.wire: Wire | None = None
        """The fast path, once the client has been welcomed."""
        self._socket = socket
        self._budget = budget
        self._on_close = on_close
        self._ready = asyncio.Event()
        self._queue: deque[bytes] = deque()
        self._bytes = 0
        self._snapshot: bytes | None = None
        """The snapshot in the queue that a newer one replaces."""
        self._is_sending = False
        self._closing: int | None = None

    def is_closing(self) -> bool:
        return self._closing is not None

    def put(self, text: bytes, *, replaceable: bool = False) -> None:
        """Send a message. A `replaceable` one is dropped if a newer one comes before it is sent."""
        if self._closing is not None:
            return
        is_idle = not self._queue and not self._is_sending
        if is_idle and self.wire is not None and self.wire.put(text):
            return
        if replaceable:
            self._drop_snapshot()
            self._snapshot = text
        if self._has_room(len(text)):
            self._queue.append(text)
            self._bytes += len(text)
            self._ready.set()
        else:
            self.clear()
            self.close(Closing.LATER)

    def clear(self) -> None:
        """Drop everything that is not sent yet."""
        self._queue.clear()
        self._snapshot = None
        self._give_back(self._bytes)

    def end(self) -> None:
        """The connection is gone: drop everything, and take nothing more."""
        self._closing = Closing.NORMAL
        self.clear()

    def close(self, code: int) -> None:
        """Close the connection once the queue is sent."""
        self._closing = code
        self._ready.set()
        self._on_close()

    async def run(self) -> None:
        """Send the queue until the connection is closed."""
        try:
            while self._closing is None or self._queue:
                await self._ready.wait()
                self._ready.clear()
                self._is_sending = True
                while self._queue:
                    await self._socket.send_text(self._next().decode())
                self._is_sending = False
            await self._socket.close(self._closing)
        except (WebSocketDisconnect, RuntimeError):
            return  # the client is gone; the reader will notice

    def _next(self) -> bytes:
        text = self._queue.popleft()
        self._give_back(len(text))
        if text is self._snapshot:
            self._snapshot = None
        return text

    def _has_room(self, size: int) -> bool:
        if len(self._queue) >= MOST_WAITING or (self._queue and self._bytes + size > MOST_BYTES):
            return False
        return self._budget.take(size)

    def _drop_snapshot(self) -> None:
        old, self._snapshot = self._snapshot, None
        if old is not None:
            self._queue = deque([text for text in self._queue if text is not old])
            self._give_back(len(old))

    def _give_back(self, size: int) -> None:
        self._bytes -= size
        self._budget.give_back(size)
