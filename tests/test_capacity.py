"""The capacity plan: what it computes bears the load that it was given."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks import footprint
from tools import capacity
from tools.capacity import MEASURED, Limits, Load, plan, simulate

PAGE = (Path(__file__).parents[1] / "docs" / "operations.md").read_text("utf-8")
SMALL = Load(40_000, 30)


def test_rooms_are_spread_and_none_is_lost() -> None:
    shards = simulate(SMALL, 5)
    assert sum(each.seats for each in shards) == SMALL.seats
    assert all(each.busiest > each.seats / SMALL.every for each in shards)
    assert shards == simulate(SMALL, 5), "the same plan on every machine"


def test_the_fullest_shard_bears_its_busiest_second_without_one_node() -> None:
    limits = Limits(postgres_cores=1)
    found = plan(SMALL, limits, MEASURED)
    assert found.shards > 1
    busiest = found.busiest_moves_per_second
    assert busiest * MEASURED.postgres_cpu_per_move <= limits.postgres_cores * limits.busy
    assert busiest * MEASURED.node_cpu_per_move <= (found.nodes_per_shard - 1) * limits.busy
    assert found.fullest_shard_seats <= (found.nodes_per_shard - 1) * limits.node_seats


def test_more_seats_need_more_nodes() -> None:
    nodes = [plan(Load(seats, 30), Limits(), MEASURED).nodes for seats in (4_000, 40_000, 80_000)]
    assert nodes == sorted(nodes)
    assert nodes[0] < nodes[2]


def test_the_page_for_hosts_shows_the_plan_of_today() -> None:
    found = plan(Load(), Limits(), MEASURED)
    for value in (
        f"{found.nodes} nodes",
        f"{found.shards} shards",
        f"{found.nodes_per_shard} nodes",
    ):
        assert value in PAGE, f"stale: run `python -m tools.capacity`; {value} is missing"


def test_it_reads_what_the_benchmark_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = footprint.Sample(*[0.0] * 13)
    before = empty._replace(moves=100, statements=50, wal_bytes=1_000, node_memory=2e8)
    after = before._replace(moves=200, statements=250, wal_bytes=101_000, node_memory=4e8)
    found = footprint.figures(empty, before, after, nodes=2, seats=400, seconds=10)
    assert found["moves_per_second"] == 10
    assert found["statements_per_move"] == 2
    assert found["wal_bytes_per_move"] == 1_000
    assert found["node_bytes_per_seat"] == 1e6
    file = tmp_path / "footprint.json"
    file.write_text(json.dumps(found))
    capacity.main(["--seats", "4000", "--footprint", str(file), "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert printed["footprint"]["statements_per_move"] == 2
    assert printed["plan"]["nodes"] >= 2
    assert printed["footprint"].keys() == asdict(MEASURED).keys()


@pytest.mark.soak
def test_a_footprint_is_measured() -> None:
    found = footprint.measure(2, rooms=5, every=1.0, seconds=5.0)
    assert found["statements_per_move"] >= 1
    assert found["redis_commands_per_move"] > 0
    assert found["wal_bytes_per_move"] > 100
