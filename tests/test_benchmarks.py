"""The benchmarks run; what they measure is nobody's test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import peers, positions, rules, solver
from tilerummy.rules.editions import CLASSIC, TWIST
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import JOKER


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


def test_a_missing_peer_is_told_with_the_command_that_installs_it(
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
        assert all(read(row) for row in position.table)
        again = positions.as_position(json.loads(json.dumps(positions.as_item(position))))
        assert positions.as_item(again) == positions.as_item(position)


def test_dense_tables_are_dense() -> None:
    for position in positions.draw("dense", 2, 5):
        assert 80 <= sum(map(len, position.table)) <= 92
