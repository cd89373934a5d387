"""Footprint of a move and of a seat: what PostgreSQL, Redis and the nodes do for each.

Counts statements, transactions and WAL bytes (pg_stat_statements, pg_stat_wal), commands and bytes
of Redis (INFO), and processor time and memory of every process, while `tilerummy load` plays.
Counts hardly depend on the machine; processor times do. `tools.capacity` turns the figures into a
plan.

    python -m benchmarks.footprint [--rooms 100] [--every 4] [--seconds 30] [--nodes 2] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import asyncpg
import redis
from prometheus_client.parser import text_string_to_metric_families

from benchmarks.server import raised_limits
from tests.server.harness import ServerProcess
from tests.services import Postgres, Redis

MOVES = ("draw", "pass", "play")
TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1 << 20


class CountingPostgres(Postgres):
    """PostgreSQL that counts its statements. Otherwise as by default."""

    def command(self) -> list[str | Path]:
        return [*super().command(), "--shared_preload_libraries=pg_stat_statements"]


class Sample(NamedTuple):
    """Counters at one moment; all of them only grow, except the memory."""

    moves: float
    statements: float
    transactions: float
    wal_bytes: float
    redis_commands: float
    redis_bytes_in: float
    redis_bytes_out: float
    node_cpu: float
    postgres_cpu: float
    redis_cpu: float
    node_memory: float
    postgres_memory: float
    redis_memory: float


async def _of_postgres(url: str) -> tuple[int, int, int]:
    line = await asyncpg.connect(url)
    try:
        await line.execute("SELECT pg_stat_force_next_flush()")
        statements = "SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements"
        commits = "SELECT sum(xact_commit)::bigint FROM pg_stat_database"
        wal = "SELECT wal_bytes::bigint FROM pg_stat_wal"
        return tuple([await line.fetchval(each) for each in (statements, commits, wal)])
    finally:
        await line.close()


async def _count_statements(url: str) -> None:
    line = await asyncpg.connect(url)
    await line.execute("CREATE EXTENSION pg_stat_statements")
    await line.close()


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def _cpu(pid: int) -> float:
    """Seconds of processor time of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):  # a helper of PostgreSQL has just ended
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


def _memory(pid: int) -> int:
    """Proportional set size: shared pages count once among those who share them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def sample(postgres: Postgres, bus: redis.Redis, nodes: Sequence[ServerProcess]) -> Sample:
    assert postgres.process is not None, "it runs"
    database = [postgres.process.pid, *_children(postgres.process.pid)]
    info = bus.info("all")
    return Sample(
        sum(map(_moves, nodes)),
        *asyncio.run(_of_postgres(postgres.url)),
        info["total_commands_processed"],
        info["total_net_input_bytes"],
        info["total_net_output_bytes"],
        sum(_cpu(node.pid) for node in nodes),
        sum(map(_cpu, database)),
        info["used_cpu_sys"] + info["used_cpu_user"],
        sum(_memory(node.pid) for node in nodes),
        sum(map(_memory, database)),
        info["used_memory_rss"],
    )


def _moves(node: ServerProcess) -> float:
    with urlopen(f"{node.url}/metrics") as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return sum(
            line.value
            for family in families
            for line in family.samples
            if line.name == "tilerummy_commands_total"
            and line.labels["kind"].lower() in MOVES
            and line.labels["outcome"] == "done"
        )


def measure(nodes: int, rooms: int, every: float, seconds: float) -> dict[str, float]:
    """The figures of a move and of a seat."""
    with ExitStack() as stack:
        postgres = stack.enter_context(CountingPostgres())
        asyncio.run(_count_statements(postgres.url))
        store = postgres.database()
        bus_url = stack.enter_context(Redis()).url
        bus = stack.enter_context(redis.Redis.from_url(bus_url))
        servers = [
            stack.enter_context(ServerProcess(store, bus_url, raised_limits(), quick=False))
            for _ in range(nodes)
        ]
        empty = sample(postgres, bus, servers)
        warm_up = max(5.0, 2 * every)
        command = [sys.executable, "-m", "tilerummy.cli", "load", *(each.url for each in servers)]
        command += ["--rooms", str(rooms), "--every", str(every), "--json"]
        command += ["--seconds", str(seconds + 4 * warm_up), "--warm-up", "0"]
        load = stack.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        while sample(postgres, bus, servers).moves < 4 * rooms:  # every seat has moved
            time.sleep(0.5)
        time.sleep(warm_up)
        before = sample(postgres, bus, servers)
        time.sleep(seconds)
        after = sample(postgres, bus, servers)
        load.terminate()
    return figures(empty, before, after, nodes=nodes, seats=4 * rooms, seconds=seconds)


def figures(
    empty: Sample, before: Sample, after: Sample, *, nodes: int, seats: int, seconds: float
) -> dict[str, float]:
    moves = after.moves - before.moves
    per_move = {
        name: (getattr(after, name) - getattr(before, name)) / moves
        for name in Sample._fields
        if name != "moves" and not name.endswith("memory")
    }
    return {
        "nodes": nodes,
        "seats": seats,
        "moves_per_second": moves / seconds,
        **{f"{name}_per_move": value for name, value in per_move.items()},
        "node_bytes_empty": empty.node_memory / nodes,
        "node_bytes_per_seat": (after.node_memory - empty.node_memory) / seats,
        "postgres_bytes": after.postgres_memory,
        "redis_bytes": after.redis_memory,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=100, help="four seats each")
    parser.add_argument("--every", type=float, default=4.0, help="seconds between a seat's moves")
    parser.add_argument("--seconds", type=float, default=30.0, help="of the measurement")
    parser.add_argument("--nodes", type=int, default=2, choices=range(1, 5))
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    found = measure(given.nodes, given.rooms, given.every, given.seconds)
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        unit = " ms" if "cpu" in name else " MiB" if name.endswith(("empty", "_bytes")) else ""
        shown = value * 1000 if "cpu" in name else value / MIB if unit == " MiB" else value
        print(f"{name.replace('_', ' '):30} {shown:12,.2f}{unit}")


if __name__ == "__main__":
    main()
