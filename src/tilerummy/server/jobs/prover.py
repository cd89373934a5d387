"""Proofs of whether a player can play, in a process pool and with a deadline.

Rooms stay pure: a command is decided with the proofs known so far, and raises `UnansweredError` if
it needs another one. The prover fetches that proof from the pool, outside the event loop, and
decides the command again. Without a proof in time the answer is None, and the rules say what
follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from tilerummy.play.endings import CanPlay
from tilerummy.rules.position import Position
from tilerummy.server.jobs.process_pool import POOL_FAILURES, ProcessPool
from tilerummy.server.telemetry.logs import Log
from tilerummy.solver.turns.best_turn import TimedProof

log = Log("tilerummy.prover")

T = TypeVar("T")

HANGING = 10.0
"""Seconds past the deadline after which a process counts as hung and is replaced."""


class UnansweredError(Exception):
    """A command cannot be decided before it is known whether this position has a play."""

    def __init__(self, position: Position) -> None:
        super().__init__("whether a player can play is not known yet")
        self.position = position


class Prover:
    def __init__(self, seconds: float) -> None:
        """`seconds` limit all proofs of one command, including waiting for a free process."""
        self._seconds = seconds
        self._processes = ProcessPool(1)
        self._late: set[asyncio.Task[bool | None]] = set()

    async def judged(self, judge: Callable[[CanPlay], T]) -> T:
        """The result of `judge`, once it has every proof it asks for. Raises what it raises."""
        answers: dict[Position, bool | None] = {}
        deadline = monotonic() + self._seconds

        def known(position: Position) -> bool | None:
            if position not in answers:
                raise UnansweredError(position)
            return answers[position]

        while True:
            try:
                return judge(known)
            except UnansweredError as error:
                answers[error.position] = await self._prove(error.position, deadline)

    async def _prove(self, position: Position, deadline: float) -> bool | None:
        left = deadline - monotonic()
        if left <= 0:
            return None
        asked = asyncio.create_task(self._ask(position, deadline, left + HANGING))
        done, _ = await asyncio.wait((asked,), timeout=left)
        if done:
            return asked.result()
        self._late.add(asked)  # it runs to its end, and its result is ignored
        asked.add_done_callback(self._late.discard)
        log.warning("no proof in time", seconds=self._seconds)
        return None

    async def _ask(self, position: Position, deadline: float, patience: float) -> bool | None:
        try:
            return await self._processes.run(patience, _proof, position, deadline)
        except POOL_FAILURES as error:
            log.error("proof failed", why=type(error).__name__)
        except Exception as error:
            log.error("proof failed", why=repr(error))
        return None

    def close(self) -> None:
        for task in [*self._late]:
            task.cancel()
        self._processes.close()


def _proof(position: Position, deadline: float) -> bool | None:
    """Runs in the pool; the monotonic clock is the same there."""
    return TimedProof(deadline - monotonic())(position)
