"""Long crash runs, unattended: `python -m tests.server.kills sqlite 1000`, `... cluster 200`.

A run has rounds. In each round new players sit down in new rooms of the same store, servers and
services are killed while they play, and in the end everything they received is compared with the
store. A round that fails is counted, and the run goes on. Without a number, SOAK_KILLS and
SOAK_FAULTS say how many, as in `make soak`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.server.crash import CLOCK, SETTINGS, Plan, Trial
from tests.server.harness import ServerProcess, running, sqlite_url
from tests.services import Postgres, Redis

SOAK_KILLS = int(os.environ.get("SOAK_KILLS", "1000"))
"""SIGKILLs of a server on SQLite."""
SOAK_FAULTS = int(os.environ.get("SOAK_FAULTS", "200"))
"""Faults of two nodes with PostgreSQL and Redis."""
ROUND = 50
"""Kills or faults in a round."""
ONE_NODE = (Plan(2, ("solver", "simple")), Plan(2, seconds=CLOCK), Plan(3, ("simple",), CLOCK))
TWO_NODES = (Plan(4), Plan(2, ("solver", "simple")), Plan(2, ("simple",), CLOCK))


@dataclass
class Tally:
    """What a run did, and what it found."""

    struck: Counter[str] = field(default_factory=Counter)
    """Kills and faults by their moment or kind."""
    rooms: int = 0
    games: int = 0
    acknowledged: int = 0
    """Commands that the server has confirmed."""
    again: int = 0
    """Commands that the server asked to repeat."""
    reconnects: int = 0
    told: int = 0
    """Events that players received; each equals the stored one."""
    drafts: int = 0
    failures: list[str] = field(default_factory=list)
    """Rounds in which something was lost, done twice, stuck or left over."""

    def lines(self) -> list[str]:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.struck.most_common())
        return [
            f"kills and faults: {self.struck.total()} ({kinds})",
            f"rooms: {self.rooms}, games that ended: {self.games}",
            f"acknowledged commands: {self.acknowledged}; asked to repeat: {self.again}; "
            f"reconnects: {self.reconnects}",
            f"told events equal to the stored: {self.told}; confirmed drafts: {self.drafts}",
            f"rounds with something lost, twice, stuck or left over: {len(self.failures)}",
        ]


async def siege(
    nodes: Sequence[ServerProcess],
    store: str,
    plans: Sequence[Plan],
    rng: random.Random,
    strikes: Callable[[Trial], Coroutine[Any, Any, None]],
    tally: Tally,
) -> None:
    """One round: people play while `strikes` kills; at the end everything is compared."""
    with running(*nodes):
        trial = Trial(nodes, store, plans, rng)
        try:
            async with trial:
                await strikes(trial)
            snapshots = {witness: await witness.look() for witness in trial.witnesses}
        finally:
            tally.struck += trial.struck
    for party, evidence in zip(trial.parties, await trial.check(), strict=True):
        tally.rooms += 1
        tally.games += evidence.check_record()
        for witness in party.witnesses:
            evidence.check_snapshot(witness, snapshots[witness])
            tally.acknowledged += len(witness.acknowledged)
            tally.again += witness.again
            tally.reconnects += witness.lost
            tally.told += len(witness.told)
            tally.drafts += len(witness.drafted)


def _run_rounds(
    total: int,
    tally: Tally,
    play_round: Callable[[int, Tally], Coroutine[Any, Any, None]],
    echo: bool,
) -> Tally:
    """Rounds until there were `total` kills and faults. `play_round` gets how many are left."""
    began = time.monotonic()
    rounds = 0
    while tally.struck.total() < total and rounds <= 2 * total // ROUND:
        rounds += 1
        try:
            asyncio.run(play_round(total - tally.struck.total(), tally))
        except Exception:
            tally.failures.append(traceback.format_exc())
            print(tally.failures[-1], file=sys.stderr)
        if echo:
            minutes = (time.monotonic() - began) / 60
            print(f"--- after {minutes:.1f} minutes, {rounds} rounds", *tally.lines(), sep="\n")
            sys.stdout.flush()
    return tally


def kill_one_node(store: str, kills: int, seed: int, *, echo: bool = False) -> Tally:
    """A server on SQLite is killed, and started again, `kills` times."""
    rng = random.Random(seed)
    server = ServerProcess(store, settings=SETTINGS)

    async def play_round(left: int, tally: Tally) -> None:
        async def strikes(trial: Trial) -> None:
            while trial.struck.total() < min(ROUND, left):
                await trial.strike()

        await siege([server], store, ONE_NODE, rng, strikes, tally)

    return _run_rounds(kills, Tally(), play_round, echo)


def break_two_nodes(
    store: str, postgres: Postgres, redis: Redis, faults: int, seed: int, *, echo: bool = False
) -> Tally:
    """Nodes, PostgreSQL and Redis are killed, restarted and frozen, `faults` times."""
    rng = random.Random(seed)
    # Nodes with the same seed would deal the same games, which a record may not have.
    nodes = [ServerProcess(store, redis.url, SETTINGS, seed=name) for name in ("one", "two")]

    async def break_something(trial: Trial) -> None:
        kinds = ("node", "all", "redis", "postgres", "restart", "freeze")
        match rng.choices(kinds, (10, 2, 4, 2, 2, 2))[0]:
            case "node":
                await trial.strike()
            case "all":
                await trial.strike_all()
            case "redis":
                await trial.strike_service(redis)
            case "postgres":
                await trial.strike_service(postgres)
            case "restart":
                await trial.strike_service(postgres, gently=True)
            case _:
                await trial.freeze()

    async def play_round(left: int, tally: Tally) -> None:
        async def strikes(trial: Trial) -> None:
            while trial.struck.total() < min(ROUND, left):
                await break_something(trial)

        await siege(nodes, store, TWO_NODES, rng, strikes, tally)

    return _run_rounds(faults, Tally(), play_round, echo)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.server.kills", description=__doc__)
    parser.add_argument("what", choices=("sqlite", "cluster"))
    parser.add_argument("count", type=int, nargs="?", help="kills or faults")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            store = sqlite_url(Path(folder))
            tally = kill_one_node(store, asked.count or SOAK_KILLS, asked.seed, echo=True)
    else:
        with Postgres() as postgres, Redis() as redis:
            store = driver(postgres.database())
            count = asked.count or SOAK_FAULTS
            tally = break_two_nodes(store, postgres, redis, count, asked.seed, echo=True)
    return 1 if tally.failures else 0


def driver(url: str) -> str:
    return url.replace("postgresql://", "postgresql+asyncpg://", 1)


if __name__ == "__main__":
    sys.exit(main())
