"""Rooms whose pool is empty from the deal on, so that proofs matter from the first turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.server.live_server import LiveServer

EMPTY: dict[str, Any] = {
    "copies": 1,
    "jokers": "J0",
    "players.max": 2,
    "hand_size": 26,
    "initial.min": 0,
    "match.games_per_round": 1,
    "timer.seconds": 0,
}
"""Two players hold all 52 tiles: the first one can certainly play."""
POOL = {"timer.seconds": 0}


@contextmanager
def held_up(server: LiveServer, owner: object, name: str) -> Iterator[threading.Event]:
    """Calls of this coroutine method wait until the context ends; the event says there is one."""
    method: Callable[..., Awaitable[Any]] = getattr(owner, name)
    gate = asyncio.Event()
    entered = threading.Event()

    async def waits(*args: Any, **named: Any) -> Any:
        entered.set()
        await gate.wait()
        return await method(*args, **named)

    async def open_gate() -> None:
        gate.set()

    setattr(owner, name, waits)
    try:
        yield entered
    finally:
        setattr(owner, name, method)
        server.run(open_gate())
