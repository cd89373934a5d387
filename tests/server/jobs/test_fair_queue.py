"""The fair queue: the room that has used least is next."""

from __future__ import annotations

import random

import pytest

from tilerummy.server.jobs import fair_queue
from tilerummy.server.jobs.fair_queue import FairQueue, FullError


def test_rooms_take_turns() -> None:
    queue: FairQueue[int] = FairQueue(9, 99)
    for number in range(3):
        for room in ("a", "b"):
            queue.put(room, number)
    order = []
    while (taken := queue.take()) is not None:
        order.append(taken)
        queue.finished(taken[0], 1.0)
    assert order == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_one_job_of_a_room_runs_at_a_time() -> None:
    queue: FairQueue[int] = FairQueue(9, 99)
    queue.put("a", 1)
    queue.put("a", 2)
    assert queue.take() == ("a", 1)
    assert queue.take() is None
    queue.finished("a", 0.1)
    assert queue.take() == ("a", 2)


def test_a_light_room_waits_for_running_jobs_only() -> None:
    """Twenty rooms of hard jobs ask again and again; one room asks for little now and then, once
    it is known which are hard."""
    now = 0.0
    queue: FairQueue[str] = FairQueue(4, 999, lambda: now)
    heavy = [f"heavy {number}" for number in range(20)]
    for room in heavy:
        queue.put(room, "hard")
    waited = []
    for moment in range(400):
        if moment > 20 and moment % 10 == 5:
            queue.put("light", "easy")
            asked = moment
        taken = queue.take()
        assert taken is not None
        room, _ = taken
        if room == "light":
            waited.append(moment - asked)
            now += 0.001
            queue.finished(room, 0.001)
        else:
            now += 2.0
            queue.finished(room, 2.0)
            queue.put(room, "hard")
    assert waited == [0] * 38


def test_hard_rooms_are_not_starved() -> None:
    """Light rooms that fill the pool do not keep a room out that was hard a while ago."""
    now = 0.0
    queue: FairQueue[str] = FairQueue(4, 999, lambda: now)
    queue.put("hard", "hard")
    queue.take()
    queue.finished("hard", 2.0)
    queue.put("hard", "hard")
    light = [f"light {number}" for number in range(5)]
    for room in light:
        queue.put(room, "easy")
    for _ in range(10_000):
        taken = queue.take()
        assert taken is not None
        if taken[0] == "hard":
            break
        now += 0.1
        queue.finished(taken[0], 0.1)
        queue.put(taken[0], "easy")
    assert taken == ("hard", "hard")
    assert now < 30


def test_the_queue_is_bounded_for_each_and_for_all() -> None:
    queue: FairQueue[int] = FairQueue(2, 3)
    queue.put("a", 1)
    queue.put("a", 2)
    with pytest.raises(FullError):
        queue.put("a", 3)
    queue.put("b", 1)
    with pytest.raises(FullError):
        queue.put("c", 1)
    queue.drop("a", 2)
    queue.put("c", 1)
    assert len(queue) == 3
    assert sorted(queue.drain()) == [1, 1, 1]
    assert queue.take() is None


def test_use_is_forgotten_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MOST_KEPT", 16)
    queue: FairQueue[int] = FairQueue(4, 99)
    rng = random.Random(5)
    for number in range(1000):
        queue.put(f"room {number}", number)
        taken = queue.take()
        assert taken is not None
        queue.finished(taken[0], rng.random())
    assert len(queue._used) <= 16


def test_many_rooms_of_one_address_count_as_one() -> None:
    """Whoever opens new rooms all the time, which have used nothing, does not come first."""
    now = 0.0
    queue: FairQueue[str] = FairQueue(4, 999, lambda: now, lambda room: room.partition(" ")[0])
    waited = []
    for moment in range(400):
        queue.put(f"rude {moment}", "hard")
        queue.put(f"rude {moment + 1000}", "hard")
        if moment > 20 and moment % 10 == 5:
            queue.put("polite 1", "easy")
            asked = moment
        taken = queue.take()
        assert taken is not None
        if taken[0] == "polite 1":
            waited.append(moment - asked)
        seconds = 0.1 if taken[0] == "polite 1" else 2.0
        now += seconds
        queue.finished(taken[0], seconds)
    assert waited == [0] * 38
