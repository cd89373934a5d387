"""A process pool for CPU-bound work, with time-outs, so that the event loop never waits for it."""

from __future__ import annotations

import asyncio
import copyreg
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from types import MappingProxyType
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

NICENESS = 10
"""The lower priority of background work."""

POOL_FAILURES = (TimeoutError, BrokenProcessPool)
"""The work took too long, or its process died."""


class ProcessPool:
    """Processes are started on first use."""

    def __init__(self, workers: int, *, background: bool = False) -> None:
        """`background` processes run at a lower priority."""
        self._workers = workers
        self._background = background
        self._executor = self._new_executor()

    def _new_executor(self) -> ProcessPoolExecutor:
        context = get_context("spawn")
        return ProcessPoolExecutor(self._workers, context, _initialise, (self._background,))

    async def run(self, seconds: float, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run `work` in the pool. `seconds` include waiting for a free process.

        Raises what `work` raises, and `POOL_FAILURES`.
        """
        executor = self._executor
        try:
            running = asyncio.get_running_loop().run_in_executor(executor, work, *args)
            return await asyncio.wait_for(running, seconds)
        except POOL_FAILURES:
            if self._executor is executor:  # no other task has replaced it yet
                self._replace()
            raise

    def _replace(self) -> None:
        """Replace processes that hang or have died."""
        old, self._executor = self._executor, self._new_executor()
        # There is no public way to kill them.
        for process in [*old._processes.values()]:
            process.kill()
        old.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)


def _constant(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


def _reduced(constant: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return _constant, (dict(constant),)


# Turns and solutions without declarations share an immutable mapping, which Python cannot pickle
# by itself.
copyreg.pickle(MappingProxyType, _reduced)


def _initialise(background: bool) -> None:
    """The server stops its pool itself; Ctrl-C in the terminal must not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_server, daemon=True).start()
    if background and hasattr(os, "nice"):
        os.nice(NICENESS)


def _exit_with_server() -> None:
    """A server that is killed cannot stop its pool, which would wait for work forever."""
    server = parent_process()
    assert server is not None, "the pool is started by a server"
    server.join()
    os._exit(1)
