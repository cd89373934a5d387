"""Rows that some tiles could form, all of them or those around one face.

A row that falls into two rows when it is cut mostly need not be looked at: whatever it allows, its
parts allow too, and mostly a joker rule that forbids a part forbids the row. There are two
exceptions. `joker.reuse=new_set_rack2` and whoever counts the points of one row can like a longer
row better: `whole=True` lists all. And a row may hold a special joker beside tiles that lost their
own joker if it holds that one too: `bonds` keeps such rows in one piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.orders import put_back, take
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


class Bond(NamedTuple):
    """Tiles that may not lie with a special joker, unless with the joker that lay with them.

    `tiles` are the rest of a row of the table, `joker` was in it (`twist.special_exchange_ban`).
    """

    tiles: Counter[Face]
    joker: Face

    def asks_for_joker(self, row: Sequence[Face]) -> bool:
        """Whether the row is forbidden as it is, and the joker would mend that."""
        if self.joker in row or not any(f in row for f in (DOUBLE, CHANGE) if f != self.joker):
            return False
        return all(row.count(face) >= count for face, count in self.tiles.items())


def rows_with(
    edition: Edition,
    face: Face,
    stock: Counter[Face],
    *,
    whole: bool = False,
    bonds: Sequence[Bond] = (),
) -> list[Faces]:
    """Every row of these tiles that contains the face, in every order that matters, once.

    A row that keeps tiles and joker of a bond together is listed although it could be cut.
    """
    return all_rows(edition, stock, face, whole=whole, bonds=bonds)


def all_rows(
    edition: Edition,
    stock: Counter[Face],
    around: Face | None = None,
    *,
    whole: bool = False,
    bonds: Sequence[Bond] = (),
) -> list[Faces]:
    """Every row of these tiles, or those `around` a face; see `rows_with`."""
    rows = reader(edition)
    minimum = HIGHEST + 1 if whole else edition.set_min_natural
    shown = around if around is not None and around < JOKER else None
    number = 0 if shown is None else NUMBER[shown]
    found: dict[Faces, None] = {}
    for row in _groups(stock, number):
        found[row] = None
    for row in _runs(stock, shown, minimum, bonds):
        found[row] = None
    if stock[MIRROR]:
        min_side = max(1, edition.twist_mirror_min_side)
        for row in _mirrors(stock, shown, minimum, min_side, bonds):
            if row[::-1] in found:  # the same row seen from the other side
                continue
            found[row] = None
            if whole:
                found[row[::-1]] = None
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


def _cut_in_two(row: list[Face], minimum: int, bonds: Sequence[Bond], left: Counter[Face]) -> bool:
    """Whether some cut leaves two runs, each with enough tiles and enough numbered ones.

    `left` are tiles that may still be added at the end.
    """
    if len(row) < 6:
        return False
    naturals = 0
    total = _naturals(row)
    for cut, face in enumerate(row, 1):
        naturals += face < JOKER
        if cut < 3 or len(row) - cut < 3 or min(naturals, total - naturals) < minimum:
            continue
        if not any(_parts(bond, row[:cut], row[cut:], left) for bond in bonds):
            return True
    return False


def _parts(bond: Bond, one: list[Face], two: list[Face], left: Counter[Face] | None = None) -> bool:
    """Whether a cut would take the joker from tiles that need it, now or when it comes."""
    near = [part for part in (one, two) if bond.asks_for_joker(part)]
    return bool(near) and (
        bond.joker in one or bond.joker in two or bool(left and left[bond.joker])
    )


def _runs(
    stock: Counter[Face], wanted: Face | None, minimum: int, bonds: Sequence[Bond]
) -> Iterator[Faces]:
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
        if not _cut_in_two(placed, minimum, bonds, left):
            yield from extend(number, colour, before)
        placed.pop()
        left[face] += 1

    for first in range(1, (through or HIGHEST) + 1):
        yield from extend(first, None, None)


def _mirrors(
    stock: Counter[Face],
    wanted: Face | None,
    minimum: int,
    min_side: int,
    bonds: Sequence[Bond],
) -> Iterator[Faces]:
    """Rows around one mirror, filled slot by slot from the outside inwards on both sides."""
    through = 0 if wanted is None else NUMBER[wanted]
    for first in range(1, (through or HIGHEST) + 1):
        yield from _MirrorRuns(stock, wanted, minimum, min_side, bonds).start(first)
        if not through or first == through:
            yield from _mirror_groups(stock, first)


class _Half(NamedTuple):
    """One side of a mirror run so far: its colour and that before the last C, where shown."""

    colour: int | None = None
    before: int | None = None
    covered: bool = False

    def after(self, face: Face | None) -> _Half | None:
        """The half with one more slot filled, None where the colours do not fit."""
        if face is None or face == JOKER:
            return self if not self.covered else _Half(self.colour, self.before)
        if face == CHANGE:
            return _Half(None, self.colour)
        if face == DOUBLE:
            return _Half(self.colour, self.before, True)
        return self.shown(face // HIGHEST)

    def shown(self, colour: int) -> _Half | None:
        if self.colour == colour:
            return self
        if self.before == colour or self.colour is not None:
            return None
        return _Half(colour, self.before, self.covered)


class _MirrorRuns:
    def __init__(
        self,
        stock: Counter[Face],
        wanted: Face | None,
        minimum: int,
        min_side: int,
        bonds: Sequence[Bond],
    ) -> None:
        self.left = Counter(stock)
        self.wanted = wanted
        self.through = 0 if wanted is None else NUMBER[wanted]
        self.minimum = minimum
        self.min_side = min_side
        self.bonds = bonds
        jokers = [face for face in WILD if stock[face]]
        self.fitting: list[list[Face]] = [[*jokers] for _ in range(HIGHEST + 1)]
        for face in sorted(stock):
            if face < JOKER:
                self.fitting[NUMBER[face]].append(face)
        self.one: list[Face] = []
        self.two: list[Face] = []
        self.cuts: list[tuple[int, int, int]] = []  # where both could be cut: tiles, slots

    def start(self, first: int) -> Iterator[Faces]:
        yield from self._extend(first, 0, _Half(), _Half())

    def _extend(self, number: int, slots: int, a: _Half, b: _Half) -> Iterator[Faces]:
        whole = slots > 0 and not a.covered and not b.covered
        if whole:
            if self._needless(slots):
                return
            if number > self.through:
                yield (*self.one, MIRROR, *reversed(self.two))
            self.cuts.append((len(self.one), len(self.two), slots))
        if number <= HIGHEST:
            for left in self._choices(number, a):
                grown = a.after(left)
                if grown is None:
                    continue
                take(self.left, self.one, left)
                yield from self._face(number, slots, left, grown, b)
                put_back(self.left, self.one, left)
        if whole:
            self.cuts.pop()

    def _face(
        self, number: int, slots: int, left: Face | None, a: _Half, b: _Half
    ) -> Iterator[Faces]:
        alike = self.one[:-1] == self.two
        for right in self._choices(number, b):
            if number == self.through and self.wanted not in (left, right):
                continue
            if alike and left is not None and right is not None and right < left:
                continue  # the same row seen from the other side
            half = b.after(right)
            pair = (a, half) if half is not None else None
            if pair is not None and CHANGE not in (left, right):
                pair = _agreed(*pair)
            if pair is None:
                continue
            take(self.left, self.two, right)
            yield from self._extend(number + 1, slots + 1, *pair)
            put_back(self.left, self.two, right)

    def _choices(self, number: int, half: _Half) -> list[Face | None]:
        if half.covered:
            return [None]
        return [face for face in self.fitting[number] if self.left[face]]

    def _needless(self, slots: int) -> bool:
        """Whether the outer parts are rows of their own, and the rest still mirrors."""
        one, two, minimum = self.one, self.two, self.minimum
        return any(
            slots - cut >= self.min_side
            and min(a, b) >= 3
            and min(_naturals(one[:a]), _naturals(two[:b])) >= minimum
            and _naturals(one[a:]) + _naturals(two[b:]) >= minimum
            and not any(
                _parts(bond, part, [*one, *two], self.left)
                for bond in self.bonds
                for part in (one[:a], two[:b], one[a:] + two[b:])
            )
            for a, b, cut in self.cuts
        )


def _agreed(a: _Half, b: _Half) -> tuple[_Half, _Half] | None:
    """Facing slots have one colour."""
    colour = a.colour if a.colour is not None else b.colour
    if colour is None:
        return a, b
    one, two = a.shown(colour), b.shown(colour)
    return None if one is None or two is None else (one, two)


def _mirror_groups(stock: Counter[Face], number: int) -> Iterator[Faces]:
    left = Counter(stock)
    fitting = [f for f in sorted(stock) if NUMBER[f] in (0, number) and f not in (CHANGE, MIRROR)]
    one: list[Face] = []
    two: list[Face] = []

    def extend(slots: int, one_covered: bool, two_covered: bool) -> Iterator[Faces]:
        if slots and not one_covered and not two_covered:
            yield (*one, MIRROR, *reversed(two))
        if slots == len(COLOURS):
            return
        for a in [None] if one_covered else [face for face in fitting if left[face]]:
            if a is not None and a < JOKER and (a in one or a in two):
                continue
            take(left, one, a)
            for b in [None] if two_covered else [face for face in fitting if left[face]]:
                both_show = a is not None and b is not None and max(a, b) < JOKER
                if both_show and a != b:
                    continue
                take(left, two, b)
                yield from extend(slots + 1, a == DOUBLE, b == DOUBLE)
                put_back(left, two, b)
            put_back(left, one, a)

    yield from extend(0, False, False)


def _naturals(tiles: list[Face]) -> int:
    return sum([face < JOKER for face in tiles])
