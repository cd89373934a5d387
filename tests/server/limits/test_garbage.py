"""Garbage is collected often while many connections come and go, and seldom otherwise."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from tilerummy.server.limits.garbage import (
    CHURN,
    OFTEN,
    PERIOD,
    SELDOM,
    ChurnCollector,
)


@pytest.fixture(autouse=True)
def seldom() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    yield
    gc.set_threshold(*before)


class Later:
    """Keeps what is to be called later."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, seconds: float, call: Callable[[], None]) -> None:
        self.calls.append((seconds, call))

    def come(self) -> None:
        (_, call) = self.calls.pop()
        call()


def closed(collector: ChurnCollector, count: int) -> None:
    for _ in range(count):
        collector.note_closed()


def test_few_closed_connections_change_nothing() -> None:
    later = Later()
    closed(ChurnCollector(later), CHURN - 1)
    assert gc.get_threshold() == SELDOM
    assert later.calls == []


def test_many_closed_connections_are_collected_often_for_a_while() -> None:
    later = Later()
    collector = ChurnCollector(later)
    closed(collector, CHURN)
    assert gc.get_threshold() == OFTEN
    assert [seconds for seconds, _ in later.calls] == [PERIOD]
    closed(collector, CHURN - 1)
    later.come()
    assert gc.get_threshold() == SELDOM
    assert later.calls == []


def test_it_goes_on_while_connections_are_closed() -> None:
    later = Later()
    collector = ChurnCollector(later)
    closed(collector, 2 * CHURN)
    later.come()
    assert gc.get_threshold() == OFTEN
    assert len(later.calls) == 1
    later.come()
    assert gc.get_threshold() == SELDOM


def test_a_process_that_is_not_tuned_stays_as_it_is() -> None:
    gc.set_threshold(700, 10, 10)
    later = Later()
    closed(ChurnCollector(later), 2 * CHURN)
    assert gc.get_threshold() == (700, 10, 10)
    assert later.calls == []
