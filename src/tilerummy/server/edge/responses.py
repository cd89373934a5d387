"""HTTP responses: JSON replies, errors with their status, and the decoding of requests."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tilerummy.play.refusals import Refused
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol import routes
from tilerummy.server.protocol.requests import json_fields
from tilerummy.server.protocol.routes import Fault
from tilerummy.server.store import StoreError

NOT_JSON = (msgspec.DecodeError, UnicodeError, RecursionError)
"""Raised for text that is not JSON, or not of the expected type."""

LATER = routes.UNAVAILABLE.code, "try again in a moment"
"""The error while the store is unavailable."""

T = TypeVar("T")


class HttpError(TileRummyError):
    """A response that is not a success."""

    def __init__(self, fault: Fault, message: str, **headers: str) -> None:
        super().__init__(message, code=fault.code)
        self.status = fault.status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class SlowDown(HttpError):  # noqa: N818 - a response, not a failure
    """429: the client exceeded a rate limit."""

    def __init__(self, wait: float) -> None:
        seconds = max(1, round(wait + 0.5))
        message = f"slow down: wait {seconds} s"
        super().__init__(routes.TOO_FAST, message, retry_after=str(seconds))


def query_of(request: Request, kind: type[T]) -> T:
    """The decoded query string. Raises HttpError."""
    given: dict[str, Any] = dict(request.query_params)
    try:
        for name in json_fields(kind) & given.keys():
            given[name] = msgspec.json.decode(given[name])
        return msgspec.convert(given, kind)
    except NOT_JSON as error:
        raise HttpError(routes.BAD_REQUEST, str(error)) from error


async def body_of(request: Request, kind: type[T]) -> T:
    """The decoded body. Raises HttpError."""
    data = await request.body()
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except NOT_JSON as error:
        raise HttpError(routes.BAD_REQUEST, str(error)) from error


def failure(error: TileRummyError) -> Response:
    """The response to an error, with its status."""
    match error:
        case HttpError():
            response = json(out.failed(error), error.status)
            response.headers.update(error.headers)
            return response
        case StoreError():
            return json(out.Error(*LATER), routes.UNAVAILABLE.status)
        case Refused():
            return json(out.failed(error), HTTPStatus.CONFLICT)
        case _:
            return json(out.failed(error), HTTPStatus.UNPROCESSABLE_ENTITY)


def json(value: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return encoded(msgspec.json.encode(value), status)


def encoded(data: bytes, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(data, status, {"cache-control": "no-store"}, media_type=routes.JSON)
