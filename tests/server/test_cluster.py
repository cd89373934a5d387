"""Two nodes on one PostgreSQL and one Redis: the players of a room sit wherever they like.

`make soak` has two hundred faults; SOAK_FAULTS says how many.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.server.crash import CLOCK, SETTINGS, Plan, Trial
from tests.server.harness import ServerProcess, running
from tests.server.kills import SOAK_FAULTS, break_two_nodes, driver
from tests.server.test_match import Player, new_guest, new_room, verified
from tests.services import Postgres, Redis, Service
from tilerummy.client.seat import request

MOST_BLOWS = 20
"""Kills after which some client has certainly had to retry a command."""


@pytest.mark.parametrize("with_redis", [True, False], ids=["redis", "no-messages"])
def test_four_people_on_two_nodes_finish_a_game_while_nodes_die(
    postgres_url: str, redis: Redis, with_redis: bool
) -> None:
    """Without Redis the nodes of a room find each other's changes in the store alone."""
    bus = redis.url if with_redis else None

    async def play(nodes: list[ServerProcess]) -> None:
        one, two = nodes
        tokens = [await new_guest(one.url, name) for name in ("Ann", "Bo", "Cy", "Di")]
        code = await new_room(two.url, tokens[0], [], options={"match.games_per_round": 1})
        for token in tokens[1:]:
            await request(one.url, "POST", f"/api/rooms/{code}/seats", {}, token)
        players = [
            Player(nodes[number // 2].url, code, token, host=not number)
            for number, token in enumerate(tokens)
        ]
        playing = asyncio.gather(*[player.play() for player in players])
        for turn, node in ((4, one), (8, two), (11, one)):
            while max(player.seat.known.turn for player in players) < turn:
                await asyncio.sleep(0.01)
                if playing.done():
                    break
            await asyncio.to_thread(node.kill)
            if with_redis and node is two:
                await asyncio.to_thread(redis.kill)
                await asyncio.to_thread(redis.start)
            await asyncio.to_thread(node.start)
        await asyncio.wait_for(playing, 120)
        ends = {(player.seat.known.turn, player.seat.known.table) for player in players}
        assert len(ends) == 1, "all four saw the same end"
        assert [code for player in players for code in player.refused] == []
        await verified(two.url, code)

    with running(*[ServerProcess(driver(postgres_url), bus) for _ in range(2)]) as nodes:
        asyncio.run(play(nodes))


async def siege(
    store: str,
    bus: str,
    plans: Sequence[Plan],
    blows: Sequence[Service | None],
    seed: int,
    *,
    again: Service | None = None,
) -> Trial:
    """Kill a service, or where it is None one of two nodes, one after the other. In the end `again`
    is killed until somebody was asked to repeat a command: a few more times, where that has not
    happened yet."""
    # Nodes with the same seed would deal the same games, which a record may not have.
    two = [ServerProcess(store, bus, SETTINGS, seed=name) for name in ("one", "two")]
    with running(*two) as nodes:
        async with Trial(nodes, store, plans, random.Random(seed)) as trial:
            for service in blows:
                await (trial.strike() if service is None else trial.strike_service(service))
            for _ in range(MOST_BLOWS):
                if again is not None and not any(witness.again for witness in trial.witnesses):
                    await trial.strike_service(again)
        snapshots = {witness: await witness.look() for witness in trial.witnesses}
    for party, evidence in zip(trial.parties, await trial.check(), strict=True):
        for witness in party.witnesses:
            evidence.check_snapshot(witness, snapshots[witness])
    return trial


def test_nodes_redis_and_postgres_are_killed_in_the_middle_of_games(
    postgres: Postgres, postgres_url: str, redis: Redis
) -> None:
    plans = (Plan(4), Plan(2, seconds=CLOCK))
    blows = (None, redis, postgres, None, postgres)
    store = driver(postgres_url)
    trial = asyncio.run(siege(store, redis.url, plans, blows, seed=1, again=postgres))
    assert sum(witness.again for witness in trial.witnesses), "somebody had to try again"


@pytest.mark.soak
def test_soak_nodes_redis_and_postgres_fail_hundreds_of_times(
    postgres: Postgres, postgres_url: str, redis: Redis
) -> None:
    store = driver(postgres_url)
    tally = break_two_nodes(store, postgres, redis, SOAK_FAULTS, seed=100, echo=True)
    assert tally.failures == []
    assert tally.struck.total() >= SOAK_FAULTS


@contextmanager
def run_cluster(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A test that fails does not wait for it to end by itself."""
    with subprocess.Popen(
        [sys.executable, "-m", "tools.cluster", *arguments],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def test_one_command_shows_a_match_while_a_node_is_killed() -> None:
    with run_cluster("--match") as process:
        said, _ = process.communicate(timeout=180)
    assert process.returncode == 0
    assert "node 2 is killed" in said
    assert "the match is over" in said


def test_one_command_runs_a_cluster_until_it_is_interrupted() -> None:
    with run_cluster() as process:
        assert process.stdout is not None
        lines = [*iter(process.stdout.readline, "Ctrl-C ends all of it.\n")]
        urls = [line.split()[2] for line in lines if line.startswith("node")]
        node = int(lines[-1].rstrip(")\n").split()[-1])
        assert len(urls) == 2
        os.kill(node, signal.SIGKILL)
        assert "node 2 has ended" in process.stdout.readline()
        assert "node 2 is back" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    for url in urls:
        with pytest.raises(OSError, match="refused"):
            urlopen(f"{url}/healthz", timeout=5)
