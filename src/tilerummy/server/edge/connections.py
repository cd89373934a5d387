"""TCP connections: a cap per address, and time-outs for peers that do not finish what they begin.

uvicorn ends idle connections between two requests, and nothing else: a client may take for ever
over the head of a request, or over reading the response. `wire` takes over when a connection
becomes a WebSocket.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tilerummy.server.limits.addresses import Proxies, parse_address, visitor

HEAD_SECONDS = 10.0
"""Time for the whole head of a request, from its first byte or the start of the connection."""
READ_SECONDS = 30.0
"""Time for a client to read on, once the response waits for it."""


class OpenConnections:
    """Counts the connections of each address. Trusted proxies have no limit."""

    def __init__(self, most: int, proxies: Proxies) -> None:
        self._most = most
        self._proxies = proxies
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()

    def enter(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection. Returns False if its address has too many."""
        peer = transport.get_extra_info("peername")
        if not isinstance(peer, tuple) or self._proxies.trust(parse_address(peer[0])):
            return True
        address = visitor(peer[0])
        if self._counts[address] >= self._most:
            return False
        self._counts[address] += 1
        self._addresses[transport] = address
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """The connection is closed. Idempotent."""
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

    def data_received(self, data: bytes) -> None:
        self._await_head()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_head_timer()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_head_timer()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_write_timer()

    def _await_head(self) -> None:
        if self._head_timer is None and self.conn.their_state is h11.IDLE:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
