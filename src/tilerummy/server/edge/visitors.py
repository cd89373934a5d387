"""Visitors: who sends a request, from which address, about which room, and how often they may."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection

from tilerummy.server.edge.responses import HttpError, SlowDown
from tilerummy.server.edge.safety import bearer, client_address, read_cookie, token_hash
from tilerummy.server.edge.services import Services
from tilerummy.server.protocol import routes
from tilerummy.server.protocol.routes import Limit
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import Guest

COOKIE = "tilerummy"
_CODE = re.compile("[A-Z0-9]{1,20}")
SEEN_EVERY = 3_600_000
"""Milliseconds: `seen_at` of a guest is updated at most this often."""


class Visitors:
    def __init__(self, services: Services) -> None:
        self._services = services

    def address(self, connection: HTTPConnection) -> str:
        peer = connection.client.host if connection.client else None
        headers = connection.scope["headers"]
        return client_address(peer, headers, self._services.settings.proxies)

    def check_limit(self, limit: Limit, connection: HTTPConnection) -> None:
        """Raises SlowDown."""
        if limit is Limit.NONE:
            return
        limiter = self._services.rate_limiter
        take = {
            Limit.REQUESTS: limiter.request,
            Limit.RECORDS: limiter.record,
            Limit.JOINS: limiter.join,
        }[limit]
        if wait := take(self.address(connection)):
            self._services.metrics.limited(limit.name.lower())
            raise SlowDown(wait)

    async def guest(self, connection: HTTPConnection) -> Guest:
        """The guest who sends a request. Raises HttpError."""
        guest = await self.known_guest(connection)
        if guest is None:
            message = "authenticate first: POST /api/guests"
            raise HttpError(routes.NO_GUEST, message, www_authenticate="Bearer")
        return guest

    async def known_guest(self, connection: HTTPConnection) -> Guest | None:
        """The guest who sends a request; None for an anonymous client."""
        services = self._services
        headers = connection.scope["headers"]
        token = bearer(headers) or read_cookie(headers, COOKIE, secure=services.settings.tls)
        if token is None:
            return None
        guest = await services.store.guest_of(token_hash(token))
        if guest is not None and services.store.now() - guest.seen_at > SEEN_EVERY:
            await services.store.touch_guest(guest.id)
        return guest

    async def room(self, connection: HTTPConnection, guest: Guest | None) -> Room:
        """The room in the path. Raises HttpError.

        An address that has given many wrong codes finds nothing for a while, so that codes cannot
        be guessed. Players still find the rooms in which they have a seat.
        """
        services, address = self._services, self.address(connection)
        code = str(connection.path_params["code"]).upper()
        found = await services.keeper.find(code) if _CODE.fullmatch(code) else None
        room = None if found is None else await services.keeper.look(found)
        is_player = guest is not None and room is not None and room.seat_of(guest.id) is not None
        wait = 0.0 if is_player else services.rate_limiter.misses_left(address)
        if wait:
            services.metrics.limited("misses")
            raise SlowDown(wait)
        if room is None:
            services.rate_limiter.miss(address)
            raise HttpError(routes.NO_ROOM, f"there is no room {code[:20]!r}")
        return room

    async def check_player(self, room: Room, guest: Guest | None) -> None:
        """Raises HttpError unless a guest may read what was played in a room."""
        if room.settings.spectators:
            return
        if guest is None or not await self._services.store.is_member(room.id, guest.id):
            message = "this room does not allow spectators: only its players read its records"
            raise HttpError(routes.PLAYERS_ONLY, message)
