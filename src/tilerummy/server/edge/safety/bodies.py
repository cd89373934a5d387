"""How much may be sent with a request."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilerummy.server.edge.safety.answers import refuse

LARGEST = 65_536
"""Bytes."""
_DIGITS = re.compile(rb"[0-9]{1,15}")


class BodyLimit:
    """Middleware: reads the body, which must not be too large, before anybody else sees it.

    What is refused here has not begun to do anything.
    """

    def __init__(self, app: ASGIApp, largest: int = LARGEST) -> None:
        self.app = app
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self._is_announced(scope):
            await self._refuse(send)
            return
        body = await self._body(receive)
        if body is None:
            return  # the client has gone
        if len(body) > self.largest:
            await self._refuse(send)
            return
        first: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def receive_again() -> Message:
            nonlocal first
            message, first = first, None
            return message or await receive()

        await self.app(scope, receive_again, send)

    def _is_announced(self, scope: Scope) -> bool:
        """Whether the request says itself that it is too large."""
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        return any(not _DIGITS.fullmatch(value) or int(value) > self.largest for value in lengths)

    async def _body(self, receive: Receive) -> bytes | None:
        """The whole body, or a bit more than is allowed of it."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.largest or not message.get("more_body", False):
                return b"".join(parts)

    async def _refuse(self, send: Send) -> None:
        message = f"a request may have up to {self.largest} bytes"
        await refuse(send, 413, "too-large", message, close=True)
