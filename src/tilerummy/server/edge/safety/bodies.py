"""Limits on the size of request bodies, and on the time they take."""

from __future__ import annotations

import asyncio
import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilerummy.server.edge.safety.answers import refuse

LARGEST = 65_536
"""Bytes."""
BODY_SECONDS = 20.0
_DIGITS = re.compile(rb"[0-9]{1,15}")


class BodyLimit:
    """Middleware: buffers the body and refuses one that is too large, before any handler runs."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST) -> None:
        self.app = app
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
            # Thousands of tiny chunks fit into one read, and each costs as much as a large one.
            message = "the body of a request has a Content-Length: chunks are not read"
            await refuse(send, 413, "too-large", message, close=True)
            return
        if self._is_announced(scope):
            await self._refuse(send)
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await self._body(receive)
        except TimeoutError:
            message = f"the body of a request must arrive within {BODY_SECONDS:.0f} s"
            await refuse(send, 408, "bad-request", message, close=True)
            return
        if body is None:
            return  # the client has disconnected
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
        """Whether `Content-Length` is too large or invalid."""
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        return any(not _DIGITS.fullmatch(value) or int(value) > self.largest for value in lengths)

    async def _body(self, receive: Receive) -> bytes | None:
        """The whole body, or slightly more than the limit of it."""
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
