"""Prefixes of hands: equivalence classes of beginnings, the states of the dynamic programme.

The same tiles complete all beginnings of hands with the same prefix, so a count does not need to
distinguish them.
"""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import comb, prod
from typing import NamedTuple

from tilerummy.lab.openruns import at_least, lay, missing, reachable

COLOURS = 4
SMALLEST_GROUP = 3

Counts = tuple[int, ...]
"""The number of tiles of one number in each colour."""

Plan = tuple[int, ...]
"""One way to lay the tiles so far: for each colour, the index of its open runs."""

Prefix = frozenset[Plan]
"""All ways to lay the tiles so far, without dominated ones."""

STUCK = -1
NO_PLAN: Plan = ()


class Step(NamedTuple):
    """A transition: the prefix after the tiles of one number, and in how many ways."""

    tiles: int
    prefix: Prefix
    missing: int
    distinct: int
    physical: int


class Prefixes:
    """The prefixes of hands from a box with this many copies of each tile. Memoised."""

    start: Prefix = frozenset({(0,) * COLOURS})

    def __init__(self, copies: int) -> None:
        runs, counts = reachable(copies), range(copies + 1)
        place = {each: number for number, each in enumerate(runs)}
        self._after = [
            [STUCK if (after := lay(each, tiles)) is None else place[after] for tiles in counts]
            for each in runs
        ]
        self._missing = [missing(each) for each in runs]
        self._worse = [
            [place[worse] for better, worse in at_least(copies) if better == each] for each in runs
        ]
        self._all_counts = list(product(counts, repeat=COLOURS))
        self._weights = [prod(comb(copies, n) for n in counts) for counts in self._all_counts]
        number = {counts: number for number, counts in enumerate(self._all_counts)}
        self._for_runs = [
            [number[rest] for rest in rests_of_groups(counts)] for counts in self._all_counts
        ]
        self._laid: dict[Plan, list[Plan]] = {}
        self._dominated: dict[Plan, Prefix] = {}
        self._best: dict[frozenset[Plan], Prefix] = {}
        self._alike: dict[Prefix, Prefix] = {}

    def extend(self, prefix: Prefix, counts: Counts) -> Prefix:
        """The prefix with tiles of the next number; empty if it cannot go out any more."""
        return self._without_dominated(self._extend(prefix)[self._all_counts.index(counts)])

    def missing(self, prefix: Prefix) -> int:
        """The fewest tiles that complete the prefix; 0 for a hand that goes out."""
        return min(sum(self._missing[runs] for runs in plan) for plan in prefix)

    def steps(self, prefix: Prefix) -> list[Step]:
        """The transitions by the next number, up to permutations of colours."""
        ways: dict[tuple[int, Prefix], list[int]] = {}
        for counts, weight, plans in zip(
            self._all_counts, self._weights, self._extend(prefix), strict=True
        ):
            if plans:
                if plans not in self._best:
                    self._best[plans] = self._sort_colours(self._without_dominated(plans))
                way = ways.setdefault((sum(counts), self._best[plans]), [0, 0])
                way[0] += 1
                way[1] += weight
        return [
            Step(tiles, after, self.missing(after), *way) for (tiles, after), way in ways.items()
        ]

    def _extend(self, prefix: Prefix) -> list[frozenset[Plan]]:
        """All plans after each of the counts."""
        laid = [frozenset(plans) for plans in zip(*map(self._lay, prefix), strict=True)]
        return [
            frozenset[Plan]().union(*[laid[rest] for rest in rests]) - {NO_PLAN}
            for rests in self._for_runs
        ]

    def _lay(self, plan: Plan) -> list[Plan]:
        """The plan after each of the counts, with all tiles in runs."""
        if plan not in self._laid:
            afters = product(*[self._after[runs] for runs in plan])
            self._laid[plan] = [NO_PLAN if STUCK in after else after for after in afters]
        return self._laid[plan]

    def _without_dominated(self, plans: frozenset[Plan]) -> Prefix:
        kept = plans
        for plan in plans:
            if plan not in self._dominated:
                self._dominated[plan] = frozenset(
                    product(*[self._worse[runs] for runs in plan])
                ) - {plan}
            kept -= self._dominated[plan]
        return kept

    def _sort_colours(self, prefix: Prefix) -> Prefix:
        """The canonical form of the prefix under permutations of colours.

        Colours are sorted by what the plans hold of each; ties take the order that sorts lowest.
        """
        if prefix not in self._alike:
            held = [sorted(runs) for runs in zip(*prefix, strict=True)]
            first = sorted(held)
            plans = min(
                sorted(tuple([plan[colour] for colour in order]) for plan in prefix)
                for order in permutations(range(COLOURS))
                if [held[colour] for colour in order] == first
            )
            alike = frozenset(plans)
            self._alike[prefix] = self._alike.setdefault(alike, alike)
        return self._alike[prefix]


def rests_of_groups(counts: Counts) -> list[Counts]:
    """The tiles of one number that groups can leave over."""
    rests = [counts]
    for rest in rests:
        for size in range(SMALLEST_GROUP, COLOURS + 1):
            for colours in combinations(range(COLOURS), size):
                less = tuple(n - (colour in colours) for colour, n in enumerate(rest))
                if min(less) >= 0 and less not in rests:
                    rests.append(less)
    return rests
