"""The server over HTTP: guests, rooms and records. Play goes over sockets.

Which requests there are, and what each of them needs, says `protocol.routes`. Answers are JSON;
errors are `{"type": "error", "code", "message"}` with a fitting status.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.bots.roster import BOTS
from tilerummy.play.match import check_names
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.edge.rulebook import book
from tilerummy.server.edge.safety import (
    bearer,
    clear_cookie,
    client_address,
    new_token,
    read_cookie,
    set_cookie,
    token_hash,
)
from tilerummy.server.edge.sockets import Connection, Surroundings
from tilerummy.server.jobs.erasure import forget
from tilerummy.server.limits.gate import BusyError
from tilerummy.server.ops.node import Node
from tilerummy.server.protocol import openapi, replies, routes
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.closing import Closing
from tilerummy.server.protocol.projection import seen_room
from tilerummy.server.protocol.requests import (
    NewGuest,
    NewName,
    NewRoom,
    NewSeat,
    RecordQuery,
    RulesQuery,
    json_fields,
)
from tilerummy.server.protocol.routes import Fault, Limit, Operation, Who
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import Guest, StoreError
from tilerummy.server.telemetry.metrics import CONTENT_TYPE

COOKIE = "tilerummy"
LISTED = 50
_CODE = re.compile("[A-Z0-9]{1,20}")
SEEN_EVERY = 3_600_000
"""Milliseconds. That a guest was here is written down no more often than this."""

NO_JSON = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What comes of text that is no JSON, or not what is wanted."""

LATER = routes.UNAVAILABLE.code, "try again in a moment"
"""What is said while the store is away."""

T = TypeVar("T")
Answering = Callable[[Request], Awaitable[Response]]


class HttpError(TileRummyError):
    """An answer that is no success."""

    def __init__(self, fault: Fault, message: str, **headers: str) -> None:
        super().__init__(message, code=fault.code)
        self.status = fault.status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class SlowDown(HttpError):  # noqa: N818 - it is an answer, not a failure
    def __init__(self, wait: float) -> None:
        seconds = max(1, round(wait + 0.5))
        message = f"slow down: wait {seconds} s"
        super().__init__(routes.TOO_FAST, message, retry_after=str(seconds))


