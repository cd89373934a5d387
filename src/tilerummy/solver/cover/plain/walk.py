"""The walk: A* over the numbers, from 13 down to 1."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from tilerummy.rules.tiles import HIGHEST, JOKER
from tilerummy.solver.cover.limit import Limit
from tilerummy.solver.cover.plain.choices import (
    COLOURS,
    NO_DEAL,
    NOTHING_OPEN,
    NUMBERS,
    PATIENCE,
    Choice,
    Deal,
    Open,
    Take,
    face_down,
    takes,
)
from tilerummy.solver.cover.plain.rows import Row, deal_groups, extended
from tilerummy.solver.cover.problem import CoverProblem


class Key(NamedTuple):
    """What tells one node from another."""

    number: int
    jokers: int
    has_run: bool
    open: tuple[Open, Open, Open, Open]


@dataclass(slots=True, eq=False)
class Node:
    """A node of the walk, with the way that led to it."""

    key: Key
    loss: int
    parent: Node | None
    deal: Deal  # what led here from there
    way: tuple[Choice, ...]


@lru_cache(1 << 12)
def _deals(tiles: Take) -> tuple[Deal, ...]:
    """How tiles of one number may lie in groups, each with the least number of groups and jokers.

    A group with two jokers is left out: it also is a run.
    """
    deals = []
    for take in takes((0, 0, 0, 0), tiles):
        total = sum(take)
        groups = max(*take, -(-total // 4))
        if total >= 2 * groups:
            deals.append(Deal(take, groups, max(0, 3 * groups - total)))
    return tuple(deals)


class Walk:
    """A* over the numbers: what costs no more than the best so far lies on a stack."""

    def __init__(self, problem: CoverProblem) -> None:
        self.problem = problem
        self.weights = problem.weights
        self.jokers = problem.must[JOKER] + problem.may[JOKER]
        self.limit = Limit(problem)
        self.exact = True
        self.base = 0
        """What the tiles cost that no row can hold."""
        self.has_place_for_all = True
        """No such tile lies on the table."""
        self.tiles: list[Take] = []
        self.may: list[Take] = []
        self._read()
        self.tiles += [(0, 0, 0, 0)] * 2
        self._choices: dict[tuple[int, int, Open, int], tuple[tuple[Choice, ...], ...]] = {}
        self._ahead: dict[tuple[int, int, Open, int], int] = {}
        self._group_jokers: dict[tuple[int, int, int, bool], int] = {}
        self.needs_run = False
        self.hard = False

    def _read(self) -> None:
        """Three numbers in a row hold a tile if they lack no more than there are jokers, as do the
        colours of its number."""
        must, may = self.problem.must, self.problem.may
        present = [
            [
                must[face_down(colour, number)] + may[face_down(colour, number)] > 0
                for number in NUMBERS
            ]
            for colour in COLOURS
        ]
        for number in NUMBERS:
            colours = sum(present[colour][number] for colour in COLOURS)
            tiles, free = [0] * 4, [0] * 4
            for colour in COLOURS:
                face = face_down(colour, number)
                tiles[colour], free[colour] = must[face] + may[face], may[face]
                if not present[colour][number] or colours + self.jokers >= 3:
                    continue
                least, most = max(0, number - 2), min(number, HIGHEST - 3)
                if any(
                    sum(present[colour][start : start + 3]) + self.jokers >= 3
                    for start in range(least, most + 1)
                ):
                    continue
                self.has_place_for_all &= not must[face]
                self.base += may[face] * self.weights[face]
                tiles[colour] = free[colour] = 0
            self.tiles.append((tiles[0], tiles[1], tiles[2], tiles[3]))
            self.may.append((free[0], free[1], free[2], free[3]))

    # Choices of one colour

    def choices(
        self, number: int, colour: int, runs: Open, jokers: int
    ) -> tuple[tuple[Choice, ...], ...]:
        """By the number of tiles in groups; those that leave no tile come first."""
        key = (number, colour, runs, jokers)
        found = self._choices.get(key)
        if found is None:
            tiles = self.tiles[number][colour]
            found = self._choices[key] = tuple(
                tuple(
                    self._starts(key, tiles - take - sum(runs))
                    if tiles - take > sum(runs)
                    else self._fills(key, tiles - take)
                )
                for take in range(tiles + 1)
            )
        return found

    def _starts(self, key: tuple[int, int, Open, int], more: int) -> Iterator[Choice]:
        """All open runs have a tile and more are over: they start runs or stay.

        A run whose first tile is a 2 or a 1 needs jokers before it.
        """
        number, colour, runs, jokers = key
        one, two, long = runs
        before = max(0, number - HIGHEST + 3)
        for left in range(min(more, self.may[number][colour]) + 1):
            starts = more - left
            rest = jokers - before * starts
            opened = [0, one, two + long]
            if before < 2:
                opened[before] += starts
            after = self._settle(number, colour, opened[0], opened[1], opened[2], rest)
            if after is not None:
                loss = left * self.weights[face_down(colour, number)]
                yield Choice(loss, after, jokers - rest, sum(runs) + starts, left, starts)

    def _fills(self, key: tuple[int, int, Open, int], tiles: int) -> Iterator[Choice]:
        """No more tiles than open runs: jokers for short ones, or over a gap to a tile."""
        number, colour, (one, two, long), jokers = key
        least = max(0, one + two - tiles)
        most = min(one + two + long - tiles, least + self.tiles[number + 1][colour], jokers)
        for used in range(least, most + 1):
            extended = tiles + used - one - two
            after = self._settle(number, colour, 0, one, two + extended, jokers - used)
            if after is not None:
                yield Choice(0, after, used, tiles, 0, 0)

    def _settle(
        self, number: int, colour: int, one: int, two: int, long: int, jokers: int
    ) -> Open | None:
        """Open runs after a number, without those of no use; None if short ones cannot go on."""
        if jokers < 0:
            return None
        if number == HIGHEST - 1:
            return None if one + two else NOTHING_OPEN
        if one and number == HIGHEST - 2:
            return None
        following, after = self.tiles[number + 1][colour], self.tiles[number + 2][colour]
        if max(0, one + two - following) + max(0, one - after) > jokers:
            return None
        room = max(0, following + min(after, jokers) - one - two)
        return one, two, min(long, room)

    # The bound ahead

    def _count_group_jokers(self) -> None:
        """The least jokers of a deal that takes so many of a colour: of any, and of those where the
        colour lies in every group."""
        least = self._group_jokers
        for number in NUMBERS:
            for deal in _deals(self.tiles[number]):
                for colour, take in enumerate(deal.take):
                    for everywhere in (False, True) if take == deal.groups else (False,):
                        key = (number, colour, take, everywhere)
                        least[key] = min(least.get(key, deal.jokers), deal.jokers)

    def ahead(self, number: int, colour: int, runs: Open, jokers: int) -> int:
        """What a colour has to lose if it may have all jokers and any group; -1 = no way on."""
        if number == HIGHEST:
            return 0
        key = (number, colour, runs, jokers)
        known = self._ahead.get(key)
        if known is not None:
            return known
        least = -1
        for take, choices in enumerate(self.choices(number, colour, runs, jokers)):
            for choice in choices:
                for_groups = self._group_jokers.get((number, colour, take, choice.left > 0))
                if for_groups is None or 0 <= least <= choice.loss:
                    continue
                rest = jokers - choice.jokers - for_groups
                if rest >= 0:
                    ahead = self.ahead(number + 1, colour, choice.next, rest)
                    if ahead >= 0 and not 0 <= least <= choice.loss + ahead:
                        least = choice.loss + ahead
        self._ahead[key] = least
        return least

    def bound(self, key: Key) -> int:
        """What all colours have to lose; -1 = no way on."""
        total = 0
        for colour in COLOURS:
            ahead = self.ahead(key.number, colour, key.open[colour], key.jokers)
            if ahead < 0:
                return -1
            total += ahead
        return total

    # The walk

    def ways(self, node: Node) -> Iterator[Node]:
        """Where a node leads, deal by deal."""
        number, jokers, has_run, runs = node.key
        choices = [self.choices(number, colour, runs[colour], jokers) for colour in COLOURS]
        for deal in _deals(self.tiles[number]):
            if deal.jokers > jokers:
                continue
            fitting = []
            for colour, take in enumerate(deal.take):
                fit = choices[colour][take]
                if take < deal.groups and fit and fit[-1].left:
                    # A tile that stays could lie in a group that lacks its colour.
                    fit = tuple([choice for choice in fit if not choice.left])
                if not fit:
                    break
                fitting.append(fit)
            if len(fitting) < 4:
                continue
            for way in itertools.product(*fitting):
                a, b, c, d = way
                rest = jokers - deal.jokers - a.jokers - b.jokers - c.jokers - d.jokers
                if rest < 0 or (a.left > 0) + (b.left > 0) + (c.left > 0) + (d.left > 0) > 2:
                    continue  # too many jokers, or tiles that would make a group
                key = Key(
                    number + 1,
                    rest if number < HIGHEST - 1 else 0,
                    self.needs_run and (has_run or any(choice.starts for choice in way)),
                    (a.next, b.next, c.next, d.next),
                )
                loss = node.loss + a.loss + b.loss + c.loss + d.loss
                yield Node(key, loss, node, deal, way)

    def run(self, *, needs_run: bool, cutoff: int | None) -> Node | None:
        """The cheapest way through all numbers, if one costs less than the cutoff."""
        self.needs_run = needs_run
        root = Node(Key(0, self.jokers, False, (NOTHING_OPEN,) * 4), 0, None, NO_DEAL, ())
        best: dict[Key, int] = {}  # least loss of the nodes seen
        cost = proven = 0
        self.limit = Limit(self.problem, self.limit.nodes)
        stack: list[Iterator[Node]] = [iter([root])]
        heap: list[tuple[int, int, Node]] = []
        turns = itertools.count(0, -1)  # later goes first among equals
        while stack or heap:
            if not stack:
                proven, _, node = heappop(heap)
                cost = max(proven, self.limit.willing)
                if best[node.key] < node.loss:
                    continue
            elif (following := next(stack[-1], None)) is None:
                stack.pop()
                continue
            else:
                node = following
                if node.key in best and best[node.key] <= node.loss:
                    continue
                best[node.key] = node.loss
            ahead = self.bound(node.key) if self.hard else 0
            if ahead < 0 or (cutoff is not None and node.loss + ahead >= cutoff):
                continue
            if node.loss + ahead > cost:
                heappush(heap, (node.loss + ahead, next(turns), node))
            elif node.key.number < HIGHEST:
                cost = max(cost, self._count_node(proven))
                stack.append(self.ways(node))
            elif node.key.has_run or not needs_run:
                self.exact = self.exact and node.loss <= proven
                return node
        return None

    def _count_node(self, proven: int) -> int:
        """What may be lost now: more and more in a hurry."""
        self.limit.count(proven)
        if self.limit.nodes >= PATIENCE and not self.hard:
            self.hard = True
            self._count_group_jokers()
        return self.limit.willing

    # Rows

    def rows(self, goal: Node) -> tuple[list[Row], int]:
        """The rows on the way to the goal, and how many jokers are left."""
        way = []
        node = goal
        while node.parent is not None:
            way.append(node)
            node = node.parent
        rows: list[Row] = []
        going: list[list[Row]] = [[] for _ in COLOURS]
        spare = self.jokers
        for number, node in enumerate(reversed(way)):
            for colour, choice in enumerate(node.way):
                ended, going[colour] = extended(going[colour], colour, number, choice)
                rows += ended
                spare -= choice.jokers
            rows += deal_groups(number, node.deal.take, node.deal.groups, node.deal.jokers)
            spare -= node.deal.jokers
        for runs in going:
            rows += runs
        return rows, spare
