"""Signal handling: turn SIGTERM and SIGHUP into an exception, so that open files are closed."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

STOPS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP


class Stopped(BaseException):
    """A signal asks the program to stop. A BaseException, like KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def heeded() -> tuple[signal.Signals, ...]:
    """The signals that shall stop us; nohup makes us deaf to some."""
    return tuple(one for one in STOPS if signal.getsignal(one) is not signal.SIG_IGN)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Inside, a signal to stop raises Stopped."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Stopped(number)

    before = {one: signal.signal(one, stop) for one in heeded()}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
