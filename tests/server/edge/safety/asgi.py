"""An application that says what reached it, and a way to ask it without a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Pairs = Sequence[tuple[str, str]]


class Echo:
    """Answers with the body that it got."""

    def __init__(self, headers: Pairs = ()) -> None:
        self.headers = headers
        self.called = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.called += 1
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": raw(self.headers)})
        await send({"type": "http.response.body", "body": body})


class Answer:
    def __init__(self, sent: list[Message]) -> None:
        self.sent = sent

    @property
    def types(self) -> list[str]:
        return [message["type"] for message in self.sent]

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])

    @property
    def error(self) -> Any:
        return msgspec.json.decode(self.body)


def raw(headers: Pairs) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers]


async def ask(
    app: ASGIApp,
    kind: str = "http",
    *,
    method: str = "POST",
    path: str = "/",
    headers: Pairs = (),
    parts: Sequence[bytes] | None = (b"",),
) -> Answer:
    """`parts` are the pieces in which the body comes; None is a client that goes before it sent
    everything."""
    incoming: list[Message] = [
        {"type": "http.request", "body": part, "more_body": number < len(parts or ()) - 1}
        for number, part in enumerate(parts or ())
    ]
    if parts is None:
        incoming = [{"type": "http.request", "body": b"x", "more_body": True}]
    sent: list[Message] = []

    async def receive() -> Message:
        return incoming.pop(0) if incoming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": kind, "method": method, "path": path, "headers": raw(headers)}
    await app(scope, receive, send)
    return Answer(sent)
