"""How much a client may ask of a node, by connection and by address, and how much of it may go to
the solver. Nothing here waits: the answer is for how many seconds to, 0 for not at all.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from tilerummy.server.limits.addresses import visitor

Clock: TypeAlias = Callable[[], float]
"""Seconds, that never go back."""

SOON = 1.0
"""Seconds to wait for somebody else to finish."""
LEAST_CPU = 0.01
"""Seconds that there have to be for a question to the solver."""
ROUNDING = 1e-3
"""What may be missing, so that whoever waited for as long as they were told is not refused."""


class Rate(NamedTuple):
    """So much at once, and so much a second in the long run."""

    per_second: float
    burst: float


REFUSALS = Rate(1, 10)
"""Sockets of one address that are opened only to say why they are closed, which their clients can
put off for some seconds. More of them are refused without a word."""


class Limits(NamedTuple):
    """For each client of one node."""

    messages: Rate = Rate(10, 40)
    """Messages over one connection."""
    address_messages: Rate = Rate(200, 800)
    """Messages from one address, which many may share."""
    joins: Rate = Rate(0.5, 30)
    """Rooms opened or entered, and guests made, from one address."""
    requests: Rate = Rate(20, 200)
    """All other requests, and sockets opened, from one address."""
    records: Rate = Rate(0.5, 20)
    """Records fetched and checked, and rules read, from one address."""
    hints: Rate = Rate(0.2, 3)
    """Questions for the solver over one connection."""
    address_hints: Rate = Rate(2, 20)
    """The same from one address."""
    connections: int = 100
    """Sockets at once from one address."""
    addresses: int = 10_000
    """How many of those who were here are remembered."""
    solver_cpu: Rate = Rate(0.5, 10)
    """Seconds of a processor that all questions for the solver may take together."""
    solver_at_once: int = 1
    """Questions for the solver that are answered at the same time."""
    records_cpu: Rate = Rate(0.5, 10)
    """Seconds of a processor that all records together may take."""
    records_at_once: int = 8
    """Records that may wait for their turn; they are put together one after the other."""


class Bucket:
    """What is left of a rate. It fills with time and may be overdrawn."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = now

    def lack(self, now: float, cost: float = 1) -> float:
        """Seconds until there is enough, 0 if there is."""
        per_second, burst = self._rate
        self._left = left = min(burst, self._left + max(0.0, now - self._at) * per_second)
        self._at = now
        if left >= cost - ROUNDING:
            return 0.0
        return (cost - left) / per_second if per_second else float("inf")

    def spend(self, cost: float = 1) -> None:
        self._left -= cost


def take(now: float, *buckets: Bucket) -> float:
    """One of each; where one of them lacks it, of none."""
    lack = max([bucket.lack(now) for bucket in buckets])
    if not lack:
        for bucket in buckets:
            bucket.spend()
    return lack


class _Visitor:
    """All that comes from one address."""

    __slots__ = ("connections", "hints", "joins", "messages", "records", "refusals", "requests")

    def __init__(self, limits: Limits, now: float) -> None:
        self.messages = Bucket(limits.address_messages, now)
        self.joins = Bucket(limits.joins, now)
        self.requests = Bucket(limits.requests, now)
        self.records = Bucket(limits.records, now)
        self.refusals = Bucket(REFUSALS, now)
        self.hints = Bucket(limits.address_hints, now)
        self.connections = 0


class Guard:
    """The limits of all clients of one node.

    An address that is connected is always remembered; of the others, those who came last are.
    """

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self._present: dict[str, _Visitor] = {}
        self._past: OrderedDict[str, _Visitor] = OrderedDict()

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._present) + len(self._past)

    def join(self, address: str) -> float:
        """Somebody opens or enters a room, or becomes a guest."""
        return take(self.clock(), self._visitor(visitor(address)).joins)

    def request(self, address: str) -> float:
        """Somebody asks for something else, or opens a socket."""
        return take(self.clock(), self._visitor(visitor(address)).requests)

    def record(self, address: str) -> float:
        """Somebody wants a record, or wants it checked."""
        found = self._visitor(visitor(address))
        return take(self.clock(), found.requests, found.records)

    def refuse(self, address: str) -> bool:
        """Whether somebody who may not connect can be told why."""
        return not take(self.clock(), self._visitor(visitor(address)).refusals)

    def connect(self, address: str) -> Client | None:
        """A new connection, unless there are too many of them. It has to be closed."""
        key = visitor(address)
        found = self._visitor(key)
        if found.connections >= self.limits.connections:
            return None
        found.connections += 1
        self._past.pop(key, None)
        self._present[key] = found
        return Client(self, key, found)

    def _visitor(self, key: str) -> _Visitor:
        if found := self._present.get(key):
            return found
        found = self._past.pop(key, None) or _Visitor(self.limits, self.clock())
        self._remember(key, found)
        return found

    def _remember(self, key: str, found: _Visitor) -> None:
        self._past[key] = found
        while len(self._past) > self.limits.addresses:
            self._past.popitem(last=False)

    def _leave(self, key: str, found: _Visitor) -> None:
        found.connections -= 1
        if not found.connections:
            del self._present[key]
            self._remember(key, found)


class Client:
    """One connection: `with guard.connect(address) as client`."""

    __slots__ = ("_guard", "_hints", "_key", "_messages", "_open", "_visitor")

    def __init__(self, guard: Guard, key: str, found: _Visitor) -> None:
        now = guard.clock()
        self._guard = guard
        self._key = key
        self._visitor = found
        self._messages = Bucket(guard.limits.messages, now)
        self._hints = Bucket(guard.limits.hints, now)
        self._open = True

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def message(self) -> float:
        """It sends a message."""
        return take(self._guard.clock(), self._messages, self._visitor.messages)

    def hint(self) -> float:
        """It asks the solver."""
        return take(self._guard.clock(), self._hints, self._visitor.hints)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._guard._leave(self._key, self._visitor)


class BusyError(Exception):
    """There is no time for this now."""

    def __init__(self, wait: float) -> None:
        super().__init__(f"try again in {wait:.1f} s")
        self.wait = wait


class Call:
    """A question to the solver. Unless somebody measures it better, it costs the time it takes."""

    cost: float | None = None
    """Seconds of a processor."""


class Gate:
    """Lets so many questions at once through to the solver, and so many seconds of them.

    What a question costs is known when it is answered. One that cost more than there was is paid
    for by those who come next.
    """

    def __init__(self, at_once: int, cpu: Rate, clock: Clock = time.monotonic) -> None:
        self._free = at_once
        self._clock = clock
        self._budget = Bucket(cpu, clock())
        self._least = min(cpu.burst, LEAST_CPU)

    @contextmanager
    def entered(self) -> Iterator[Call]:
        """For the time of one question. Raises BusyError."""
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