class Api:
    """Has a method for every operation of the table. It gets the request, and by name the `guest`,
    the `room`, and the `query` or the body, as `wanted`, that the table says it needs."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self._readiness: asyncio.Future[bool] | None = None
        """The answer to whether the store is there, while it is awaited."""

    def routes(self) -> list[BaseRoute]:
        paths: dict[str, dict[str, Answering]] = {}
        for operation in routes.OPERATIONS:
            paths.setdefault(operation.path, {})[operation.method] = self._answering(operation)
        return [
            *[Route(path, _by_method(found), methods=[*found]) for path, found in paths.items()],
            WebSocketRoute("/api/rooms/{code}/socket", self.socket),
        ]

    def _answering(self, operation: Operation) -> Answering:
        endpoint: Callable[..., Awaitable[Any]] = getattr(self, operation.name)

        async def answered(request: Request) -> Response:
            try:
                answer = await endpoint(request, **await self._needed(operation, request))
            except TileRummyError as error:
                if isinstance(error, StoreError):
                    self.node.store.outage.note(error)
                return _failure(error)
            if isinstance(answer, Response):
                return answer
            return _json(answer, operation.status)

        return answered

    async def _needed(self, operation: Operation, request: Request) -> dict[str, Any]:
        self._slow_down(operation.limit, request)
        needed: dict[str, Any] = {}
        if operation.who is Who.GUEST:
            needed["guest"] = await self._guest(request)
        elif operation.who is Who.KNOWN:
            needed["guest"] = await self._known_guest(request)
        if operation.has_room:
            needed["room"] = await self._room(request)
        if operation.query is not None:
            needed["query"] = _query(request, operation.query)
        if operation.body is not None:
            needed["wanted"] = await _body(request, operation.body)
        return needed

    # Guests

    async def new_guest(self, request: Request, wanted: NewGuest) -> Response:
        check_names([wanted.name])
        token = new_token()
        await self.node.store.add_guest(token_hash(token), wanted.name)
        answer = replies.GuestReply(wanted.name, token if wanted.bearer else None)
        response = _json(answer, HTTPStatus.CREATED)
        if not wanted.bearer:
            secure = self.node.settings.tls
            response.headers.append("set-cookie", set_cookie(COOKIE, token, secure=secure))
        return response

    async def me(self, request: Request, guest: Guest) -> replies.MeReply:
        found = await self.node.store.statistics(guest.id)
        total = replies.TallyInfo(*found.total)
        editions = {name: replies.TallyInfo(*tally) for name, tally in found.by_edition.items()}
        return replies.MeReply(guest.name, replies.StatisticsInfo(total, editions))

    async def rename(self, request: Request, guest: Guest, wanted: NewName) -> replies.NameReply:
        check_names([wanted.name])
        await self.node.store.rename_guest(guest.id, wanted.name)
        return replies.NameReply(wanted.name)

    async def forget(self, request: Request, guest: Guest) -> Response:
        await forget(self.node.keeper, guest.id)
        response = Response(status_code=HTTPStatus.NO_CONTENT)
        secure = self.node.settings.tls
        response.headers.append("set-cookie", clear_cookie(COOKIE, secure=secure))
        return response

    async def _guest(self, connection: HTTPConnection) -> Guest:
        guest = await self._known_guest(connection)
        if guest is None:
            message = "say who you are first: POST /api/guests"
            raise HttpError(routes.NO_GUEST, message, www_authenticate="Bearer")
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

    async def rooms(self, request: Request) -> replies.RoomsReply:
        found = await self.node.store.public_rooms(LISTED)
        return replies.RoomsReply([replies.ListedRoom(**room._asdict()) for room in found])

    async def new_room(
        self, request: Request, guest: Guest, wanted: NewRoom
    ) -> replies.OpenedReply:
        _check_room(wanted)
        keeper = self.node.keeper
        room = await keeper.open(wanted.settings)
        await keeper.apply(room.id, commands.Sit(guest.id, guest.name))
        for bot in wanted.bots:
            await keeper.apply(room.id, commands.AddBot(0, bot))
        return replies.OpenedReply(room.code, seat=0)

    async def room(self, request: Request, guest: Guest | None, room: Room) -> replies.RoomReply:
        return replies.RoomReply(
            code=room.code,
            you=None if guest is None else room.seat_of(guest.id),
            phase=room.phase,
            settings=room.settings,
            seats=seen_room(room, None).seats,
            host=room.host,
        )

    async def sit(
        self, request: Request, guest: Guest, room: Room, wanted: NewSeat
    ) -> replies.SeatReply:
        await self.node.keeper.apply(room.id, commands.Sit(guest.id, guest.name, wanted.seat))
        after = await self._room(request)
        return replies.SeatReply(after.seat_of(guest.id))

    async def _room(self, connection: HTTPConnection) -> Room:
        code = str(connection.path_params["code"]).upper()
        found = await self.node.keeper.find(code) if _CODE.fullmatch(code) else None
        room = None if found is None else await self.node.keeper.look(found)
        if room is None:
            raise HttpError(routes.NO_ROOM, f"there is no room {code[:20]!r}")
        return room

    # Records

    async def games(self, request: Request, room: Room) -> replies.GamesReply:
        found = await self.node.store.games(room.id)
        return replies.GamesReply([replies.GameReply(*game) for game in found])

    async def record(self, request: Request, room: Room, query: RecordQuery) -> Response:
        match = request.path_params["match"]
        text = await self._of_record(self.node.records.text(room, match, query.format))
        name = f"{room.code}-{match}.{query.format}"
        return Response(
            text,
            media_type="application/jsonl" if query.format == "jsonl" else "text/plain",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def verified(self, request: Request, room: Room) -> replies.VerifyReply:
        match = request.path_params["match"]
        report = await self._of_record(self.node.records.report(room, match))
        problems = [
            replies.ProblemReply(p.breach, p.message, p.game, p.turn) for p in report.problems
        ]
        unproven = [replies.UnprovenReply(u.game, u.turn, u.holds) for u in report.unproven]
        return replies.VerifyReply(not problems, problems, unproven)

    async def _of_record(self, work: Awaitable[T | None]) -> T:
        try:
            found = await work
        except BusyError as error:
            self.node.metrics.limited("records")
            raise SlowDown(error.wait) from error
        if found is None:
            raise HttpError(routes.NO_RECORD, "no game of this match has ended")
        return found

    # Play

    async def socket(self, socket: WebSocket) -> None:
        with suppress(WebSocketDisconnect):  # who may be gone at any moment
            await self._serve(socket)

    async def _serve(self, socket: WebSocket) -> None:
        try:
            self._slow_down(Limit.REQUESTS, socket)
        except SlowDown:
            await socket.close()  # without a word, which would cost more
            return
        client = self.node.guard.connect(self._address(socket))
        if client is None:
            self.node.metrics.limited("connections")
            message = "too many sockets of your address are open: close one of them"
            await self._turn_away(socket, Closing.TOO_MANY, "too-many-connections", message)
            return
        if self.node.draining:
            client.close()
            await self._turn_away(socket, Closing.LATER, *LATER)
            return
        with client:
            try:
                guest = await self._known_guest(socket)
                room = await self._room(socket)
            except HttpError as error:
                await self._turn_away(socket, Closing.NO_ROOM, error.code, str(error))
                return
            except StoreError as error:
                self.node.store.outage.note(error)
                await self._turn_away(socket, Closing.LATER, *LATER)
                return
            seated = guest is not None and room.seat_of(guest.id) is not None
            if not seated and not room.settings.spectators:
                message = "this room is not to be watched"
                await self._turn_away(socket, Closing.NO_SPECTATORS, "no-spectators", message)
                return
            await socket.accept()
            with self._counted(seated=seated):
                known = guest.id if guest is not None else None
                await Connection(socket, room.id, known, client, self._around()).serve()

    async def _turn_away(self, socket: WebSocket, why: Closing, code: str, message: str) -> None:
        """Tell why there is no connection. Of one that was never there a browser tells nothing."""
        if self.node.guard.refuse(self._address(socket)):
            await socket.accept()
            await socket.send_text(out.encode(out.Error(code, message)).decode())
        await socket.close(why, code)

    def _around(self) -> Surroundings:
        node = self.node
        return Surroundings(
            node.keeper, node.presence, node.mirror, node.thinkers, node.gate, node.metrics
        )

    @contextmanager
    def _counted(self, *, seated: bool) -> Iterator[None]:
        gauge = self.node.metrics.players if seated else self.node.metrics.spectators
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()

    # The rules

    async def rules(self, request: Request, query: RulesQuery) -> Response:
        return _encoded(book(edition(query.edition, query.options), query.language))

    # The host's

    async def described(self, request: Request) -> Response:
        return _encoded(openapi.encoded())

    async def healthy(self, request: Request) -> replies.StatusReply:
        return replies.StatusReply()

    async def ready(self, request: Request) -> replies.StatusReply:
        if self.node.draining or not await self._is_ready():
            raise HttpError(routes.NOT_READY, "the store is away")
        return replies.StatusReply()

    async def _is_ready(self) -> bool:
        """However many ask at the same moment, the store is asked once."""
        if self._readiness is None or self._readiness.done():
            self._readiness = asyncio.ensure_future(self.node.store.ready())
        return await asyncio.shield(self._readiness)

    async def metrics(self, request: Request) -> Response:
        return Response(self.node.metrics.text(), headers={"content-type": CONTENT_TYPE})

    # Limits

    def _address(self, connection: HTTPConnection) -> str:
        peer = connection.client.host if connection.client else None
        return client_address(peer, connection.scope["headers"], self.node.settings.proxies)

    def _slow_down(self, limit: Limit, connection: HTTPConnection) -> None:
        if limit is Limit.NONE:
            return
        guard = self.node.guard
        ask = {
            Limit.REQUESTS: guard.request,
            Limit.RECORDS: guard.record,
            Limit.JOINS: guard.join,
        }[limit]
        if wait := ask(self._address(connection)):
            self.node.metrics.limited(limit.name.lower())
            raise SlowDown(wait)


def _by_method(found: Mapping[str, Answering]) -> Answering:
    """One route for a path, so that it can tell all methods that it has."""

    async def endpoint(request: Request) -> Response:
        return await found["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _check_room(wanted: NewRoom) -> None:
    """Raises OptionError, MatchError or HttpError where there can be no such room."""
    wanted.settings.check()
    if unknown := [bot for bot in wanted.bots if bot not in BOTS]:
        message = f"there is no bot {unknown[0]!r}: {', '.join(BOTS)}"
        raise HttpError(routes.UNKNOWN_BOT, message)
    if len(wanted.bots) >= wanted.settings.seats:
        message = f"{len(wanted.bots)} bots leave you none of {wanted.settings.seats} seats"
        raise HttpError(routes.TOO_MANY_BOTS, message)


def _query(request: Request, kind: type[T]) -> T:
    given: dict[str, Any] = dict(request.query_params)
    try:
        for name in json_fields(kind) & given.keys():
            given[name] = msgspec.json.decode(given[name])
        return msgspec.convert(given, kind)
    except NO_JSON as error:
        raise HttpError(routes.BAD_REQUEST, str(error)) from error


async def _body(request: Request, kind: type[T]) -> T:
    data = await request.body()
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except NO_JSON as error:
        raise HttpError(routes.BAD_REQUEST, str(error)) from error


def _failure(error: TileRummyError) -> Response:
    match error:
        case HttpError():
            response = _error(error.status, error.code, str(error))
            response.headers.update(error.headers)
            return response
        case StoreError():
            return _error(routes.UNAVAILABLE.status, *LATER)
        case Refused():
            return _error(HTTPStatus.CONFLICT, error.code, str(error))
        case _:
            return _error(HTTPStatus.UNPROCESSABLE_ENTITY, error.code, str(error))


def _json(value: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return _encoded(msgspec.json.encode(value), status)


def _encoded(data: bytes, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(data, status, {"cache-control": "no-store"}, media_type=routes.JSON)


def _error(status: HTTPStatus, code: str, message: str) -> Response:
    return _json(out.Error(code, message), status)
