"""Capacity plan: turns the measured footprint of a move into shards, nodes and money.

A shard is a complete installation: one PostgreSQL, one Redis and some nodes. Rooms belong to a
shard by the first letters of their code, so that shards share nothing. `benchmarks.footprint`
measures `MEASURED`; the rest is computed from it and from the assumptions in `Load` and `Limits`.

    python -m tools.capacity [--seats 1000000] [--every 30] [--footprint FILE] [--json]

The simulation assigns rooms to shards at random, as codes are, and lets each seat move at random
times, so that the plan holds for the fullest shard in its busiest second and not for the mean.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

SEATS_PER_ROOM = 4
SECONDS = 60
"""Simulated seconds, per shard."""
MIB, GIB = 1 << 20, 1 << 30


@dataclass(frozen=True)
class Footprint:
    """The figures of `benchmarks.footprint` with two nodes."""

    node_cpu_per_move: float
    postgres_cpu_per_move: float
    redis_cpu_per_move: float
    statements_per_move: float
    transactions_per_move: float
    wal_bytes_per_move: float
    redis_commands_per_move: float
    redis_bytes_in_per_move: float
    redis_bytes_out_per_move: float
    node_bytes_empty: float
    node_bytes_per_seat: float

    @classmethod
    def read(cls, path: Path) -> Footprint:
        found = json.loads(path.read_text("utf-8"))
        return cls(**{name: found[name] for name in cls.__dataclass_fields__})


MEASURED = Footprint(
    node_cpu_per_move=0.00124,
    postgres_cpu_per_move=0.00053,
    redis_cpu_per_move=0.00003,
    statements_per_move=0.85,
    transactions_per_move=0.61,
    wal_bytes_per_move=1_018,
    redis_commands_per_move=0.24,
    redis_bytes_in_per_move=61,
    redis_bytes_out_per_move=124,
    node_bytes_empty=81.3 * MIB,
    node_bytes_per_seat=125_500,
)
"""Two nodes, PostgreSQL 15, Redis 7: 600 seats, 229 moves per second, every room on both nodes, on
two cores that other programs used too (docs/operations.md)."""


class Load(NamedTuple):
    """What players do: assumptions."""

    seats: int = 1_000_000
    every: float = 30.0
    """Seconds between two moves of a seat: 7.5 s for a turn at a table of four."""


class Limits(NamedTuple):
    """What a machine may be used for, and what it costs: assumptions."""

    busy: float = 0.6
    """Share of a core that moves may use in the busiest second; bots, hints and peaks need the
    rest."""
    postgres_cores: int = 16
    postgres_transactions: float = 20_000.0
    """Durable transactions per second of one PostgreSQL; group commit shares one among nodes'
    moves."""
    redis_commands: float = 100_000.0
    nodes_per_shard: int = 12
    """Every node receives the announcements of all others; more than two were never measured."""
    node_seats: int = 20_000
    """Sockets of one process that a file descriptor limit of 65,536 leaves room for."""
    core_month: float = 25.0
    """Dollars for a core with 4 GiB of memory."""
    wal_gib: float = 0.02
    """Dollars for a GiB of WAL that is archived for a month."""


class Plan(NamedTuple):
    shards: int
    nodes_per_shard: int
    nodes: int
    moves_per_second: float
    fullest_shard_seats: int
    busiest_moves_per_second: float
    postgres_cores_per_shard: float
    postgres_transactions_per_shard: float
    redis_commands_per_shard: float
    redis_megabits_per_shard: float
    wal_mib_per_second: float
    node_memory_gib: float
    dollars_per_month: float
    dollars_per_seat_month: float


class Shard(NamedTuple):
    seats: int
    busiest: int
    """Moves in the busiest simulated second."""


def simulate(load: Load, shards: int, seed: int = 1) -> list[Shard]:
    """The shards of a full evening: rooms at random, moves at random."""
    chance = random.Random(seed)
    rooms = [0] * shards
    for _ in range(load.seats // SEATS_PER_ROOM):
        rooms[chance.randrange(shards)] += 1
    return [_busiest(count * SEATS_PER_ROOM, load.every, chance) for count in rooms]


def _busiest(seats: int, every: float, chance: random.Random) -> Shard:
    """Moves per second are a Poisson process, for many seats a normal distribution."""
    mean = seats / every
    seconds = [chance.gauss(mean, math.sqrt(mean)) for _ in range(SECONDS)]
    return Shard(seats, math.ceil(max(seconds)))


def shards_needed(load: Load, limits: Limits, of: Footprint) -> int:
    """The fewest shards whose PostgreSQL and Redis bear the fullest of them."""
    shards = 1
    while True:
        simulated = simulate(load, shards)
        busiest = max(each.busiest for each in simulated)
        bears = (
            nodes_needed(simulated, limits, of) <= limits.nodes_per_shard
            and busiest * of.postgres_cpu_per_move <= limits.postgres_cores * limits.busy
            and busiest * of.transactions_per_move <= limits.postgres_transactions
            and busiest * of.redis_cpu_per_move <= limits.busy
            and busiest * of.redis_commands_per_move <= limits.redis_commands
        )
        if bears:
            return shards
        shards += 1


def nodes_needed(shards: list[Shard], limits: Limits, of: Footprint) -> int:
    """The nodes of the fullest shard, of which one may fail."""
    by_cpu = max(each.busiest for each in shards) * of.node_cpu_per_move / limits.busy
    by_sockets = max(each.seats for each in shards) / limits.node_seats
    return math.ceil(max(by_cpu, by_sockets)) + 1


def plan(load: Load, limits: Limits, of: Footprint) -> Plan:
    shards = shards_needed(load, limits, of)
    simulated = simulate(load, shards)
    busiest = max(each.busiest for each in simulated)
    fullest = max(each.seats for each in simulated)
    nodes = nodes_needed(simulated, limits, of)
    moves = load.seats / load.every
    database = math.ceil(busiest * of.postgres_cpu_per_move / limits.busy)
    cores = shards * (nodes + 2 * database + 1)  # PostgreSQL has a standby; Redis takes one core
    wal_month = moves * of.wal_bytes_per_move * 30 * 86_400 / GIB
    dollars = cores * limits.core_month + wal_month * limits.wal_gib
    seats_per_node = fullest / (nodes - 1)
    return Plan(
        shards=shards,
        nodes_per_shard=nodes,
        nodes=shards * nodes,
        moves_per_second=moves,
        fullest_shard_seats=fullest,
        busiest_moves_per_second=busiest,
        postgres_cores_per_shard=database,
        postgres_transactions_per_shard=busiest * of.transactions_per_move,
        redis_commands_per_shard=busiest * of.redis_commands_per_move,
        redis_megabits_per_shard=8e-6 * busiest * _redis_bytes(of, nodes),
        wal_mib_per_second=moves * of.wal_bytes_per_move / MIB,
        node_memory_gib=(of.node_bytes_empty + seats_per_node * of.node_bytes_per_seat) / GIB,
        dollars_per_month=dollars,
        dollars_per_seat_month=dollars / load.seats,
    )


def _redis_bytes(of: Footprint, nodes: int) -> float:
    """Bytes of a move: a message comes in, and goes out to every node; two were measured."""
    return of.redis_bytes_in_per_move + of.redis_bytes_out_per_move / 2 * nodes


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seats", type=int, default=Load().seats)
    parser.add_argument("--every", type=float, default=Load().every, help="seconds per move")
    parser.add_argument("--footprint", type=Path, help="JSON of benchmarks.footprint")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    footprint = MEASURED if given.footprint is None else Footprint.read(given.footprint)
    found = plan(Load(given.seats, given.every), Limits(), footprint)
    if given.json:
        print(json.dumps({"plan": found._asdict(), "footprint": asdict(footprint)}))
        return
    for name, value in found._asdict().items():
        print(f"{name.replace('_', ' '):36} {value:14,.2f}".removesuffix(".00"))


if __name__ == "__main__":
    main()
