"""`tilerummy lab tournament`, `stats` and `dataset`, as they are typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tilerummy.bots.roster import BOTS
from tilerummy.cli.lab.runs import clock_text
from tilerummy.cli.main import app
from tilerummy.lab.run_file import read_results
from tilerummy.locales import LANGUAGES, catalogue

QUICK = ("--bots", "solver,simple", "--edition", "taiwan", "--games", "4", "--workers", "1")
PROGRAM = "from tilerummy.cli.main import run; run()"


def lab(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["lab", *arguments], env={"COLUMNS": "100"})


def test_a_tournament_as_a_table() -> None:
    result = lab("tournament", *QUICK, "--lang", "en")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "Tournament: Taiwan, 2 players, seed 1",
        "4 games: 2 deals, each in every seating.",
    ]
    assert re.search(
        r"^ *solver +[\d.]+ % +[\d.–]+ +[+-][\d.]+ ± [\d.]+ +[\d.]+ ± ", "\n".join(lines), re.M
    )
    assert "Among equals everyone wins 50.0 %." in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_all_parts(language: str) -> None:
    words = catalogue(language)
    shown = lab("tournament", *QUICK, "--pairs", "--lang", language).stdout
    for key in ("fair", "cross-two", "intervals", "turns-title", "places-title", "ends-title"):
        assert words.text(f"lab.{key}", share="50.0 %") in shown


def test_the_json_and_the_report_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    pages = []
    outputs = []
    for number in range(2):
        page = tmp_path / f"{number}.html"
        result = lab("tournament", *QUICK, "--json", "--report", str(page))
        assert result.exit_code == 0, result.stderr
        outputs.append(result.stdout)
        pages.append(page.read_bytes())
    assert outputs[0] == outputs[1]
    assert pages[0] == pages[1]
    assert json.loads(outputs[0])["games"] == 4


def test_more_games_go_on_with_the_file_and_fewer_use_its_beginning(tmp_path: Path) -> None:
    run = str(tmp_path / "run.jsonl")
    four = lab("tournament", *QUICK, "--json", "--file", run).stdout
    assert len(read_results(Path(run))) == 2
    lab("tournament", *QUICK, "--games", "6", "--file", run)
    assert len(read_results(Path(run))) == 3
    assert lab("tournament", *QUICK, "--json", "--file", run).stdout == four
    assert len(read_results(Path(run))) == 3


def test_one_against_three() -> None:
    data = json.loads(lab("tournament", *QUICK, "--pairs", "--players", "4", "--json").stdout)
    assert data["tournament"]["line_ups"] == [
        ["solver", *["simple"] * 3],
        ["simple", *["solver"] * 3],
    ]
    assert (data["deals"], data["games"], data["fair_share"]) == (1, 8, 0.25)
    assert {(cell["bot"], cell["against"]) for cell in data["pairs"]} == {
        ("solver", "simple"),
        ("simple", "solver"),
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "solver,nobody"], "there is no bot 'nobody': choose from simple, solver"),
        (["--bots", "solver"], "2 to 4 players, not 1: name as many bots"),
        (["--bots", "solver,simple", "--players", "3"], "--players goes with --pairs"),
        (["--bots", "solver,solver", "--pairs"], "two different bots"),
        (["--bots", "solver,simple", "--pairs", "--players", "9"], "players, not 9"),
        (["--bots", "solver,simple", "--report", "no/such/page.html"], "is not a directory"),
        (["--bots", "solver,simple", "--file", "no/such/run.jsonl"], "cannot use"),
    ],
)
def test_an_error_says_what_to_do(arguments: list[str], said: str) -> None:
    result = lab("tournament", *arguments, "--lang", "en")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said.partition(": choose")[0] in result.stderr
    if "choose" in said:
        assert all(bot in result.stderr for bot in BOTS)


def test_a_report_replaces_no_file_unless_it_is_forced(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("mine")
    result = lab("tournament", *QUICK, "--report", str(page), "--lang", "en")
    assert result.exit_code == 2
    assert "already exists" in result.stderr
    assert page.read_text() == "mine"
    assert lab("tournament", *QUICK, "--report", str(page), "--force").exit_code == 0
    assert page.read_text().startswith("<!doctype html>")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    result = lab("tournament", *QUICK, "--lang", "en")
    assert result.exit_code == 1
    assert "pip install 'tilerummy[lab]'" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_run_that_is_stopped_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    files = ("--file", str(path), "--lang", "en")
    command = [sys.executable, "-c", PROGRAM, "lab", "tournament", *QUICK, "-g", "100000", *files]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while run.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") > 1):
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGTERM)
    _, said = run.communicate()
    assert run.returncode == 128 + signal.SIGTERM
    assert f"The finished deals are in {path}: run the same command again" in said
    assert read_results(path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
def test_a_terminal_sees_the_games_and_the_time_left() -> None:
    import pty

    ours, theirs = pty.openpty()
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, "lab", "tournament", *QUICK, "--json", "--lang", "en"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        check=True,
    )
    seen = os.read(ours, 65536).decode()
    os.close(theirs)
    os.close(ours)
    assert json.loads(run.stdout)["games"] == 4
    assert "of 4 games" in seen
    assert " left" in seen


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (67.4, "1:07"), (3599.6, "1:00:00"), (3723, "1:02:03")]
)
def test_the_time_left_reads_as_on_a_clock(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record as text, one as JSON Lines, a run, and a file that is none of them."""
    folder = tmp_path_factory.mktemp("records")
    (folder / "deep").mkdir()
    for name in ("match.txt", "deep/match.jsonl"):
        players = ("--players", "bot:solver,bot:solver", "--edition", "taiwan", "--seed", "ab")
        auto = ["play", "--auto", *players, "--record", str(folder / name)]
        assert CliRunner().invoke(app, auto).exit_code == 0
    lab("tournament", *QUICK, "--file", str(folder / "run.jsonl"))
    (folder / "shopping.txt").write_text("milk\n")
    return folder


