"""The program of `docs/fairness.md` gives racks and pool of real records, and finds lies."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.play.invariants import record_of
from tests.play.wild import wild_game
from tilerummy.play.events import Cancelled, Dealt
from tilerummy.play.notation import load
from tilerummy.play.record import Record, to_jsonl
from tilerummy.rules.editions import edition
from tilerummy.rules.tiles import tile_texts

ROOT = Path(__file__).parent.parent
MOST_LINES = 50


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    text = (ROOT / "docs" / "fairness.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(code.splitlines()) <= MOST_LINES
    assert "tilerummy" not in "".join(re.findall(r"^\s*(?:import|from) .*$", code, re.MULTILINE))
    path = tmp_path_factory.mktemp("stranger") / "check.py"
    path.write_text(code, "utf-8")
    return path


def run(program: Path, text: str) -> subprocess.CompletedProcess[str]:
    path = program.with_name("record.jsonl")
    path.write_text(text, "utf-8")
    # Isolated: the package cannot be imported by accident.
    command = [sys.executable, "-I", "-X", "utf8", str(program), str(path)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def wanted(record: Record) -> list[str]:
    lines = []
    for number, game in enumerate(record.games, 1):
        (dealt,) = (event for event in game if isinstance(event, Dealt))
        racks = " ".join(str(sorted(tile_texts(rack))) for rack in dealt.racks)
        lines.append(f"game {number} racks {racks} pool {tile_texts(dealt.pool)}")
    return lines


@pytest.mark.parametrize("name", ["classic.txt", "sabra.txt", "house.jsonl"])
def test_a_stranger_gets_the_same_racks_and_pool(name: str, program: Path) -> None:
    record = load((ROOT / "tests" / "golden" / name).read_text("utf-8"))
    found = run(program, to_jsonl(record))
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == wanted(record)


def cancelled_record() -> Record:
    """A game with redeals and a cancelled deal, in which somebody revealed a seed."""
    rules = edition("classic", {"tournament.redeal_doubles": 1, "hand_size": 5})
    for number in range(1000):
        wild = wild_game(random.Random(f"stranger {number}"), rules, mischief=0.0)
        for _ in wild.steps():
            if not wild.game.is_waiting:
                break
        if wild.game.cancelled and "own" in wild.game.sources:
            return record_of(wild)
    raise AssertionError("no deal was cancelled")


def test_a_stranger_sees_that_a_cancelled_deal_is_hidden(program: Path) -> None:
    record = cancelled_record()
    found = run(program, to_jsonl(record))
    assert found.stdout.splitlines() == wanted(record), found.stderr
    head, *events = map(json.loads, to_jsonl(record).splitlines())
    (first, *_) = (n for n, event in enumerate(events) if event["type"] == Cancelled.type)
    again = {key: events[first][key] for key in ("secret", "commitment")}
    hidden = [head, {**events[0], **again}, *events[first + 1 :]]
    found = run(program, "".join(json.dumps(line) + "\n" for line in hidden))
    assert found.returncode != 0
    assert "commitment" in found.stderr


def test_a_stranger_sees_that_tiles_are_swapped(program: Path) -> None:
    record = load((ROOT / "tests" / "golden" / "classic.txt").read_text("utf-8"))
    lines = [json.loads(line) for line in to_jsonl(record).splitlines()]
    dealt = next(line for line in lines[1:] if line["type"] == "dealt")
    dealt["racks"][0][0], dealt["pool"][0] = dealt["pool"][0], dealt["racks"][0][0]
    found = run(program, "".join(json.dumps(line) + "\n" for line in lines))
    assert found.returncode != 0
    assert "the tiles" in found.stderr


def test_a_stranger_learns_that_an_older_record_has_another_shuffle(program: Path) -> None:
    older = ROOT / "tests" / "data" / "schema2" / "house.jsonl"
    found = run(program, older.read_text("utf-8"))
    assert found.returncode != 0
    assert "tilerummy verify" in found.stderr
