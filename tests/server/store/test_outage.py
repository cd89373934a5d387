"""What is written down while the store is away: enough, and not a line for everybody who waits."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from tests.server.harness import QUICK
from tests.services import Postgres
from tilerummy.server.ops.node import Node
from tilerummy.server.ops.settings import read_settings
from tilerummy.server.rooms import seating
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.store import StoreError, Unavailable
from tilerummy.server.store.outage import CALM, EVERY, Outage


class FakeClock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Written:
    """What was logged."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    @property
    def events(self) -> list[str]:
        return [record.getMessage() for record in self._records]

    @property
    def last(self) -> dict[str, Any]:
        fields: dict[str, Any] = self._records[-1].__dict__["tilerummy_fields"]
        return fields

    @property
    def _records(self) -> list[logging.LogRecord]:
        return [record for record in self._caplog.records if record.levelno >= logging.WARNING]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> Written:
    return Written(caplog)


def test_the_first_failure_is_told_and_then_a_count_now_and_then(
    clock: FakeClock, written: Written
) -> None:
    outage = Outage(clock)
    for number in range(100):
        outage.note(Unavailable("it does not answer"), room=f"room-{number}")
    assert written.events == ["store unavailable"]
    assert written.last == {"why": "it does not answer", "room": "room-0"}
    clock.now += EVERY
    outage.note(Unavailable("it does not answer"))
    outage.note(Unavailable("it does not answer"))
    assert written.events == ["store unavailable", "store still unavailable"]
    assert (written.last["times"], written.last["seconds"]) == (100, EVERY)
    clock.now += EVERY
    outage.note(Unavailable("it does not answer"))
    assert written.last["times"] == 2


def test_one_line_when_it_is_back_for_good(clock: FakeClock, written: Written) -> None:
    outage = Outage(clock)
    outage.over()
    assert written.events == [], "nobody had missed it"
    outage.note(Unavailable("x"))
    clock.now += CALM / 2
    outage.over()
    outage.note(Unavailable("x"))
    clock.now += CALM / 2
    outage.over()
    assert written.events == ["store unavailable"], "it comes and goes"
    clock.now += CALM
    outage.over()
    outage.over()
    assert written.events == ["store unavailable", "store available again"]
    assert written.last == {"seconds": CALM / 2, "times": 2}
    outage.note(Unavailable("x"))
    assert written.events[-1] == "store unavailable"


def test_what_is_wrong_with_what_was_stored_is_told_every_time(written: Written) -> None:
    outage = Outage()
    for _ in range(3):
        outage.note(StoreError("no such column"))
    assert written.events == ["store failed"] * 3


@pytest.mark.anyio
async def test_a_node_whose_store_is_away_writes_few_lines(
    postgres: Postgres, postgres_url: str, written: Written
) -> None:
    environ = {**QUICK, "TILERUMMY_STORE": postgres_url}
    async with Node(read_settings({}, environ)) as node:
        room = (await node.keeper.open(Settings())).id
        await asyncio.to_thread(postgres.stop)
        for number in range(30):
            with pytest.raises(StoreError) as caught:
                await node.keeper.apply(room, seating.Sit(f"g{number}", f"G {number}"))
            node.store.outage.note(caught.value, room=room)
        assert written.events.count("store unavailable") == 1
        await asyncio.to_thread(postgres.start)
        async with asyncio.timeout(30):
            while "store available again" not in written.events:
                await asyncio.sleep(0.1)
    ours = [event for event in written.events if event.startswith("store")]
    assert ours[0] == "store unavailable"
    assert ours[-1] == "store available again"
    assert len(ours) < 10
