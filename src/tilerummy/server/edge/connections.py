"""TCP connections: a cap per address, bounded heads, and time-outs for peers that do not finish.

uvicorn ends idle connections between two requests, and nothing else: a client may take for ever
over the head of a request, or over reading the response. It also parses all that one read has
brought before anybody else is served: a head of any size, or thousands of chunks and requests. Here
the parser gets one head or one body at a time, and what follows waits until the response is sent.
`wire` takes over when a connection becomes a WebSocket.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tilerummy.server.limits.addresses import Proxies, parse_address, visitor
from tilerummy.server.limits.garbage import ChurnCollector
from tilerummy.server.limits.rate_limiter import RateLimiter
from tilerummy.server.telemetry.metrics import Metrics

HEAD_SECONDS = 10.0
"""Time for the whole head of a request, from its first byte or the start of the connection."""
READ_SECONDS = 30.0
"""Time for a client to read on, once the response waits for it."""
HEAD_BYTES = 16_384
"""Largest head of a request; also what may wait behind a request for its response."""
HEAD_LINES = 128
"""Most lines of a head: a thousand headers take as long as hundreds of requests."""
REST_BYTES = 65_536
"""The largest rest of a body that is read after the response; a longer one is cut off."""

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"connection: close\r\ncontent-length: 0\r\n\r\n"
)
_FIRST_OF_HEAD = 0x21
"""A request begins with a letter: what begins with less is no HTTP."""


class OpenConnections:
    """Counts the connections of each address. Trusted proxies have no limit.

    An address whose next request would be refused gets no connection either: to open one, to read a
    head and to refuse it takes ten times as long.
    """

    def __init__(self, most: int, proxies: Proxies, limiter: RateLimiter, metrics: Metrics) -> None:
        self._most = most
        self._proxies = proxies
        self._limiter = limiter
        self._metrics = metrics
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()
        self._collector = ChurnCollector(
            lambda seconds, call: asyncio.get_running_loop().call_later(seconds, call)
        )

    def enter(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection. Returns False if its address has too many, or asks too much."""
        peer = transport.get_extra_info("peername")
        if not isinstance(peer, tuple) or self._proxies.trust(parse_address(peer[0])):
            return True
        address = visitor(peer[0])
        if self._limiter.is_flooding(peer[0]):
            self._metrics.limited("http")
            return False
        if self._counts[address] >= self._most:
            return False
        self._counts[address] += 1
        self._addresses[transport] = address
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """The connection is closed."""
        self._collector.note_closed()
        address = self._addresses.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


def http_protocol(connections: OpenConnections) -> type[HttpProtocol]:
    """The protocol class of a server, whose connections are counted together."""
    return type("CountedHttpProtocol", (HttpProtocol,), {"open_connections": connections})


class HttpProtocol(H11Protocol):
    open_connections: ClassVar[OpenConnections]
    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _input = b""
    """Received and not parsed yet."""
    _body_left = 0
    """Bytes of the current body that are still to come."""
    _is_deaf = False
    """Whether all further input is dropped: the connection is about to end."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        stream = cast(asyncio.Transport, transport)
        super().connection_made(stream)
        if self.open_connections.enter(stream):
            self._await_head()
        else:
            stream.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_connections.leave(self.transport)
        self._stop_head_timer()
        self._stop_write_timer()
        super().connection_lost(exc)

    # Receiving

    def data_received(self, data: bytes) -> None:
        if not self._is_deaf:
            self._unset_keepalive_if_required()
            self._input += data
            self._parse()

    def _parse(self) -> None:
        """Pass the current head or body to the parser. The next request waits for the response."""
        while self._input and not self.transport.is_closing():
            if self._body_left:
                self._parse_body()
            elif self.conn.their_state is not h11.IDLE:
                self._wait_for_response()
                return
            elif not self._parse_head():
                return

    def _parse_body(self) -> None:
        part, self._input = self._input[: self._body_left], self._input[self._body_left :]
        self._body_left -= len(part)
        super().data_received(part)

    def _parse_head(self) -> bool:
        """Parse a head, if all of it is there. Returns False if nothing can be done now."""
        size = _head_size(self._input)
        if self._input[0] < _FIRST_OF_HEAD or (size or len(self._input)) > HEAD_BYTES:
            self._refuse_head()
            return False
        if size is None:
            self._await_head()
            return False
        head, self._input = self._input[:size], self._input[size:]
        if head.count(b"\n") > HEAD_LINES:
            self._refuse_head()
            return False
        self._stop_head_timer()
        super().data_received(head)
        if self.conn.their_state is h11.SEND_BODY:
            lengths = [value for name, value in self.headers if name == b"content-length"]
            if lengths:
                self._body_left = int(lengths[0])
            else:
                self._drop_input()  # chunked: `BodyLimit` refuses it
        return self.transport.get_protocol() is self

    def _wait_for_response(self) -> None:
        if len(self._input) > HEAD_BYTES:
            self._drop_input()
            self.transport.abort()
        else:
            self.flow.pause_reading()

    def _refuse_head(self) -> None:
        self._drop_input()
        self.transport.write(_TOO_LARGE)
        self.transport.close()

    def _drop_input(self) -> None:
        self._input = b""
        self._is_deaf = True

    def on_response_complete(self) -> None:
        if self._body_left > REST_BYTES:
            self._drop_input()
            self.transport.close()
        super().on_response_complete()
        if self._input:
            self.loop.call_soon(self._parse)  # others are served between two requests

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._drop_input()  # a client waits for the response before it sends frames
        super().handle_websocket_upgrade(event)

    # Time-outs

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_write_timer()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None


def _head_size(data: bytes) -> int | None:
    """Where a head ends: behind its first empty line. None if it goes on."""
    sizes = [
        place + len(end)
        for end in (b"\n\r\n", b"\n\n")
        if (place := data.find(end, 0, HEAD_BYTES + len(end))) >= 0
    ]
    return min(sizes, default=None)
