"""The outbox of a connection: a bounded send queue with backpressure, and a delay line.

A client that reads too slowly fills the queue; then its connection is closed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.server.edge.wire import Wire
from tilerummy.server.protocol.closing import Closing

MOST_WAITING = 256
"""Messages that a slow client may be behind before its connection is closed."""


class Outbox:
    def __init__(
        self, socket: WebSocket, now: Callable[[], int], on_close: Callable[[], None]
    ) -> None:
        """`now` is the store's clock; `on_close` is called when the connection is to be closed."""
        self.wire: Wire | None = None
        """The fast path, once the client has been welcomed."""
        self._socket = socket
        self._now = now
        self._on_close = on_close
        self._ready = asyncio.Event()
        self._queue: deque[bytes] = deque()
        self._is_sending = False
        self._delayed: deque[tuple[int, bytes]] = deque()
        """Messages for later, each with its time."""
        self._timer: asyncio.TimerHandle | None = None
        self._closing: int | None = None

    def is_closing(self) -> bool:
        return self._closing is not None

    def put(self, text: bytes, at: int = 0) -> None:
        """Send a message now, or at a time of the store's clock."""
        if self._closing is not None:
            return
        if at and at > self._now():
            self._delayed.append((at, text))
            self._start_timer()
        elif self._is_idle() and self.wire is not None and self.wire.put(text):
            pass
        elif len(self._queue) < MOST_WAITING:
            self._queue.append(text)
            self._ready.set()
        else:
            self._queue.clear()
            self.close(Closing.LATER)

    def clear(self) -> None:
        """Drop everything that is not sent yet."""
        self._queue.clear()
        self._delayed.clear()

    def clear_delayed(self) -> None:
        self._delayed.clear()

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
                    await self._socket.send_text(self._queue.popleft().decode())
                self._is_sending = False
            await self._socket.close(self._closing)
        except (WebSocketDisconnect, RuntimeError):
            return  # the client is gone; the reader will notice

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _is_idle(self) -> bool:
        return not self._queue and not self._is_sending

    def _start_timer(self) -> None:
        if self._delayed and self._timer is None:
            wait = max(0, self._delayed[0][0] - self._now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait, self._release)

    def _release(self) -> None:
        """Send the delayed messages whose time has come."""
        self._timer = None
        while self._delayed and self._delayed[0][0] <= self._now():
            self.put(self._delayed.popleft()[1])
        self._start_timer()
