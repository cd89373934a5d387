"""A local cluster: two nodes with their own PostgreSQL and Redis: `make cluster`.

It starts empty and removes everything at the end. A node that ends, by `kill -9` for example, is
restarted. With `--match` four players, two at each node, finish a match while a node is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

from tests.server.crash import NAMES, SETTINGS, Plan, Trial
from tests.server.harness import ServerProcess
from tests.services import Postgres, Redis
from tilerummy.client.seat import ClientState

NODES = 2
GAMES = 2
KILLED_AT = 8
"""The turn in which a node is killed."""
AWAY = 2.0
"""Seconds before it comes back."""


class Cluster(NamedTuple):
    store: str
    bus: str
    nodes: list[ServerProcess]


def say(text: str) -> None:
    print(text, flush=True)


def start(stack: ExitStack, *, quick: bool) -> Cluster:
    """Two nodes and their services; all of them end with the exit stack."""
    store = stack.enter_context(Postgres()).database()
    bus = stack.enter_context(Redis()).url
    say(f"PostgreSQL  {store}\nRedis       {bus}")
    nodes = []
    for number in range(NODES):
        node = ServerProcess(store, bus, SETTINGS if quick else None, quick=quick)
        nodes.append(stack.enter_context(node))
        say(f"node {number + 1}      {node.url}  (process {node.pid})")
    return Cluster(store, bus, nodes)


def watch(nodes: Sequence[ServerProcess]) -> None:
    """Until interrupted."""
    say("Ctrl-C ends all of it.")
    while True:
        time.sleep(0.5)
        for number, node in enumerate(nodes, 1):
            if not node.is_running:
                say(f"node {number} has ended")
                node.kill()  # also its child processes
                node.start()
                say(f"node {number} is back  (process {node.pid})")


async def match(cluster: Cluster) -> None:
    """Four players, and a node that dies."""
    two = cluster.nodes[1]
    rng = random.Random()
    async with Trial(cluster.nodes, cluster.store, [Plan(4, games=GAMES)], rng) as trial:
        witnesses = trial.witnesses
        known = witnesses[0].known
        say(f"{' and '.join(NAMES[::2])} play at node 1, {' and '.join(NAMES[1::2])} at node 2")
        while known.turn < KILLED_AT:
            await asyncio.sleep(0.01)
        two.kill()
        say(f"turn {known.turn}: node 2 is killed")
        version = known.version
        while any(witness.server == two.url for witness in witnesses):
            await asyncio.sleep(0.01)
        say(f"turn {known.turn}: all four play at node 1")
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(two.start)
        say(f"node 2 is back; without it {known.version - version} events went on")
        while known.phase != "over":
            await asyncio.sleep(0.05)
    for node in cluster.nodes:
        await asyncio.to_thread(node.stop)
    say(f"the match is over: {await result(trial, known)}")


async def result(trial: Trial, known: ClientState) -> str:
    """The points, after checking what the players saw against the store."""
    (evidence,) = await trial.check()
    match = evidence.room.match
    assert match is not None, "it is over"
    done = sum(len(witness.acknowledged) for witness in trial.witnesses)
    totals = zip(match.players, match.standing.totals, strict=True)
    points = ", ".join(f"{name} {total}" for name, total in totals)
    return (
        f"{points}\n{done} commands were acknowledged, each is in the log once; "
        f"all four saw the same {known.version} events; the record holds"
    )


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__)
    parser.add_argument("--match", action="store_true", help="play a match while a node is killed")
    wanted = parser.parse_args(arguments)
    # A shell that starts it in the background makes it ignore SIGINT.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        cluster = start(stack, quick=wanted.match)
        if wanted.match:
            asyncio.run(match(cluster))
        else:
            watch(cluster.nodes)


if __name__ == "__main__":
    main(sys.argv[1:])
