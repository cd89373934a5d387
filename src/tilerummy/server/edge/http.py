"""The HTTP API: guests, rooms and records. Play goes over sockets.

`protocol.routes` lists the requests and what each of them needs. Responses are JSON; errors are
`{"type": "error", "code", "message"}` with a matching status.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar, assert_never

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tilerummy.bots.roster import BOTS
from tilerummy.rules.editions import edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.edge import responses
from tilerummy.server.edge.admission import Admission
from tilerummy.server.edge.responses import HttpError, SlowDown
from tilerummy.server.edge.rulebook import book
from tilerummy.server.edge.safety import clear_cookie, new_token, set_cookie, token_hash
from tilerummy.server.edge.services import Services
from tilerummy.server.edge.shared import Shared
from tilerummy.server.edge.visitors import COOKIE, Visitors
from tilerummy.server.jobs.erasure import erase
from tilerummy.server.jobs.records import TooLongError
from tilerummy.server.limits.gate import BusyError
from tilerummy.server.protocol import openapi, replies, routes
from tilerummy.server.protocol.infos import seen_room
from tilerummy.server.protocol.requests import (
    NewGuest,
    NewName,
    NewRoom,
    NewSeat,
    RecordQuery,
    RulesQuery,
)
from tilerummy.server.protocol.routes import Operation, OperationName, Who
from tilerummy.server.rooms import seating
from tilerummy.server.rooms.option_costs import check_costs
from tilerummy.server.rooms.reserved import own_name
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import Guest, StoreError
from tilerummy.server.telemetry.metrics import CONTENT_TYPE

LISTED = 50
LIST_SECONDS = 1.0
"""How long the list of public rooms is reused: it costs the same however often it is asked for."""
MOST_HOSTED = 3
"""Open public rooms per host."""
MOST_GAMES = 500
"""Finished games of a room that are listed, the last ones."""

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]
Endpoint = Callable[..., Awaitable[Any]]


class Api:
    """Has a method for every operation of the routing table. It gets the request and, by keyword,
    the `guest`, the `room`, the `query` and the decoded body (`wanted`) that the table names."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._visitors = Visitors(services)
        self._listed = Shared(lambda: services.store.public_rooms(LISTED), LIST_SECONDS)
        self._writing = asyncio.Lock()
        """Rule books are written in a thread, one at a time: some take longer than a move may."""
        self._erasing = asyncio.Lock()
        """Guests are erased one at a time: that reads the whole logs of their rooms."""

    def routes(self) -> list[BaseRoute]:
        paths: dict[str, dict[str, Handler]] = {}
        for operation in routes.OPERATIONS:
            paths.setdefault(operation.path, {})[operation.method] = self._handler(operation)
        admission = Admission(self._services, self._visitors)
        return [
            *[Route(path, _by_method(found), methods=[*found]) for path, found in paths.items()],
            WebSocketRoute("/api/rooms/{code}/socket", admission.__call__),
        ]

    def _handler(self, operation: Operation) -> Handler:
        endpoint = self._endpoint(operation.name)

        async def handle(request: Request) -> Response:
            try:
                answer = await endpoint(request, **await self._arguments(operation, request))
            except TileRummyError as error:
                if isinstance(error, StoreError):
                    self._services.store.outage.note(error)
                return responses.failure(error)
            if isinstance(answer, Response):
                return answer
            return responses.json(answer, operation.status)

        return handle

    def _endpoint(self, name: OperationName) -> Endpoint:
        match name:
            case "new_guest":
                return self.new_guest
            case "me":
                return self.me
            case "rename":
                return self.rename
            case "forget":
                return self.erase
            case "rooms":
                return self.rooms
            case "new_room":
                return self.new_room
            case "room":
                return self.room
            case "sit":
                return self.sit
            case "games":
                return self.games
            case "record":
                return self.record
            case "verified":
                return self.verified
            case "rules":
                return self.rules
            case "described":
                return self.described
            case "healthy":
                return self.healthy
            case "ready":
                return self.ready
            case "metrics":
                return self.metrics
            case _:
                assert_never(name)

    async def _arguments(self, operation: Operation, request: Request) -> dict[str, Any]:
        self._visitors.check_limit(operation.limit, request)
        found: dict[str, Any] = {}
        if operation.who is Who.GUEST:
            found["guest"] = await self._visitors.guest(request)
        elif operation.who is Who.KNOWN:
            found["guest"] = await self._visitors.known_guest(request)
        if operation.has_room:
            found["room"] = await self._visitors.room(request, found.get("guest"))
        if operation.query is not None:
            found["query"] = responses.query_of(request, operation.query)
        if operation.body is not None:
            found["wanted"] = await responses.body_of(request, operation.body)
        return found

    # Guests

    async def new_guest(self, request: Request, wanted: NewGuest) -> Response:
        name = own_name(wanted.name)
        token = new_token()
        await self._services.store.add_guest(token_hash(token), name)
        answer = replies.GuestReply(name, token if wanted.bearer else None)
        response = responses.json(answer, HTTPStatus.CREATED)
        if not wanted.bearer:
            secure = self._services.settings.tls
            response.headers.append("set-cookie", set_cookie(COOKIE, token, secure=secure))
        return response

    async def me(self, request: Request, guest: Guest) -> replies.MeReply:
        found = await self._services.store.statistics(guest.id)
        total = replies.TallyInfo(*found.total)
        editions = {name: replies.TallyInfo(*tally) for name, tally in found.by_edition.items()}
        return replies.MeReply(guest.name, replies.StatisticsInfo(total, editions))

    async def rename(self, request: Request, guest: Guest, wanted: NewName) -> replies.NameReply:
        name = own_name(wanted.name)
        if name != guest.name:
            await self._services.store.rename_guest(guest.id, name)
        return replies.NameReply(name)

    async def erase(self, request: Request, guest: Guest) -> Response:
        async with self._erasing:
            await erase(self._services.keeper, guest.id)
        response = Response(status_code=HTTPStatus.NO_CONTENT)
        secure = self._services.settings.tls
        response.headers.append("set-cookie", clear_cookie(COOKIE, secure=secure))
        return response

    # Rooms

    async def rooms(self, request: Request) -> replies.RoomsReply:
        found = await self._listed.get()
        return replies.RoomsReply([replies.ListedRoom(**room._asdict()) for room in found])

    async def new_room(
        self, request: Request, guest: Guest, wanted: NewRoom
    ) -> replies.OpenedReply:
        _check_room(wanted)
        own_name(guest.name)  # an earlier version may have allowed it
        if wanted.settings.public:
            await self._check_hosted(request, guest)
        keeper = self._services.keeper
        room = await keeper.open(wanted.settings)
        await keeper.apply(room.id, seating.Sit(guest.id, guest.name))
        for bot in wanted.bots:
            await keeper.apply(room.id, seating.AddBot(0, bot))
        if wanted.settings.public:
            self._listed.forget()
        return replies.OpenedReply(room.code, seat=0)

    async def _check_hosted(self, request: Request, guest: Guest) -> None:
        """Raises HttpError if the guest, or their address, has opened enough public rooms."""
        if await self._services.store.hosted_rooms(guest.id) >= MOST_HOSTED:
            message = (
                f"you are the host of {MOST_HOSTED} public rooms: leave one of them first, or open "
                "a private room"
            )
            raise HttpError(routes.TOO_MANY_ROOMS, message)
        if wait := self._services.rate_limiter.public_room(self._visitors.address(request)):
            self._services.metrics.limited("public_rooms")
            raise SlowDown(wait)

    async def room(self, request: Request, guest: Guest | None, room: Room) -> replies.RoomReply:
        return replies.RoomReply(
            code=room.code,
            you=None if guest is None else room.seat_of(guest.id),
            phase=room.phase,
            settings=room.settings,
            seats=seen_room(room, None).seats,
            host=room.host,
            removed=guest is not None and guest.id in room.removed,
        )

    async def sit(
        self, request: Request, guest: Guest, room: Room, wanted: NewSeat
    ) -> replies.SeatReply:
        sit = seating.Sit(guest.id, guest.name, wanted.seat)
        await self._services.keeper.apply(room.id, sit)
        after = await self._visitors.room(request, guest)
        return replies.SeatReply(after.seat_of(guest.id))

    # Records

    async def games(self, request: Request, guest: Guest | None, room: Room) -> replies.GamesReply:
        await self._visitors.check_player(room, guest)
        found = await self._services.store.games(room.id, MOST_GAMES)
        return replies.GamesReply([replies.GameReply(*game) for game in found])

    async def record(
        self, request: Request, guest: Guest | None, room: Room, query: RecordQuery
    ) -> Response:
        await self._visitors.check_player(room, guest)
        match = request.path_params["match"]
        text = await self._of_record(self._services.records.text(room, match, query.format))
        name = f"{room.code}-{match}.{query.format}"
        return Response(
            text,
            media_type="application/jsonl" if query.format == "jsonl" else "text/plain",
            headers={
                "content-disposition": f'attachment; filename="{name}"',
                "cache-control": "private, no-store",
            },
        )

    async def verified(
        self, request: Request, guest: Guest | None, room: Room
    ) -> replies.VerifyReply:
        await self._visitors.check_player(room, guest)
        match = request.path_params["match"]
        found = await self._of_record(self._services.records.verified(room, match))
        report = found.report
        problems = [
            replies.ProblemReply(p.breach, p.message, p.game, p.turn) for p in report.problems
        ]
        unproven = [replies.UnprovenReply(u.game, u.turn, u.holds) for u in report.unproven]
        return replies.VerifyReply(not problems, problems, unproven, found.cancelled)

    async def _of_record(self, work: Awaitable[T | None]) -> T:
        try:
            found = await work
        except BusyError as error:
            self._services.metrics.limited("records")
            raise SlowDown(error.wait) from error
        except TooLongError as error:
            raise HttpError(routes.TOO_LARGE, "this match is too long for a record") from error
        if found is None:
            raise HttpError(routes.NO_RECORD, "no game of this match has ended")
        return found

    # Rules

    async def rules(self, request: Request, query: RulesQuery) -> Response:
        wanted = edition(query.edition, query.options)
        async with self._writing:
            return responses.encoded(await asyncio.to_thread(book, wanted, query.language))

    # Operations

    async def described(self, request: Request) -> Response:
        return responses.encoded(openapi.encoded())

    async def healthy(self, request: Request) -> replies.StatusReply:
        return replies.StatusReply()

    async def ready(self, request: Request) -> replies.StatusReply:
        if self._services.draining:
            raise HttpError(routes.NOT_READY, "the node is shutting down")
        if problem := await self._services.store.readiness.problem():
            raise HttpError(routes.NOT_READY, problem)
        return replies.StatusReply()

    async def metrics(self, request: Request) -> Response:
        return Response(self._services.metrics.text(), headers={"content-type": CONTENT_TYPE})


def _by_method(found: Mapping[str, Handler]) -> Handler:
    """One route per path, so that a 405 lists all its methods."""

    async def endpoint(request: Request) -> Response:
        return await found["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _check_room(wanted: NewRoom) -> None:
    """Raises OptionError, MatchError or HttpError if such a room is impossible."""
    wanted.settings.check()
    check_costs(wanted.settings.rules())
    if unknown := [bot for bot in wanted.bots if bot not in BOTS]:
        message = f"unknown bot {unknown[0]!r}: {', '.join(BOTS)}"
        raise HttpError(routes.UNKNOWN_BOT, message)
    if len(wanted.bots) >= wanted.settings.seats:
        message = f"{len(wanted.bots)} bots leave no free seat of {wanted.settings.seats} for you"
        raise HttpError(routes.TOO_MANY_BOTS, message)
