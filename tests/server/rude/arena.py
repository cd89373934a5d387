"""What an attack gets: a server, an address of its own, a bound, and a count of what it sent."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from tests.server.rude.client import GONE, HANDSHAKE, RawClient, head, text

Attack = Callable[["Arena"], Awaitable[None]]


class Arena:
    def __init__(
        self, url: str, address: str, *, seconds: float = 60.0, rounds: int | None = None
    ) -> None:
        """An attack ends after `seconds`, or after so many `rounds`."""
        self.url = url
        self.address = address
        self.messages = 0
        self.bytes = 0
        self.ends: Counter[str] = Counter()
        """How connections ended, and the status of responses."""
        self._until = time.monotonic() + seconds
        self._rounds = rounds
        self.room = ""
        """The code of the room that the attack opened."""
        self.token = ""

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._until

    @property
    def left(self) -> float:
        """Seconds until the attack is over."""
        return max(0.0, self._until - time.monotonic())

    @property
    def most_rounds(self) -> int | None:
        return self._rounds

    def add(self, part: Arena) -> None:
        """Count what a part of the attack has sent."""
        self.messages += part.messages
        self.bytes += part.bytes
        self.ends += part.ends

    @property
    def rounds_are_few(self) -> bool:
        """Whether the attack is bounded in rounds: then it waits for nothing."""
        return self._rounds is not None

    async def rounds(self) -> AsyncIterator[int]:
        """Numbers, until the attack is over."""
        number = 0
        while not self.is_over and (self._rounds is None or number < self._rounds):
            yield number
            number += 1
            await asyncio.sleep(0)

    async def rest(self, seconds: float) -> None:
        """A pause; one of the attacker's, never for a state."""
        if not self.rounds_are_few:
            await asyncio.sleep(min(seconds, self.left))

    # Connections

    async def connect(self, *, narrow: bool = False) -> RawClient:
        return await RawClient.connect(self.url, self.address, narrow=narrow)

    async def send(self, client: RawClient, data: bytes, messages: int = 1) -> None:
        self.messages += messages
        self.bytes += len(data)
        await client.send(data)

    async def upgrade(
        self, code: str | None = None, token: str | None = None, *, narrow: bool = False
    ) -> RawClient:
        """A WebSocket. Raises ConnectionRefusedError if the server does not want it."""
        client = await self.connect(narrow=narrow)
        who = f"Authorization: Bearer {token}" if token else f"Origin: {self.url}"
        path = f"/api/rooms/{code or self.room}/socket"
        host = self.url.removeprefix("http://")
        try:
            await self.send(client, head("GET", path, who, *HANDSHAKE, host=host))
            status, _ = await client.read_head()
        except GONE:
            client.close()
            raise
        self.ends[f"{status}"] += 1
        if status != 101:
            client.close()
            raise ConnectionRefusedError(status)
        return client

    async def spectator(
        self,
        code: str | None = None,
        token: str | None = None,
        *,
        narrow: bool = False,
        **hello: Any,
    ) -> RawClient:
        """A WebSocket that has said hello."""
        client = await self.upgrade(code, token, narrow=narrow)
        await self.send(client, text(type="hello", **hello))
        return client

    async def ended(self, client: RawClient) -> None:
        """Count how the server ended a connection."""
        self.ends[f"close {await client.wait_closed()}"] += 1
        client.close()

    async def request(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        """One request on its own connection."""
        client = await self.connect()
        try:
            data = b"" if body is None else json.dumps(body).encode()
            lines = [f"Content-Length: {len(data)}"] if data else []
            if token:
                lines.append(f"Authorization: Bearer {token}")
            await self.send(client, head(method, path, *lines) + data)
            status, answer = await client.read_response()
        finally:
            client.close()
        self.ends[f"{status}"] += 1
        return status, json.loads(answer) if answer.startswith(b"{") else answer

    async def open_room(self, *, bots: tuple[str, ...] = (), **settings: Any) -> str:
        """A room of a new guest, who is its host."""
        status, guest = await self.request("POST", "/api/guests", {"name": "Rude", "bearer": True})
        assert status == 201, guest
        self.token = guest["token"]
        body = {"settings": {"edition": "taiwan", **settings}, "bots": [*bots]}
        status, room = await self.request("POST", "/api/rooms", body, self.token)
        assert status == 201, room
        self.room = room["code"]
        return self.room


async def together(arena: Arena, count: int, work: Callable[[Arena, int], Awaitable[None]]) -> None:
    """`count` clients at the same time, each again and again; a lost connection ends one turn."""

    async def one(number: int) -> None:
        async for _ in arena.rounds():
            try:
                await work(arena, number)
            except GONE:
                arena.ends["gone"] += 1
                await arena.rest(0.02)

    await asyncio.gather(*[one(number) for number in range(count)])


async def hold(arena: Arena, clients: list[RawClient], seconds: float = 600.0) -> None:
    """Keep connections open, silently, until the attack is over."""
    until = time.monotonic() + seconds
    while not arena.is_over and time.monotonic() < until and not arena.rounds_are_few:
        await asyncio.sleep(0.1)
    for client in clients:
        client.close()
