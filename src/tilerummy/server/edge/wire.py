"""The adapter to uvicorn's WebSocket protocol: direct writes, frame limits and flow control.

Fast path: a room broadcasts to all seats at once. Through ASGI each message costs a task switch, a
dictionary and three awaits; here the frame is written at once. A message that arrives as exactly
one frame, as almost all do, is not given to the parser. Under another ASGI server, or under
backpressure, messages go through ASGI.

Frame limits: uvicorn answers control frames itself, so the application never sees them. Here every
frame costs a token of its connection, input is parsed in slices, and the event loop serves others
between two slices. Reading pauses while a peer does not read its answers.

This module and `connections` are the only ones that touch private members of uvicorn;
`tests/server/edge/test_private_members.py` checks that every one of them exists.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from tilerummy.server.edge.connections import OpenConnections
from tilerummy.server.edge.frames import FrameTracker, head_of, text_of
from tilerummy.server.edge.inbox import Inbox
from tilerummy.server.limits.buckets import Bucket, Rate
from tilerummy.server.protocol.closing import Closing

EXTENSION = "tilerummy.wire"
"""The ASGI extension through which the application finds the fast path."""
READ_AHEAD = 8
"""Messages that may wait in the queue before reading pauses."""
SLICE = 2_048
"""Bytes of input that are parsed at a time: at most 341 frames."""
LATE_BYTES = 65_536
"""What a client may still send after the server has sent a close frame, before it is cut off."""


class Wire(Protocol):
    on_flood: Callable[[], None]
    """Called once if the client exceeds the frame limit, before its connection is closed."""

    def put(self, text: bytes) -> bool:
        """Send a text at once. Returns False, and sends nothing, if that is not possible now."""
        ...

    async def receive(self) -> Any:
        """The next ASGI event, past all middleware."""
        ...


def wire_protocol(frames: Rate, connections: OpenConnections) -> type[WireProtocol]:
    """The protocol class for a limit of frames per connection, and a count of connections."""
    members = {"frame_rate": frames, "open_connections": connections}
    return type("LimitedWireProtocol", (WireProtocol,), members)


class WireProtocol(WebSocketsSansIOProtocol):
    frame_rate: ClassVar[Rate]
    open_connections: ClassVar[OpenConnections]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.on_flood: Callable[[], None] = lambda: None
        self.queue: Any = Inbox(self.loop)
        self._frames = FrameTracker()
        self._bucket = Bucket(self.frame_rate, time.monotonic())
        self._input = b""
        """Received and not parsed yet; reading pauses while there is any."""
        self._is_scheduled = False
        self._is_blocked = False
        """The peer does not read: nothing is parsed, as parsing may produce answers."""
        self._late_bytes = 0
        self._is_cut = False
        """The connection was ended here, which the application does not know yet."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_connections.leave(self.transport)
        super().connection_lost(exc)

    # Sending

    def put(self, text: bytes) -> bool:
        if self._is_blocked or self.close_sent or self.disconnected:
            return False
        if self.conn.extensions or self.transport.is_closing():
            return False
        self.transport.write(head_of(len(text)) + text)
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._is_blocked = True
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._is_blocked = False
        self._go_on()

    async def send(self, message: Any) -> None:
        if self._is_cut:
            raise ClientDisconnected
        await super().send(message)

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            self._cut_off()  # before the handshake is accepted there is no close frame
            return
        self._is_cut = True
        super().handle_parser_exception()

    # Receiving

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self.handshake_complete:
            # The protocol demands that a client waits: kept frames would cost memory meanwhile.
            self._cut_off()
            return
        if self.close_sent:
            self._late_bytes += len(data)
            if self._late_bytes > LATE_BYTES:
                self._cut_off()
                return
        if self._input or self._is_blocked or len(data) > SLICE:
            self._input += data
            self.transport.pause_reading()
            self._parse_slice()
        elif not self._take_text(data):
            self._parse(data)

    def _take_text(self, data: bytes) -> bool:
        """Receive a message that is one frame. Returns False for anything else."""
        if not self.handshake_complete or self.close_sent or not self._frames.is_at_message():
            return False
        text = None if self.conn.extensions else text_of(data)
        if text is None:
            return False
        if self._spend():
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            self._pause_if_ahead()
        return True

    def _parse(self, data: bytes) -> None:
        if self.handshake_initiated:
            self._frames.feed(data)
        super().data_received(data)
        self._send_pongs()

    def _parse_slice(self) -> None:
        """Parse the next slice, and schedule the one after it."""
        self._is_scheduled = False
        if self._is_blocked or self.read_paused:
            return  # `_go_on` is called when this changes
        data, self._input = self._input[:SLICE], self._input[SLICE:]
        self._parse(data)
        self._go_on()

    def _go_on(self) -> None:
        """Parse what is left, or read on."""
        if self.disconnected or self.transport.is_closing():
            self._input = b""
        elif self._is_blocked or self.read_paused:
            self.transport.pause_reading()
        elif not self._input:
            self.transport.resume_reading()
        elif not self._is_scheduled:
            self._is_scheduled = True
            self.loop.call_soon(self._parse_slice)

    async def receive(self) -> Any:
        inbox: Inbox = self.queue
        while inbox.empty():
            await inbox.arrival()  # not `get`, which would be one more coroutine per message
        message = inbox.pop()
        if self.read_paused and inbox.empty():
            self.read_paused = False
            self._go_on()
        return message

    def send_receive_event_to_app(self) -> None:
        """uvicorn pauses reading after every message until it is consumed, which costs two system
        calls each. Here a few messages may wait."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        self._pause_if_ahead()

    def _pause_if_ahead(self) -> None:
        if not self.read_paused and self.queue.qsize() >= READ_AHEAD:
            self.read_paused = True
            self.transport.pause_reading()

    # Frames

    def handle_text(self, event: Frame) -> None:
        if self._spend():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._spend():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._spend():
            super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        if self._spend():
            super().handle_pong(event)

    def handle_ping(self) -> None:
        self._spend()  # the pongs of a slice are sent together

    def _send_pongs(self) -> None:
        if pongs := self.conn.data_to_send():
            self.transport.write(b"".join(pongs))

    def _spend(self) -> bool:
        """Pay for one frame. Closes the connection of a client that cannot."""
        if self.close_sent:
            return False
        if not self._bucket.lack(time.monotonic()):
            self._bucket.spend()
            return True
        self.on_flood()
        self._input = b""
        self.conn.fail(Closing.POLICY, "too many frames")
        if self.conn.close_sent is None or self._is_blocked:
            self._cut_off()  # the client is closing, or would not read the close frame
        else:
            self.handle_parser_exception()
        return False

    def _cut_off(self) -> None:
        """End the connection without a close frame."""
        self._input = b""
        self.close_sent = self._is_cut = True
        self.transport.abort()
