"""Requests that cost more than they look: many at once, in pieces, with large heads, about rooms
with a long log, and storms of handshakes."""

from __future__ import annotations

import asyncio
import itertools
import json
from contextlib import suppress
from urllib.parse import quote

from tests.server.rude.arena import Arena, together
from tests.server.rude.client import GONE, HANDSHAKE, RawClient, frame, head, text

BATCH = 50
"""Requests that are sent before an answer is read."""
CONNECTIONS = 100


async def repeat(arena: Arena, data: bytes, count: int, connections: int = CONNECTIONS) -> None:
    """The same bytes on many connections, as fast as their answers are read."""

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.connect()
        reading = asyncio.create_task(read_all(arena, client))
        try:
            async for _ in arena.rounds():
                await arena.send(client, data, count)
        finally:
            await asyncio.sleep(0)
            reading.cancel()
            client.close()

    await together(arena, connections, sends)


async def in_turn(arena: Arena, data: bytes) -> None:
    """The same requests on many connections; the next ones when all are answered."""
    connections, count = (220, 2) if arena.rounds_are_few else (CONNECTIONS, BATCH)

    async def asks(arena: Arena, number: int) -> None:
        client = await arena.connect()
        try:
            async for _ in arena.rounds():
                await arena.send(client, data * count, count)
                for _ in range(count):
                    status, _ = await client.read_response()
                    arena.ends[f"{status}"] += 1
        finally:
            client.close()

    await together(arena, connections, asks)


async def read_all(arena: Arena, client: RawClient) -> None:
    """Read and count the answers."""
    with suppress(*GONE):
        while data := await client.reader.read(1 << 16):
            for status in ("200", "400", "404", "411", "413", "429", "431"):
                count = data.count(b"HTTP/1.1 " + status.encode())
                if count:
                    arena.ends[status] += count


async def health(arena: Arena) -> None:
    """A path without a limit, pipelined."""
    await in_turn(arena, head("GET", "/healthz"))


async def page(arena: Arena) -> None:
    """The page itself, pipelined."""
    await in_turn(arena, head("GET", "/"))


async def room_list(arena: Arena) -> None:
    await in_turn(arena, head("GET", "/api/rooms"))


async def tiny_headers(arena: Arena) -> None:
    """As many headers as fit into one read."""
    await repeat(arena, head("GET", "/healthz", *["a:"] * 15_000), 1)


async def tiny_headers_after_another(arena: Arena) -> None:
    """The same behind a small request, so that they are read while that one is answered."""
    data = head("GET", "/healthz") + head("GET", "/healthz", *["a:"] * 50_000)
    await repeat(arena, data, 2)


async def large_heads(arena: Arena) -> None:
    """A large host, many cookies and a long query."""
    cookies = "; ".join(f"c{number}=x" for number in range(1_000))
    path = "/api/rooms?" + "&".join(f"a{number}=b" for number in range(700))
    data = head("GET", path, f"Cookie: {cookies}", f"X-Forwarded-For: {'127.0.0.1,' * 600}")
    await repeat(arena, data * 4, 4)


async def tiny_chunks(arena: Arena) -> None:
    """Bodies in chunks of one byte."""
    data = head("POST", "/api/guests", "Transfer-Encoding: chunked") + b"1\r\nx\r\n" * 40_000
    await repeat(arena, data, 40_000, 40)


async def large_bodies(arena: Arena) -> None:
    """Bodies of the largest size, which are not JSON."""
    data = head("POST", "/api/guests", "Content-Length: 65000") + b"[" * 65_000
    await repeat(arena, data, 1)


