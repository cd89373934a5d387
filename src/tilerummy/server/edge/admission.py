"""Admission of WebSockets: rate limits, authentication, the room, and its spectator setting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.server.edge.responses import LATER, HttpError, SlowDown
from tilerummy.server.edge.services import Services
from tilerummy.server.edge.sockets import Connection
from tilerummy.server.edge.visitors import Visitors
from tilerummy.server.limits.rate_limiter import Client
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.closing import Closing
from tilerummy.server.protocol.routes import Limit
from tilerummy.server.store import StoreError


class Admission:
    """The endpoint of sockets."""

    def __init__(self, services: Services, visitors: Visitors) -> None:
        self._services = services
        self._visitors = visitors

    async def __call__(self, socket: WebSocket) -> None:
        with suppress(WebSocketDisconnect):  # the client may disconnect at any moment
            await self._admit(socket)

    async def _admit(self, socket: WebSocket) -> None:
        try:
            self._visitors.check_limit(Limit.REQUESTS, socket)
        except SlowDown:
            await socket.close()  # an error message would cost more
            return
        services = self._services
        client = services.rate_limiter.connect(self._visitors.address(socket))
        if client is None:
            services.metrics.limited("connections")
            message = "too many sockets are open from your address: close one of them"
            await self._reject(socket, Closing.TOO_MANY, out.Error("too-many-connections", message))
            return
        if services.draining:
            client.close()
            await self._reject(socket, Closing.LATER, out.Error(*LATER))
            return
        with client:
            await self._serve(socket, client)

    async def _serve(self, socket: WebSocket, client: Client) -> None:
        try:
            guest = await self._visitors.known_guest(socket)
            room = await self._visitors.room(socket, guest)
        except SlowDown as error:
            await self._reject(socket, Closing.LATER, out.failed(error))
            return
        except HttpError as error:
            await self._reject(socket, Closing.NO_ROOM, out.failed(error))
            return
        except StoreError as error:
            self._services.store.outage.note(error)
            await self._reject(socket, Closing.LATER, out.Error(*LATER))
            return
        seated = guest is not None and room.seat_of(guest.id) is not None
        if not seated and not room.settings.spectators:
            message = "this room does not allow spectators"
            await self._reject(socket, Closing.NO_SPECTATORS, out.Error("no-spectators", message))
            return
        await socket.accept()
        with self._counted(seated=seated):
            known = guest.id if guest is not None else None
            await Connection(socket, room.id, known, client, self._services).serve()

    async def _reject(self, socket: WebSocket, why: Closing, error: out.Error) -> None:
        """Open the socket to send the error: a browser hides why a handshake failed."""
        if self._services.rate_limiter.refuse(self._visitors.address(socket)):
            await socket.accept()
            await socket.send_text(out.encode(error).decode())
        await socket.close(why, error.code)

    @contextmanager
    def _counted(self, *, seated: bool) -> Iterator[None]:
        metrics = self._services.metrics
        gauge = metrics.players if seated else metrics.spectators
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()
