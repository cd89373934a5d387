"""Floods of frames: control frames, empty frames, fragments, and frames that are none."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

from tests.server.rude.arena import Arena, together
from tests.server.rude.client import (
    BINARY,
    CLOSE,
    FIRST_PART,
    GONE,
    NEXT_PART,
    PING,
    PONG,
    TEXT,
    RawClient,
    frame,
    text,
)

FLOODERS = 8
"""Sockets of one flood."""
CHUNK = 1_000
"""Frames that are sent at once."""
MANY = 90
"""Sockets that are within the limit of an address."""
FLOODS = {
    "pings": frame(PING),
    "pings with payload": frame(PING, bytes(125)),
    "pongs": frame(PONG, bytes(4)),
    "empty texts": frame(TEXT),
    "binary": frame(BINARY, b"\xff\xfe"),
    "close frames": frame(CLOSE, (1000).to_bytes(2, "big") + b"bye" * 40),
    "broken JSON": frame(TEXT, b'{"type":"say","id":"a","text":'),
    "nested JSON": frame(TEXT, b"[" * 8_000),
    "huge texts": frame(TEXT, b" " * 60_000),
    "reserved opcodes": frame(0x83),
    "continuations of nothing": frame(NEXT_PART),
}


async def flood(arena: Arena, what: str) -> None:
    """Sockets that send one kind of frame as fast as they can, and connect again when closed."""
    one = FLOODS[what]
    count = max(1, min(CHUNK, 250_000 // len(one)))
    await arena.open_room()

    async def floods(arena: Arena, number: int) -> None:
        client = await arena.spectator()
        await _flood(arena, client, one * count, count)

    await together(arena, FLOODERS, floods)


async def _flood(arena: Arena, client: RawClient, data: bytes, count: int) -> None:
    reading = asyncio.create_task(arena.ended(client))
    try:
        async for _ in arena.rounds():
            await arena.send(client, data, count)
    finally:
        if not arena.is_over:
            with suppress(TimeoutError, *GONE):
                patience = 2 if arena.rounds_are_few else 30
                await asyncio.wait_for(asyncio.shield(reading), patience)
        reading.cancel()
        client.close()


async def endless_fragments(arena: Arena) -> None:
    """Messages that never end: each socket sends parts as large as it may, and then waits."""
    await arena.open_room()
    part = bytes(60_000)

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.spectator()
        reading = asyncio.create_task(arena.ended(client))
        try:
            await arena.send(client, frame(FIRST_PART, part))
            for _ in range(16):
                await arena.send(client, frame(NEXT_PART, part))
            while not reading.done() and not arena.is_over:
                await arena.rest(5)
                await arena.send(client, frame(PONG))
                if arena.rounds_are_few:
                    break
        finally:
            reading.cancel()
            client.close()

    await together(arena, MANY, sends)


async def interleaved_fragments(arena: Arena) -> None:
    """Empty parts of one message, with a ping between every two."""
    await arena.open_room()
    pair = frame(NEXT_PART) + frame(PING, b"x")

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.spectator()
        await arena.send(client, frame(FIRST_PART))
        await _flood(arena, client, pair * 500, 1_000)

    await together(arena, FLOODERS, sends)


async def single_bytes(arena: Arena) -> None:
    """Valid messages, one byte at a time: many small reads."""
    await arena.open_room()
    message = text(type="ping", id="a")

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.spectator()
        reading = asyncio.create_task(arena.ended(client))
        try:
            async for place in arena.rounds():
                await arena.send(client, message[place % len(message) :][:1])
                await arena.rest(0.01)
        finally:
            reading.cancel()
            client.close()

    await together(arena, MANY, sends)


async def unread_pings(arena: Arena) -> None:
    """Pings whose pongs nobody reads."""
    await arena.open_room()

    async def sends(arena: Arena, number: int) -> None:
        client = await arena.spectator(narrow=True)
        client.stop_reading()
        try:
            async for _ in arena.rounds():
                async with asyncio.timeout(5):
                    await arena.send(client, frame(PING, os.urandom(100)) * 100, 100)
        except TimeoutError:
            arena.ends["blocked"] += 1
        finally:
            client.close()

    await together(arena, 30, sends)
