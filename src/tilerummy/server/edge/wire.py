"""A fast path for WebSocket frames: uvicorn's protocol with direct writes to the transport.

A room broadcasts to all seats at once. Through ASGI each message costs a task switch, a dictionary
and three awaits; here the frame is written at once. Under another ASGI server, or under
backpressure, messages go through ASGI.
"""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "tilerummy.wire"
"""The ASGI extension through which the application finds the fast path."""
READ_AHEAD = 8
"""Messages that may wait in the queue before reading pauses."""

_TEXT = 0x81
"""The first byte of an unfragmented text frame."""


class Wire(Protocol):
    def put(self, text: bytes) -> bool:
        """Send a text at once. Returns False, and sends nothing, if that is not possible now."""
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
        """uvicorn pauses reading after every message until it is consumed, which costs two system
        calls each. Here a few messages may wait."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= READ_AHEAD:
            self.read_paused = True
            self.transport.pause_reading()


def head_of(size: int) -> bytes:
    """The frame header of a text of this many bytes."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big")
