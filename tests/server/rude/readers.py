"""Slow readers: spectators that ask for much and read nothing, or a byte a second."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from tests.server.rude.arena import Arena, hold, together
from tests.server.rude.client import GONE, RawClient, text

MANY = 80
CHAT = "\N{TIGER FACE}" * 200
"""The longest chat message: 800 bytes."""


async def talk(arena: Arena, client: RawClient, seconds: float = 0.11) -> None:
    """Talk as fast as a connection may, and read nothing."""
    async for number in arena.rounds():
        with suppress(*GONE):
            await arena.send(client, text(type="say", id=f"s{number}", text=CHAT))
        await arena.rest(seconds)


async def drain(client: RawClient) -> None:
    """Read and forget."""
    with suppress(*GONE):
        while await client.reader.read(1 << 16):
            pass


async def _unread(arena: Arena, settings: dict[str, Any], **hello: Any) -> None:
    await arena.open_room(**settings)
    readers = []
    for _ in range(MANY):
        with suppress(*GONE):
            readers.append(await arena.spectator(narrow=True, **hello))
            readers[-1].stop_reading()
    host = await arena.spectator(token=arena.token)
    reading = asyncio.create_task(drain(host))
    await talk(arena, host)
    await hold(arena, readers)
    reading.cancel()
    host.close()


async def unread_snapshots(arena: Arena) -> None:
    """Spectators who ask for the whole state after each change and do not read it."""
    await _unread(arena, {}, whole=True)


async def unread_events(arena: Arena) -> None:
    await _unread(arena, {})


async def delayed_snapshots(arena: Arena) -> None:
    """The same with a delay of ten minutes, for which nothing must wait in memory."""
    await _unread(arena, {"spectator_delay": 600}, whole=True)


async def briefly_delayed_snapshots(arena: Arena) -> None:
    """A delay that passes while the attack goes on."""
    await _unread(arena, {"spectator_delay": 5}, whole=True)


async def a_byte_a_second(arena: Arena) -> None:
    """Spectators who read a byte a second: they are behind, and never silent."""
    await arena.open_room()
    readers = []
    for _ in range(MANY):
        with suppress(*GONE):
            readers.append(await arena.spectator(narrow=True, whole=True))
            readers[-1].stop_reading()

    async def nibble() -> None:
        while not arena.is_over:
            for client in readers:
                transport: Any = client.writer.transport
                found = transport.get_extra_info("socket")
                with suppress(OSError):
                    found._sock.recv(1)
            await asyncio.sleep(1)

    host = await arena.spectator(token=arena.token)
    tasks = [asyncio.create_task(drain(host)), asyncio.create_task(nibble())]
    await talk(arena, host)
    for task in tasks:
        task.cancel()
    await hold(arena, [*readers, host])


async def unread_downloads(arena: Arena) -> None:
    """Large files, requested again and again on many connections and never read."""
    clients = []
    for _ in range(150):
        with suppress(*GONE):
            client = await arena.connect(narrow=True)
            client.stop_reading()
            clients.append(client)
            request = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
            await arena.send(client, request * 20, 20)
    async for _ in arena.rounds():
        await arena.rest(1)
    await hold(arena, clients)


async def delayed_joins(arena: Arena) -> None:
    """Delayed spectators who come and go: each of them wants the room as it was."""
    await arena.open_room(spectator_delay=600)

    async def joins(arena: Arena, number: int) -> None:
        client = await arena.spectator()
        try:
            await client.read_message()
        finally:
            client.close()

    await together(arena, MANY, joins)
