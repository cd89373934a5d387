"""The step planner: a turn as few steps, for hints and animations.

The table between two steps need not consist of sets: tiles that were taken up are in the hand until
a later step lays them. `moves` carries the tiles. This module decides which of several equal tiles
goes where, which rows stay in place while others come to them, and what is collected first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations, islice, pairwise

from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.errors import PositionError
from tilerummy.rules.position import Position
from tilerummy.rules.table_changes import unmatched
from tilerummy.rules.tiles import Row, Table, Tile, faces_of, has_mirror, row_text
from tilerummy.solver.cover.deadline import Deadline, TimeLimit, TimeOverError
from tilerummy.solver.steps.moves import HAND, RACK, Hands, Piece, Pieces, Rearrangement
from tilerummy.solver.steps.obligations import FirstSteps, HeldRow, first_steps
from tilerummy.solver.steps.step import Step
from tilerummy.solver.turns.row_matching import is_group
from tilerummy.solver.turns.solution import Solution

MOST_TRIALS = 300
"""How many ways are tried before the shortest so far must do."""
MOST_BEGINNINGS = 6
"""How many beginnings of a turn are compared, where it has to begin with something."""


def plan_steps(
    before: Position | Table, solution: Solution | Table, *, time_limit: TimeLimit = None
) -> tuple[Step, ...]:
    """Return the shortest way found from a table to that of a solution.

    Given the position, each step is one that its player may do at that moment: the opening comes
    first where it is still to come, and a locked row gives no tile before its jokers are replaced.
    Given a table only, nothing has to come first.

    At the `time_limit` the shortest way so far is returned. It leads to the table in any case; what
    has to come first does come first if it was found within a short grace after the limit.

    Raises PositionError if the new table lacks a tile of the old one.

    Rows that stay as they are do not occur. In a group, where the order means nothing, a tile that
    lies there keeps its place, so the last table has the rows of the solution up to that order; a
    locked mirror row is not turned round either.
    Equal tiles (unidentified ones) trade places where that is shorter.
    """
    after = solution.table if isinstance(solution, Solution) else solution
    table = before.table if isinstance(before, Position) else before
    gone = Counter(tile for row in table for tile in row)
    gone.subtract(tile for row in after for tile in row)
    missing = sorted(tile for tile, count in gone.items() if count > 0)
    if missing:
        raise PositionError(
            "{tiles} would leave the table", key="error.position.leaves", tiles=row_text(missing)
        )
    if isinstance(before, Position):
        declared = solution.declared if isinstance(solution, Solution) else NOTHING_DECLARED
        return _lawful(before, after, declared, Deadline.of(time_limit))
    return tuple(_StepSearch(FirstSteps((), table), after, Deadline.of(time_limit)).shortest())


def _lawful(
    position: Position, after: Table, declared: Declared, deadline: Deadline | None
) -> tuple[Step, ...]:
    """The shortest way that begins with what has to come first."""
    locks = position.edition.joker_locked_sets
    found: list[tuple[Length, Sequence[Step]]] = []
    tick = None if deadline is None else deadline.with_grace().check
    beginnings = islice(first_steps(position, after, declared, tick), MOST_BEGINNINGS)
    with suppress(TimeOverError):
        for first in beginnings:
            search = _StepSearch(first, after, deadline, locks=locks)
            way = search.shortest()
            found.append((search.length(way), (*first.steps, *way)))
            if deadline is not None and deadline.over:
                break
    if not found:
        return plan_steps(position.table, after, time_limit=deadline)
    return tuple(min(found, key=lambda item: item[0])[1])


def walk(before: Table, way: Sequence[Step]) -> Iterator[Table]:
    """Yield the table after each step."""
    for step in way:
        before = step.on(before)
        yield before


def _changed(before: Table, after: Table, held: Sequence[HeldRow]) -> tuple[list[int], list[int]]:
    """The numbers of the old and the new rows without those that lie on both tables.

    A row that is held and not added to stays, even if it may be a group and changes its order.
    """
    growing = [bond for bond in held if len(before[bond.row]) < len(after[bond.target])]
    bound, targets = {bond.row for bond in held}, {bond.target for bond in held}
    old = [number for number in range(len(before)) if number not in bound]
    new = [number for number in range(len(after)) if number not in targets]
    old_rows = [_meaning(before[number]) for number in old]
    new_rows = [_meaning(after[number]) for number in new]
    gone = [old[index] for index in unmatched(old_rows, new_rows)]
    laid = [new[index] for index in unmatched(new_rows, old_rows)]
    return (
        sorted([*gone, *{bond.row for bond in growing}]),
        sorted([*laid, *{bond.target for bond in growing}]),
    )


def _meaning(row: Row) -> Row:
    return tuple(sorted(row)) if is_group(row) else row


class _StepSearch:
    """Looks for the shortest way by changing one decision after the other while that helps."""

    def __init__(
        self,
        first: FirstSteps,
        after: Table,
        deadline: Deadline | None = None,
        *,
        locks: bool = False,
    ) -> None:
        self.deadline = deadline
        old_numbers, new_numbers = _changed(first.table, after, first.held)
        old = [first.table[number] for number in old_numbers]
        new = [after[number] for number in new_numbers]
        numbers = iter(range(sum(map(len, old))))
        self.rows = [[next(numbers) for _ in row] for row in old]
        self.tiles = [tile for row in old for tile in row] + list(first.hand)
        self.home = [number for number, row in enumerate(old) for _ in row]
        self.home += [HAND] * len(first.hand)
        self.locks = locks
        self.begun = first.steps
        self.held = []
        for bond in first.held:
            if bond.row in old_numbers:
                target = new_numbers.index(bond.target)
                new[target], places = _around(new[target], bond.places)
                self.held.append(HeldRow(old_numbers.index(bond.row), target, places))
        self.goal = self._match(old, new)
        self.trials = 0

    # Which of several equal tiles goes where

    def _match(self, old: list[Row], new: list[Row]) -> list[Pieces]:
        """The new rows in pieces: rows that are held know their places, then the longest parts
        that old and new rows share come first."""
        goal: list[list[Piece | None]] = [[None] * len(row) for row in new]
        free = [set(row) for row in self.rows]
        for bond in self.held:
            free[bond.row].clear()
            for piece, place in zip(self.rows[bond.row], bond.places, strict=True):
                goal[bond.target][place] = piece
        parts = [
            part
            for number, row in enumerate(new)
            for source, other in enumerate(old)
            for part in _shared(other, row, source, number)
        ]
        parts.sort(key=lambda part: (-len(part[2]), part))
        for source, number, pairs in parts:
            fits = [
                (self.rows[source][at], place)
                for at, place in pairs
                if self.rows[source][at] in free[source] and goal[number][place] is None
            ]
            if len(fits) == len(pairs):
                for piece, place in fits:
                    free[source].discard(piece)
                    goal[number][place] = piece
        left = sorted(piece for pieces in free for piece in pieces)
        left += [piece for piece, home in enumerate(self.home) if home == HAND]
        return [
            [
                self._found(tile, left) if piece is None else piece
                for tile, piece in zip(new[number], row, strict=True)
            ]
            for number, row in enumerate(goal)
        ]

    def _found(self, tile: Tile, left: Pieces) -> Piece:
        """One of the pieces that are left with this tile, or one more from the rack."""
        for piece in left:
            if self.tiles[piece] == tile:
                left.remove(piece)
                return piece
        self.tiles.append(tile)
        self.home.append(RACK)
        return len(self.tiles) - 1

    # Trying

    def is_late(self) -> bool:
        return self.deadline is not None and self.deadline.over

    def shortest(self) -> list[Step]:
        goal = self.goal
        best = self._try(goal)
        if self.is_late():
            return best
        best = min(best, self._taken_up(goal), key=self.length)
        held = {piece for bond in self.held for piece in self.rows[bond.row]}
        loose = [piece for piece in range(len(self.tiles)) if piece not in held]
        equal = [
            (one, other)
            for one, other in combinations(loose, 2)
            if self.tiles[one] == self.tiles[other] and self.home[one] != self.home[other]
        ]
        better = True
        while better and self.trials < MOST_TRIALS and not self.is_late():
            better = False
            for one, other in equal:
                if self.is_late():
                    break
                traded = _traded(goal, one, other)
                way = self._try(traded)
                if self.length(way) < self.length(best):
                    goal, best, better = traded, way, True
        return self._refined(goal, best)

    def length(self, way: Sequence[Step]) -> Length:
        """How long a way is with what comes first: its steps, then how often a row is too short,
        then the tiles moved. A way that touches a lock is longer than any that does not."""
        loosened = sum(step.loosens() for step in way) if self.locks else 0
        whole = [*self.begun, *way]
        short = sum(len(row) < 3 for step in whole for row in (*step.left, *step.result))
        moved = sum(len(step.tiles) + len(step.freed) for step in whole)
        return loosened, len(whole), short, moved

    def _try(self, goal: list[Pieces]) -> list[Step]:
        plan = self._plan(goal)
        anchors = _anchors(plan)
        return self._carry(plan, anchors, _direct(plan, anchors))

    def _taken_up(self, goal: list[Pieces]) -> list[Step]:
        """Take up every row that may be, and lay all of them again: never the nicest way."""
        plan = self._plan(goal)
        return self._carry(plan, _anchors(plan, only_held=True), frozenset())

    def _plan(self, goal: list[Pieces]) -> Rearrangement:
        held = frozenset(bond.row for bond in self.held)
        return Rearrangement(self.tiles, self.home, self.rows, goal, held)

    def _carry(
        self, plan: Rearrangement, anchors: Sequence[int | None], direct: frozenset[int]
    ) -> list[Step]:
        self.trials += 1
        return Hands(plan, anchors, direct).work()

    def _refined(self, goal: list[Pieces], best: list[Step]) -> list[Step]:
        """Other anchors, and the other way to arrive, row by row."""
        plan = self._plan(goal)
        anchors = _anchors(plan)
        direct = _direct(plan, anchors)
        better = True
        while better and self.trials < MOST_TRIALS and not self.is_late():
            better = False
            for number in range(len(goal)):
                choices = []
                if _may_arrive_directly(plan, number, anchors[number]):
                    choices.append((anchors, direct ^ {number}))
                for other in (None, *plan.staying[number]):
                    changed = [*anchors[:number], other, *anchors[number + 1 :]]
                    if other != anchors[number] and _compatible(plan, changed):
                        choices.append((changed, direct))
                        if _may_arrive_directly(plan, number, other):
                            choices.append((changed, direct ^ {number}))
                for choice in choices:
                    if self.is_late():
                        return best
                    way = self._carry(plan, *choice)
                    if self.length(way) < self.length(best):
                        (anchors, direct), best, better = choice, way, True
        return best


Length = tuple[int, int, int, int]


def _traded(goal: list[Pieces], one: Piece, other: Piece) -> list[Pieces]:
    trade = {one: other, other: one}
    return [[trade.get(piece, piece) for piece in row] for row in goal]


def _shared(
    old: Row, new: Row, source: int, number: int
) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Parts of an old row that occur in a new one: everything for a group, else what lies side by
    side in both."""
    if is_group(new):
        pairs, places = [], list(range(len(new)))
        for at, tile in enumerate(old):
            found = next((place for place in places if new[place] == tile), None)
            if found is not None:
                places.remove(found)
                pairs.append((at, found))
        for size in range(len(pairs), 0, -1):
            for part in combinations(pairs, size):
                yield source, number, list(part)
        return
    for at in range(len(old)):
        for place in range(len(new)):
            size = 0
            while (
                at + size < len(old)
                and place + size < len(new)
                and old[at + size] == new[place + size]
            ):
                size += 1
                yield source, number, [(at + step, place + step) for step in range(size)]


