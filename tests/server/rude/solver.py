"""Expensive positions: options that make the solver search for long, in moves, bots and hints."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from tests.server.rude.arena import Arena
from tests.server.rude.client import GONE, ClosedError, text
from tests.server.rude.rooms import begin

# The hardest that a server accepts: rooms with `initial.same_turn_manipulation` are refused.
HARD: dict[str, Any] = {
    "draw.mode": "until_playable",
    "initial.min": 200,
    "hand_size": 1,
    "copies": 4,
    "jokers": "J4 D4 C4 M4",
    "set.min_natural": 0,
    "set.order": "as_laid",
    "timer.seconds": 0,
}


async def hard_draws(arena: Arena) -> None:
    """Draws for which the solver looks for a play that takes long to find."""

    async def draws(number: int) -> None:
        part = Arena(arena.url, arena.address, seconds=arena.left, rounds=arena.most_rounds)
        with suppress(AssertionError, ClosedError, TimeoutError, *GONE):
            await part.open_room(edition="twist", seats=2, options=HARD, bots=("simple",))
            turn = await begin(part)
            client = await part.spectator(token=part.token)
            async for again in part.rounds():
                await part.send(client, text(type="draw", id=f"d{again}", turn=turn))
                while (message := await client.read_message()).get("re") != f"d{again}":
                    pass
                part.ends[str(message.get("code", message["type"]))] += 1
                await part.rest(1)
        arena.add(part)

    await asyncio.gather(*[draws(number) for number in range(6)])


async def hard_bots(arena: Arena) -> None:
    """Rooms of strong bots with racks of forty tiles."""

    async def plays(number: int) -> None:
        part = Arena(arena.url, arena.address, seconds=arena.left, rounds=arena.most_rounds)
        with suppress(AssertionError, ClosedError, TimeoutError, *GONE):
            options = {**HARD, "hand_size": 40}
            bots = ("solver",) * 3
            await part.open_room(edition="twist", seats=4, options=options, bots=bots)
            turn = await begin(part)
            client = await part.spectator(token=part.token)
            async for again in part.rounds():
                await part.send(client, text(type="hint", id=f"h{again}"))
                await part.send(client, text(type="draw", id=f"d{again}", turn=turn))
                await part.rest(5)
        arena.add(part)

    await asyncio.gather(*[plays(number) for number in range(4)])
