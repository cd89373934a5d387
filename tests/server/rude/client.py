"""A raw client: it sends any bytes, reads when it likes, and has the address that it likes."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any
from urllib.parse import urlsplit

PING, PONG, CLOSE, TEXT, BINARY = 0x89, 0x8A, 0x88, 0x81, 0x82
FIRST_PART, NEXT_PART, LAST_PART = 0x01, 0x00, 0x80
GONE = (OSError, asyncio.IncompleteReadError, EOFError)
"""The server has closed the connection, or refuses it."""
PATIENCE = 60.0
"""Seconds for an answer, far longer than needed."""
HANDSHAKE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
)


def frame(first: int, payload: bytes = b"", mask: bytes = bytes(4)) -> bytes:
    """A masked frame of a client."""
    size = len(payload)
    if size < 126:
        head = bytes((first, 0x80 | size))
    elif size < 1 << 16:
        head = bytes((first, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, 0x80 | 127)) + size.to_bytes(8, "big")
    if any(mask):
        payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return head + mask + payload


def text(**message: Any) -> bytes:
    """A frame with a message of the protocol."""
    return frame(TEXT, json.dumps(message).encode())


def head(method: str, path: str, *lines: str, host: str = "localhost") -> bytes:
    """The head of a request."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "", "")).encode()


class RawClient:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, url: str, address: str, *, narrow: bool = False) -> RawClient:
        """From an address; `narrow` has the smallest buffer, for those who do not read."""
        parts = urlsplit(url)
        found = socket.socket()
        found.setblocking(False)
        try:
            if narrow:
                found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            if sys.platform == "linux":  # or all addresses would share the ports of the system
                found.setsockopt(socket.SOL_IP, socket.IP_BIND_ADDRESS_NO_PORT, 1)
            found.bind((address, 0))
            loop = asyncio.get_running_loop()
            await loop.sock_connect(found, (parts.hostname, parts.port))
            reader, writer = await asyncio.open_connection(sock=found, limit=1 << 20)
        except BaseException:
            found.close()
            raise
        return cls(reader, writer)

    async def send(self, data: bytes) -> None:
        """Raises what GONE lists."""
        self.writer.write(data)
        await self.writer.drain()
        if self.writer.is_closing() or self.reader.at_eof():
            raise ConnectionResetError

    def stop_reading(self) -> None:
        self.writer.transport.pause_reading()  # type: ignore[attr-defined]

    async def read_head(self) -> tuple[int, dict[str, str]]:
        """The status and the headers of a response."""
        data = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        first, *lines = data.decode("latin-1").strip().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines)
        return int(first.split()[1]), headers

    async def read_response(self) -> tuple[int, bytes]:
        status, headers = await self.read_head()
        size = int(headers.get("content-length", "0"))
        return status, await asyncio.wait_for(self.reader.readexactly(size), PATIENCE)

    async def read_frame(self) -> tuple[int, bytes]:
        """The opcode and the payload of the next frame of the server."""
        first, size = await self.reader.readexactly(2)
        if size >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await self.reader.readexactly(size)

    async def read_message(self) -> dict[str, Any]:
        """The next message of the protocol. Raises EOFError with the code of a close frame."""
        while True:
            opcode, payload = await asyncio.wait_for(self.read_frame(), PATIENCE)
            if opcode == CLOSE & 0x0F:
                raise ClosedError(int.from_bytes(payload[:2], "big"))
            if opcode == TEXT & 0x0F:
                message: dict[str, Any] = json.loads(payload)
                return message

    async def wait_closed(self) -> int:
        """Read to the end; the code of the close frame, 1006 without one."""
        try:
            while True:
                await self.read_message()
        except ClosedError as closed:
            return closed.code
        except GONE:
            return 1006

    def close(self) -> None:
        self.writer.transport.abort()


class ClosedError(EOFError):
    """The server has sent a close frame."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code
