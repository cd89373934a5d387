"""Objectives as values: what they carry, and how they are read."""

from __future__ import annotations

from typing import get_args

import pytest

from tilerummy.rules.editions import CLASSIC
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import parse_faces, unidentified
from tilerummy.solver import ObjectiveError, objective, solve
from tilerummy.solver.turns.objectives import OBJECTIVES, ObjectiveName, turn_prices


def position() -> Position:
    rows = parse_faces(["r1", "r2", "r3"])
    rack = parse_faces(["r4", "b9"])
    return Position(CLASSIC, (unidentified(rows),), unidentified(rack), opened=True)


def test_every_name_has_its_objective() -> None:
    assert tuple(OBJECTIVES) == get_args(ObjectiveName)
    for name in OBJECTIVES:
        assert objective(name).name == name


def test_only_going_out_forces_the_whole_rack() -> None:
    assert [name for name, goal in OBJECTIVES.items() if goal.forces_whole_rack] == ["out"]
    assert solve(position(), "tiles").tiles == 1
    assert not solve(position(), "out").plays


def test_weights_replace_tiles_and_points() -> None:
    goal = objective({"r4": 3})
    assert sum(turn_prices(CLASSIC, goal).weights) == 3


@pytest.mark.parametrize("wanted", ["most", {"r99": 1}, {"r4": -1}, {"r4": 1 << 41}])
def test_what_is_not_an_objective_is_refused(wanted: object) -> None:
    with pytest.raises(TileRummyError):
        objective(wanted)  # type: ignore[arg-type]


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(ObjectiveError, match="tiles"):
        objective("most")


def test_a_solution_and_a_position_print_as_one_short_line() -> None:
    assert repr(solve(position())) == "<Solution: play r4 (4 points, exact)>"
    assert repr(solve(position(), "out")) == "<Solution: draw (exact)>"
    assert repr(position()) == "<Position: classic, opened, table r1 r2 r3, rack r4 b9>"
