"""Garbage collection of a server process: seldom, but often while many connections come and go.

Rooms, and the row caches of the rules, are many small objects that live long: frequent collection
costs 10 % of the time and frees nothing, and a full one can take longer than a deadline. But a
closed WebSocket leaves a hundred objects in reference cycles, some 20 kB. Collected seldom, a flood
of connections would hold tens of megabytes of them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

SELDOM = (100_000, 20, 50)
OFTEN = (5_000, 4, 4)
"""Thresholds of the collector. Garbage of connections survives the first collections, which come
while they are open; the last one is still rare where much is kept: it waits for a quarter more."""
CHURN = 100
"""Closed connections after which garbage is collected often."""
PERIOD = 10.0
"""Seconds for which it then is, and longer if as many are closed meanwhile."""


def collect_seldom() -> None:
    """Tune garbage collection of a process of the server, once it has imported everything."""
    gc.freeze()
    gc.set_threshold(*SELDOM)


class ChurnCollector:
    """Follows how many connections are closed."""

    def __init__(self, call_later: Callable[[float, Callable[[], None]], Any]) -> None:
        self._call_later = call_later
        self._closed = 0

    def note_closed(self) -> None:
        """A connection was closed. Only a process that collects seldom is concerned."""
        self._closed += 1
        if self._closed >= CHURN and gc.get_threshold() == SELDOM:
            gc.set_threshold(*OFTEN)
            self._begin_period()

    def _begin_period(self) -> None:
        self._closed = 0
        self._call_later(PERIOD, self._end_period)

    def _end_period(self) -> None:
        if self._closed >= CHURN:
            self._begin_period()
        else:
            gc.set_threshold(*SELDOM)
