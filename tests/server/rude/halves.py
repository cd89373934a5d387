"""Half-open connections: heads, bodies and handshakes that begin and do not end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tests.server.rude.arena import Arena, together
from tests.server.rude.client import GONE, HANDSHAKE, RawClient, head

MANY = 230
"""Connections at the same time."""
BEGINNINGS = {
    "silent": b"",
    "half heads": b"GET /api/rooms HTTP/1.1\r\nHost: localhost\r\nX: ",
    "half bodies": head("POST", "/api/guests", "Content-Length: 60000") + b'{"name":',
    "half upgrades": head("GET", "/api/rooms/AAAAAA/socket", *HANDSHAKE)[:-2],
    "half-closed": head("POST", "/api/guests", "Content-Length: 60000"),
    "no hello": b"",
}


async def half_open(arena: Arena, what: str) -> None:
    """Connections that send a beginning, then nothing; each that is ended is opened again."""
    await arena.open_room()

    async def begins(arena: Arena, number: int) -> None:
        client = await (arena.upgrade() if what == "no hello" else arena.connect())
        try:
            if BEGINNINGS[what]:
                await arena.send(client, BEGINNINGS[what])
            if what == "half-closed":
                client.writer.write_eof()
            await _wait(arena, client)
        finally:
            client.close()

    await together(arena, 90 if what == "no hello" else MANY, begins)


async def trickles(arena: Arena, what: str) -> None:
    """Heads and bodies that come a byte at a time, so that a connection is never silent."""

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.connect()
        waiting = asyncio.create_task(_wait(arena, client))
        try:
            await arena.send(client, BEGINNINGS[f"half {what}"])
            while not waiting.done() and not arena.is_over:
                await arena.send(client, b"x")
                await arena.rest(1)
                if arena.rounds_are_few:
                    break
        finally:
            waiting.cancel()
            client.close()

    await together(arena, MANY, sends)


async def _wait(arena: Arena, client: RawClient) -> None:
    """Until the server ends it, or the attack is over."""
    ending = asyncio.create_task(client.reader.read())
    try:
        while not arena.is_over:
            done, _ = await asyncio.wait((ending,), timeout=0.5)
            if done or arena.rounds_are_few:
                break
        with suppress(*GONE):
            if ending.done():
                arena.ends["408" if b" 408 " in ending.result() else "closed"] += 1
    finally:
        ending.cancel()


async def churn(arena: Arena) -> None:
    """Connections that are opened and closed as fast as it goes."""

    async def opens(arena: Arena, number: int) -> None:
        arena.messages += 1
        (await arena.connect()).close()

    await together(arena, 40, opens)


async def storm(arena: Arena) -> None:
    """Hundreds of connections at the same moment, again and again."""
    async for _ in arena.rounds():
        opened = await asyncio.gather(
            *[arena.connect() for _ in range(300 if arena.rounds_are_few else 600)],
            return_exceptions=True,
        )
        arena.messages += len(opened)
        for each in opened:
            if isinstance(each, RawClient):
                each.close()
        await arena.rest(0.2)
