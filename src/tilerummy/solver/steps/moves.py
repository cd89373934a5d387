"""Moves: from the old rows to the new ones, once it is settled which tile goes where.

Every tile has a number of its own here, its *piece*. A new row grows around its *anchor*: pieces
of one old row that stay where they lie. All other pieces of a row *arrive*, from other rows or from
the rack, either directly, one row's pieces at a time, or together, after they were collected in the
hand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilerummy.rules.tiles import FACE_OF, Row, Tile
from tilerummy.solver.steps.step import Step, StepKind
from tilerummy.solver.turns.row_matching import is_group

Piece = int
Pieces = list[Piece]
RACK, HAND = -1, -2
"""Where the pieces come from that lie in no old row."""


@dataclass(frozen=True)
class Rearrangement:
    """Which piece of the old rows goes where: `goal` are the new rows in pieces.

    Piece by piece, `tiles` has the tile and `home` the number of the old row. `held` are the old
    rows that may only be added to.
    """

    tiles: Sequence[Tile]
    home: Sequence[int]
    rows: Sequence[Pieces]
    goal: Sequence[Pieces]
    held: frozenset[int] = frozenset()

    def lies(self, piece: Piece) -> bool:
        """Whether a piece lies in an old row."""
        return self.home[piece] >= 0

    @cached_property
    def goal_of(self) -> dict[Piece, int]:
        """For each piece the number of its new row."""
        return {piece: number for number, row in enumerate(self.goal) for piece in row}

    @cached_property
    def place(self) -> dict[Piece, int]:
        """For each piece its place in its new row."""
        return {piece: place for row in self.goal for place, piece in enumerate(row)}

    @cached_property
    def grouped(self) -> list[bool]:
        """For each new row whether the order of its tiles means nothing."""
        return [is_group(self.row(row)) for row in self.goal]

    def row(self, pieces: Iterable[Piece]) -> Row:
        """Return pieces as tiles."""
        return tuple([self.tiles[piece] for piece in pieces])

    @cached_property
    def staying(self) -> list[dict[int, Pieces]]:
        """For each new row the old rows that it can grow in, with the pieces that stay there: two
        at least, in the order in which they lie."""
        found: list[dict[int, Pieces]] = []
        for number, row in enumerate(self.goal):
            homes = sorted({self.home[piece] for piece in row if self.lies(piece)})
            anchors = {old: self._staying(old, number) for old in homes}
            found.append({old: pieces for old, pieces in anchors.items() if len(pieces) > 1})
        return found

    def _staying(self, old: int, number: int) -> Pieces:
        pieces = [piece for piece in self.rows[old] if self.goal_of[piece] == number]
        return pieces if self.grouped[number] else _longest_rise(pieces, self.place)


class Hands:
    """Carries out a plan. `anchors` names for each new row the old one it grows in, if any;
    `direct` the new rows whose pieces arrive directly."""

    def __init__(
        self, plan: Rearrangement, anchors: Sequence[int | None], direct: frozenset[int]
    ) -> None:
        self.plan = plan
        self.rows: list[Pieces] = [list(row) for row in plan.rows]
        self.hand = {piece for piece in range(len(plan.home)) if not plan.lies(piece)}
        self.present: list[set[Piece]] = [
            set() if old is None else set(plan.staying[number][old])
            for number, old in enumerate(anchors)
        ]
        self.stays = {piece: row for row, pieces in enumerate(self.present) for piece in pieces}
        self.units = [self._units(number, number in direct) for number in range(len(plan.goal))]
        self.direct = {number for number in direct if self.present[number]}
        self.done: list[Step] = []

    def _units(self, number: int, direct: bool) -> list[Pieces]:
        """What arrives at a row, in the parts that arrive at a time."""
        arriving = [piece for piece in self.plan.goal[number] if piece not in self.stays]
        if not direct or not self.present[number]:
            return [arriving] if arriving else []
        by_home: dict[int, Pieces] = {}
        for piece in arriving:
            by_home.setdefault(max(self.plan.home[piece], RACK), []).append(piece)
        return [by_home[old] for old in sorted(by_home)]

    def work(self) -> list[Step]:
        """Return the steps, in order."""
        while any(self.units) or self._cuts():
            if not (
                self._arrive()
                or self._split(only_final=True)
                or self._take()
                or self._split(only_final=False)
            ):
                self._collect_instead()
        return self.done

    # Tiles arrive

    def _arrive(self) -> bool:
        for number, units in enumerate(self.units):
            for unit in units:
                step = self._arrival(number, unit)
                if step is not None:
                    units.remove(unit)
                    self.done.append(step)
                    return True
        return False

    def _arrival(self, number: int, unit: Pieces) -> Step | None:
        """The step that brings a part of a row, and its effect; None where it is too early."""
        if not self.present[number]:
            if not self.hand.issuperset(unit):
                return None
            self.rows.append(list(unit))
            self._put(number, unit)
            return self._step(StepKind.LAY, unit, result=[unit])
        if number in self.direct and not self._keeps_together(number, unit):
            return None
        row = self._row_of(min(self.present[number]))
        if self.hand.issuperset(unit):
            swapped = self._swap(number, row, unit)
            if swapped is not None:
                return swapped
            result = self._extended(number, row, unit)
            if result is None:
                return None
            self._replace(row, [result])
            self._put(number, unit)
            return self._step(StepKind.ADD, unit, target=row, result=[result])
        if number not in self.direct:
            return None
        source = self._row_of(unit[0])
        if not set(unit) <= set(source):
            return None
        if source is row:
            return self._shift(number, row, unit)
        result = self._extended(number, row, unit)
        if result is None:
            return None
        left = self._remains(source, set(unit))
        kind = StepKind.MOVE if left or len(unit) == 1 else StepKind.JOIN
        self._replace(source, left)
        self._replace(row, [result])
        self._put(number, unit)
        return self._step(kind, unit, source=source, left=left, target=row, result=[result])

    def _shift(self, number: int, row: Pieces, unit: Pieces) -> Step | None:
        """Pieces that only change their place within a row."""
        rest = [piece for piece in row if piece not in unit]
        if set(rest) != self.present[number]:
            return None
        result = self._in_order(number, unit)
        self._replace(row, [result])
        self._put(number, unit)
        return self._step(StepKind.MOVE, unit, target=row, result=[result])

    def _swap(self, number: int, row: Pieces, unit: Pieces) -> Step | None:
        freed = [piece for piece in row if piece not in self.present[number]]
        result = self._in_order(number, unit)
        if not freed or not all(self._is_collected(piece, number) for piece in freed):
            return None
        if not self._in_their_places(number, row, freed, unit, result):
            return None
        self._replace(row, [result])
        self._put(number, unit)
        self.hand.update(freed)
        return self._step(StepKind.SWAP, unit, target=row, result=[result], freed=freed)

    def _in_their_places(
        self, number: int, row: Pieces, freed: Pieces, unit: Pieces, result: Pieces
    ) -> bool:
        """Whether arriving pieces lie exactly where others, of other faces, leave the row."""
        faces = {FACE_OF[tile] for tile in self.plan.row(unit)}
        if any(FACE_OF[tile] in faces for tile in self.plan.row(freed)):
            return False
        if self.plan.grouped[number]:
            return len(freed) <= len(unit)
        kept = [piece for piece in row if piece in self.present[number]]
        shift = result.index(kept[0]) - row.index(kept[0])
        if any(result.index(piece) - row.index(piece) != shift for piece in kept):
            return False
        places = [row.index(piece) + shift for piece in freed]
        return all(0 <= place < len(result) and result[place] in unit for place in places)

    def _extended(self, number: int, row: Pieces, unit: Pieces) -> Pieces | None:
        """The row with more pieces, or None while others that leave it are in the way."""
        present = self.present[number]
        leaving = [index for index, piece in enumerate(row) if piece not in present]
        if not leaving:
            return self._in_order(number, unit)
        if self.plan.grouped[number] or any(row[index] in self.stays for index in leaving):
            return None
        staying = [index for index, piece in enumerate(row) if piece in present]
        places = [self.plan.place[piece] for piece in unit]
        taken = [self.plan.place[piece] for piece in present]
        if max(leaving) < min(staying) and min(places) > max(taken):
            return row + unit
        if min(leaving) > max(staying) and max(places) < min(taken):
            return unit + row
        return None

    def _keeps_together(self, number: int, unit: Pieces) -> bool:
        """Whether the pieces leave no new hole between them and those that lie there."""
        if self.plan.grouped[number]:
            return True
        present = self.present[number]
        return self._holes({*present, *unit}) <= self._holes(present)

    def _holes(self, pieces: set[Piece]) -> int:
        places = sorted(self.plan.place[piece] for piece in pieces)
        return sum(after - place > 1 for place, after in itertools.pairwise(places))

    # Rows fall apart

    def _split(self, *, only_final: bool) -> bool:
        """Cut a row between two that grow in it; `only_final` waits for what belongs there."""
        for row, place in self._cuts():
            ahead, behind = self.stays[row[place - 1]], self.stays[row[place]]
            at_end, at_front = self._at_cut(ahead, at_end=True), self._at_cut(behind, at_end=False)
            halves, tiles = [row[:place], row[place:]], []
            if at_end and self.hand.issuperset(at_end):
                halves[0], tiles = halves[0] + at_end, at_end
                self._put(ahead, at_end)
                self.units[ahead].clear()
            elif at_front and self.hand.issuperset(at_front):
                halves[1], tiles = at_front + halves[1], at_front
                self._put(behind, at_front)
                self.units[behind].clear()
            elif only_final and (at_end or at_front):
                continue
            self._replace(row, halves)
            self.done.append(self._step(StepKind.SPLIT, tiles, target=row, result=halves))
            return True
        return False

    def _cuts(self) -> list[tuple[Pieces, int]]:
        """Where two pieces that stay lie side by side and belong to different rows."""
        return [
            (row, place)
            for row in self.rows
            for place in range(1, len(row))
            if row[place - 1] in self.stays
            and row[place] in self.stays
            and self.stays[row[place - 1]] != self.stays[row[place]]
        ]

    def _at_cut(self, number: int, *, at_end: bool) -> Pieces | None:
        """All that arrives at a row, where it arrives from the hand and at this end only."""
        if len(self.units[number]) != 1 or number in self.direct:
            return None
        (unit,) = self.units[number]
        taken = [self.plan.place[piece] for piece in self.present[number]]
        places = [self.plan.place[piece] for piece in unit]
        fits = min(places) > max(taken) if at_end else max(places) < min(taken)
        return unit if fits else None

    def _take(self) -> bool:
        """Take up what a row needs that is collected, and all else that leaves with it; the row
        that lacks least comes first, and a row whose tiles may be swapped last."""
        wanted = []
        for number, units in enumerate(self.units):
            if units and number not in self.direct:
                missing = [piece for piece in units[0] if piece not in self.hand]
                if missing:
                    wanted.append((len(missing), number, missing))
        rows = [self._row_of(piece) for _, _, missing in sorted(wanted) for piece in missing]
        if not rows:
            return False
        row = next((row for row in rows if not self._may_swap(row)), rows[0])
        taken = [piece for piece in row if self._is_collected(piece)]
        left = self._remains(row, set(taken))
        self._replace(row, left)
        self.hand.update(taken)
        self.done.append(self._step(StepKind.TAKE, taken, source=row, left=left))
        return True

    def _may_swap(self, row: Pieces) -> bool:
        """Whether tiles could later take the places of those that leave this row."""
        numbers = {self.stays[piece] for piece in row if piece in self.stays}
        if len(numbers) != 1:
            return False
        (number,) = numbers
        freed = [piece for piece in row if piece not in self.present[number]]
        if number in self.direct or len(self.units[number]) != 1:
            return False
        (unit,) = self.units[number]
        return all(self._is_collected(piece, number) for piece in freed) and self._in_their_places(
            number, row, freed, unit, self._in_order(number, unit)
        )

    def _is_collected(self, piece: Piece, but: int | None = None) -> bool:
        number = self.plan.goal_of[piece]
        return piece not in self.stays and number not in self.direct and number != but

    def _collect_instead(self) -> None:
        """Rows that wait for each other: collect what one of them waits for in the hand."""
        number = min(number for number in self.direct if self.units[number])
        self.direct.discard(number)
        rest = {piece for unit in self.units[number] for piece in unit}
        self.units[number] = [[piece for piece in self.plan.goal[number] if piece in rest]]

    # The rows as they lie

    def _row_of(self, piece: Piece) -> Pieces:
        return next(row for row in self.rows if piece in row)

    def _remains(self, row: Pieces, taken: set[Piece]) -> list[Pieces]:
        """What is left of a row; it falls apart in a hole between two that grow in it."""
        left: list[Pieces] = []
        hole = True
        for piece in row:
            if piece in taken:
                hole = True
                continue
            if not left or (
                hole
                and piece in self.stays
                and left[-1][-1] in self.stays
                and self.stays[piece] != self.stays[left[-1][-1]]
            ):
                left.append([])
            left[-1].append(piece)
            hole = False
        return left

    def _replace(self, row: Pieces, rows: Iterable[Pieces]) -> None:
        number = next(number for number, other in enumerate(self.rows) if other is row)
        self.rows[number : number + 1] = rows

    def _put(self, number: int, unit: Pieces) -> None:
        self.hand.difference_update(unit)
        self.present[number].update(unit)
        self.stays.update(dict.fromkeys(unit, number))

    def _in_order(self, number: int, unit: Pieces) -> Pieces:
        """The pieces of a new row that lie there, with more, as they lie in the end; in a group
        nothing that lies there changes its place."""
        present = self.present[number]
        if self.plan.grouped[number]:
            return [piece for piece in self._row_of(min(present)) if piece in present] + unit
        pieces = {*present, *unit}
        return [piece for piece in self.plan.goal[number] if piece in pieces]

    def _step(
        self,
        kind: StepKind,
        tiles: Pieces,
        *,
        source: Pieces | None = None,
        left: Iterable[Pieces] = (),
        target: Pieces | None = None,
        result: Iterable[Pieces] = (),
        freed: Pieces | None = None,
    ) -> Step:
        row, home = self.plan.row, self.plan.home
        return Step(
            kind,
            row(tiles),
            row(source or ()),
            tuple([row(pieces) for pieces in left]),
            row(target or ()),
            tuple([row(pieces) for pieces in result]),
            row(piece for piece in tiles if home[piece] == RACK),
            row(freed or ()),
        )


def _longest_rise(pieces: Pieces, place: dict[Piece, int]) -> Pieces:
    """The longest part of a row whose pieces keep their order in a new row."""
    best: list[Pieces] = []
    for piece in pieces:
        ahead = [rise for rise in best if place[rise[-1]] < place[piece]]
        best.append([*max(ahead, key=len, default=[]), piece])
    return max(best, key=len, default=[])
