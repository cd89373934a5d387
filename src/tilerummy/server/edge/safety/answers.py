"""Error responses of the middleware."""

from __future__ import annotations

from starlette.types import Send

from tilerummy.server.protocol.codes import ErrorCode
from tilerummy.server.protocol.outgoing import Error, encode


async def refuse(
    send: Send, status: int, code: ErrorCode, message: str, *, close: bool = False
) -> None:
    """Respond with an `Error` as JSON.

    `close` the connection if the rest of the request has not been read.
    """
    body = encode(Error(code, message))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
