"""The server over HTTP: guests, rooms and records. Play goes over sockets.

Answers are JSON; errors are `{"type": "error", "code", "message"}` with a fitting status.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.bots.roster import BOTS
from tilerummy.play.game import Refused
from tilerummy.play.match import LONGEST_NAME, check_names
from tilerummy.play.notation import to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verify import verify
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.forgetting import forget
from tilerummy.server.logs import Log
from tilerummy.server.metrics import CONTENT_TYPE
from tilerummy.server.node import Node
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.records import record_of
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.room import Room
from tilerummy.server.rooms.seen import seen_room
from tilerummy.server.rooms.settings import MOST_SEATS, Settings
from tilerummy.server.safety import (
    bearer,
    clear_cookie,
    client_address,
    new_token,
    read_cookie,
    set_cookie,
    token_hash,
)
from tilerummy.server.sockets import Connection, Surroundings
from tilerummy.server.store import Guest, StoreError
from tilerummy.solver.able import can_play

log = Log("tilerummy.http")

COOKIE = "tilerummy"
LISTED = 50
_CODE = re.compile("[A-Z0-9]{1,20}")
SEEN_EVERY = 3_600_000
"""Milliseconds. That a guest was here is written down no more often than this."""

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class NewGuest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who comes. A program without cookies asks for its token with `bearer`."""

    name: Name
    bearer: bool = False


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class NewRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room to be opened; whoever opens it sits down first and is its host."""

    settings: Settings = Settings()
    bots: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=MOST_SEATS)] = []

    def check(self) -> None:
        """Raises OptionError, MatchError or HttpError where there can be no such room."""
        self.settings.check()
        if unknown := [bot for bot in self.bots if bot not in BOTS]:
            message = f"there is no bot {unknown[0]!r}: {', '.join(BOTS)}"
            raise HttpError(HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-bot", message)
        if len(self.bots) >= self.settings.seats:
            message = f"{len(self.bots)} bots leave you none of {self.settings.seats} seats"
            raise HttpError(HTTPStatus.UNPROCESSABLE_ENTITY, "room-full", message)


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)] | None = None


class HttpError(TileRummyError):
    """An answer that is no success."""

    def __init__(self, status: HTTPStatus, code: str, message: str) -> None:
        super().__init__(message, code=code)
        self.status = status


class SlowDown(HttpError):  # noqa: N818 - it is an answer, not a failure
    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        message = f"slow down: wait {self.seconds} s"
        super().__init__(HTTPStatus.TOO_MANY_REQUESTS, "too-fast", message)


T = TypeVar("T")


class Api:
    def __init__(self, node: Node) -> None:
        self.node = node

    def routes(self) -> list[BaseRoute]:
        return [
            self._route("/api/guests", "POST", self.new_guest),
            self._route("/api/me", "GET", self.me),
            self._route("/api/me", "PATCH", self.rename),
            self._route("/api/me", "DELETE", self.forget),
            self._route("/api/rooms", "GET", self.rooms),
            self._route("/api/rooms", "POST", self.new_room),
            self._route("/api/rooms/{code}", "GET", self.room),
            self._route("/api/rooms/{code}/seats", "POST", self.sit),
            self._route("/api/rooms/{code}/games", "GET", self.games),
            self._route("/api/rooms/{code}/matches/{match:int}/record", "GET", self.record),
            self._route("/api/rooms/{code}/matches/{match:int}/verify", "GET", self.verified),
            WebSocketRoute("/api/rooms/{code}/socket", self.socket),
            self._route("/healthz", "GET", self.healthy),
            self._route("/readyz", "GET", self.ready),
            self._route("/metrics", "GET", self.metrics),
        ]

    def _route(
        self, path: str, method: str, endpoint: Callable[[Request], Awaitable[Response]]
    ) -> Route:
        async def answered(request: Request) -> Response:
            try:
                return await endpoint(request)
            except SlowDown as error:
                response = _error(error.status, error.code, str(error))
                response.headers["retry-after"] = str(error.seconds)
                return response
            except HttpError as error:
                return _error(error.status, error.code, str(error))
            except TileRummyError as error:
                if isinstance(error, StoreError):
                    log.error("store away", why=str(error))
                    return _error(
                        HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", "try again in a moment"
                    )
                status = HTTPStatus.CONFLICT if isinstance(error, Refused) else 422
                return _error(HTTPStatus(status), error.code, str(error))

        return Route(path, answered, methods=[method])

    # Guests

    async def new_guest(self, request: Request) -> Response:
        self._slow_down(request)
        wanted = await _body(request, NewGuest)
        check_names([wanted.name])
        token = new_token()
        await self.node.store.add_guest(token_hash(token), wanted.name)
        answer = {"name": wanted.name, **({"token": token} if wanted.bearer else {})}
        response = _json(answer, HTTPStatus.CREATED)
        if not wanted.bearer:
            secure = self.node.settings.tls
            response.headers.append("set-cookie", set_cookie(COOKIE, token, secure=secure))
        return response

    async def me(self, request: Request) -> Response:
        guest = await self._guest(request)
        found = await self.node.store.statistics(guest.id)
        editions = {name: tally._asdict() for name, tally in found.by_edition.items()}
        return _json(
            {
                "name": guest.name,
                "statistics": {"total": found.total._asdict(), "editions": editions},
            }
        )

    async def rename(self, request: Request) -> Response:
        guest = await self._guest(request)
        wanted = await _body(request, NewName)
        check_names([wanted.name])
        await self.node.store.rename_guest(guest.id, wanted.name)
        return _json({"name": wanted.name})

    async def forget(self, request: Request) -> Response:
        guest = await self._guest(request)
        await forget(self.node.keeper, guest.id)
        response = Response(status_code=HTTPStatus.NO_CONTENT)
        secure = self.node.settings.tls
        response.headers.append("set-cookie", clear_cookie(COOKIE, secure=secure))
        return response

    async def _guest(self, connection: HTTPConnection) -> Guest:
        guest = await self._known_guest(connection)
        if guest is None:
            raise HttpError(
                HTTPStatus.UNAUTHORIZED, "no-guest", "say who you are first: POST /api/guests"
            )
        return guest

    async def _known_guest(self, connection: HTTPConnection) -> Guest | None:
        headers = connection.scope["headers"]
        token = bearer(headers) or read_cookie(headers, COOKIE, secure=self.node.settings.tls)
        if token is None:
            return None
        guest = await self.node.store.guest_of(token_hash(token))
        if guest is not None and self.node.store.now() - guest.seen_at > SEEN_EVERY:
            await self.node.store.touch_guest(guest.id)
        return guest

    # Rooms

    async def rooms(self, request: Request) -> Response:
        found = await self.node.store.public_rooms(LISTED)
        return _json({"rooms": [room._asdict() for room in found]})

    async def new_room(self, request: Request) -> Response:
        self._slow_down(request)
        guest = await self._guest(request)
        wanted = await _body(request, NewRoom)
        wanted.check()
        keeper = self.node.keeper
        room = await keeper.open(wanted.settings)
        await keeper.apply(room.id, commands.Sit(guest.id, guest.name))
        for bot in wanted.bots:
            await keeper.apply(room.id, commands.AddBot(0, bot))
        return _json({"code": room.code, "seat": 0}, HTTPStatus.CREATED)

    async def room(self, request: Request) -> Response:
        room = await self._room(request)
        guest = await self._known_guest(request)
        seat = None if guest is None else room.seat_of(guest.id)
        seen = seen_room(room, None)
        return _json(
            {
                "code": room.code,
                "you": seat,
                "phase": room.phase,
                "settings": room.settings,
                "seats": seen.seats,
                "host": room.host,
            }
        )

    async def sit(self, request: Request) -> Response:
        self._slow_down(request)
        guest = await self._guest(request)
        room = await self._room(request)
        wanted = await _body(request, NewSeat)
        await self.node.keeper.apply(room.id, commands.Sit(guest.id, guest.name, wanted.seat))
        after = await self._room(request)
        return _json({"seat": after.seat_of(guest.id)}, HTTPStatus.CREATED)

    async def _room(self, connection: HTTPConnection) -> Room:
        code = str(connection.path_params["code"]).upper()
        found = await self.node.keeper.find(code) if _CODE.fullmatch(code) else None
        room = None if found is None else await self.node.keeper.look(found)
        if room is None:
            raise HttpError(HTTPStatus.NOT_FOUND, "no-room", f"there is no room {code[:20]!r}")
        return room

    # Records

    async def games(self, request: Request) -> Response:
        room = await self._room(request)
        found = await self.node.store.games(room.id)
        return _json({"games": [game._asdict() for game in found]})

    async def record(self, request: Request) -> Response:
        room, record = await self._record(request)
        kind = request.query_params.get("format", "jsonl")
        if kind not in ("jsonl", "text"):
            raise HttpError(HTTPStatus.BAD_REQUEST, "bad-format", "format is jsonl or text")
        text = to_jsonl(record) if kind == "jsonl" else to_text(record)
        name = f"{room.code}-{request.path_params['match']}.{kind}"
        return Response(
            text,
            media_type="application/jsonl" if kind == "jsonl" else "text/plain",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def verified(self, request: Request) -> Response:
        _, record = await self._record(request)
        found = await asyncio.to_thread(verify, record, can_play)
        return _json({"holds": not found, "problems": [str(problem) for problem in found]})

    async def _record(self, request: Request) -> tuple[Room, Record]:
        room = await self._room(request)
        number: int = request.path_params["match"]
        known = 1 <= number <= room.matches
        record = await record_of(self.node.store, room.id, number) if known else None
        if record is None:
            raise HttpError(HTTPStatus.NOT_FOUND, "no-record", "no game of this match has ended")
        return room, record

    # Play

    async def socket(self, socket: WebSocket) -> None:
        with suppress(WebSocketDisconnect):  # who may be gone at any moment
            await self._serve(socket)

    async def _serve(self, socket: WebSocket) -> None:
        address = self._address(socket)
        client = self.node.guard.connect(address)
        if client is None:
            self.node.metrics.limited("connections")
        if client is None or self.node.draining:
            await socket.close(1013, "try again later")
            return
        with client:
            try:
                guest = await self._known_guest(socket)
                room = await self._room(socket)
            except (HttpError, StoreError) as error:
                await socket.close(4404 if isinstance(error, HttpError) else 1013, error.code)
                return
            seated = guest is not None and room.seat_of(guest.id) is not None
            if not seated and not room.settings.spectators:
                await socket.close(4403, "no-spectators")
                return
            await socket.accept()
            with self._counted(seated=seated):
                known = guest.id if guest is not None else None
                await Connection(socket, room.id, known, client, self._around()).serve()

    def _around(self) -> Surroundings:
        node = self.node
        return Surroundings(node.keeper, node.presence, node.thinkers, node.gate, node.metrics)

    @contextmanager
    def _counted(self, *, seated: bool) -> Iterator[None]:
        gauge = self.node.metrics.players if seated else self.node.metrics.spectators
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()

    # The host's

    async def healthy(self, request: Request) -> Response:
        return _json({"status": "ok"})

    async def ready(self, request: Request) -> Response:
        if self.node.draining or not await self.node.store.ready():
            return _error(HTTPStatus.SERVICE_UNAVAILABLE, "not-ready", "the store is away")
        return _json({"status": "ok"})

    async def metrics(self, request: Request) -> Response:
        return Response(self.node.metrics.text(), headers={"content-type": CONTENT_TYPE})

    # Limits

    def _address(self, connection: HTTPConnection) -> str:
        peer = connection.client.host if connection.client else None
        return client_address(peer, connection.scope["headers"], self.node.settings.proxies)

    def _slow_down(self, request: Request) -> None:
        wait = self.node.guard.join(self._address(request))
        if wait:
            self.node.metrics.limited("joins")
            raise SlowDown(wait)


async def _body(request: Request, kind: type[T]) -> T:
    data = await request.body()
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise HttpError(HTTPStatus.BAD_REQUEST, "bad-request", str(error)) from error


def _json(value: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(
        msgspec.json.encode(value),
        status,
        {"cache-control": "no-store"},
        media_type="application/json",
    )


def _error(status: HTTPStatus, code: str, message: str) -> Response:
    return _json(out.Error(code, message), status)
