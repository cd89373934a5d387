"""A fair queue of jobs, by group and room: least attained service first, with decay.

The group of rooms whose jobs have taken the least time lately is next, and in it the room; among
equals, the one that has waited longest. So a room with hard positions waits for the others, one
that asks for little waits only for the jobs that are running, and many rooms of one group count as
one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from math import pow
from typing import Generic, TypeVar

from tilerummy.server.limits.buckets import Clock

T = TypeVar("T")
GroupOf = Callable[[str], str]
"""The group of a room."""

MOST_KEPT = 4096
"""Rooms and groups whose use is remembered."""
HALF_LIFE = 30.0
"""Seconds after which half of what was used is forgotten."""


class FullError(Exception):
    """A room, or all rooms together, have too many jobs in the queue."""


class FairQueue(Generic[T]):
    """Of each room one job runs at a time: after `take`, the room waits for `finished`."""

    def __init__(
        self,
        most_each: int,
        most: int,
        clock: Clock = time.monotonic,
        group_of: GroupOf = lambda room: room,
    ) -> None:
        """`most_each` jobs may wait for one room, `most` for all of them."""
        self._clock = clock
        self._group_of = group_of
        self._most_each = most_each
        self._most = most
        self._waiting: dict[str, deque[T]] = {}
        self._used = _Use()
        self._used_by_group = _Use()
        self._running: set[str] = set()

    def __len__(self) -> int:
        return sum([len(jobs) for jobs in self._waiting.values()])

    def put(self, room: str, job: T) -> None:
        """Add a job. Raises FullError."""
        jobs = self._waiting.get(room, ())
        if len(jobs) >= self._most_each or len(self) >= self._most:
            raise FullError
        if not jobs:
            self._waiting[room] = deque()
        self._waiting[room].append(job)

    def take(self) -> tuple[str, T] | None:
        """The next job with its room; None if no room can start one."""
        ready = [room for room in self._waiting if room not in self._running]
        if not ready:
            return None
        now = self._clock()
        room = min(ready, key=lambda room: self._use(room, now))
        self._running.add(room)
        jobs = self._waiting[room]
        job = jobs.popleft()
        del self._waiting[room]
        if jobs:
            self._waiting[room] = jobs  # behind those who have waited longer
        return room, job

    def finished(self, room: str, seconds: float) -> None:
        """The running job of a room has ended after so much time."""
        self._running.discard(room)
        now = self._clock()
        self._used.add(room, seconds, now)
        self._used_by_group.add(self._group_of(room), seconds, now)

    def drop(self, room: str, job: T) -> None:
        """Take a job out that nobody waits for any more."""
        jobs = self._waiting.get(room)
        if jobs and job in jobs:
            jobs.remove(job)
            if not jobs:
                del self._waiting[room]

    def drain(self) -> list[T]:
        """Take out all jobs."""
        jobs = [job for waiting in self._waiting.values() for job in waiting]
        self._waiting.clear()
        return jobs

    def _use(self, room: str, now: float) -> tuple[float, float]:
        """What the group of a room has used lately, and the room itself, in seconds."""
        return self._used_by_group.of(self._group_of(room), now), self._used.of(room, now)


class _Use:
    """The time that each key has used lately, in seconds."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[float, float]] = {}
        """How many seconds, and when that was noted."""

    def of(self, key: str, now: float) -> float:
        used, at = self._used.get(key, (0.0, now))
        return used * pow(0.5, (now - at) / HALF_LIFE)

    def __len__(self) -> int:
        return len(self._used)

    def add(self, key: str, seconds: float, now: float) -> None:
        self._used[key] = self.of(key, now) + seconds, now
        if len(self._used) > MOST_KEPT:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Forget the keys that have used least: they count as new ones."""
        least = sorted(self._used, key=lambda key: self.of(key, now))
        for key in least[: MOST_KEPT // 4]:
            del self._used[key]
