"""The page and the terminal describe the steps of a turn in the same sentences.

The terminal's are written here and compared by `web/tests/table/stepTexts.test.ts`.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.page import step_texts
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
    found = tmp_path / "step_texts.jsonl"
    monkeypatch.setenv("TILERUMMY_STEP_TEXTS", str(found))
    return found


def compare() -> None:
    pagefiles.write()
    prepare().run("vitest", "run", "tests/table/stepTexts.test.ts")


def test_steps_read_as_in_the_terminal(path: Path) -> None:
    cases = step_texts.write(path, "sample", POSITIONS, MIXTURES)
    assert {case["edition"] for case in cases} == {*EDITIONS}
    steps = [step for case in cases for step in case["steps"]]
    assert sum("texts" in step for step in steps) > len(steps) / 3
    words = {key[5:] for key in catalogue("en").messages if key.startswith("step.")}
    said = [step["step"]["say"] for step in steps]
    sentences = {each["key"].removeprefix("step.") for each in said}
    names = {named["how"] for each in said for named in each["names"].values()}
    assert (sentences, names) == (words - NAMES - PIECES, NAMES | {"tiles", "rest-numbers"}), (
        "every sentence and every name must occur"
    )
    compare()


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SOAK_ROUNDS))
def test_steps_of_many_turns_read_as_in_the_terminal(number: int, path: Path) -> None:
    seed = f"{number} {random.random()}"
    print("seed", seed)
    step_texts.write(path, seed, 2 * POSITIONS, 4 * MIXTURES)
    compare()
