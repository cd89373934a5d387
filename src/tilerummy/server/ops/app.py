"""The server as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from tilerummy.server.edge.http import Api
from tilerummy.server.edge.safety import BodyLimit, OriginCheck, PathCheck, SafeHeaders
from tilerummy.server.edge.site import Site
from tilerummy.server.edge.throttle import Throttle
from tilerummy.server.ops.node import Node
from tilerummy.server.ops.settings import ServerSettings
from tilerummy.server.protocol import outgoing
from tilerummy.server.protocol.codes import ErrorCode


def create_app(settings: ServerSettings) -> Starlette:
    """An application whose node starts and stops with it."""
    node = Node(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with node:
            yield

    app = Starlette(
        routes=[*Api(node).routes(), Site().route()],
        lifespan=lifespan,
        middleware=[
            Middleware(Throttle, node.rate_limiter, node.metrics, settings.proxies),
            Middleware(SafeHeaders, tls=settings.tls, public_url=settings.public_url),
            Middleware(PathCheck),
            Middleware(OriginCheck, settings.origin_rule, free=("/api/guests",)),
            Middleware(BodyLimit, settings.largest_body),
        ],
        exception_handlers={HTTPException: _as_json},
    )
    app.state.node = node
    app.router.redirect_slashes = False  # a redirect would trust the Host header
    return app


_CODES: dict[int, ErrorCode] = {404: "not-found", 405: "method-not-allowed"}


async def _as_json(request: Request, error: Exception) -> Response:
    """404 and 405 in the format of all other errors."""
    assert isinstance(error, HTTPException)
    return Response(
        outgoing.encode(outgoing.Error(_CODES.get(error.status_code, "bad-request"), error.detail)),
        error.status_code,
        {"cache-control": "no-store", **(error.headers or {})},
        media_type="application/json",
    )
