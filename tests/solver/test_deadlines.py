"""Deadlines: once time is over, every layer of the solver stops after a bounded amount of work.

The clock is a fake one that advances with each look at it, so nothing here depends on the machine.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.solver.extremes import KNOWN, extreme
from tilerummy.bots.simple import find_play
from tilerummy.rules import matching, rows
from tilerummy.rules.candidates import all_rows
from tilerummy.rules.editions import edition
from tilerummy.rules.openings import openings_from
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import faces_of, parse_row, parse_table
from tilerummy.rules.turns import judge_turn, read_table
from tilerummy.solver import Solution, best, missing, plan_steps, playable, solve
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.deadline import GRACE, Deadline, TimeOverError
from tilerummy.solver.cover.problem import CoverProblem
from tilerummy.solver.turns import answers, position_solver
from tilerummy.solver.turns.assignment import lay_beside, lay_tiles
from tilerummy.solver.turns.best_turn import TimedProof
from tilerummy.solver.turns.tidy import fewest_hitting, tidiest

EXTREME = edition(
    "twist", {"jokers": "J4 D4 C4 M4", "copies": 4, "set.min_natural": 0, "joker.locked_sets": True}
)
HAND = Counter(faces_of(parse_row("J J J J D D D D C C C C M M r1 r2 r3 b4 b5 k6 k7 o8 o9")))
LOOK = 1e-4
"""Seconds that pass with each look at the fake clock."""
MOST_LOOKS = 8 * GRACE / LOOK
"""After the deadline: some layers may each use up the grace."""
MOST_READINGS = 20_000
MOST_COVERS = 40


class FakeClock:
    """Passes a moment with each look, and counts work from the deadline on."""

    def __init__(self, looks: int) -> None:
        self.now = 0.0
        self.deadline = Deadline(looks * LOOK, self)
        self.looks_after = 0
        self.work: Counter[str] = Counter()

    def __call__(self) -> float:
        self.now += LOOK
        if self.now > self.deadline.at:
            self.looks_after += 1
        return self.now

    def counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any) -> Any:
            if self.now > self.deadline.at:
                self.work[name] += 1
            return call(*args)

        return counting

    def assert_bounded(self) -> None:
        assert self.looks_after <= MOST_LOOKS
        assert self.work["readings"] <= MOST_READINGS
        assert self.work["matchings"] <= MOST_LOOKS
        assert self.work["covers"] <= MOST_COVERS


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], FakeClock]:
    def make(looks: int) -> FakeClock:
        monkeypatch.undo()
        clock = FakeClock(looks)
        read = clock.counted("readings", rows.RowReader.readings)
        monkeypatch.setattr(rows.RowReader, "readings", read)
        monkeypatch.setattr(matching, "_complete", clock.counted("matchings", matching._complete))
        # States are limited, so that no kernel lasts for as long as it takes.
        cover = kernels.find_cover

        def limited(problem: CoverProblem) -> Any:
            return cover(replace(problem, node_limit=min(problem.node_limit or 200, 200)))

        monkeypatch.setattr(answers, "find_cover", clock.counted("covers", limited))
        return clock

    return make


Question = Callable[[Position, Deadline], Any]


def _hint(asked: Position, deadline: Deadline) -> Solution:
    found = solve(asked, time_limit=deadline)
    if found.plays:
        plan_steps(asked, found, time_limit=deadline)
    return found


QUESTIONS: dict[str, Question] = {
    "solve": lambda asked, deadline: solve(asked, time_limit=deadline),
    "plain": lambda asked, deadline: solve(asked, tidy=False, time_limit=deadline),
    "hint": _hint,
    "best": lambda asked, deadline: best(asked, 5, time_limit=deadline),
    "missing": lambda asked, deadline: missing(asked, time_limit=deadline),
    "playable": lambda asked, deadline: playable(asked, asked.rack[0], time_limit=deadline),
    "proof": lambda asked, deadline: TimedProof(deadline)(asked),
}


@pytest.mark.parametrize("looks", [0, 20, 1000])
@pytest.mark.parametrize("question", QUESTIONS)
def test_work_after_the_deadline_is_bounded(
    question: str, looks: int, counts: Callable[[int], FakeClock]
) -> None:
    for asked in (KNOWN, *map(extreme, (3, 8, 18, 41, 56, 67))):
        clock = counts(looks)
        QUESTIONS[question](asked, clock.deadline)
        clock.assert_bounded()


def out_of(looks: int) -> Callable[[], None]:
    """A tick that raises after so many calls, and fails the test if it is called again."""
    left = looks

    def tick() -> None:
        nonlocal left
        assert left >= 0, "the search went on"
        left -= 1
        if left < 0:
            raise TimeOverError

    return tick


def _judge(tick: Callable[[], None]) -> object:
    rules = edition("twist", {**EXTREME.changed_options(), "initial.same_turn_manipulation": True})
    rules = edition("twist", {**rules.changed_options(), "initial.min": 200})
    table = parse_table("r1 r2 r3 / J J J / D D b5 / C C C")
    rack = tuple(tile for row in table for tile in row)
    return judge_turn(Position(rules, (), rack, opened=False), table, tick=tick)


LISTS: dict[str, Callable[[Callable[[], None]], object]] = {
    "rows": lambda tick: all_rows(EXTREME, HAND, tick=tick),
    "whole rows": lambda tick: all_rows(EXTREME, HAND, whole=True, tick=tick),
    "rows around": lambda tick: all_rows(EXTREME, HAND, faces_of(parse_row("k6"))[0], tick=tick),
    "openings": lambda tick: list(openings_from(EXTREME, HAND, tick)),
    "judge": _judge,
    "hitting set": lambda tick: fewest_hitting(
        [frozenset({n, n + 1, n + 2}) for n in range(0, 60, 2)], 30, tick
    ),
    "simple bot": lambda tick: find_play(
        Position(EXTREME, (), parse_row("J J D D C M r1 r2 r3 b4 b5 b6 k6 k7"), True), tick=tick
    ),
}


@pytest.mark.parametrize("steps", [0, 1, 100])
@pytest.mark.parametrize("name", LISTS)
def test_long_lists_end_with_the_tick(name: str, steps: int) -> None:
    with pytest.raises(TimeOverError):
        LISTS[name](out_of(steps))


def test_a_shared_deadline_is_one_for_all_questions() -> None:
    clock = FakeClock(0)
    assert clock.deadline.over
    assert Deadline.of(clock.deadline) is clock.deadline
    assert Deadline.of(None) is None
    assert missing(KNOWN, time_limit=clock.deadline) == []


def test_a_turn_in_haste_is_legal_and_its_steps_lead_there() -> None:
    for seed in range(12):
        asked = extreme(seed)
        found = solve(asked, time_limit=FakeClock(200).deadline)
        table = asked.table
        for step in plan_steps(asked, found, time_limit=FakeClock(0).deadline):
            table = step.on(table)
        if found.plays:
            assert Counter(tuple(sorted(row)) for row in table) == Counter(
                tuple(sorted(row)) for row in found.table
            )
            declared = found.declared if asked.edition.joker_declare != "position" else None
            try:
                verdict = judge_turn(asked, found.table, declared, out_of_time(5.0))
            except TimeOverError:
                continue
            assert verdict.legal, (seed, verdict.reasons)


@pytest.mark.parametrize("when", ["always", "after tidying"])
def test_a_turn_that_is_not_laid_in_time_is_not_said_to_be_none(
    when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tidying may use up the time that laying the tiles takes."""
    late = when == "always"

    def tidy(*args: Any, **options: Any) -> Any:
        nonlocal late
        late = True
        return tidiest(*args, **options)

    def lay(*args: Any) -> Any:
        if late:
            raise TimeOverError
        return lay_tiles(*args)

    monkeypatch.setattr(position_solver, "tidiest", tidy)
    monkeypatch.setattr(position_solver, "lay_tiles", lay)
    # Every play takes a row apart.
    table = parse_table("r3 r4 r5 r6 / b9 k9 o9")
    position = Position(edition("classic"), table, parse_row("b6 k6"), opened=True)
    found = solve(position, time_limit=3600)
    if when == "always":
        assert not found.plays
        assert not found.exact
    else:
        assert (found.tiles, found.exact, found.tidiest) == (2, True, False)


