"""The page says the sentences for the steps of a turn as the terminal does.

Those are written here and compared by `web/tests/table/tellings.test.ts`.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.page import tellings
from tilerummy.locales import catalogue
from tilerummy.rules.editions import EDITIONS
from tools import pagefiles
from tools.page import prepare

POSITIONS, MIXTURES = 8, 150
SOAK_ROUNDS = int(os.environ.get("SOAK_ROUNDS", "10"))
NAMES = {"numbers", "run", "row", "rest", "group", "group-told"}
"""Messages that name tiles and rows but are not sentences."""
PIECES = {"joker", "between-numbers", "counted"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the tests of the page find the sentences of the terminal."""
    found = tmp_path / "tellings.jsonl"
    monkeypatch.setenv("TILERUMMY_TELLINGS", str(found))
    return found


def compare() -> None:
    pagefiles.write()
    prepare().run("vitest", "run", "tests/table/tellings.test.ts")


def test_steps_are_told_as_in_the_terminal(path: Path) -> None:
    cases = tellings.write(path, "sample", POSITIONS, MIXTURES)
    assert {case["edition"] for case in cases} == {*EDITIONS}
    told = [step for case in cases for step in case["told"]]
    assert sum("texts" in step for step in told) > len(told) / 3
    words = {key[5:] for key in catalogue("en").messages if key.startswith("step.")}
    said = [step["step"]["say"] for step in told]
    sentences = {each["key"].removeprefix("step.") for each in said}
    names = {named["how"] for each in said for named in each["names"].values()}
    assert (sentences, names) == (words - NAMES - PIECES, NAMES | {"tiles", "rest-numbers"}), (
        "nothing is proved of what is never told"
    )
    compare()


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SOAK_ROUNDS))
def test_steps_of_many_turns_are_told_as_in_the_terminal(number: int, path: Path) -> None:
    seed = f"{number} {random.random()}"
    print("seed", seed)
    tellings.write(path, seed, 2 * POSITIONS, 4 * MIXTURES)
    compare()
