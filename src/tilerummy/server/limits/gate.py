"""Admission control for CPU-bound requests: a concurrency limit and a CPU budget."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from tilerummy.server.limits.buckets import Bucket, Clock, Rate

SOON = 1.0
"""Seconds to wait for another request to finish."""
MOST_KEYS = 4096
"""Keys whose use is remembered."""
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


class _Capacity:
    """What is left for one key."""

    __slots__ = ("budget", "free")

    def __init__(self, at_once: int, cpu: Rate, now: float) -> None:
        self.free = at_once
        self.budget = Bucket(cpu, now)


class Gate:
    """Admits a limited number of requests at once, within a CPU budget, for each key.

    A key is what shares the capacity: a room, or everybody. The cost of a request is known only
    when it ends. One that costs more than the budget holds overdraws it, and later requests wait.
    """

    def __init__(self, at_once: int, cpu: Rate, clock: Clock = time.monotonic) -> None:
        self._at_once = at_once
        self._cpu = cpu
        self._clock = clock
        self._capacities: OrderedDict[str, _Capacity] = OrderedDict()
        self._least = min(cpu.burst, LEAST_CPU)

    @contextmanager
    def entered(self, key: str = "") -> Iterator[Call]:
        """Holds a slot for one request. Raises BusyError."""
        began = self._clock()
        found = self._capacity(key, began)
        wait = found.budget.lack(began, self._least) if found.free > 0 else SOON
        if wait:
            raise BusyError(wait)
        call = Call()
        found.free -= 1
        try:
            yield call
        finally:
            found.free += 1
            found.budget.spend(self._clock() - began if call.cost is None else call.cost)

    def _capacity(self, key: str, now: float) -> _Capacity:
        """The capacity of a key; the keys used last are remembered."""
        found = self._capacities.pop(key, None) or _Capacity(self._at_once, self._cpu, now)
        self._capacities[key] = found
        while len(self._capacities) > MOST_KEYS:
            self._capacities.popitem(last=False)
        return found
