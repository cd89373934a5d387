"""CSRF protection: which pages may act on behalf of their visitors.

A browser attaches cookies to requests of any page, but it also sends the `Origin` of that page. A
program that is not a browser sends no `Origin`; it has no ambient cookies, and sends its token.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from tilerummy.server.edge.safety.answers import refuse
from tilerummy.server.edge.safety.tokens import bearer
from tilerummy.server.limits.addresses import Headers
from tilerummy.server.protocol.routes import SAFE_METHODS

PORTS = {"http": 80, "https": 443}
FORBIDDEN = 4403
"""The close code of a refused socket."""


def origin_of(url: str) -> str:
    """`https://Example.org:443/rooms` → `https://example.org`. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname or parts.username is not None:
        raise ValueError("an origin looks like https://example.org or http://localhost:8000")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = parts.port
    suffix = "" if port in (None, PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{suffix}"


class Origins(NamedTuple):
    """The trusted origins."""

    own: str | None = None
    """The origin of the server itself. Without it, the `Host` header is trusted."""
    others: frozenset[str] = frozenset()
    tls: bool = False
    """Whether browsers reach the server over https only."""

    def allow(self, headers: Headers) -> bool:
        """Whether an unsafe request, or the opening of a socket, comes from a trusted page or from
        a program with a token."""
        headers = list(headers)
        origins = _values(headers, b"origin")
        if not origins:
            return bearer(headers) is not None
        if len(origins) > 1:
            return False
        try:
            origin = origin_of(origins[0])
        except ValueError:  # such as the origin `null`
            return False
        return origin in self.others or origin in self._ours(headers)

    def _ours(self, headers: Headers) -> set[str]:
        if self.own is not None:
            return {self.own}
        hosts = _values(headers, b"host")
        if len(hosts) != 1:
            return set()
        try:
            return {origin_of(f"{scheme}://{hosts[0]}") for scheme in self._schemes()}
        except ValueError:
            return set()

    def _schemes(self) -> tuple[str, ...]:
        return ("https",) if self.tls else ("http", "https")


class OriginCheck:
    """Middleware: refuses sockets and unsafe requests of foreign pages.

    `free` are paths that need no authentication, where programs may post without a token.
    """

    def __init__(self, app: ASGIApp, origins: Origins, free: Collection[str] = ()) -> None:
        self.app = app
        self.origins = origins
        self.free = frozenset(free)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._passes(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": FORBIDDEN, "reason": "foreign origin"})
        else:
            message = "only pages of this server, or programs with a bearer token, may do this"
            await refuse(send, 403, "foreign-origin", message)

    def _passes(self, scope: Scope) -> bool:
        if scope["type"] == "http":
            if scope["method"] in SAFE_METHODS:
                return True
            if scope["path"] in self.free and not _values(scope["headers"], b"origin"):
                return True
        elif scope["type"] != "websocket":
            return True
        return self.origins.allow(scope["headers"])


def _values(headers: Headers, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]
