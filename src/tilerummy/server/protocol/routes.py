"""Every request that a server answers, once: `http` answers them as this table says, and the
documents describe them by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.convertors import Convertor, register_url_convertor

from tilerummy.server.edge.safety.origins import READING
from tilerummy.server.protocol import replies, requests

JSON = "application/json"


class Fault(NamedTuple):
    """A way in which a request is not answered as wished."""

    status: HTTPStatus
    code: str


BAD_REQUEST = Fault(HTTPStatus.BAD_REQUEST, "bad-request")
NO_GUEST = Fault(HTTPStatus.UNAUTHORIZED, "no-guest")
FOREIGN_ORIGIN = Fault(HTTPStatus.FORBIDDEN, "foreign-origin")
NOT_FOUND = Fault(HTTPStatus.NOT_FOUND, "not-found")
NO_ROOM = Fault(HTTPStatus.NOT_FOUND, "no-room")
NO_RECORD = Fault(HTTPStatus.NOT_FOUND, "no-record")
TOO_LARGE = Fault(HTTPStatus(413), "too-large")
UNKNOWN_BOT = Fault(HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-bot")
TOO_MANY_BOTS = Fault(HTTPStatus.UNPROCESSABLE_ENTITY, "room-full")
TOO_FAST = Fault(HTTPStatus.TOO_MANY_REQUESTS, "too-fast")
UNAVAILABLE = Fault(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
NOT_READY = Fault(HTTPStatus.SERVICE_UNAVAILABLE, "not-ready")


def _refused(*codes: str) -> tuple[Fault, ...]:
    """What the room does not allow now."""
    return tuple(Fault(HTTPStatus.CONFLICT, code) for code in codes)


def _impossible(*codes: str) -> tuple[Fault, ...]:
    """What is well said, and can never be."""
    return tuple(Fault(HTTPStatus.UNPROCESSABLE_ENTITY, code) for code in codes)


class Who(Enum):
    """Whether a request needs a guest."""

    ANYBODY = "whoever asks"
    KNOWN = "somebody who may be a guest, and then gets more"
    GUEST = "a guest"


class Limit(Enum):
    """How often an address may ask, by what it asks for."""

    NONE = "as often as it likes"
    REQUESTS = "often"
    RECORDS = "now and then: they take the processor"
    JOINS = "seldom: they are kept"


class Operation(NamedTuple):
    """One method of one path."""

    method: str
    path: str
    """As Starlette has it; `{code}` is the room, which has to be there."""
    name: str
    """The method of `Api` that answers it."""
    summary: str
    answer: Any
    """What a success says, None for nothing."""
    status: HTTPStatus = HTTPStatus.OK
    media: tuple[str, ...] = (JSON,)
    body: type[Any] | None = None
    query: type[Any] | None = None
    who: Who = Who.ANYBODY
    limit: Limit = Limit.REQUESTS
    stored: bool = True
    """Whether it needs the store."""
    own: tuple[Fault, ...] = ()
    """Faults that do not follow from the rest."""

    @property
    def has_room(self) -> bool:
        return "{code}" in self.path

    def faults(self) -> list[Fault]:
        """All that can go wrong."""
        return [*self._usual(), *self.own]

    def _usual(self) -> Iterator[Fault]:
        if self.body or self.query:
            yield BAD_REQUEST
        if self.who is Who.GUEST:
            yield NO_GUEST
        if self.method not in READING:
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
        "be forgotten",
        None,
        HTTPStatus.NO_CONTENT,
        who=Who.GUEST,
        own=_refused("busy"),
    ),
    Operation(
        "GET",
        "/api/rooms",
        "rooms",
        "the public rooms that are open",
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
            UNKNOWN_BOT,
            TOO_MANY_BOTS,
            *_refused("no-code", "room-full", "busy"),
        ),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}",
        "room",
        "who sits there, and which seat is yours",
        replies.RoomReply,
        who=Who.KNOWN,
    ),
    Operation(
        "POST",
        "/api/rooms/{code}/seats",
        "sit",
        "sit down, on the first free seat or on that one",
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
            "name-taken",
            "room-closed",
            "no-room",
            "busy",
        ),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}/games",
        "games",
        "its finished games",
        replies.GamesReply,
    ),
    Operation(
        "GET",
        "/api/rooms/{code}/matches/{match:number}/record",
        "record",
        "the record of a match, as JSON Lines or as text",
        str,
        media=("application/jsonl", "text/plain"),
        query=requests.RecordQuery,
        limit=Limit.RECORDS,
        own=(NO_RECORD,),
    ),
    Operation(
        "GET",
        "/api/rooms/{code}/matches/{match:number}/verify",
        "verified",
        "whether its shuffles, turns and scores hold",
        replies.VerifyReply,
        limit=Limit.RECORDS,
        own=(NO_RECORD,),
    ),
    Operation(
        "GET",
        "/api/rules",
        "rules",
        "the rules of an edition with these options, as a book in a language",
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
        "all of this for programs, as OpenAPI",
        dict[str, Any],
        stored=False,
    ),
    Operation(
        "GET",
        "/healthz",
        "healthy",
        "whether the server runs",
        replies.StatusReply,
        limit=Limit.NONE,
        stored=False,
    ),
    Operation(
        "GET",
        "/readyz",
        "ready",
        "whether it can be played on",
        replies.StatusReply,
        limit=Limit.NONE,
        own=(NOT_READY,),
    ),
    Operation(
        "GET",
        "/metrics",
        "metrics",
        "what it has counted, for Prometheus",
        str,
        media=("text/plain",),
        stored=False,
    ),
)


class Number(Convertor[int]):
    """The number of something in a path. One that nothing could have is no number: the digits of
    Starlette's are so many that they are an error."""

    digits = 9
    regex = f"[0-9]{{1,{digits}}}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", Number())