def _around(row: Row, places: tuple[int, ...]) -> tuple[Row, tuple[int, ...]]:
    """A new row so that tiles with these places in it keep their order, and their places then.

    They change it where the row turns a mirror row round, or is a group.
    """
    if list(places) == sorted(places) or is_group(row):
        return row, places
    if has_mirror(faces_of(row)):
        return row[::-1], tuple([len(row) - 1 - place for place in places])
    rest = [place for place in range(len(row)) if place not in places]
    return tuple([row[place] for place in (*places, *rest)]), tuple(range(len(places)))


def _anchors(plan: Rearrangement, *, only_held: bool = False) -> list[int | None]:
    """For each new row one that is held or the old row that has most of it, each once, or more
    often where rows of it grow side by side."""
    anchors: list[int | None] = [None] * len(plan.goal)
    edges = [
        (old not in plan.held, -len(pieces), old, number)
        for number, staying in enumerate(plan.staying)
        for old, pieces in staying.items()
        if old in plan.held or not only_held
    ]
    for *_, old, number in sorted(edges):
        if anchors[number] is None:
            anchors[number] = old
            if not _compatible(plan, anchors):
                anchors[number] = None
    return anchors


def _compatible(plan: Rearrangement, anchors: Sequence[int | None]) -> bool:
    """Whether rows that grow in the same old row are apart there; a group has room for one."""
    for old, row in enumerate(plan.rows):
        numbers = [number for number, anchor in enumerate(anchors) if anchor == old]
        if len(numbers) < 2:
            continue
        if is_group(plan.row(row)):
            return False
        hulls = []
        for number in numbers:
            places = [row.index(piece) for piece in plan.staying[number][old]]
            hulls.append((min(places), max(places)))
        hulls.sort()
        if any(last >= first for (_, last), (first, _) in pairwise(hulls)):
            return False
    return True


def _may_arrive_directly(plan: Rearrangement, number: int, anchor: int | None) -> bool:
    """Whether it matters if the pieces of a row arrive directly."""
    if anchor is None:
        return False
    staying = plan.staying[number][anchor]
    return any(plan.lies(piece) and piece not in staying for piece in plan.goal[number])


def _direct(plan: Rearrangement, anchors: Sequence[int | None]) -> frozenset[int]:
    """Rows that everything comes to from the table."""
    return frozenset(
        number
        for number, row in enumerate(plan.goal)
        if anchors[number] is not None and all(map(plan.lies, row))
    )
