"""Rows that some tiles could form, all of them or those around one face.

A row that falls into two rows when it is cut mostly need not be looked at: whatever it allows, its
parts allow too, and a joker rule that forbids a part forbids the row. `whole=True` lists such rows
as well, for who counts the points of one row and for the one rule (`joker.reuse=new_set_rack2`)
that can like a longer row better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import (
    CHANGE,
    COLOURS,
    DOUBLE,
    HIGHEST,
    JOKER,
    MIRROR,
    NUMBER,
    SLOTS,
    Face,
    numbered,
)

WILD = (JOKER, DOUBLE, CHANGE)


def rows_with(
    edition: Edition, face: Face, stock: Counter[Face], *, whole: bool = False
) -> list[Faces]:
    """Every row of these tiles that contains the face, in every order that matters, once."""
    return all_rows(edition, stock, face, whole=whole)


def all_rows(
    edition: Edition, stock: Counter[Face], around: Face | None = None, *, whole: bool = False
) -> list[Faces]:
    """Every row of these tiles, or those `around` a face."""
    rows = reader(edition)
    minimum = HIGHEST + 1 if whole else edition.set_min_natural
    shown = around if around is not None and around < JOKER else None
    number = 0 if shown is None else NUMBER[shown]
    found: dict[Faces, None] = {}
    for row in _groups(stock, number):
        found[row] = None
    for row in _runs(stock, shown, minimum):
        found[row] = None
    if stock[MIRROR]:
        for row in _mirrors(stock, number, minimum, max(1, edition.twist_mirror_min_side)):
            if row[::-1] not in found:  # the same row seen from the other side of the table
                found[row] = None
    return [row for row in found if (around is None or around in row) and rows.readings(row)]


def _groups(stock: Counter[Face], number: int) -> Iterator[Faces]:
    for shown_number in (number,) if number else range(1, HIGHEST + 1):
        shown = [f for c in range(len(COLOURS)) if stock[f := numbered(c, shown_number)]]
        for size in range(len(shown) + 1):
            for naturals in combinations(shown, size):
                for jokers in range(min(stock[JOKER], 4 - size) + 1):
                    for doubles in range(min(stock[DOUBLE], 1) + 1):
                        row = (*naturals, *[JOKER] * jokers, *[DOUBLE] * doubles)
                        if len(row) >= 3:
                            yield row


def _cut_in_two(row: list[Face], minimum: int) -> bool:
    """Whether some cut leaves two runs, each with enough tiles and enough numbered ones."""
    naturals = 0
    total = sum(face < JOKER for face in row)
    for cut, face in enumerate(row, 1):
        naturals += face < JOKER
        if cut >= 3 and len(row) - cut >= 3 and min(naturals, total - naturals) >= minimum:
            return True
    return False


def _runs(stock: Counter[Face], wanted: Face | None, minimum: int) -> Iterator[Faces]:
    """Rows that count upwards, all of them with one numbered face if one is wanted."""
    through = 0 if wanted is None else NUMBER[wanted]
    left = Counter(stock)
    placed: list[Face] = []

    def extend(number: int, colour: int | None, before: int | None) -> Iterator[Faces]:
        # colour: of the open segment, None while nothing shows it; before: of the one before C
        if len(placed) >= 3 and number > through:
            yield tuple(placed)
        if number > HIGHEST:
            return
        shown = range(len(COLOURS)) if colour is None else (colour,)
        for own in shown:
            face = numbered(own, number)
            if left[face] and own != before and (number != through or face == wanted):
                yield from lay(face, number + 1, own, before)
        for face in WILD:
            passes = number <= through < number + SLOTS[face]
            if left[face] and number + SLOTS[face] - 1 <= HIGHEST and not passes:
                if face == CHANGE:
                    yield from lay(face, number + 1, None, colour)
                else:
                    yield from lay(face, number + SLOTS[face], colour, before)

    def lay(face: Face, number: int, colour: int | None, before: int | None) -> Iterator[Faces]:
        left[face] -= 1
        placed.append(face)
        if not _cut_in_two(placed, minimum):
            yield from extend(number, colour, before)
        placed.pop()
        left[face] += 1

    for first in range(1, (through or HIGHEST) + 1):
        yield from extend(first, None, None)


def _mirrors(stock: Counter[Face], through: int, minimum: int, min_side: int) -> Iterator[Faces]:
    """Rows around one mirror: both sides filled slot by slot from the outside inwards."""
    left = Counter(stock)
    del left[MIRROR]
    one: list[Face] = []
    two: list[Face] = []
    cuts: list[tuple[int, int, int]] = []  # where both sides could be cut: tiles of each, slots

    def choices(number: int, covered: bool) -> list[Face | None]:
        if covered:
            return [None]
        return [face for face in list(left) if left[face] > 0 and NUMBER[face] in (0, number)]

    def enough(tiles: list[Face]) -> bool:
        return len(tiles) >= 3 and sum(face < JOKER for face in tiles) >= minimum

    def needless(slots: int) -> bool:
        """Whether the outer parts are rows of their own, and the rest still mirrors."""
        return any(
            slots - cut >= min_side
            and enough(one[:a])
            and enough(two[:b])
            and sum(face < JOKER for face in one[a:] + two[b:]) >= minimum
            for a, b, cut in cuts
        )

    def extend(
        number: int, slots: int, one_covered: bool, two_covered: bool, step: int
    ) -> Iterator[Faces]:
        whole = not one_covered and not two_covered
        if slots and whole:
            if step and needless(slots):
                return
            if not through or not step or number > through:
                yield (*one, MIRROR, *reversed(two))
            cuts.append((len(one), len(two), slots))
        if number <= HIGHEST and not (step == 0 and slots == 4):
            for a in choices(number, one_covered):
                _take(left, one, a)
                for b in choices(number, two_covered):
                    both_show = a is not None and b is not None and max(a, b) < JOKER
                    if both_show and a != b:
                        continue
                    _take(left, two, b)
                    yield from extend(number + step, slots + 1, a == DOUBLE, b == DOUBLE, step)
                    _put_back(left, two, b)
                _put_back(left, one, a)
        if slots and whole:
            cuts.pop()

    for first in range(1, (through or HIGHEST) + 1):
        yield from extend(first, 0, False, False, 1)
        if not through or first == through:
            yield from extend(first, 0, False, False, 0)


def _take(left: Counter[Face], half: list[Face], face: Face | None) -> None:
    if face is not None:
        left[face] -= 1
        half.append(face)


def _put_back(left: Counter[Face], half: list[Face], face: Face | None) -> None:
    if face is not None:
        half.pop()
        left[face] += 1
