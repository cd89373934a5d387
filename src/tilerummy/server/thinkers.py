"""Where bots and the solver think: in processes of their own, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import copyreg
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from types import MappingProxyType
from typing import Any, NamedTuple

from tilerummy.bots.protocol import Turn, idle_turn
from tilerummy.bots.roster import BOTS
from tilerummy.play.view import View
from tilerummy.rules.tiles import Table
from tilerummy.server.logs import Log
from tilerummy.solver.solution import Solution
from tilerummy.solver.solve import solve
from tilerummy.solver.step import Step
from tilerummy.solver.steps import steps

log = Log("tilerummy.thinkers")

SECONDS = 10.0
"""After this a bot draws: something is wrong with it."""
HINT_SECONDS = 1.0


class Advice(NamedTuple):
    """The best turn, and each step to it with the table after it."""

    solution: Solution
    steps: tuple[tuple[Step, Table], ...]


class Thinkers:
    def __init__(
        self,
        workers: int = 1,
        seconds: float = SECONDS,
        on_turn: Callable[[str, float], None] = lambda bot, seconds: None,
    ) -> None:
        """`on_turn` is told which bot has chosen, and how long that took."""
        self._workers = workers
        self._seconds = seconds
        self._on_turn = on_turn
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=_alone)

    async def choose(self, bot: str, view: View) -> Turn:
        """The turn of a bot. One that fails, or takes too long, draws."""
        loop = asyncio.get_running_loop()
        began = time.perf_counter()
        try:
            thought = loop.run_in_executor(self._pool, _choose, bot, view)
            return await asyncio.wait_for(thought, self._seconds)
        except (TimeoutError, BrokenProcessPool) as error:
            log.error("bot failed", bot=bot, why=type(error).__name__)
            self._renew()
        except Exception as error:
            log.error("bot failed", bot=bot, why=repr(error))
        finally:
            self._on_turn(bot, time.perf_counter() - began)
        return idle_turn(view)

    async def advise(self, view: View) -> Advice:
        """What the solver would do."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, _advise, view)
        except BrokenProcessPool:
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


def _alone() -> None:
    """Whoever stops the server stops its thinkers too; a key pressed in the terminal does not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """A server that is killed cannot tell its thinkers, who would wait for work for ever."""
    server = parent_process()
    assert server is not None, "thinkers are started by a server"
    server.join()
    os._exit(1)


def _choose(bot: str, view: View) -> Turn:
    return BOTS[bot]().choose(view)


def _advise(view: View) -> Advice:
    position = view.position
    solution = solve(position, time_limit=HINT_SECONDS)
    table, found = view.table, []
    if solution.plays:
        for step in steps(position, solution):
            table = step.on(table)
            found.append((step, table))
    return Advice(solution, tuple(found))
