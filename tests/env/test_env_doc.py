"""The programs of `docs/env.md` run, and the example learns."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilerummy.env import raw_env
from tilerummy.env.observation import VIEW_FIELDS
from tilerummy.lab.dataset import game_rows, write_dataset
from tilerummy.lab.tournament import Task, Tournament
from tilerummy.play.events import Drew, Passed, Played
from tilerummy.rules.editions import edition

train_agent: Any = import_module("examples.train_agent")
DOCUMENT = (Path(__file__).parents[2] / "docs" / "env.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_programs_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(block, names)
    assert int(capsys.readouterr().out) >= 18

    plan = Tournament(edition("taiwan"), (("solver", "simple"),), seed=2)
    write_dataset(tmp_path / "games.jsonl", "games", game_rows(plan, Task(0, 0)))
    line, *_ = (tmp_path / "games.jsonl").read_text("utf-8").splitlines()
    lessons = [*names["lessons"](line)]
    assert len(lessons) > 20
    for arrays, event in lessons:
        assert arrays.keys() == VIEW_FIELDS.keys()
        assert isinstance(event, Played | Drew | Passed)
        assert arrays["rack"].sum() == arrays["rack_sizes"][0]


SMALL = {"copies": 1, "jokers": "J1", "hand_size": 5, "initial.min": 0}
"""A small box makes short games."""


def test_the_example_learns(capsys: pytest.CaptureFixture[str]) -> None:
    game = raw_env("taiwan", 2, SMALL, candidates=train_agent.CANDIDATES)
    shares = train_agent.run(game, rounds=2, size=6, deals=4, seed=2)
    assert shares["trained"].mean > shares["untrained"].mean
    said = capsys.readouterr().out
    assert f"trained    {shares['trained']}" in said


def test_the_example_measures_on_paired_deals() -> None:
    game = raw_env("taiwan", 2, SMALL, candidates=6)
    share = train_agent.measure(game, idle, idle, deals=3, first_seed=1)
    assert share.mean == pytest.approx(0.5), "the same policy wins each deal from one seat"


def idle(seen: dict[str, Any]) -> int:
    """The first action that is allowed."""
    return int(np.flatnonzero(seen["action_mask"])[0])
