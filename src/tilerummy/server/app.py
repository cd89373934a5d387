"""The server as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware

from tilerummy.server.http import Api
from tilerummy.server.node import Node
from tilerummy.server.safety import BodyLimit, OriginCheck, SafeHeaders
from tilerummy.server.settings import ServerSettings


def create_app(settings: ServerSettings) -> Starlette:
    """An application whose node starts and stops with it."""
    node = Node(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with node:
            yield

    return Starlette(
        routes=Api(node).routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(SafeHeaders, tls=settings.tls),
            Middleware(OriginCheck, settings.origin_rule, free=("/api/guests",)),
            Middleware(BodyLimit, settings.largest_body),
        ],
    )
