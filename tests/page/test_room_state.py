"""The page knows a room by what happens there, and knows what a snapshot would say.

The messages of the server are written here, and folded by `web/tests/session/roomState.test.ts`.
"""

from __future__ import annotations

import os
import random
import typing
from pathlib import Path

import pytest

from tests.page import room_state
from tilerummy.play import events as play
from tilerummy.server.rooms import events
from tools.page import prepare

SOAK_ROUNDS = int(os.environ.get("SOAK_ROUNDS", "10"))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the tests of the page find the messages."""
    found = tmp_path / "room_states.jsonl"
    monkeypatch.setenv("TILERUMMY_ROOM_STATES", str(found))
    return found


def follow() -> None:
    prepare().run("vitest", "run", "tests/session/roomState.test.ts")


def test_events_lead_to_what_a_snapshot_says(path: Path) -> None:
    kinds = room_state.write(path, ["sample", "another"])
    # Games of shuffle version 1, with their seeds, are no longer created.
    missing = {*typing.get_args(events.LogEvent)} - kinds - {events.Opened, play.Seeded}
    assert not missing, "nothing is proved of what never happens"
    follow()


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SOAK_ROUNDS))
def test_events_lead_to_what_a_snapshot_says_on_many_evenings(number: int, path: Path) -> None:
    seed = f"{number} {random.random()}"
    print("seed", seed)
    room_state.write(path, [f"{seed} {part}" for part in range(5)])
    follow()
