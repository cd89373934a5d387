"""A worker process: runs one job at a time, and is killed alone if a job hangs."""

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

from tilerummy.server.limits.garbage import collect_seldom

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

START_SECONDS = 60.0
"""Time-out for the start of a process, on a machine that does much else."""

WORKER_FAILURES = (TimeoutError, BrokenProcessPool)
"""The job took too long, or its process died."""


class Worker:
    """The process starts on first use, and again after a failure."""

    def __init__(self, niceness: int = 0) -> None:
        """`niceness` lowers the priority of the process."""
        self._niceness = niceness
        self._executor: ProcessPoolExecutor | None = None

    async def run(self, seconds: float, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run `work` in the process. `seconds` do not include its start.

        Raises what `work` raises, and `WORKER_FAILURES`; then the process is gone.
        """
        loop = asyncio.get_running_loop()
        try:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    1, get_context("spawn"), _initialise, (self._niceness,)
                )
                starting = loop.run_in_executor(self._executor, os.getpid)
                await asyncio.wait_for(starting, START_SECONDS)
            running = loop.run_in_executor(self._executor, work, *args)
            return await asyncio.wait_for(running, seconds)
        except (*WORKER_FAILURES, asyncio.CancelledError):
            self.kill()
            raise

    def kill(self) -> None:
        """End the process, whatever it does."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        # There is no public way to kill it, and a process that works would delay the exit.
        for process in [*(executor._processes or {}).values()]:
            process.kill()
        executor.shutdown(wait=False, cancel_futures=True)


def _constant(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


def _reduced(constant: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return _constant, (dict(constant),)


# Turns and solutions without declarations share an immutable mapping, which Python cannot pickle
# by itself.
copyreg.pickle(MappingProxyType, _reduced)


def _initialise(niceness: int) -> None:
    """The server stops its workers itself; Ctrl-C in the terminal must not."""
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_server, daemon=True).start()
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)


def _exit_with_server() -> None:
    """A server that is killed cannot stop its workers, which would wait for work forever."""
    server = parent_process()
    assert server is not None, "workers are started by a server"
    server.join()
    os._exit(1)
