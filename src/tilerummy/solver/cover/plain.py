"""The plain kernel without a compiler: numbered tiles and J, every row anywhere.

`kernel/plain.c` does the same and tells in full why it is exact. In short: numbers are taken in
order, and all that matters of the rows begun so far is, for each colour, how many runs are open
with one tile, with two, and with more. At each number a deal says how many tiles of each colour lie
in groups, and each colour settles the rest for itself: tiles go on with the short runs, then with
the long ones, then start new runs or stay. Jokers go where a row needs one; those that are spare
are added to the rows afterwards.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import HIGHEST, JOKER, Face, numbered
from tilerummy.solver.cover.limit import Limit, StoppedError
from tilerummy.solver.cover.problem import Cover, CoverProblem

COLOURS = range(4)
NUMBERS = range(HIGHEST)
"""Numbers are counted from 0 here, and from 13 down: high tiles mostly weigh most."""
PATIENCE = 80
"""Nodes that are looked at before bounds are worth their time."""

Open: TypeAlias = tuple[int, int, int]
"""How many runs of a colour are open with one tile, with two, with three or more."""
NOTHING_OPEN: Open = (0, 0, 0)
Take: TypeAlias = tuple[int, int, int, int]


class Deal(NamedTuple):
    """How many tiles of each colour lie in groups of one number."""

    take: Take
    groups: int
    jokers: int


NO_DEAL = Deal((0, 0, 0, 0), 0, 0)


class Choice(NamedTuple):
    """One way in which a colour settles its tiles of one number, those in groups aside."""

    loss: int
    next: Open
    jokers: int
    tiles: int  # in runs
    left: int  # on the rack
    starts: int  # runs begun


class Key(NamedTuple):
    number: int
    jokers: int
    has_run: bool
    open: tuple[Open, Open, Open, Open]


@dataclass(slots=True, eq=False)
class Node:
    key: Key
    loss: int
    parent: Node | None
    deal: Deal  # what led here from there
    way: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Row:
    is_run: bool
    colours: tuple[int, ...]
    first: int
    length: int
    jokers: frozenset[int] = frozenset()  # places

    def faces(self) -> Faces:
        if self.is_run:
            return tuple(
                JOKER if place in self.jokers else _face(self.colours[0], self.first + place)
                for place in reversed(range(self.length))
            )
        tiles = tuple(_face(colour, self.first) for colour in self.colours)
        return tiles + (JOKER,) * (self.length - len(tiles))


def _face(colour: int, number: int) -> Face:
    return numbered(colour, HIGHEST - number)


def plain_cover(problem: CoverProblem) -> Cover | None:
    """The cheapest way to lay all tiles of the table, with any of the rack; None if there is none.

    A limit that is reached without any answer gives a loss of -1.
    """
    walk = Walk(problem)
    if not walk.has_place_for_all:
        return None
    try:
        goal = walk.run(needs_run=False, cutoff=None)
    except StoppedError:
        return Cover(-1, (), walk.limit.nodes, False)
    if goal is None:
        return None
    rows, spare = walk.rows(goal)
    spare = place_spares(rows, spare)
    if spare and (spare > problem.may[JOKER] or problem.weights[JOKER]):
        return _groups_or_a_run(walk, goal.loss)
    return _cover(walk, goal.loss, rows)


def _groups_or_a_run(walk: Walk, least: int) -> Cover | None:
    """All rows were groups, and jokers were left over: the better of groups alone and of a run."""
    groups = groups_only(walk)
    if groups is None or groups[0] > least:
        try:
            goal = walk.run(needs_run=True, cutoff=None if groups is None else groups[0])
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


def _takes(least: Take, most: Take) -> Iterator[Take]:
    a, b, c, d = (range(low, high + 1) for low, high in zip(least, most, strict=True))
    return itertools.product(a, b, c, d)


@lru_cache(1 << 12)
def _deals(tiles: Take) -> tuple[Deal, ...]:
    """How tiles of one number may lie in groups, each with the least number of groups and jokers.

    A group with two jokers is left out: it also is a run.
    """
    deals = []
    for take in _takes((0, 0, 0, 0), tiles):
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
            [must[_face(colour, number)] + may[_face(colour, number)] > 0 for number in NUMBERS]
            for colour in COLOURS
        ]
        for number in NUMBERS:
            colours = sum(present[colour][number] for colour in COLOURS)
            tiles, free = [0] * 4, [0] * 4
            for colour in COLOURS:
                face = _face(colour, number)
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
                loss = left * self.weights[_face(colour, number)]
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
                ended, going[colour] = _extended(going[colour], colour, number, choice)
                rows += ended
                spare -= choice.jokers
            rows += deal_groups(number, node.deal.take, node.deal.groups, node.deal.jokers)
            spare -= node.deal.jokers
        for runs in going:
            rows += runs
        return rows, spare


def _extended(
    going: list[Row], colour: int, number: int, choice: Choice
) -> tuple[list[Row], list[Row]]:
    """The runs that end before a number, and those that go on or start."""
    going = sorted(going, key=lambda run: min(run.length, 3))
    tiles = choice.tiles - choice.starts
    fed = tiles + (0 if choice.starts else choice.jokers)
    on = []
    for index, run in enumerate(going[:fed]):
        jokers = run.jokers if index < tiles else run.jokers | {run.length}
        on.append(replace(run, length=run.length + 1, jokers=jokers))
    before = max(0, number - HIGHEST + 3)
    start = Row(True, (colour,), number - before, before + 1, frozenset(range(before)))
    return going[fed:], on + [start] * choice.starts


def deal_groups(number: int, take: Take, groups: int, jokers: int) -> list[Row]:
    """Tiles of one number dealt round to so many groups, jokers first to those that lack most."""
    colours: list[list[int]] = [[] for _ in range(groups)]
    tiles = [colour for colour in COLOURS for _ in range(take[colour])]
    for place, colour in enumerate(tiles):
        colours[place % groups].append(colour)
    lengths = [len(group) for group in colours]
    for size in range(1, 4):
        for group in range(groups):
            if jokers and lengths[group] == size:
                lengths[group] += 1
                jokers -= 1
    return [
        Row(False, tuple(group), number, length)
        for group, length in zip(colours, lengths, strict=True)
    ]


# Spare jokers


def place_spares(rows: list[Row], spare: int) -> int:
    """Adds jokers to rows until none is left or nothing takes one; returns those left.

    Where there is a run all are placed: a run from 1 to 13 can be cut in two.
    """
    for index, row in enumerate(rows):
        while spare and (longer := _lengthened(row)) is not None:
            rows[index] = row = longer
            spare -= 1
    if not spare:
        return 0
    for index, row in enumerate(rows):
        if row.is_run and (parts := _cut_in_two(row)) is not None:
            rows[index : index + 1] = parts
            return place_spares(rows, spare)
    for number in NUMBERS:
        spare -= _regroup(rows, number, spare)
    return spare


def _lengthened(row: Row) -> Row | None:
    length = row.length
    if length == (HIGHEST if row.is_run else 4):
        return None
    if not row.is_run:
        return replace(row, length=length + 1)
    if row.first + length < HIGHEST:
        return replace(row, length=length + 1, jokers=row.jokers | {length})
    jokers = frozenset({0, *(place + 1 for place in row.jokers)})
    return replace(row, first=row.first - 1, length=length + 1, jokers=jokers)


def _cut_in_two(run: Row) -> tuple[Row, Row] | None:
    """A long run as two that both keep a numbered tile."""
    for cut in range(3, run.length - 2):
        jokers = frozenset(place for place in run.jokers if place < cut)
        others = frozenset(place - cut for place in run.jokers if place >= cut)
        if len(jokers) < cut and len(others) < run.length - cut:
            return (
                replace(run, length=cut, jokers=jokers),
                replace(run, first=run.first + cut, length=run.length - cut, jokers=others),
            )
    return None


def _regroup(rows: list[Row], number: int, spare: int) -> int:
    """One group more of a number, if the jokers are enough for it; returns how many it took."""
    groups = [row for row in rows if not row.is_run and row.first == number]
    colours = [colour for row in groups for colour in row.colours]
    jokers = sum(row.length for row in groups) - len(colours)
    count = len(groups) + 1
    taken = min(spare, 4 * count - len(colours) - jokers)
    if not groups or len(colours) < count or len(colours) + jokers + taken < 3 * count:
        return 0
    rows[:] = [row for row in rows if row.is_run or row.first != number]
    a, b, c, d = (colours.count(colour) for colour in COLOURS)
    rows += deal_groups(number, (a, b, c, d), count, jokers + taken)
    return taken


def groups_only(walk: Walk) -> tuple[int, list[Row]] | None:
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
    for take in _takes((a, b, c, d), tiles):
        total = sum(take)
        loss = sum(
            (tiles[colour] - take[colour]) * walk.weights[_face(colour, number)]
            for colour in COLOURS
        )
        for groups in range(max(take), total + 1):
            for jokers in range(max(0, 3 * groups - total), 4 * groups - total + 1):
                if jokers <= walk.jokers:
                    yield take, groups, jokers, loss
