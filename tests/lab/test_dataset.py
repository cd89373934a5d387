"""Datasets: the same rows as JSON Lines and as Parquet, and true ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tilerummy.lab.dataset import game_rows, turn_rows, write_dataset
from tilerummy.lab.tournament import Task, Tournament
from tilerummy.play.event_json import from_dict
from tilerummy.play.game import Game
from tilerummy.rules.editions import edition

RULES = edition("taiwan", {"joker.rack_penalty": 25})
PLAN = Tournament(RULES, (("solver", "simple"),), seed=2)
TASK = Task(0, 0)


def test_a_row_for_each_turn_with_what_came_of_it() -> None:
    rows, games = turn_rows(PLAN, TASK), PLAN.play(TASK).games
    assert len(rows) == sum(summary.turns for summary in games)
    for seating, summary in enumerate(games):
        own = [row for row in rows if row["seating"] == seating]
        scores = dict(zip(summary.players, summary.scores, strict=True))
        winners = {summary.players[place] for place in summary.winners}
        assert [row["turn"] for row in own] == [*range(1, summary.turns + 1)]
        for row in own:
            assert row["score"] == scores[row["bot"]]
            assert row["won"] == (row["bot"] in winners)
            assert row["rack_sizes"][row["seat"]] == len(row["rack"])
            if row["action"] == "played":
                assert {*row["tiles"]} <= {*row["rack"]}
                laid = {tile for line in row["table_after"] for tile in line}
                assert laid == {tile for line in row["table"] for tile in line} | {*row["tiles"]}
            else:
                assert row["table_after"] is None


def test_the_events_of_a_game_give_the_game_again() -> None:
    for row in game_rows(PLAN, TASK):
        game = Game.fold(from_dict(event) for event in json.loads(json.dumps(row["events"])))
        assert game.edition == edition(row["edition"], row["options"])
        assert game.result is not None
        assert [*game.result.scores] == row["scores"]
        assert [*game.result.winners] == row["winners"]
        assert row["turns"] == game.turn - 1


def test_json_lines_hold_the_rows(tmp_path: Path) -> None:
    rows = turn_rows(PLAN, TASK)
    path = tmp_path / "turns.jsonl"
    assert write_dataset(path, "turns", rows) == len(rows)
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == rows
    assert [*tmp_path.iterdir()] == [path]


READ = (
    "import json, sys, pyarrow.parquet as parquet;"
    "json.dump(parquet.read_table(sys.argv[1]).to_pylist(), sys.stdout)"
)


@pytest.mark.parametrize("kind", ["turns", "games"])
def test_parquet_holds_the_same_rows(tmp_path: Path, kind: str) -> None:
    rows = turn_rows(PLAN, TASK) if kind == "turns" else game_rows(PLAN, TASK)
    path = tmp_path / "rows.parquet"
    assert write_dataset(path, "turns" if kind == "turns" else "games", rows) == len(rows)
    run = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, check=True)
    found = json.loads(run.stdout)
    for row in found:
        for column in {"options", "events"} & {*row}:
            row[column] = json.loads(row[column])
    assert found == json.loads(json.dumps(rows))


def test_a_file_that_was_not_finished_is_not_there(tmp_path: Path) -> None:
    def failing() -> object:
        yield from turn_rows(PLAN, TASK)[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path / "turns.jsonl", "turns", failing())  # type: ignore[arg-type]
    assert [*tmp_path.iterdir()] == []
