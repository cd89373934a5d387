"""Throttle: requests of an address that come too fast wait, whatever they ask for.

Every request costs processor time, even one that is refused. A client that waits for its answers is
slowed down to the rate; one that does not is refused in a few words, and its connection is closed.
"""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send

from tilerummy.server.edge.safety.answers import refuse
from tilerummy.server.limits.addresses import Proxies, client_address
from tilerummy.server.limits.rate_limiter import LONGEST_QUEUE, RateLimiter
from tilerummy.server.telemetry.metrics import Metrics


class Throttle:
    """Middleware: the first of all, so that nothing is done for a request that waits."""

    def __init__(
        self, app: ASGIApp, limiter: RateLimiter, metrics: Metrics, proxies: Proxies
    ) -> None:
        self.app = app
        self._limiter = limiter
        self._metrics = metrics
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        address = client_address(client[0] if client else None, scope["headers"], self._proxies)
        wait = self._limiter.http(address)
        if wait:
            self._metrics.limited("http")
        if wait > LONGEST_QUEUE:
            await self._refuse(scope, receive, send)
            return
        if wait:
            await asyncio.sleep(wait)
        await self.app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
        else:
            await refuse(send, 429, "too-fast", "slow down", close=True)
