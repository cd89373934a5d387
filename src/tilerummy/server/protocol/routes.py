"""The routing table: every HTTP request. `edge.http` serves it; the docs are generated from it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from http import HTTPStatus
from typing import Any, Literal, NamedTuple, TypeAlias

from starlette.convertors import Convertor, register_url_convertor

from tilerummy.server.protocol import replies, requests
from tilerummy.server.protocol.codes import ErrorCode

JSON = "application/json"
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing."""

OperationName: TypeAlias = Literal[
    "new_guest",
    "me",
    "rename",
    "forget",
    "rooms",
    "new_room",
    "room",
    "sit",
    "games",
    "record",
    "verified",
    "rules",
    "described",
    "healthy",
    "ready",
    "metrics",
]


class Fault(NamedTuple):
    """An error that a request may lead to."""

    status: HTTPStatus
    code: ErrorCode


BAD_REQUEST = Fault(HTTPStatus.BAD_REQUEST, "bad-request")
NO_GUEST = Fault(HTTPStatus.UNAUTHORIZED, "no-guest")
FOREIGN_ORIGIN = Fault(HTTPStatus.FORBIDDEN, "foreign-origin")
NOT_FOUND = Fault(HTTPStatus.NOT_FOUND, "not-found")
NO_ROOM = Fault(HTTPStatus.NOT_FOUND, "no-room")
NO_RECORD = Fault(HTTPStatus.NOT_FOUND, "no-record")
PLAYERS_ONLY = Fault(HTTPStatus.FORBIDDEN, "players-only")
TOO_MANY_ROOMS = Fault(HTTPStatus.CONFLICT, "too-many-rooms")
TOO_LARGE = Fault(HTTPStatus(413), "too-large")
UNKNOWN_BOT = Fault(HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-bot")
TOO_MANY_BOTS = Fault(HTTPStatus.UNPROCESSABLE_ENTITY, "room-full")
TOO_FAST = Fault(HTTPStatus.TOO_MANY_REQUESTS, "too-fast")
UNAVAILABLE = Fault(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
NOT_READY = Fault(HTTPStatus.SERVICE_UNAVAILABLE, "not-ready")


def _refused(*codes: ErrorCode) -> tuple[Fault, ...]:
    """Commands that the room refuses in its current state."""
    return tuple(Fault(HTTPStatus.CONFLICT, code) for code in codes)


def _impossible(*codes: ErrorCode) -> tuple[Fault, ...]:
    """Well-formed requests that can never succeed."""
    return tuple(Fault(HTTPStatus.UNPROCESSABLE_ENTITY, code) for code in codes)


class Who(Enum):
    """Whether a request needs authentication."""

    ANYBODY = "no authentication"
    KNOWN = "optional authentication, for more details"
    GUEST = "a guest"


class Limit(Enum):
    """The rate limit of a request, per address."""

    NONE = "unlimited"
    REQUESTS = "cheap requests"
    RECORDS = "CPU-bound requests"
    JOINS = "requests that store something"


class Operation(NamedTuple):
    """One method of one path."""

    method: str
    path: str
    """In Starlette's syntax; `{code}` is an existing room."""
    name: OperationName
    """The OpenAPI operation id."""
    summary: str
    answer: Any
    """The type of a successful reply, None for an empty one."""
    status: HTTPStatus = HTTPStatus.OK
    media: tuple[str, ...] = (JSON,)
    body: type[Any] | None = None
    query: type[Any] | None = None
    who: Who = Who.ANYBODY
    limit: Limit = Limit.REQUESTS
    stored: bool = True
    """Whether it needs the store."""
    own: tuple[Fault, ...] = ()
    """Faults of this operation beyond the usual ones."""

    @property
    def has_room(self) -> bool:
        return "{code}" in self.path

    def faults(self) -> list[Fault]:
        """All errors of this operation."""
        return [*self._usual(), *self.own]

    def _usual(self) -> Iterator[Fault]:
        if self.body or self.query:
            yield BAD_REQUEST
        if self.who is Who.GUEST:
            yield NO_GUEST
        if self.method not in SAFE_METHODS:
            yield FOREIGN_ORIGIN
        if self.has_room:
            yield NO_ROOM
            yield NOT_FOUND
        if self.body:
            yield TOO_LARGE
        if self.limit is not Limit.NONE:
            yield TOO_FAST
        if self.stored:
            yield UNAVAILABLE


BAD_NAME = _impossible("bad-name")

OPERATIONS = (
    Operation(
        "POST",
        "/api/guests",
        "new_guest",
        "become a guest",
        replies.GuestReply,
        HTTPStatus.CREATED,
        body=requests.NewGuest,
        limit=Limit.JOINS,
        own=BAD_NAME,
    ),
    Operation(
        "GET",
        "/api/me",
        "me",
        "your name and statistics",
        replies.MeReply,
        who=Who.GUEST,
    ),
    Operation(
        "PATCH",
        "/api/me",
        "rename",
        "change your name",
        replies.NameReply,
        body=requests.NewName,
        who=Who.GUEST,
        own=BAD_NAME,
    ),
    Operation(
        "DELETE",
        "/api/me",
        "forget",
        "delete yourself: name, token and results",
        None,
        HTTPStatus.NO_CONTENT,
        who=Who.GUEST,
        own=_refused("busy"),
    ),
    Operation(
        "GET",
        "/api/rooms",
        "rooms",
        "list the open public rooms",
        replies.RoomsReply,
    ),
    Operation(
        "POST",
        "/api/rooms",
        "new_room",
        "open a room",
        replies.OpenedReply,
        HTTPStatus.CREATED,
        body=requests.NewRoom,
        who=Who.GUEST,
        limit=Limit.JOINS,
        own=(
            *_impossible("bad-edition", "bad-option", "bad-players"),
            *_impossible("costly-jokers", "costly-minimum"),
            *BAD_NAME,
            UNKNOWN_BOT,
            TOO_MANY_BOTS,
            TOO_MANY_ROOMS,
            *_refused("no-code", "room-full", "busy"),
        ),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}",
        "room",
        "the seats of a room, and which one is yours",
        replies.RoomReply,
        who=Who.KNOWN,
    ),
    Operation(
        "POST",
        "/api/rooms/{code}/seats",
        "sit",
        "take a seat: the given one, or the first free one",
        replies.SeatReply,
        HTTPStatus.CREATED,
        body=requests.NewSeat,
        who=Who.GUEST,
        limit=Limit.JOINS,
        own=_refused(
            "seated",
            "already-begun",
            "seat-taken",
            "unknown-seat",
            "room-full",
            "bad-name",
            "name-taken",
            "removed",
            "room-closed",
            "no-room",
            "busy",
        ),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}/games",
        "games",
        "the finished games of a room, at most the last 500",
        replies.GamesReply,
        who=Who.KNOWN,
        own=(PLAYERS_ONLY,),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}/matches/{match:number}/record",
        "record",
        "the record of a match, as JSON Lines or as text",
        str,
        media=("application/jsonl", "text/plain"),
        query=requests.RecordQuery,
        who=Who.KNOWN,
        limit=Limit.RECORDS,
        own=(NO_RECORD, PLAYERS_ONLY, TOO_LARGE),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}/matches/{match:number}/verify",
        "verified",
        "verify the shuffles, turns and scores of a match",
        replies.VerifyReply,
        who=Who.KNOWN,
        limit=Limit.RECORDS,
        own=(NO_RECORD, PLAYERS_ONLY, TOO_LARGE),
    ),
    Operation(
        "GET",
        "/api/rules",
        "rules",
        "the rule book of an edition with options, in a language",
        replies.RulesReply,
        query=requests.RulesQuery,
        limit=Limit.RECORDS,
        stored=False,
        own=_impossible("bad-edition", "bad-option"),
    ),
    Operation(
        "GET",
        "/api/openapi.json",
        "described",
        "this API as OpenAPI",
        dict[str, Any],
        stored=False,
    ),
    Operation(
        "GET",
        "/healthz",
        "healthy",
        "liveness: whether the server runs",
        replies.StatusReply,
        limit=Limit.NONE,
        stored=False,
    ),
    Operation(
        "GET",
        "/readyz",
        "ready",
        "readiness: whether the server can be played on",
        replies.StatusReply,
        limit=Limit.NONE,
        own=(NOT_READY,),
    ),
    Operation(
        "GET",
        "/metrics",
        "metrics",
        "metrics for Prometheus",
        str,
        media=("text/plain",),
        stored=False,
    ),
)


class Number(Convertor[int]):
    """A number in a path, of few digits: Starlette's own convertor accepts so many that `int`
    raises."""

    digits = 9
    regex = f"[0-9]{{1,{digits}}}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", Number())