def test_the_statistics_of_a_folder(records: Path) -> None:
    result = lab("stats", str(records), "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert (data["files"], data["unfinished"]) == (3, 0)
    assert data["skipped"] == [str(records / "shopping.txt")]
    assert data["games"] == sum(data["ends"].values()) == 4 + 2 + 2
    assert len(data["places"]["2"]) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_statistics_as_a_table(records: Path, language: str) -> None:
    words = catalogue(language)
    result = lab("stats", str(records / "match.txt"), "--lang", language)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(words.text("lab.read", games=2, files=1))
    for key in ("turns-title", "opened-title", "places-title", "ends-title"):
        assert words.text(f"lab.{key}") in result.stdout


def test_statistics_need_a_finished_game(records: Path, tmp_path: Path) -> None:
    result = lab("stats", str(tmp_path), "--lang", "en")
    assert result.exit_code == 2
    assert "no finished game" in result.stderr
    named = lab("stats", str(records / "shopping.txt"), "--lang", "en")
    assert named.exit_code == 2
    assert lab("stats", str(tmp_path / "missing.txt"), "--lang", "en").exit_code == 2


def test_a_dataset_of_turns_and_of_games(tmp_path: Path) -> None:
    turns, games = tmp_path / "turns.jsonl", tmp_path / "games.jsonl"
    result = lab("dataset", str(turns), *QUICK, "--lang", "en")
    assert result.exit_code == 0, result.stderr
    rows = [json.loads(line) for line in turns.read_text("utf-8").splitlines()]
    assert result.stdout == f"{len(rows)} rows in {turns}.\n"
    lab("dataset", str(games), *QUICK, "--rows", "games")
    lines = [json.loads(line) for line in games.read_text("utf-8").splitlines()]
    assert len(lines) == 4
    assert sum(line["turns"] for line in lines) == len(rows)


def test_a_dataset_refuses_what_it_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    result = lab("dataset", str(path), *QUICK, "--rows", "cards", "--lang", "en")
    assert result.exit_code == 2
    assert "--rows is one of turns, games, not 'cards'" in result.stderr
    path.write_text("mine")
    assert lab("dataset", str(path), *QUICK).exit_code == 2
    assert path.read_text() == "mine"
