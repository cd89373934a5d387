"""Smoke tests of the benchmarks: they run; no test depends on their figures."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import cluster, moves, peers, playouts, positions, rules, server, solver
from tilerummy.rules.editions import CLASSIC, TWIST
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import JOKER, faces_of
from tilerummy.server.ops.settings import read_settings, unknown_variables


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SECONDS", 0.01)


def test_rows_turns_and_streams_print_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    rules.benchmark_rows(CLASSIC)
    rules.benchmark_turns(TWIST)
    rules.benchmark_stream(200)
    printed = capsys.readouterr().out
    assert "ratio" in printed
    assert "with tile ids" in printed
    assert "long against short" in printed


def test_the_layers_of_a_move_print_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    moves.main(["--games", "1", "--rounds", "1"])
    printed = capsys.readouterr().out
    assert "judge" in printed
    assert "store" in printed


def test_playouts_print_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    playouts.main(["--games", "1", "--editions", "taiwan"])
    assert "taiwan     4 hold" in capsys.readouterr().out
    playouts.main(["--games", "2", "--editions", "taiwan", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert [row["differences"] for row in figures] == [0, 0, 0, 0]


def test_the_solver_prints_its_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver, "QUICK", 2)
    solver.main(["--quick"])
    printed = capsys.readouterr().out
    assert "simulated play, kernel in Python" in printed
    assert "games" in printed


def test_the_solver_tells_its_figures_to_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver, "QUICK", 1)
    solver.main(["--quick", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in figures["alone"]} > {"simulated play", "dense tables"}
    assert figures["games_a_second"]["taiwan"] > 0


def test_a_missing_peer_is_reported_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = solver.Peer("highs", "HiGHS", "highspy", Path("nowhere/python"), "make peers")
    monkeypatch.setattr(solver, "PEERS", (nowhere,))
    assert solver.show_peers(1) == []
    assert capsys.readouterr().out == (
        "HiGHS is not installed, so nothing is compared with it: make peers\n"
    )


def test_ours_and_a_model_are_timed_side_by_side() -> None:
    items = [positions.as_item(position) for position in positions.draw("real", 3, 2)]
    model = next(peer for peer in solver.PEERS if peer.name == "cp-sat")
    beside = solver.compare(model, "real", items)
    assert beside.differences == []
    assert beside.ratios[0] > 1


@pytest.mark.parametrize(
    ("ours", "theirs", "legal", "told"),
    [
        ((3, 20), (3, 20), True, ""),
        ((3, 20), (3, None), True, ""),
        ((3, 20), (2, None), True, "HiGHS misses a legal turn"),
        ((3, 20), (3, 21), True, "ours is less"),
        ((3, 20), (3, 20), False, "ours is not legal"),
    ],
)
def test_who_is_wrong_where_answers_differ(
    ours: tuple[int, int], theirs: tuple[int, int | None], legal: bool, told: str
) -> None:
    line = {
        "ours": dict(zip(("tiles", "value"), ours, strict=True)),
        "peer": dict(zip(("tiles", "value"), theirs, strict=True)),
        "legal": legal,
    }
    text = solver.difference({}, line, "HiGHS")
    assert text.startswith(told)
    assert bool(text) == bool(told)


def test_row_templates_are_rows() -> None:
    read = reader(CLASSIC).readings
    templates = [tuple(sorted(row.elements())) for row in peers.row_templates()]
    assert len(templates) == len({*templates}) == 1173
    assert all(read(row) for row in templates if JOKER not in row)


@pytest.mark.parametrize("kind", positions.KINDS)
def test_positions_come_from_their_seed_and_can_be_written_down(kind: str) -> None:
    drawn = positions.draw(kind, 1, 3)
    assert drawn == positions.draw(kind, 1, 3)
    for position in drawn:
        read = reader(position.edition).readings
        assert position.rack
        assert all(read(faces_of(row)) for row in position.table)
        again = positions.as_position(json.loads(json.dumps(positions.as_item(position))))
        assert positions.as_item(again) == positions.as_item(position)


def test_dense_tables_are_dense() -> None:
    for position in positions.draw("dense", 2, 5):
        assert 80 <= sum(map(len, position.table)) <= 92


# The server

METRICS = """
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total {cpu}
# TYPE tilerummy_commands_total counter
tilerummy_commands_total{{kind="play",outcome="done"}} {plays}
tilerummy_commands_total{{kind="draw",outcome="done"}} 10.0
tilerummy_commands_total{{kind="draw",outcome="refused"}} 7.0
tilerummy_commands_total{{kind="seed",outcome="done"}} 4.0
"""


def a_run(name: str, rate: float, **more: Any) -> server.Run:
    told = {"median": 1.0, "p90": 2.0, "p99": 3.0, "max": 4.0}
    figures = {"rooms": 2, "moves": 9, "moves_per_second": rate, "all_told_ms": told, "games": 1}
    return server.Run.of(name, {**figures, **more}, 0.5)


def test_a_server_tells_its_moves_and_its_processor_time() -> None:
    before = server.Moment.read(METRICS.format(cpu=1.0, plays=30.0))
    after = server.Moment.read(METRICS.format(cpu=1.25, plays=80.0))
    assert before == (40, 1.0)
    assert before.cpu_ms_until(after) == 5.0
    assert before.cpu_ms_until(before) is None


def test_the_raised_limits_are_settings_of_the_server() -> None:
    raised = server.raised_limits()
    assert unknown_variables(raised) == []
    limits = read_settings({}, raised).limits
    assert limits.connections > 4 * server.CROWD
    assert limits.messages.per_second > 100_000


def test_moves_are_counted_in_the_file(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "store")) as database, database:
        database.execute("CREATE TABLE events (data BLOB)")
        for kind in ("created", "played", "drew", "said", "passed"):
            database.execute(
                "INSERT INTO events VALUES (?)", (json.dumps({"type": kind}).encode(),)
            )
    assert server.moves_kept(tmp_path / "store") == 3


def test_a_process_is_a_server_once_it_says_where_it_is(tmp_path: Path) -> None:
    says = "import time; print('at http://[::1]:1 and http://[::1]:2', flush=True); time.sleep(60)"
    with server.serving([sys.executable, "-c", says], {}, tmp_path) as (process, addresses):
        assert addresses == ["http://[::1]:1", "http://[::1]:2"]
        assert process.poll() is None
    assert process.poll() is not None


def test_a_server_that_does_not_start_is_reported_with_its_reasons(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no port')"]
    with pytest.raises(SystemExit, match="no port"), server.serving(command, {}, tmp_path):
        pass


def test_clients_answer_in_json_or_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(code: str) -> Any:
        return server.clients([sys.executable, "-c", code], {"ANSWER": '{"moves": 1}'}, 0)

    assert run("import os; print(os.environ['ANSWER'])") == {"moves": 1}
    with pytest.raises(SystemExit, match="code 3"):
        run("raise SystemExit(3)")
    monkeypatch.setattr(server, "PATIENCE", 0.1)
    with pytest.raises(SystemExit, match="did not come to an end"):
        run("import time; time.sleep(60)")


def test_rates_and_ratios_are_printed_with_their_goals(capsys: pytest.CaptureFixture[str]) -> None:
    runs = {
        server.SQLITE: server.best([a_run(server.SQLITE, 900), a_run(server.SQLITE, 1800)]),
        server.MEMORY: a_run(server.MEMORY, 1200),
        server.FLATFILE: a_run(server.FLATFILE, 400),
    }
    assert server.ratios(runs) == {server.MEMORY: 1.5, server.FLATFILE: 4.5}
    server.show_rates(server.Size(2, 1), runs)
    server.show_ratios(runs)
    printed = capsys.readouterr().out
    assert "goal: 1,500 moves/s" in printed
    assert "1.50 times  (goal 1.2); by CPU 1.00 times" in printed
    assert "4.50 times  (goal 4)" in printed


@pytest.mark.parametrize(("kept", "told"), [(9, "all of them are in"), (7, "2 are NOT in")])
def test_moves_that_are_not_kept_are_reported(
    kept: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = replace(a_run(server.SQLITE, 900, refused=1), answered=9, kept=kept)
    server.show_kept([run])
    printed = capsys.readouterr().out
    assert told in printed
    assert "1 commands of ours were refused" in printed


def test_without_a_peer_ours_is_measured_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "missing_peer", lambda: "there is no Node.js")
    monkeypatch.setattr(server, "measure_ours", lambda size: a_run(server.SQLITE, 1000))
    server.main(["--quick", "--json"])
    printed = capsys.readouterr()
    assert "Nothing is compared with boardgame.io: there is no Node.js" in printed.err
    figures = json.loads(printed.out)
    assert [run["name"] for run in figures["saturated"]] == [server.SQLITE]
    assert figures["ratios"] == {}


def test_our_server_is_started_measured_and_killed() -> None:
    run = server.measure_ours(server.Size(2, 1.0, warm_up=0.2))
    assert run.moves > 0
    assert run.kept >= run.answered >= run.moves


def test_two_nodes_share_what_they_are_measured_by() -> None:
    run = cluster.measure(2, server.Size(2, 1.0, warm_up=0.2))
    assert run.name == "2 nodes"
    assert run.moves > 0
    assert run.refused == 0
