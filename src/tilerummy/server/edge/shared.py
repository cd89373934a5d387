"""A shared read: concurrent callers wait for one, and its result is reused for a short time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from tilerummy.server.limits.buckets import Clock

T = TypeVar("T")


class Shared(Generic[T]):
    def __init__(
        self,
        read: Callable[[], Coroutine[Any, Any, T]],
        seconds: float,
        clock: Clock = time.monotonic,
    ) -> None:
        self._read = read
        self._seconds = seconds
        self._clock = clock
        self._latest: asyncio.Task[T] | None = None
        self._began = 0.0

    async def get(self) -> T:
        """The result of a read that began at most `seconds` ago. A failure is not reused."""
        latest = self._latest
        if latest is None or self._is_old(latest):
            self._began = self._clock()
            self._latest = latest = asyncio.create_task(self._read())
        return await asyncio.shield(latest)

    def forget(self) -> None:
        """Read again at the next call: the result has changed."""
        self._latest = None

    def _is_old(self, latest: asyncio.Task[T]) -> bool:
        if not latest.done():
            return False
        failed = latest.cancelled() or latest.exception() is not None
        return failed or self._clock() - self._began >= self._seconds
