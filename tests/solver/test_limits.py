"""What `solve` promises under a limit: a legal turn, and the truth about what was proven."""

from __future__ import annotations

import pytest

from tests.solver.positions import FAMILIES, draw, read
from tests.solver.turns.test_best_turn import assert_legal
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.solver import Solution, solve
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.objectives import objective
from tilerummy.solver.turns.position_solver import PositionSolver

LIMITS: list[dict[str, float]] = [
    {"node_limit": 1},
    {"node_limit": 10},
    {"node_limit": 100},
    {"time_limit": 0},
    {"time_limit": 0.001},
]


def assert_honest(asked: Position, whole: Solution, found: Solution) -> None:
    assert (found.tiles, found.value) <= (whole.tiles, whole.value)
    if found.exact:
        assert (found.tiles, found.value) == (whole.tiles, whole.value)
    if found.plays:
        assert_legal(asked, found)


def check_family(family: str, seeds: range) -> None:
    for seed in seeds:
        asked = read(draw(family, seed, small=seed % 2 > 0))
        whole = solve(asked, tidy=False)
        for number, limits in enumerate(LIMITS):
            assert_honest(asked, whole, solve(asked, tidy=(seed + number) % 2 > 0, **limits))  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_turn_within_limits_is_legal_and_says_what_is_proven(family: str) -> None:
    check_family(family, range(12))


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_many_turns_within_limits(family: str) -> None:
    check_family(family, range(100, 1000))


@pytest.mark.parametrize("family", ["six", "twist", "adversarial", "sabra-opening"])
def test_a_turn_within_limits_is_no_worse_than_one_that_leaves_the_table_alone(
    family: str,
) -> None:
    for seed in range(12):
        asked = read(draw(family, seed, small=False))
        for limit in (1, 10, 100):
            question = PositionSolver(asked, objective("tiles"), Budget(limit))
            answer = question.in_haste(None, None)
            found = solve(asked, tidy=False, node_limit=limit)
            least = question.solution(answer, tidy=False)
            assert (found.tiles, found.value) >= (least.tiles, least.value)


def test_no_manipulation_within_limits() -> None:
    rules = edition("sabra", {"empty_pool.end": "final_round", "final_round.manipulation": False})
    for seed in range(12):
        drawn = read(draw("sabra-opening", seed, small=True))
        for opened in (True, False):
            asked = Position(rules, drawn.table, drawn.rack, opened, manipulation=False)
            whole = solve(asked, tidy=False)
            for limits in LIMITS:
                assert_honest(asked, whole, solve(asked, **limits))  # type: ignore[arg-type]


def test_time_that_is_over_ends_a_long_search() -> None:
    hardest = max(
        (read(draw("adversarial", seed, small=False)) for seed in range(30)),
        key=lambda asked: solve(asked, tidy=False).nodes,
    )
    found = solve(hardest, time_limit=0)
    assert found.plays
    assert found.nodes < solve(hardest, tidy=False).nodes
