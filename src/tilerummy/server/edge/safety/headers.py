"""Security headers: a content security policy and others, with least privilege."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

YEAR = 365 * 24 * 3600
_HOST = re.compile(rb"[A-Za-z0-9.-]+(:[0-9]+)?|\[[0-9A-Fa-f:.]+\](:[0-9]+)?")
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    b"img-src 'self' data:; manifest-src 'self'; connect-src 'self'%b; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_ALWAYS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"permissions-policy": (
        b"camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
    ),
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-frame-options": b"DENY",  # for browsers that do not know `frame-ancestors`
}
_TLS = {b"strict-transport-security": b"max-age=%d" % YEAR}


class SafeHeaders:
    """Middleware: adds the security headers to every response that does not set them itself."""

    def __init__(self, app: ASGIApp, *, tls: bool = False, public_url: str | None = None) -> None:
        """Without a public URL the policy names the host of each request."""
        self.app = app
        self._scheme = b"wss" if tls else b"ws"
        self._host = None if public_url is None else public_url.partition("://")[2].encode()
        self._fixed = {**_ALWAYS, **_TLS} if tls else _ALWAYS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                there = {name.lower() for name, _ in headers}
                safe = {b"content-security-policy": self._policy(scope), **self._fixed}
                headers += [(name, value) for name, value in safe.items() if name not in there]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_safely)

    def _policy(self, scope: Scope) -> bytes:
        """Names the sockets of this host: not all browsers include them in `'self'`."""
        host = self._host
        if host is None:
            host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        socket = b" %b://%b" % (self._scheme, host) if _HOST.fullmatch(host) else b""
        return _POLICY % socket
