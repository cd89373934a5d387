"""Open runs of one colour, and which are the better."""

from __future__ import annotations

import pytest

from tilerummy.lab.openruns import OpenRuns, at_least, lay, reachable


@pytest.mark.parametrize(
    ("runs", "tiles", "after"),
    [
        ((), 2, (1, 1)),
        ((1,), 0, None),
        ((1, 3), 1, (2,)),
        ((1, 3), 2, (2, 3)),
        ((2,), 2, (1, 3)),
        ((3, 3), 1, (3,)),
        ((3,), 0, ()),
    ],
)
def test_short_runs_first_then_whole_ones_then_new_ones(
    runs: OpenRuns, tiles: int, after: OpenRuns | None
) -> None:
    assert lay(runs, tiles) == after


def test_two_copies_leave_up_to_two_runs_open() -> None:
    assert len(reachable(2)) == 1 + 3 + 6


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_of_two_open_runs_not_each_is_the_better(copies: int) -> None:
    """Otherwise each would make the other superfluous, and both would be dropped."""
    pairs = at_least(copies)
    assert {(a, b) for a, b in pairs if (b, a) in pairs} == {(a, a) for a in reachable(copies)}


def test_a_whole_run_is_better_than_a_short_one_or_none() -> None:
    pairs = at_least(2)
    assert {((3,), ()), ((3,), (2,)), ((2,), (1,))} <= pairs
    assert not {((1,), ()), ((), (1,)), ((), (3,))} & pairs
