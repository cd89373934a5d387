"""Groups alone: the cheapest rows without a run, number by number."""

from __future__ import annotations

from collections.abc import Iterator

from tilerummy.rules.tiles import HIGHEST, JOKER
from tilerummy.solver.cover.plain.choices import (
    COLOURS,
    NUMBERS,
    Take,
    face_down,
    takes,
)
from tilerummy.solver.cover.plain.rows import Row, deal_groups
from tilerummy.solver.cover.plain.walk import Walk


def best_groups(walk: Walk) -> tuple[int, list[Row]] | None:
    """The cheapest rows without a run, jokers that stay included."""
    best: dict[int, tuple[int, list[Row]]] = {0: (0, [])}  # by jokers used
    for number in NUMBERS:
        after: dict[int, tuple[int, list[Row]]] = {}
        for take, groups, jokers, loss in _groupings(walk, number):
            for used, (cost, rows) in best.items():
                total = used + jokers
                if total <= walk.jokers and (total not in after or cost + loss < after[total][0]):
                    more = deal_groups(number, take, groups, jokers)
                    after[total] = cost + loss, rows + more
        best = after
    problem = walk.problem
    found: tuple[int, list[Row]] | None = None
    for used, (cost, rows) in sorted(best.items()):
        left = walk.jokers - used
        if problem.grammar.min_natural <= 0 and 3 <= left <= HIGHEST:
            rows = [*rows, Row(True, (0,), 0, left, frozenset(range(left)))]
        elif left > problem.may[JOKER]:
            continue
        else:
            cost += left * problem.weights[JOKER]
        if found is None or cost < found[0]:
            found = cost, rows
    return found


def _groupings(walk: Walk, number: int) -> Iterator[tuple[Take, int, int, int]]:
    """How tiles of a number may lie in groups: how many of each colour, groups, jokers, loss."""
    tiles, may = walk.tiles[number], walk.may[number]
    a, b, c, d = (tiles[colour] - may[colour] for colour in COLOURS)
    for take in takes((a, b, c, d), tiles):
        total = sum(take)
        loss = sum(
            (tiles[colour] - take[colour]) * walk.weights[face_down(colour, number)]
            for colour in COLOURS
        )
        for groups in range(max(take), total + 1):
            for jokers in range(max(0, 3 * groups - total), 4 * groups - total + 1):
                if jokers <= walk.jokers:
                    yield take, groups, jokers, loss
