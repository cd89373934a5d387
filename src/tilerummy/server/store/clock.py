"""Monotonic clocks that follow the database's time without asking it on every call."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.clock")


def monotonic_ms() -> float:
    return time.monotonic_ns() / 1e6


JUMP_MS = 60_000
"""A larger step of the system clock is a correction, or the machine slept: it is not followed."""


class SystemClock:
    """This machine's time: it never runs backwards, and follows no jump of the system clock.

    A jump would let every timer of every room fire at once, or none for hours.
    """

    def __init__(self) -> None:
        self._ahead = self._offset()
        """Offset of this clock from the monotonic one, in milliseconds."""
        self._ignored = 0.0
        """The offset of the system clock after a jump that was logged."""

    def start_at(self, moment: int) -> None:
        """Start at a moment of the store, if the system clock is behind it."""
        behind = moment - self.now()
        if behind > 0:
            self._ahead += behind
        if behind > JUMP_MS:
            log.warning("the system clock is behind the store", seconds=behind // 1000)

    def now(self) -> int:
        monotonic = monotonic_ms()
        system = time.time_ns() / 1e6 - monotonic
        if self._ahead < system <= self._ahead + JUMP_MS:
            self._ahead = system
        elif abs(system - self._ahead) > JUMP_MS < abs(system - self._ignored):
            self._ignored = system
            log.warning("the system clock jumped", seconds=round((system - self._ahead) / 1000))
        return int(monotonic + self._ahead)

    @staticmethod
    def _offset() -> float:
        return time.time_ns() / 1e6 - monotonic_ms()


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