async def garbage(arena: Arena) -> None:
    """Bytes that are no HTTP, and upgrades to what does not exist."""
    kinds = (
        bytes(range(256)) * 40,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 40,
        head("GET", "/", "Connection: Upgrade", "Upgrade: h2c") * 20,
        b"GET / HTTP/9.9\r\n\r\n" * 20,
    )

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.connect()
        try:
            await arena.send(client, kinds[number % len(kinds)])
            with suppress(TimeoutError):
                await asyncio.wait_for(read_all(arena, client), 1)
        finally:
            client.close()

    await together(arena, 40, sends)


async def long_log(arena: Arena) -> None:
    """A room with thousands of events is looked at again and again."""
    await arena.open_room()
    await churn_lobby(arena, 300 if not arena.rounds_are_few else 20)
    request = head("GET", f"/api/rooms/{arena.room}")
    await repeat(arena, request * BATCH, BATCH, 20)


async def churn_lobby(arena: Arena, events: int) -> None:
    """Make a log long, in half of the time that is left: the host adds and removes a bot."""
    client = await arena.spectator(token=arena.token)
    half = arena.left / 2
    for number in range(events):
        await arena.send(client, text(type="bot", id=f"b{number}", bot="simple"))
        await arena.send(client, text(type="remove", id=f"r{number}", seat=1))
        await arena.rest(0.2)
        if arena.left < half:
            break
    client.close()


async def rules(arena: Arena) -> None:
    """Rule books with options that nobody has asked for yet."""
    numbers = itertools.count()

    async def asks(arena: Arena, number: int) -> None:
        options = json.dumps({"initial.min": next(numbers) % 200})
        await arena.request("GET", f"/api/rules?edition=taiwan&options={quote(options)}")

    await together(arena, 20, asks)


async def records(arena: Arena) -> None:
    """Lists, statistics, records and proofs of a room without games."""
    await arena.open_room()
    paths = itertools.cycle(
        (
            "/api/rooms",
            "/api/me",
            f"/api/rooms/{arena.room}/games",
            f"/api/rooms/{arena.room}/matches/1/record",
            f"/api/rooms/{arena.room}/matches/1/verify",
        )
    )

    async def asks(arena: Arena, number: int) -> None:
        await arena.request("GET", next(paths), token=arena.token)

    await together(arena, 30, asks)


async def creations(arena: Arena) -> None:
    """Guests and rooms, as many as it gives."""
    await arena.open_room()

    async def opens(arena: Arena, number: int) -> None:
        if number % 2:
            await arena.request("POST", "/api/guests", {"name": "Rude", "bearer": True})
        else:
            await arena.request("POST", "/api/rooms", {"settings": {}, "bots": []}, arena.token)

    await together(arena, 30, opens)


async def upgrades(arena: Arena) -> None:
    """Handshakes for a room, each closed at once; then none but refusals."""
    await arena.open_room()

    async def opens(arena: Arena, number: int) -> None:
        (await arena.upgrade()).close()

    await together(arena, 40, opens)


async def early_frames(arena: Arena) -> None:
    """Frames behind the handshake, before the server has accepted it."""
    await arena.open_room()
    host = arena.url.removeprefix("http://")
    path = f"/api/rooms/{arena.room}/socket"
    start = head("GET", path, f"Origin: {arena.url}", *HANDSHAKE, host=host)
    data = start + frame(0x82, bytes(60_000)) * 4

    async def opens(arena: Arena, number: int) -> None:
        client = await arena.connect()
        try:
            await arena.send(client, data, 5)
            with suppress(TimeoutError):
                await asyncio.wait_for(read_all(arena, client), 1)
        finally:
            client.close()

    await together(arena, 90, opens)


async def resumes(arena: Arena) -> None:
    """Connections that ask for old versions, for versions to come, and for the whole state."""
    await arena.open_room()
    await churn_lobby(arena, 20)

    async def opens(arena: Arena, number: int) -> None:
        version = (0, 1, 5, 2**31)[number % 4]
        client = await arena.spectator(whole=number % 3 == 0, version=version)
        try:
            await client.read_message()
        finally:
            client.close()

    await together(arena, 30, opens)
