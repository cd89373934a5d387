"""One attack in a process: `python -m tests.server.rude.attacker NAME URL ADDRESS SECONDS`."""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import sys

from tests.server.rude.arena import Arena
from tests.server.rude.attacks import ATTACKS, SOLVER


async def attack(name: str, url: str, address: str, seconds: float) -> Arena:
    arena = Arena(url, address, seconds=seconds)
    try:
        async with asyncio.timeout(seconds + 10):
            await {**ATTACKS, **SOLVER}[name](arena)
    except TimeoutError:
        arena.ends["cut off"] += 1
    return arena


def main() -> None:
    name, url, address, seconds = sys.argv[1:]
    # It warns of every write to a connection that the server has cut.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    arena = asyncio.run(attack(name, url, address, float(seconds)))
    found = {"messages": arena.messages, "bytes": arena.bytes, "ends": dict(arena.ends)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
