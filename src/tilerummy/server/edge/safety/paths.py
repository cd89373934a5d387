"""Refuses paths with control characters.

`$` of a route matches before a final line break, so `/metrics%0a` would be `/metrics` here and
another path for a proxy that blocks it.
"""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from tilerummy.server.edge.safety.answers import refuse

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class PathCheck:
    """Middleware: refuses a path with a control character, before any route sees it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not _CONTROLS.search(scope["path"]):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refuse(send, 404, "not-found", "a path has no control characters")
        else:
            await receive()
            await send({"type": "websocket.close"})
