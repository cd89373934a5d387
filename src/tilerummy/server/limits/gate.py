"""Admission control for CPU-bound requests: a concurrency limit and a CPU budget."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tilerummy.server.limits.buckets import Bucket, Clock, Rate

SOON = 1.0
"""Seconds to wait for another request to finish."""
LEAST_CPU = 0.01
"""CPU seconds that the budget must hold to admit a request."""


class BusyError(Exception):
    """There is no capacity for this now."""

    def __init__(self, wait: float) -> None:
        super().__init__(f"try again in {wait:.1f} s")
        self.wait = wait


class Call:
    """An admitted request. Unless `cost` is set, it costs the time that it takes."""

    cost: float | None = None
    """CPU seconds."""


class Gate:
    """Admits a limited number of requests at once, within a CPU budget.

    The cost of a request is known only when it ends. One that costs more than the budget holds
    overdraws it, and later requests wait.
    """

    def __init__(self, at_once: int, cpu: Rate, clock: Clock = time.monotonic) -> None:
        self._free = at_once
        self._clock = clock
        self._budget = Bucket(cpu, clock())
        self._least = min(cpu.burst, LEAST_CPU)

    @contextmanager
    def entered(self) -> Iterator[Call]:
        """Holds a slot for one request. Raises BusyError."""
        began = self._clock()
        wait = self._budget.lack(began, self._least) if self._free > 0 else SOON
        if wait:
            raise BusyError(wait)
        call = Call()
        self._free -= 1
        try:
            yield call
        finally:
            self._free += 1
            self._budget.spend(self._clock() - began if call.cost is None else call.cost)
