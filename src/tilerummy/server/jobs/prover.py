"""Answers that commands wait for: whether a player can play, and verdicts on complicated turns.

Rooms stay pure: a command is decided with the answers known so far, and raises `UnansweredError` if
it needs another one. The prover fetches that answer from a process pool, outside the event loop and
with a deadline, and decides the command again. Without an answer in time it is None, and the rules
say what follows.

Nearly every turn is judged at once, in the event loop. A turn that takes more than `MOST_STEPS`
is judged in the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from tilerummy.play.endings import CanPlay
from tilerummy.rules.declarations import Declaration, Declared
from tilerummy.rules.position import Position
from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import Row, Table
from tilerummy.rules.turns import Judge, TurnVerdict, judge_turn
from tilerummy.server.jobs.fair_queue import GroupOf
from tilerummy.server.jobs.process_pool import PoolBusyError, ProcessPool
from tilerummy.server.jobs.worker import WORKER_FAILURES
from tilerummy.server.telemetry.logs import Log
from tilerummy.solver.cover.deadline import Deadline, TimeOverError
from tilerummy.solver.turns.best_turn import TimedProof

log = Log("tilerummy.prover")

T = TypeVar("T")

MOST_STEPS = 500
"""Steps of the judge in the event loop. Most turns take fewer than ten; 500 take some 10 ms."""
QUICK = 0.1
"""Seconds for the first attempt."""
HANGING = 3.0
"""Seconds past the deadline after which a process counts as hung and is replaced."""


class Answer(NamedTuple):
    """The answer of a process, and the time that it took; None where time was over first."""

    value: Any
    seconds: float


class Question(NamedTuple):
    """What is asked: a function that runs in the pool, and its arguments before the seconds."""

    work: Callable[..., Any]
    args: tuple[Hashable, ...]


class UnansweredError(Exception):
    """A command cannot be decided before this is answered."""

    def __init__(self, question: Question) -> None:
        super().__init__("the answer is not known yet")
        self.question = question


class _OutOfStepsError(Exception):
    """A turn is too complicated to be judged in the event loop."""


class Prover:
    """Two pools, so that quick answers never wait for hard ones.

    Nearly every answer takes milliseconds. It is tried for `QUICK` seconds first, where no job
    holds a process for longer than that; only then it queues for the rest of its time.
    """

    def __init__(self, seconds: float, group_of: GroupOf = lambda room: room) -> None:
        """`seconds` limit all answers for one command. Waiting for a free process does not count,
        but ends after as long."""
        self._seconds = seconds
        self._quick = ProcessPool(1, group_of=group_of)
        self._thorough = ProcessPool(1, group_of=group_of)

    async def decided(self, decide: Callable[[CanPlay, Judge], T], room: str = "") -> T:
        """The result of `decide`, once it has every answer it asks for. Raises what it raises."""
        try:
            return decide(_no_proof, _judge_at_once)
        except UnansweredError as error:
            question = error.question
        return await self._decided_with(question, decide, room)

    async def _decided_with(
        self, question: Question, decide: Callable[[CanPlay, Judge], T], room: str
    ) -> T:
        """The result of `decide`, which needs the answer to a question first."""
        known: dict[Question, Any] = {}

        def can_play(position: Position) -> bool | None:
            question = Question(_proof, (position,))
            if question not in known:
                raise UnansweredError(question)
            answer: bool | None = known[question]
            return answer

        def judge(position: Position, table: Table, declared: Declared) -> TurnVerdict | None:
            question = _about_turn(position, table, declared)
            if question in known:
                verdict: TurnVerdict | None = known[question]
                return verdict
            return _judge_at_once(position, table, declared)

        left = _TimeLeft(self._seconds)
        while True:
            known[question] = await self._find(question, room, left)
            try:
                return decide(can_play, judge)
            except UnansweredError as error:
                question = error.question

    async def _find(self, question: Question, room: str, left: _TimeLeft) -> Any:
        """The answer to a question; None if it is not found in time."""
        for pool, most in ((self._quick, QUICK), (self._thorough, self._seconds)):
            if left.thinking <= 0 or left.waiting <= 0:
                break
            seconds = min(most, left.thinking)
            answer = await self._ask(pool, question, seconds, room, left.waiting)
            if answer is None:
                return None
            left.spend(answer.seconds)
            if answer.value is not None:
                return answer.value
        log.warning("no answer in time", room=room, seconds=self._seconds)
        return None

    async def _ask(
        self, pool: ProcessPool, question: Question, seconds: float, room: str, patience: float
    ) -> Answer | None:
        """The answer of a pool; None if it failed."""
        try:
            return await pool.run(
                seconds + HANGING, _answer, question, seconds, room=room, patience=patience
            )
        except PoolBusyError:
            log.warning("no process was free for an answer", room=room)
        except WORKER_FAILURES as error:
            log.error("answer failed", room=room, why=type(error).__name__)
        except Exception as error:
            log.error("answer failed", room=room, why=repr(error))
        return None

    def close(self) -> None:
        self._quick.close()
        self._thorough.close()


class _TimeLeft:
    """What the answers for one command may still take, in seconds."""

    def __init__(self, seconds: float) -> None:
        self.thinking = seconds
        self._end_of_waiting = monotonic() + seconds

    @property
    def waiting(self) -> float:
        return self._end_of_waiting - monotonic()

    def spend(self, seconds: float) -> None:
        """Note an answer that took so long; it did not wait meanwhile."""
        self.thinking -= seconds
        self._end_of_waiting += seconds


def steps(most: int) -> Tick:
    """A tick that ends a search after so many steps: by count, so without looking at a clock."""
    left = most

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _OutOfStepsError

    return tick


def _no_proof(position: Position) -> bool | None:
    raise UnansweredError(Question(_proof, (position,)))


def _judge_at_once(position: Position, table: Table, declared: Declared) -> TurnVerdict:
    """The verdict on a turn that takes few steps. Raises UnansweredError for any other."""
    try:
        return judge_turn(position, table, declared, steps(MOST_STEPS))
    except _OutOfStepsError:
        raise UnansweredError(_about_turn(position, table, declared)) from None


def _about_turn(position: Position, table: Table, declared: Declared) -> Question:
    return Question(_verdict, (position, table, (*declared.items(),)))


# These run in the pool.


def _answer(question: Question, seconds: float) -> Answer:
    began = monotonic()
    value = question.work(*question.args, seconds)
    return Answer(value, monotonic() - began)


def _proof(position: Position, seconds: float) -> bool | None:
    return TimedProof(seconds)(position)


def _verdict(
    position: Position, table: Table, declared: tuple[tuple[Row, Declaration], ...], seconds: float
) -> TurnVerdict | None:
    tick = Deadline(monotonic() + seconds).check
    try:
        return judge_turn(position, table, dict(declared), tick)
    except TimeOverError:
        return None
