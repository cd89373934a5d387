"""Monotonic clocks that follow the database's time without asking it on every call."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable


def monotonic_ms() -> float:
    return time.monotonic_ns() / 1e6


class SystemClock:
    """This machine's time. When the system clock is set back, this one continues unchanged."""

    def __init__(self) -> None:
        self._ahead = float("-inf")

    def now(self) -> int:
        monotonic = monotonic_ms()
        self._ahead = max(self._ahead, time.time_ns() / 1e6 - monotonic)
        return int(monotonic + self._ahead)


class RemoteClock:
    """The time of another machine, kept between two synchronisations by the monotonic clock."""

    def __init__(self, ask: Callable[[], Awaitable[int]]) -> None:
        self._ask = ask
        self._ahead = 0.0
        """Offset of the other clock from the monotonic one, in milliseconds."""
        self._latest = 0

    def now(self) -> int:
        self._latest = max(self._latest, int(monotonic_ms() + self._ahead))
        return self._latest

    async def synchronise(self, tries: int = 3) -> None:
        """Ask several times, and use the answer with the shortest round trip."""
        samples = [await self._sample() for _ in range(tries)]
        _, self._ahead = min(samples)

    async def _sample(self) -> tuple[float, float]:
        """The round-trip time, and the offset of the other clock at its midpoint."""
        asked = monotonic_ms()
        theirs = await self._ask()
        answered = monotonic_ms()
        return answered - asked, theirs - (asked + answered) / 2
