"""The page's preview of rows and turns says what the referee says.

The verdicts are asked for here and compared by `web/tests/game/verdicts.test.ts`.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.page import verdicts
from tools.page import prepare

ROWS, TURNS = 20_500, 3_000
SOAK_ROUNDS = int(os.environ.get("SOAK_ROUNDS", "10"))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tests of the page look for verdicts."""
    found = tmp_path / "verdicts.jsonl"
    monkeypatch.setenv("TILERUMMY_VERDICTS", str(found))
    return found


def compare() -> None:
    prepare().run("vitest", "run", "tests/game/verdicts.test.ts")


def test_rows_and_turns_are_judged_as_by_the_referee(path: Path) -> None:
    rows, turns = verdicts.write(path, "sample", ROWS, TURNS)
    assert rows >= 20_000
    assert turns >= 3_000
    compare()


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SOAK_ROUNDS))
def test_many_rows_and_turns_are_judged_as_by_the_referee(number: int, path: Path) -> None:
    seed = f"{number} {random.random()}"
    print("seed", seed)
    verdicts.write(path, seed, 5 * ROWS, 5 * TURNS)
    compare()
