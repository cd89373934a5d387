"""Rate-limited logging of a store outage: its start, a count every few seconds, and its end.

Every caller retries while the store is unavailable. A line for each failure would bury other events
and fill a disk that may already be full.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tilerummy.server.store.errors import StoreError, Unavailable
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.store")

EVERY = 5.0
"""Minimum seconds between two log lines."""
CALM = 2.0
"""Seconds without a failure until the outage counts as over."""


class Outage:
    """The outage state of one store."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._failed = 0.0
        """Time of the last failure."""
        self._told = 0.0
        """Time of the last log line."""
        self._times = self._untold = 0

    def note(self, error: StoreError, **fields: object) -> None:
        """Record a failed read or write."""
        if not isinstance(error, Unavailable):
            log.error("store failed", why=str(error), **fields)  # rare, so not rate-limited
            return
        now = self._failed = self._clock()
        self._times += 1
        self._untold += 1
        if self._began is None:
            self._began = self._told = now
            self._untold = 0
            log.error("store unavailable", why=str(error), **fields)
        elif now - self._told >= EVERY:
            self._told = now
            seconds = round(now - self._began, 1)
            log.error(
                "store still unavailable", why=str(error), times=self._untold, seconds=seconds
            )
            self._untold = 0

    def over(self) -> None:
        """Record a success."""
        if self._began is None or self._clock() - self._failed < CALM:
            return
        seconds = round(self._failed - self._began, 1)
        # A warning, so that it reaches the readers of the error.
        log.warning("store available again", seconds=seconds, times=self._times)
        self._began = None
        self._times = self._untold = 0