def test_rows_that_stand_are_declared_where_a_turn_is_laid_beside_them() -> None:
    rules = edition("classic", {"joker.declare": "kind"})
    table = parse_table("b2 J J / r1 r2 r3")
    asked = Position(rules, table, parse_row("k1 k2 k3"), opened=True)
    before = read_table(rules, table)
    rows = [*map(faces_of, table), faces_of(asked.rack)]
    laid = lay_beside(asked, before, rows)
    assert laid is not None
    (after, played, kept), declared = laid
    assert (played, kept) == (asked.rack, 2)
    assert judge_turn(asked, after, declared).legal


def out_of_time(seconds: float) -> Callable[[], None]:
    return Deadline(time.monotonic() + seconds).check


@pytest.mark.soak
def test_overshoot_on_extreme_positions(capsys: pytest.CaptureFixture[str]) -> None:
    """Prints by how much processor time a limit of 50 ms is passed."""
    limit, over = 0.05, []
    for seed in range(-1, 300):
        asked = KNOWN if seed < 0 else extreme(seed)
        gc.collect()  # or it comes, at full length, in the middle of some search
        end = time.process_time() + limit
        _hint(asked, Deadline(end, time.process_time))
        over.append(max(0.0, time.process_time() - end) * 1000)
    over.sort()
    with capsys.disabled():
        print(f"overshoot in ms: p99 {over[int(len(over) * 0.99)]:.0f}, max {over[-1]:.0f}")
    assert over[len(over) // 2] < 1000, "half of them, on any machine"
