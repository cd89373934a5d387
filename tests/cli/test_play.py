"""`tilerummy play` from outside: matches without a screen, and what is wrong with the wishes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tilerummy.cli.main import app
from tilerummy.play.notation import load
from tilerummy.play.verification import verify
from tilerummy.rules.editions import EDITIONS


def play(*args: str, **env: str) -> Result:
    return CliRunner().invoke(app, ["play", *args], env={"LANG": "C", "COLUMNS": "120", **env})


def command(*args: str) -> subprocess.CompletedProcess[str]:
    start = "from tilerummy.cli.main import run; run()"
    program = [sys.executable, "-W", "error", "-c", start, "play", *args]
    environ = {**os.environ, "LANG": "C", "LC_ALL": "", "COLUMNS": "100"}
    return subprocess.run(program, capture_output=True, text=True, env=environ, check=False)


@pytest.mark.parametrize("name", EDITIONS)
def test_auto_plays_a_match_whose_record_holds(name: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    run = command("--auto", "--edition", name, "--seed", "abc", "--record", str(path))
    assert run.returncode == 0, run.stderr
    assert "Total" in run.stdout
    assert "Bot 3" in run.stdout
    record = load(path.read_text("utf-8"))
    assert record.edition == name
    assert record.match().is_over
    assert not verify(record)


def test_auto_records_as_text_where_the_name_says_so(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    args = ("--auto", "-e", "twist", "-p", "bot,bot", "-o", "hand_size=10", "--seed", "1")
    result = play(*args, "--record", str(path))
    assert result.exit_code == 0
    assert str(path) in result.stdout.replace("\n", "")
    assert not path.read_text("utf-8").startswith("{")
    assert not verify(load(path.read_text("utf-8")))


def test_the_same_seed_gives_the_same_match(tmp_path: Path) -> None:
    texts = []
    for name in ("one.jsonl", "two.jsonl"):
        args = ("--auto", "--players", "bot,bot", "--seed", "c0ffee", "--rounds", "2")
        assert play(*args, "--record", str(tmp_path / name)).exit_code == 0
        texts.append((tmp_path / name).read_text("utf-8"))
    assert texts[0] == texts[1]


def test_auto_calls_every_bot_a_bot_unless_it_has_a_name() -> None:
    shown = play("--auto", "--seed", "1").stdout
    assert "Player 1" not in shown
    assert "Bot 4" in shown
    shown = play("--auto", "--seed", "1", "--players", "Ann,bot").stdout
    assert "Ann" in shown
    assert "Bot 1" in shown


def test_help_names_the_default_edition() -> None:
    shown = " ".join(play("--help").stdout.replace("│", " ").split())
    assert "Default: classic." in shown


def test_auto_speaks_chinese() -> None:
    result = play("--auto", "--players", "bot,bot", "--seed", "1", "--lang", "zh-Hans")
    assert "机器人1" in result.stdout


@pytest.mark.parametrize(
    "options",
    [
        ["timer.seconds=1"],
        ["timer.seconds=0"],
        ["strict_submit=true"],
        ["draw.mode=until_playable"],
        ["joker.declare=explicit"],
        ["empty_pool.pass=forced_if_able", "empty_pool.end=final_round"],
        ["initial.same_turn_manipulation=true", "joker.locked_sets=true"],
        ["match.next_starter=winner", "direction=ccw", "match.final_tie=extra_game"],
        ["hand_size=20", "initial.min=0", "jokers=J0"],
    ],
    ids=" ".join,
)
def test_auto_keeps_any_house_rules(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    flags = [part for option in options for part in ("--option", option)]
    result = play("--auto", "--players", "bot,bot", *flags, "--record", str(path))
    assert result.exit_code == 0, result.output
    assert not verify(load(path.read_text("utf-8")))


def test_a_record_is_never_overwritten_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("mine", encoding="utf-8")
    result = play("--auto", "--record", str(path))
    assert result.exit_code == 2
    assert "already exists" in result.stderr
    assert path.read_text("utf-8") == "mine"
    assert play("--auto", "--players", "bot,bot", "--record", str(path), "--force").exit_code == 0
    assert not verify(load(path.read_text("utf-8")))
    assert os.listdir(tmp_path) == ["precious.txt"]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--players", "Ann"], "classic is for 2 to 4 players, not 1"),
        (["--players", "Ann,,Ben"], "a player needs a name"),
        (["--players", "Ann,ann"], "two players are called"),
        (["--players", f"{'x' * 41},Ben"], "give it 1 to 24"),
        (["--clock", "soon"], "--clock takes a number of seconds or off"),
        (["--clock", "999999"], "timer.seconds cannot be"),
        (["--seed", "xyz"], "not hexadecimal"),
        (["--edition", "chess"], "unknown edition"),
        (["--option", "joker.rack_penalty"], "write joker.rack_penalty=VALUE"),
        (["--rounds", "0"], "0 rounds"),
        (["--lang", "fr"], "unknown language"),
        (["--record", "no/such/place.txt"], "is not a directory"),
    ],
)
def test_wishes_that_cannot_be_are_refused_in_a_line(args: list[str], complaint: str) -> None:
    result = play("--auto", *args)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.output


def test_without_a_terminal_the_way_out_is_named() -> None:
    run = command()
    assert run.returncode == 2
    assert "--auto" in run.stderr


def test_without_textual_the_command_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tilerummy.cli.play.find_spec", lambda name: None)
    result = play()
    assert result.exit_code == 2
    assert 'pip install "tilerummy[tui]"' in result.stderr
    assert play("--auto", "--players", "bot,bot").exit_code == 0


def test_a_match_without_a_screen_never_loads_textual() -> None:
    program = (
        "import sys; sys.modules['textual'] = None\n"
        "from tilerummy.cli.main import app\n"
        "app(['play', '--auto', '--players', 'bot,bot', '--seed', '1'])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
