"""The prover: quick answers first, time to think counted and time in the queue not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.complicated import COMPLICATED, SIMPLE, forget
from tilerummy.play.endings import CanPlay
from tilerummy.rules.editions import CLASSIC
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import parse_row
from tilerummy.rules.turns import Judge, TurnVerdict, judge_turn
from tilerummy.server.jobs import prover as prover_module
from tilerummy.server.jobs.process_pool import PoolBusyError
from tilerummy.server.jobs.prover import MOST_STEPS, QUICK, Answer, Prover, Question, steps

pytestmark = pytest.mark.anyio
POSITIONS = [Position(CLASSIC, (), parse_row(rack), opened=True) for rack in ("r1", "r2", "r3")]


@pytest.fixture(autouse=True)
def _forget() -> None:
    forget()


class FakePool:
    """Answers with what it was given, and notes what it was asked for."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = [*answers]
        self.questions: list[Question] = []
        self.seconds: list[float] = []
        self.rooms: list[str] = []

    async def run(
        self, most: float, work: Any, question: Question, seconds: float, **how: Any
    ) -> Answer:
        self.questions.append(question)
        self.seconds.append(seconds)
        self.rooms.append(how["room"])
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        pass


def prover(quick: FakePool, thorough: FakePool, seconds: float = 2.0) -> Prover:
    made = Prover(seconds)
    made._quick, made._thorough = quick, thorough  # type: ignore[assignment]
    return made


def all_of(can_play: CanPlay, judge: Judge) -> list[bool | None]:
    return [can_play(position) for position in POSITIONS]


async def test_a_quick_answer_is_enough() -> None:
    quick = FakePool(Answer(True, 0.01), Answer(False, 0.01), Answer(True, 0.01))
    thorough = FakePool()
    assert await prover(quick, thorough).decided(all_of, "a room") == [True, False, True]
    assert quick.seconds == [QUICK] * 3
    assert quick.rooms == ["a room"] * 3
    assert thorough.seconds == []


async def test_a_hard_proof_has_what_is_left_for_the_command() -> None:
    quick = FakePool(Answer(None, 0.1), Answer(None, 0.1))
    thorough = FakePool(Answer(True, 1.5), Answer(None, 0.3))
    found = await prover(quick, thorough).decided(all_of, "a room")
    assert found == [True, None, None], "for the third one there is no time"
    assert thorough.seconds == [pytest.approx(1.9), pytest.approx(0.3)]
    assert len(quick.seconds) == 2


async def test_a_pool_that_fails_is_not_asked_again_for_the_same() -> None:
    quick = FakePool(PoolBusyError(), Answer(True, 0.0), TimeoutError())
    thorough = FakePool()
    assert await prover(quick, thorough).decided(all_of, "a room") == [None, True, None]


async def test_without_time_nothing_is_asked() -> None:
    quick, thorough = FakePool(), FakePool()
    assert await prover(quick, thorough, 0.0).decided(all_of, "a room") == [None, None, None]
    assert quick.seconds == []


async def test_time_to_think_is_not_taken_from_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(prover_module, "monotonic", lambda: now)
    left = prover_module._TimeLeft(2.0)
    now += 1.5
    left.spend(1.5)
    assert left.thinking == pytest.approx(0.5)
    assert left.waiting == pytest.approx(2.0)
    now += 1.9
    assert left.waiting == pytest.approx(0.1)


# Verdicts


async def test_an_ordinary_turn_is_judged_at_once() -> None:
    quick, thorough = FakePool(), FakePool()

    def verdicts(can_play: CanPlay, judge: Judge) -> list[TurnVerdict | None]:
        return [judge(*turn) for turn in SIMPLE]

    found = await prover(quick, thorough).decided(verdicts)
    assert found == [judge_turn(*turn) for turn in SIMPLE]
    assert quick.questions == []


@pytest.mark.parametrize("name", COMPLICATED)
async def test_a_complicated_turn_is_judged_in_the_pool_with_the_same_verdict(name: str) -> None:
    position, table, declared = COMPLICATED[name]
    made = Prover(60.0)
    calls = 0

    def decide(can_play: CanPlay, judge: Judge) -> TurnVerdict | None:
        nonlocal calls
        calls += 1
        return judge(position, table, declared)

    try:
        found = await made.decided(decide, "a room")
    finally:
        made.close()
    assert found == judge_turn(position, table, declared)
    assert calls == 2, "once until it is out of steps, once with the verdict"


@pytest.mark.parametrize("name", COMPLICATED)
async def test_the_event_loop_does_not_judge_past_its_steps(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    def counted(most: int) -> Any:
        inner = steps(most)
        taken.append(0)

        def tick() -> None:
            taken[-1] += 1
            inner()

        return tick

    monkeypatch.setattr(prover_module, "steps", counted)
    turn = COMPLICATED[name]
    quick, thorough = FakePool(Answer(None, 0.1)), FakePool(Answer(None, 1.9))
    assert await prover(quick, thorough).decided(lambda _, judge: judge(*turn)) is None
    assert taken == [MOST_STEPS + 1], "and it is not tried again once the pool gave up"


async def test_a_verdict_holds_for_exactly_its_turn() -> None:
    """The table and the declaration belong to the question, not only the position."""
    position, table, declared = COMPLICATED["namings"]
    verdicts = [judge_turn(position, (row, *table), declared) for row in ((), table[0])]
    forget()
    quick = FakePool(*[Answer(verdict, 0.01) for verdict in verdicts])

    def both(can_play: CanPlay, judge: Judge) -> list[TurnVerdict | None]:
        return [judge(position, (row, *table), declared) for row in ((), table[0])]

    assert await prover(quick, FakePool()).decided(both) == verdicts
    assert len(quick.questions) == 2


async def test_a_proof_after_a_verdict_judges_the_turn_no_second_time_in_the_pool() -> None:
    turn = COMPLICATED["namings"]
    verdict = judge_turn(*turn)
    forget()
    quick = FakePool(Answer(verdict, 0.01), Answer(True, 0.01))

    def play(can_play: CanPlay, judge: Judge) -> tuple[TurnVerdict | None, bool | None]:
        return judge(*turn), can_play(POSITIONS[0])

    assert await prover(quick, FakePool()).decided(play) == (verdict, True)
    assert len(quick.questions) == 2
