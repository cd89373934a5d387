"""A draft of a turn, as a person makes one: what is obvious first, then rearrangements.

The solver answers each small question, with the rows and tiles that the player looks at alone. The
referee judges the whole turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tilerummy.bots.character import ANY_ROWS, Habits, Sight
from tilerummy.rules.declarations import Declaration, Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import (
    COLOUR,
    FACE_OF,
    NUMBER,
    NUMBERED_FACES,
    Face,
    Faces,
    Row,
    Table,
    Tile,
    faces_of,
    has_joker,
)
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.cover.deadline import Deadline, TimeOverError
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution

GROUP = 4
"""The tiles of the longest group."""
NEAR = 2
"""Numbers of one colour that are at most this far apart can lie in a run of three."""

Found: TypeAlias = tuple[Table, Declared]
"""A turn: the new table and its declarations."""


class Limits(NamedTuple):
    """When a search ends."""

    nodes: int | None = None
    deadline: Deadline | None = None

    def solve(self, position: Position) -> Solution:
        """The best turn that is found in time."""
        return solve(position, tidy=False, node_limit=self.nodes, time_limit=self.deadline)


@dataclass
class Draft:
    """A turn in the making: the rows as they would lie, and the tiles still to be placed.

    The player lays the sets it sees on its rack, adds tiles to the ends of rows, and then
    rearranges a few rows around one tile at a time.
    """

    position: Position
    sight: Sight
    habits: Habits
    left: Row
    missed: frozenset[Tile]
    """Tiles for which no row is taken apart."""
    limits: Limits
    rows: list[Row] = field(init=False)
    declared: dict[Row, Declaration] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = [*self.position.table]
        self.declared = dict(self.position.declared)

    def play(self) -> Found | None:
        """The turn as the referee accepts it; None if this player sees nothing to play.

        Steps that are legal one by one may be illegal as one turn. Then the last ones are undone.
        """
        steps = self._turn() if self.position.opened else self._opening()
        drafts = [(tuple(self.rows), dict(self.declared)) for played in steps if played]
        deadline = self.limits.deadline
        tick = None if deadline is None else deadline.check
        try:
            for table, declared in reversed(drafts):
                verdict = judge_turn(self.position, table, declared, tick)
                if verdict.legal:
                    return verdict.table, verdict.declared
        except TimeOverError:
            pass
        return None

    def _opening(self) -> Iterator[bool]:
        goes_on = self.position.edition.initial_same_turn_manipulation
        sees_all = self.sight.reach >= ANY_ROWS
        yield self._solve(self._dared() if goes_on and sees_all else (), opened=False)

    def _turn(self) -> Iterator[bool]:
        """Play what is obvious, then look for rearrangements; yields whether a step played."""
        reach = self.sight.reach if self.position.manipulation else 0
        sees_all = reach >= ANY_ROWS and not self.sight.misses
        start = len(self.left)
        played = self._solve(self._dared() if sees_all else ())
        kept = self._keep_fourths() if self.habits.keeps_fourths else ()
        yield played
        yield self._add_to_ends()
        while reach and self._rearrange(reach):
            yield True
            yield self._add_to_ends()
        if not self.left:
            self.left = kept
            yield self._add_to_ends()
        elif len(self.left) + len(kept) == start:
            self.left += kept[:1]
            yield self._add_to_ends()

    def _keep_fourths(self) -> Row:
        """Take back the fourth tile of each new group, and put aside those that fit an old one."""
        fitting_of, rack = _ends(self.position.edition), {*self.position.rack}
        kept: dict[Tile, None] = {}
        for number, row in enumerate(self.rows):
            faces = faces_of(row)
            if has_joker(faces) or NUMBER[faces[0]] != NUMBER[faces[-1]]:
                continue
            if len(row) < GROUP:
                fitting = fitting_of(row)
                kept.update((tile, None) for tile in self.left if FACE_OF[tile] in fitting)
            elif row[-1] in rack:
                self.rows[number] = row[:-1]
                kept[row[-1]] = None
        self.left = tuple([tile for tile in self.left if tile not in kept])
        return tuple(kept)

    def _solve(self, numbers: Sequence[int], *, opened: bool = True) -> bool:
        """Play the best turn with these rows and the tiles that are left, if there is one."""
        rows = tuple([self.rows[number] for number in numbers])
        said = {row: self.declared[row] for row in rows if row in self.declared}
        position = Position(
            self.position.edition, rows, self.left, opened, self.position.manipulation, said
        )
        found = self.limits.solve(position)
        if found.plays:
            self._take(numbers, found)
        return found.plays

    def _take(self, numbers: Sequence[int], found: Solution) -> None:
        changed = {*numbers}
        kept = [row for number, row in enumerate(self.rows) if number not in changed]
        for number in numbers:
            self.declared.pop(self.rows[number], None)
        self.declared.update(found.declared)
        self.rows = [*kept, *found.table]
        played = {*found.played}
        self.left = tuple([tile for tile in self.left if tile not in played])

    def _dared(self) -> list[int]:
        """The rows that this player dares to take apart."""
        if self.sight.jokers:
            return [*range(len(self.rows))]
        return [n for n, row in enumerate(self.rows) if not has_joker(faces_of(row))]

    def _add_to_ends(self) -> bool:
        """Add numbered tiles to the ends of rows until none fits."""
        if not self.sight.ends:
            return False
        edition, left = self.position.edition, [*self.left]
        fitting_of = _ends(edition)
        fitted = True
        while fitted and left:
            fitted = False
            for number, row in enumerate(self.rows):
                if edition.joker_declare != "position" and has_joker(faces_of(row)):
                    continue
                fitting = fitting_of(row)
                for tile in left:
                    if FACE_OF[tile] in fitting:
                        at_front = fitting[FACE_OF[tile]]
                        self.rows[number] = (tile, *row) if at_front else (*row, tile)
                        left.remove(tile)
                        fitted = True
                        break
        played = len(left) < len(self.left)
        self.left = tuple(left)
        return played

    def _rearrange(self, reach: int) -> bool:
        """Find room for a tile by taking at most `reach` rows apart."""
        dared = {number: faces_of(self.rows[number]) for number in self._dared()}
        tried: set[tuple[int, ...]] = set()
        for tile in self.left:
            near = _nearest(FACE_OF[tile], dared, reach)
            if tile not in self.missed and near and near not in tried:
                tried.add(near)
                if self._solve(near):
                    return True
        return False


def _nearest(face: Face, rows: Mapping[int, Faces], reach: int) -> tuple[int, ...]:
    """The rows, by number, that have most to do with a face."""
    if reach >= len(rows):
        return tuple(rows)
    related = [
        (-kinship, -len(row), number)
        for number, row in rows.items()
        if (kinship := _kinship(face, row))
    ]
    return tuple([number for *_, number in sorted(related)[:reach]])


@lru_cache(1 << 14)
def _kinship(face: Face, row: Faces) -> int:
    """How many tiles of a row could lie in one set of three with this face."""
    colour, value = COLOUR[face], NUMBER[face]
    return sum(
        [
            abs(NUMBER[other] - value) in (1, NEAR)
            if COLOUR[other] == colour
            else NUMBER[other] == value
            for other in row
        ]
    )


@lru_cache(64)
def _ends(edition: Edition) -> Callable[[Row], Mapping[Face, bool]]:
    """A function that returns the faces that fit at an end of a row, and whether at its front."""
    readings = reader(edition).readings

    @lru_cache(1 << 14)
    def fitting(faces: Faces) -> Mapping[Face, bool]:
        found = {}
        for face in NUMBERED_FACES:
            if readings((*faces, face)):
                found[face] = False
            elif readings((face, *faces)):
                found[face] = True
        return found

    return lru_cache(1 << 14)(lambda row: fitting(faces_of(row)))
