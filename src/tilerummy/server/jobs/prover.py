"""Proofs of whether a player can play, in a process pool and with a deadline.

Rooms stay pure: a command is decided with the proofs known so far, and raises `UnansweredError` if
it needs another one. The prover fetches that proof from the pool, outside the event loop, and
decides the command again. Without a proof in time the answer is None, and the rules say what
follows.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, TypeVar

from tilerummy.play.endings import CanPlay
from tilerummy.rules.position import Position
from tilerummy.server.jobs.process_pool import PoolBusyError, ProcessPool
from tilerummy.server.jobs.worker import WORKER_FAILURES
from tilerummy.server.telemetry.logs import Log
from tilerummy.solver.turns.best_turn import TimedProof

log = Log("tilerummy.prover")

T = TypeVar("T")

QUICK = 0.1
"""Seconds for the first attempt."""
HANGING = 3.0
"""Seconds past the deadline after which a process counts as hung and is replaced."""


class UnansweredError(Exception):
    """A command cannot be decided before it is known whether this position has a play."""

    def __init__(self, position: Position) -> None:
        super().__init__("whether a player can play is not known yet")
        self.position = position


class Proof(NamedTuple):
    """The answer of a process, and the time that it took; None where time was over first."""

    answer: bool | None
    seconds: float


class Prover:
    """Two pools, so that quick proofs never wait for hard ones.

    Nearly every proof takes milliseconds. It is tried for `QUICK` seconds first, where no job holds
    a process for longer than that; only then it queues for the rest of its time.
    """

    def __init__(self, seconds: float) -> None:
        """`seconds` limit all proofs of one command. Waiting for a free process does not count,
        but ends after as long."""
        self._seconds = seconds
        self._quick = ProcessPool(1)
        self._thorough = ProcessPool(1)

    async def judged(self, judge: Callable[[CanPlay], T], room: str = "") -> T:
        """The result of `judge`, once it has every proof it asks for. Raises what it raises."""
        answers: dict[Position, bool | None] = {}
        time_left = _TimeLeft(self._seconds)

        def known(position: Position) -> bool | None:
            if position not in answers:
                raise UnansweredError(position)
            return answers[position]

        while True:
            try:
                return judge(known)
            except UnansweredError as error:
                answers[error.position] = await self._prove(error.position, room, time_left)

    async def _prove(self, position: Position, room: str, left: _TimeLeft) -> bool | None:
        """Whether the position has a play; None if that is not proven in time."""
        for pool, most in ((self._quick, QUICK), (self._thorough, self._seconds)):
            if left.thinking <= 0 or left.waiting <= 0:
                break
            seconds = min(most, left.thinking)
            proof = await self._ask(pool, position, seconds, room, left.waiting)
            if proof is None:
                return None
            left.spend(proof.seconds)
            if proof.answer is not None:
                return proof.answer
        log.warning("no proof in time", room=room, seconds=self._seconds)
        return None

    async def _ask(
        self, pool: ProcessPool, position: Position, seconds: float, room: str, patience: float
    ) -> Proof | None:
        """The answer of a pool; None if it failed."""
        try:
            return await pool.run(
                seconds + HANGING, _proof, position, seconds, room=room, patience=patience
            )
        except PoolBusyError:
            log.warning("no process was free for a proof", room=room)
        except WORKER_FAILURES as error:
            log.error("proof failed", room=room, why=type(error).__name__)
        except Exception as error:
            log.error("proof failed", room=room, why=repr(error))
        return None

    def close(self) -> None:
        self._quick.close()
        self._thorough.close()


class _TimeLeft:
    """What the proofs of one command may still take, in seconds."""

    def __init__(self, seconds: float) -> None:
        self.thinking = seconds
        self._end_of_waiting = monotonic() + seconds

    @property
    def waiting(self) -> float:
        return self._end_of_waiting - monotonic()

    def spend(self, seconds: float) -> None:
        """Note a proof that took so long; it did not wait meanwhile."""
        self.thinking -= seconds
        self._end_of_waiting += seconds


def _proof(position: Position, seconds: float) -> Proof:
    """Runs in the pool."""
    began = monotonic()
    answer = TimedProof(seconds)(position)
    return Proof(answer, monotonic() - began)
