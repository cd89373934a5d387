"""What players do in rooms, too often: talk, drafts, bad commands, hints, changes of the lobby."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tests.server.rude.arena import Arena, hold
from tests.server.rude.client import GONE, RawClient, text
from tests.server.rude.readers import CHAT, drain

TABS = 19
"""Connections of one seat: together they use up what an address may send."""
WATCHERS = 60
PLAYING = {"seats": 2, "options": {"timer.seconds": 0, "match.games_per_round": 1}}


async def tabs_of(
    arena: Arena, count: int = TABS, **hello: Any
) -> tuple[list[RawClient], list[asyncio.Task[None]]]:
    """Connections of the host, and what reads them."""
    tabs = [await arena.spectator(token=arena.token, **hello) for _ in range(count)]
    return tabs, [asyncio.create_task(drain(tab)) for tab in tabs]


async def on_tabs(arena: Arena, messages: Any, *, whole: bool = False, watchers: int = 0) -> None:
    """Messages on many tabs of the host, as fast as an address may send."""
    tabs, reading = await tabs_of(arena, whole=whole)
    for _ in range(watchers):
        with suppress(*GONE):
            tabs.append(await arena.spectator(whole=True))
            reading.append(asyncio.create_task(drain(tabs[-1])))
    async for _ in arena.rounds():
        for tab in tabs[:TABS]:
            with suppress(*GONE):
                await arena.send(tab, text(**next(messages)))
        await arena.rest(0.095)
    await hold(arena, tabs, 0)
    for task in reading:
        task.cancel()


async def talkers(arena: Arena) -> None:
    """One guest talks on many tabs."""
    await arena.open_room()
    numbers = itertools.count()
    says = ({"type": "say", "id": f"s{number}", "text": CHAT} for number in numbers)
    await on_tabs(arena, says, watchers=WATCHERS)


async def lobby_changes(arena: Arena) -> None:
    """A host adds and removes a bot on many tabs, and spectators want the whole state each time."""
    await arena.open_room()
    kinds: Iterator[dict[str, Any]] = itertools.cycle(
        ({"type": "bot", "bot": "simple"}, {"type": "remove", "seat": 1})
    )
    numbers = itertools.count()
    changes = ({**next(kinds), "id": f"c{number}"} for number in numbers)
    await on_tabs(arena, changes, watchers=WATCHERS)


async def begin(arena: Arena) -> int:
    """Begin a match in which the host is the only person; the number of the host's turn."""
    client = await arena.spectator(token=arena.token)
    await arena.send(client, text(type="begin", id="begin"))
    try:
        while True:
            message = await client.read_message()
            for event in message.get("events", ()):
                if event["type"] in ("dealt", "played", "drew", "passed") and not event["current"]:
                    return int(event["turn"])
    finally:
        client.close()


async def drafts(arena: Arena) -> None:
    """Large drafts on many tabs of one seat, each sent on to all the others."""
    await arena.open_room(bots=("simple",), **PLAYING)
    turn = await begin(arena)
    row = ["r1.1", "r2.1", "r3.1"]
    empty: list[list[str]] = [[]] * 60
    declared = [{"set": row, "as": "run"}] * 64
    draft = {"type": "draft", "turn": turn, "table": [row, *empty], "declared": declared}
    await on_tabs(arena, itertools.repeat(draft))


async def refused_plays(arena: Arena) -> None:
    """Tables that the judge has to look at, and refuses: all tiles of the box in long rows."""
    await arena.open_room(bots=("simple",), **PLAYING)
    turn = await begin(arena)
    names = [f"{c}{v}.{n}" for c in "rbok" for v in range(1, 14) for n in (1, 2)]
    names += ["J.1", "J.2"]
    table = [names[start : start + 13] for start in range(0, len(names), 13)]
    numbers = itertools.count()
    plays = ({"type": "play", "id": f"p{n}", "turn": turn, "table": table} for n in numbers)
    await on_tabs(arena, plays)


async def hints(arena: Arena) -> None:
    """Hints and missed plays on many tabs."""
    await arena.open_room(bots=("simple",), hints=True, **PLAYING)
    await begin(arena)
    numbers = itertools.count()
    kinds = itertools.cycle(("hint", "missed"))
    await on_tabs(arena, ({"type": next(kinds), "id": f"h{number}"} for number in numbers))
