"""`tilerummy replay` shows a record, `tilerummy verify` checks it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilerummy.bots.seats import play_match
from tilerummy.bots.simple import SimpleBot
from tilerummy.cli.main import app
from tilerummy.play.commands import CancelDeal, Commit, FixCommitments, Start
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.driver import MatchDriver
from tilerummy.play.events import Event
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.play.notation import to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.rules.editions import CLASSIC, EDITIONS
from tilerummy.solver.turns.best_turn import can_play

run = CliRunner().invoke


@pytest.fixture(scope="module", params=EDITIONS)
def driver(request: pytest.FixtureRequest) -> MatchDriver:
    """A whole match of bots in each edition."""
    rng, rules = random.Random(11), EDITIONS[request.param]
    driver = MatchDriver(Match(rules, ("Ann", "Ben")), can_play)
    play_match(driver, [SimpleBot(), SimpleBot()], lambda: rng.randbytes(32).hex())
    return driver


@pytest.fixture
def text_file(driver: MatchDriver, tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    path.write_text(to_text(driver.record), "utf-8")
    return path


def test_a_played_match_holds_in_both_formats(
    driver: MatchDriver, text_file: Path, tmp_path: Path
) -> None:
    lines = tmp_path / "match.jsonl"
    lines.write_text(to_jsonl(driver.record), "utf-8")
    for path in (text_file, lines):
        result = run(app, ["verify", str(path), "--lang", "en"])
        assert result.exit_code == 0, result.output
        assert "holds" in result.output


def test_replay_shows_every_turn_and_the_standing(driver: MatchDriver, text_file: Path) -> None:
    result = run(app, ["replay", str(text_file), "--lang", "en"])
    assert result.exit_code == 0, result.output
    assert result.output.count("Ann starts.") + result.output.count("Ben starts.") == len(
        driver.record.games
    )
    for total in driver.match.standing.totals:
        assert str(abs(total)) in result.output


def test_one_turn_is_shown_with_all_racks(text_file: Path) -> None:
    result = run(app, ["replay", str(text_file), "--game", "1", "--turn", "3", "--lang", "en"])
    assert result.exit_code == 0
    assert "Ann:" in result.output
    assert "left in the pool" in result.output


def test_replay_speaks_chinese(text_file: Path) -> None:
    assert "第 1 局" in run(app, ["replay", str(text_file), "--lang", "zh-Hans"]).output
    assert "無誤" in run(app, ["verify", str(text_file), "--lang", "zh-Hant"]).output


def test_stepping_waits_for_enter_and_leaves_on_q(text_file: Path) -> None:
    result = run(app, ["replay", str(text_file), "--step"], input="\n\nq\n")
    assert result.exit_code == 0
    assert "   3  " in result.output
    assert "   4  " not in result.output


def test_a_changed_score_does_not_hold(text_file: Path) -> None:
    text = text_file.read_text("utf-8")
    start = text.index(", scores ") + len(", scores ")
    end = text.index("\n", start)
    first, second = text[start:end].split()
    text_file.write_text(f"{text[:start]}{int(first) + 1} {int(second) - 1}{text[end:]}", "utf-8")
    result = run(app, ["verify", str(text_file), "--lang", "en"])
    assert result.exit_code == 1
    assert "is not valid" in result.output
    assert ": the game didn't end with this result." in result.output
    assert "but the rules give" in result.output
    in_chinese = run(app, ["verify", str(text_file), "--lang", "zh-Hant"])
    assert "：這一局的結果與依規則算出的不符。" in in_chinese.output


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"hello\n",
        b"{}\n",
        b"[1]\n",
        b"Tile Rummy record, schema 9\n",
        b"\x00" * 50,
    ],
)
def test_garbage_is_a_clear_error(command: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(content)
    result = run(app, [command, str(path)])
    assert result.exit_code == 2
    assert result.stderr.startswith("tilerummy: ")
    assert path.read_bytes() == content


def test_a_truncated_record_is_noticed(text_file: Path) -> None:
    data = text_file.read_bytes()
    for size in (len(data) // 3, len(data) // 2, len(data) - 2):
        text_file.write_bytes(data[:size])
        result = run(app, ["verify", str(text_file)])
        assert result.exit_code == 2, result.output


@pytest.mark.parametrize("names", [("[/]", "[bold]x"), (":smile:", "陳大文")])
def test_names_are_shown_as_they_are(names: tuple[str, str], tmp_path: Path) -> None:
    rng = random.Random(3)
    driver = MatchDriver(Match(EDITIONS["sabra"], names), can_play)
    play_match(driver, [SimpleBot(), SimpleBot()], lambda: rng.randbytes(32).hex())
    path = tmp_path / "odd.txt"
    path.write_text(to_text(driver.record), "utf-8")
    for command in ("replay", "verify"):
        result = run(app, [command, str(path), "--lang", "en"])
        assert result.exit_code == 0, result.output
    assert all(name in run(app, ["replay", str(path)]).output for name in names)


def test_names_that_would_upset_a_screen_are_refused(text_file: Path) -> None:
    text = text_file.read_text("utf-8").replace('"Ann"', '"\\u001b[2J"')
    text_file.write_text(text, "utf-8")
    result = run(app, ["replay", str(text_file)])
    assert result.exit_code == 2
    assert "control character" in result.stderr


def test_a_match_that_is_not_over_is_said_so(driver: MatchDriver, tmp_path: Path) -> None:
    path = tmp_path / "early.txt"
    path.write_text(to_text(replace(driver.record, rounds=9)), "utf-8")
    assert "The match is not over" in run(app, ["verify", str(path), "--lang", "en"]).output


def test_a_missing_file_and_a_folder_are_clear_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        result = run(app, ["verify", str(path)])
        assert result.exit_code == 2
        assert "cannot read" in result.stderr


def test_a_game_or_turn_that_is_not_there_is_a_clear_error(text_file: Path) -> None:
    assert "no game 99" in run(app, ["replay", str(text_file), "--game", "99"]).stderr
    assert "no turn 9999" in run(app, ["replay", str(text_file), "--turn", "9999"]).stderr


def said(command: str, path: Path) -> str:
    result = run(app, [command, str(path), "--lang", "en"])
    assert result.exit_code == 0, result.output
    return result.output


def test_verify_says_who_took_no_part_in_the_shuffle(tmp_path: Path) -> None:
    game, created = Game.create(CLASSIC, ("Ann", "Ben"), secret="ab" * 32, now=0)
    events: list[Event] = [*created]
    made = seat_commitment(game.transcript, 1, "5eed" * 8)
    commands = (Commit(1, made), FixCommitments(), CancelDeal("cd" * 32), FixCommitments((0,)))
    for command in (*commands, Start()):
        game, more = game.apply(command, 0, can_play)
        events += more
    record = Record.of(Match(CLASSIC, ("Ann", "Ben"))).with_events(tuple(events))
    path = tmp_path / "cancelled.txt"
    path.write_text(to_text(record), "utf-8")
    output = said("verify", path)
    assert "Game 1: a deal was cancelled. Seed not revealed by: Ben." in output
    assert "Game 1: no seed of their own: Ben." in output
    assert "Game 1: seeds from the dealer's device: Ann." in output
    assert "A deal was cancelled. Seed not revealed by: Ben." in said("replay", path)
    old = Path(__file__).parents[1] / "data" / "schema2" / "classic.txt"
    assert "Game 2: dealt by shuffle version 1" in said("verify", old)


@pytest.mark.parametrize(
    ("language", "names"), [("en", ("Rookie", "Rookie 2")), ("zh-Hans", ("新手", "新手 2"))]
)
@pytest.mark.parametrize("players", [("Simple", "Simple 2"), ("Simple 1", "Simple 2")])
def test_bots_have_their_names_in_the_language_of_the_reader(
    players: tuple[str, str], language: str, names: tuple[str, str], tmp_path: Path
) -> None:
    driver = MatchDriver(Match(CLASSIC, players), can_play)
    driver.new_game("5a" * 32, 0)
    path = tmp_path / "bots.jsonl"
    path.write_text(to_jsonl(driver.record), encoding="utf-8")
    shown = run(app, ["replay", str(path), "--lang", language]).output
    assert all(name in shown for name in names)
    assert "Simple" not in shown
