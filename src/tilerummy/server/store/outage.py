"""Tells of a store that is away: at once, then now and then with a count, and when it is back.

Everybody who waits for the store tries again and again. A line for each of them would bury what
else happens, and fill the disk that is perhaps the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tilerummy.server.store.errors import StoreError, Unavailable
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.store")

EVERY = 5.0
"""Seconds between two lines."""
CALM = 2.0
"""Seconds without a failure after which the store counts as back."""


class Outage:
    """One for each store."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._failed = 0.0
        """When something last failed."""
        self._told = 0.0
        """When the last line was written."""
        self._times = self._untold = 0

    def note(self, error: StoreError, **fields: object) -> None:
        """Something could not be stored or read."""
        if not isinstance(error, Unavailable):
            log.error("store failed", why=str(error), **fields)  # of which there are few
            return
        now = self._failed = self._clock()
        self._times += 1
        self._untold += 1
        if self._began is None:
            self._began = self._told = now
            self._untold = 0
            log.error("store away", why=str(error), **fields)
        elif now - self._told >= EVERY:
            self._told = now
            seconds = round(now - self._began, 1)
            log.error("store still away", why=str(error), times=self._untold, seconds=seconds)
            self._untold = 0

    def over(self) -> None:
        """Something has worked."""
        if self._began is None or self._clock() - self._failed < CALM:
            return
        seconds = round(self._failed - self._began, 1)
        # As loud as a warning, so that whoever was told that it is away is told this too.
        log.warning("store back", seconds=seconds, times=self._times)
        self._began = None
        self._times = self._untold = 0
