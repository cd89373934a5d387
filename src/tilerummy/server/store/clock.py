"""The database's time, without asking the database for it. Neither clock goes backwards."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable


def monotonic_ms() -> float:
    return time.monotonic_ns() / 1e6


class SystemClock:
    """This machine's time. Where it is set back, this clock goes on as if it had not been."""

    def __init__(self) -> None:
        self._ahead = float("-inf")

    def now(self) -> int:
        monotonic = monotonic_ms()
        self._ahead = max(self._ahead, time.time_ns() / 1e6 - monotonic)
        return int(monotonic + self._ahead)


class RemoteClock:
    """The time of another machine. Between two looks at it this one's monotonic clock goes on."""

    def __init__(self, ask: Callable[[], Awaitable[int]]) -> None:
        self._ask = ask
        self._ahead = 0.0
        """By how much the other clock is ahead of the monotonic one."""
        self._latest = 0

    def now(self) -> int:
        self._latest = max(self._latest, int(monotonic_ms() + self._ahead))
        return self._latest

    async def synchronise(self, tries: int = 3) -> None:
        """Ask for the time, and believe the answer that came fastest."""
        samples = [await self._sample() for _ in range(tries)]
        _, self._ahead = min(samples)

    async def _sample(self) -> tuple[float, float]:
        """How long the question took, and how far ahead the other clock was halfway."""
        asked = monotonic_ms()
        theirs = await self._ask()
        answered = monotonic_ms()
        return answered - asked, theirs - (asked + answered) / 2
