"""The shutdown watchdog: ends a process whose graceful shutdown hangs.

Nothing is lost: everything that a player was told is on disk, and worker processes end with the
server.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.watchdog")

EXIT_CODE = 70
"""Of a process that had to be ended."""


class Watchdog:
    """Started once; a thread that runs even while the event loop is blocked."""

    def __init__(self, seconds: float, end: Callable[[int], None] = os._exit) -> None:
        """`end` is called with the exit code if the process is still there after so long."""
        self._seconds = seconds
        self._end = end
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        """Start counting, unless it already does. For signal handlers."""
        if self._timer is None:
            self._timer = threading.Timer(self._seconds, self._bite)
            self._timer.daemon = True
            self._timer.start()

    def _bite(self) -> None:
        log.error("the shutdown hangs: ending the process", seconds=self._seconds)
        self._end(EXIT_CODE)
