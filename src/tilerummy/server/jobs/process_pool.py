"""Processes of their own for what takes the processor, so that nobody waits for it."""

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

POLITE = 10
"""How much those step back who may take longer."""

LOST = (TimeoutError, BrokenProcessPool)
"""What becomes of work that takes too long, or whose process has gone."""


class Helpers:
    """They begin when there is something to do."""

    def __init__(self, workers: int, *, polite: bool = False) -> None:
        """Those who are polite leave the processor to whoever else wants it."""
        self._workers = workers
        self._polite = polite
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        context = get_context("spawn")
        return ProcessPoolExecutor(self._workers, context, _begin, (self._polite,))

    async def run(self, seconds: float, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Do it there, in this time, waiting included. Raises what it raises, and `LOST`."""
        pool = self._pool
        try:
            running = asyncio.get_running_loop().run_in_executor(pool, work, *args)
            return await asyncio.wait_for(running, seconds)
        except LOST:
            if self._pool is pool:  # nobody else has noticed yet
                self._renew()
            raise

    def _renew(self) -> None:
        """Other processes in place of those that hang or are gone."""
        old, self._pool = self._pool, self._new_pool()
        for process in list(getattr(old, "_processes", {}).values()):
            process.kill()
        old.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _constant(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


def _reduced(constant: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return _constant, (dict(constant),)


# Turns and solutions that declare nothing share a mapping that nobody can change; by itself Python
# does not send it to another process.
copyreg.pickle(MappingProxyType, _reduced)


def _begin(polite: bool) -> None:
    """Whoever stops the server stops its helpers too; a key pressed in the terminal does not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if polite and hasattr(os, "nice"):
        os.nice(POLITE)


def _end_with_server() -> None:
    """A server that is killed cannot tell its helpers, who would wait for work for ever."""
    server = parent_process()
    assert server is not None, "helpers are started by a server"
    server.join()
    os._exit(1)
