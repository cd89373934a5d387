"""The prover: quick proofs first, time to think counted and time in the queue not."""

from __future__ import annotations

from typing import Any

import pytest

from tilerummy.play.endings import CanPlay
from tilerummy.rules.editions import CLASSIC
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import parse_row
from tilerummy.server.jobs import prover as prover_module
from tilerummy.server.jobs.process_pool import PoolBusyError
from tilerummy.server.jobs.prover import QUICK, Proof, Prover

pytestmark = pytest.mark.anyio
POSITIONS = [Position(CLASSIC, (), parse_row(rack), opened=True) for rack in ("r1", "r2", "r3")]


class FakePool:
    """Answers with what it was given, and notes what it was asked for."""

    def __init__(self, *answers: Proof | Exception) -> None:
        self.answers = [*answers]
        self.seconds: list[float] = []
        self.rooms: list[str] = []

    async def run(
        self, most: float, work: Any, position: Position, seconds: float, **how: Any
    ) -> Proof:
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


def all_of(can_play: CanPlay) -> list[bool | None]:
    return [can_play(position) for position in POSITIONS]


async def test_a_quick_answer_is_enough() -> None:
    quick = FakePool(Proof(True, 0.01), Proof(False, 0.01), Proof(True, 0.01))
    thorough = FakePool()
    assert await prover(quick, thorough).judged(all_of, "a room") == [True, False, True]
    assert quick.seconds == [QUICK] * 3
    assert quick.rooms == ["a room"] * 3
    assert thorough.seconds == []


async def test_a_hard_proof_has_what_is_left_for_the_command() -> None:
    quick = FakePool(Proof(None, 0.1), Proof(None, 0.1))
    thorough = FakePool(Proof(True, 1.5), Proof(None, 0.3))
    found = await prover(quick, thorough).judged(all_of, "a room")
    assert found == [True, None, None], "for the third one there is no time"
    assert thorough.seconds == [pytest.approx(1.9), pytest.approx(0.3)]
    assert len(quick.seconds) == 2


async def test_a_pool_that_fails_is_not_asked_again_for_the_same() -> None:
    quick = FakePool(PoolBusyError(), Proof(True, 0.0), TimeoutError())
    thorough = FakePool()
    assert await prover(quick, thorough).judged(all_of, "a room") == [None, True, None]


async def test_without_time_nothing_is_asked() -> None:
    quick, thorough = FakePool(), FakePool()
    assert await prover(quick, thorough, 0.0).judged(all_of, "a room") == [None, None, None]
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
