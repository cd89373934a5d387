"""The answer of the plain kernel: the walk, then the spare jokers."""

from __future__ import annotations

from tilerummy.rules.tiles import JOKER
from tilerummy.solver.cover.limit import StoppedError
from tilerummy.solver.cover.plain.groups_only import best_groups
from tilerummy.solver.cover.plain.rows import Row
from tilerummy.solver.cover.plain.spare_jokers import place_spares
from tilerummy.solver.cover.plain.walk import Walk
from tilerummy.solver.cover.problem import Cover, CoverProblem


def plain_cover(problem: CoverProblem) -> Cover | None:
    """The cheapest way to lay all tiles of the table, with any of the rack; None if there is none.

    A limit that is reached without any answer gives a loss of -1.
    """
    walk = Walk(problem)
    if not walk.has_place_for_all:
        return None
    cutoff = None if problem.below is None else problem.below - walk.base
    try:
        goal = walk.run(needs_run=False, cutoff=cutoff)
    except StoppedError:
        return Cover(-1, (), walk.limit.nodes, False)
    if goal is None:
        return None
    rows, spare = walk.rows(goal)
    spare = place_spares(rows, spare)
    if spare and (spare > problem.may[JOKER] or problem.weights[JOKER]):
        return _groups_or_a_run(walk, goal.loss, cutoff)
    return _cover(walk, goal.loss, rows)


def _groups_or_a_run(walk: Walk, least: int, cutoff: int | None) -> Cover | None:
    """All rows were groups, and jokers were left over: the better of groups alone and of a run."""
    groups = best_groups(walk)
    if groups is not None and cutoff is not None and groups[0] >= cutoff:
        groups = None
    if groups is None or groups[0] > least:
        try:
            goal = walk.run(needs_run=True, cutoff=cutoff if groups is None else groups[0])
        except StoppedError:
            if groups is None:
                return Cover(-1, (), walk.limit.nodes, False)
            walk.exact = False
            return _cover(walk, *groups)
        if goal is not None:
            rows, spare = walk.rows(goal)
            place_spares(rows, spare)
            return _cover(walk, goal.loss, rows)
    return None if groups is None else _cover(walk, *groups)


def _cover(walk: Walk, loss: int, rows: list[Row]) -> Cover:
    return Cover(walk.base + loss, tuple(row.faces() for row in rows), walk.limit.nodes, walk.exact)
