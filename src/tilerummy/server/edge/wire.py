"""Sockets with less in between: uvicorn's protocol, and a short way out for what is ready to go.

A room tells every seat at once. Through ASGI each message takes a task that wakes up, a dictionary
and three calls that wait for nothing; here it is written where it is told. Under another server,
or while a client reads slower than it is told, messages take the way through ASGI.
"""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "tilerummy.wire"
"""Where the application finds the short way, among the extensions of ASGI."""
READ_AHEAD = 8
"""Messages of a client that may wait before no more are read."""

_TEXT = 0x81
"""The first byte of a frame that is a whole text."""


class Wire(Protocol):
    def put(self, text: bytes) -> bool:
        """Send a text at once. False, and nothing is sent, where that is not possible now."""
        ...


class WireProtocol(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def put(self, text: bytes) -> bool:
        if self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if self.conn.extensions or self.transport.is_closing():
            return False
        self.transport.write(head_of(len(text)) + text)
        return True

    def send_receive_event_to_app(self) -> None:
        """uvicorn stops reading after every message until it is taken, which costs two calls of
        the system for each. A few may wait."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= READ_AHEAD:
            self.read_paused = True
            self.transport.pause_reading()


def head_of(size: int) -> bytes:
    """What comes before a text of so many bytes."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big")
