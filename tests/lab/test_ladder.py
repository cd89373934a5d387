"""The ladder: which games measure it, and how a file of strengths goes out of date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.lab.results import game
from tilerummy.bots.roster import BOTS
from tilerummy.cli.main import app
from tilerummy.lab.errors import LabError
from tilerummy.lab.ladder import ladder_line_ups, outdated_bots, strengths_of
from tilerummy.lab.tournament import DealResult, Tournament
from tilerummy.rules.editions import edition

QUICK = ("--bots", "simple,solver", "--editions", "taiwan", "--games", "2", "--workers", "1")


def test_each_bot_meets_the_one_below_it_and_the_yardstick() -> None:
    found = ladder_line_ups(("hare", "owl", "heron"), "owl", 3)
    assert found == (("owl", "hare", "hare"), ("heron", "owl", "owl"), ("hare", "owl", "owl"))


def test_a_bot_that_searches_stands_below_none() -> None:
    found = ladder_line_ups(("heron", "master", "hold"), "heron", 2)
    assert found == (("master", "heron"), ("hold", "heron"))


def test_a_ladder_of_one_bot_is_refused() -> None:
    with pytest.raises(LabError, match="two different bots"):
        ladder_line_ups(("owl",), "owl", 2)


def test_a_strength_is_the_share_of_wins_alone() -> None:
    plan = Tournament(edition("taiwan"), (("solver", "simple", "simple"),), True)
    one = game("xyy", (4, -2, -2))._replace(players=("solver", "simple", "simple"))
    two = game("yyx", (4, -2, -2))._replace(players=("simple", "simple", "solver"))
    (found,) = strengths_of(plan, [DealResult(0, 0, (one, two)), DealResult(1, 0, (one, one))])
    assert (found.bot, found.against, found.games) == ("solver", "simple", 4)
    assert found.wins.mean == 0.75


def test_a_bot_that_plays_differently_is_outdated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "strengths.json"
    command = ["lab", "ladder", str(path), *QUICK, "--keep", str(tmp_path / "runs")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.stderr
    again = tmp_path / "again.json"
    CliRunner().invoke(app, ["lab", "ladder", str(again), *QUICK])
    assert again.read_bytes() == path.read_bytes()
    assert {run.name for run in (tmp_path / "runs").iterdir()} == {
        "taiwan-2.jsonl",
        "taiwan-4.jsonl",
    }
    data = json.loads(path.read_text("utf-8"))
    assert [(part["edition"], part["players"]) for part in data["measured"]] == [
        ("taiwan", 2),
        ("taiwan", 4),
    ]
    assert outdated_bots(data) == []
    assert data["search_every"] == 1
    monkeypatch.setitem(BOTS, "other", BOTS["solver"])
    data["measured"][0]["bots"]["other"] = data["measured"][0]["bots"]["simple"]
    assert outdated_bots(data) == ["taiwan/other"]


def test_an_edition_is_left_out_where_it_has_no_such_table(tmp_path: Path) -> None:
    path = tmp_path / "strengths.json"
    command = ["lab", "ladder", str(path), *QUICK, "--editions", "taiwan,sixplayer"]
    result = CliRunner().invoke(app, [*command, "--players", "2,6"])
    assert result.exit_code == 0, result.stderr
    data = json.loads(path.read_text("utf-8"))
    found = [(part["edition"], part["players"]) for part in data["measured"]]
    assert found == [("taiwan", 2), ("sixplayer", 2), ("sixplayer", 6)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "two"], "--players takes numbers"),
        (["--players", "9"], "players, not 9"),
        (["--against", "nobody"], "there is no bot 'nobody'"),
        (["--editions", "chess"], "chess"),
    ],
)
def test_an_error_says_what_to_do(tmp_path: Path, arguments: list[str], said: str) -> None:
    path = tmp_path / "strengths.json"
    command = ["lab", "ladder", str(path), *QUICK, *arguments, "--lang", "en"]
    result = CliRunner().invoke(app, command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert not path.exists()
