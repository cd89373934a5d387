"""Rows that a rack could lay, and the sets of them that would open.

Needed where an edition lets a player open and go on rearranging in the same turn: only the final
table is known then, and the question is whether some opening explains it.
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

Valued = tuple[int, Faces]


def openings(
    edition: Edition, stock: Counter[Face], candidates: list[Valued]
) -> Iterator[tuple[int, tuple[Faces, ...]]]:
    """Smallest collections of disjoint rows worth the opening minimum, with their value.

    A larger collection never helps: it leaves fewer new tiles and binds more rows.
    """
    minimum = edition.initial_min
    if minimum == 0:
        yield 0, ()
        return
    candidates = sorted(candidates, reverse=True)
    if edition.initial_single_set:
        for value, row in candidates:
            if value >= minimum:
                yield value, (row,)
        return
    needs = [Counter(row) for _, row in candidates]

    def collect(
        start: int, left: Counter[Face], total: int, chosen: tuple[Faces, ...]
    ) -> Iterator[tuple[int, tuple[Faces, ...]]]:
        if total + _most_points(left) < minimum:
            return
        for number in range(start, len(candidates)):
            value, row = candidates[number]
            if any(left[face] < count for face, count in needs[number].items()):
                continue
            if total + value >= minimum:
                yield total + value, (*chosen, row)
            else:
                yield from collect(number, left - needs[number], total + value, (*chosen, row))

    yield from collect(0, stock, 0, ())


def _most_points(stock: Counter[Face]) -> int:
    """No rows of these tiles can be worth more."""
    return sum(
        count * (NUMBER[face] if face < JOKER else HIGHEST * SLOTS[face])
        for face, count in stock.items()
    )


def rows_from(edition: Edition, stock: Counter[Face]) -> list[Valued]:
    """Every row in every order that matters that these tiles could form, with its value."""
    rows = reader(edition)
    found: set[Faces] = set()
    found.update(_groups(stock))
    found.update(_runs(stock))
    if stock[MIRROR]:
        found.update(_mirrors(stock))
    return [(readings[0].value, row) for row in found if (readings := rows.readings(row))]


def _groups(stock: Counter[Face]) -> Iterator[Faces]:
    for number in range(1, HIGHEST + 1):
        shown = [f for colour in range(len(COLOURS)) if stock[f := numbered(colour, number)]]
        for size in range(len(shown) + 1):
            for naturals in combinations(shown, size):
                for jokers in range(min(stock[JOKER], 4 - size) + 1):
                    for doubles in range(min(stock[DOUBLE], 1) + 1):
                        row = (*naturals, *[JOKER] * jokers, *[DOUBLE] * doubles)
                        if len(row) >= 3:
                            yield row


def _runs(stock: Counter[Face]) -> Iterator[Faces]:
    """Rows that count upwards; J, D and C may stand anywhere."""
    left = Counter(stock)
    placed: list[Face] = []

    def extend(number: int, colour: int) -> Iterator[Faces]:
        if len(placed) >= 3:
            yield tuple(placed)
        if number > HIGHEST:
            return
        for face in (numbered(colour, number), JOKER, DOUBLE, CHANGE):
            if not left[face] or number + SLOTS[face] - 1 > HIGHEST:
                continue
            left[face] -= 1
            placed.append(face)
            colours = range(len(COLOURS)) if face == CHANGE else (colour,)
            for next_colour in colours:
                yield from extend(number + SLOTS[face], next_colour)
            placed.pop()
            left[face] += 1

    for first in range(1, HIGHEST + 1):
        for colour in range(len(COLOURS)):
            yield from extend(first, colour)


def _mirrors(stock: Counter[Face]) -> Iterator[Faces]:
    """Rows around one mirror: both sides filled slot by slot from the outside inwards."""
    left = Counter(stock)
    del left[MIRROR]
    one: list[Face] = []
    two: list[Face] = []

    def choices(number: int, covered: bool) -> list[Face | None]:
        if covered:
            return [None]
        return [face for face in list(left) if left[face] and NUMBER[face] in (0, number)]

    def extend(
        number: int, slots: int, one_covered: bool, two_covered: bool, step: int
    ) -> Iterator[Faces]:
        if slots and not one_covered and not two_covered:
            yield (*one, MIRROR, *reversed(two))
        if number > HIGHEST or (step == 0 and slots == 4):
            return
        for a in choices(number, one_covered):
            if a is not None:
                left[a] -= 1
                one.append(a)
            for b in choices(number, two_covered):
                if a is not None and b is not None and max(a, b) < JOKER and a != b:
                    continue
                if b is not None:
                    left[b] -= 1
                    two.append(b)
                yield from extend(number + step, slots + 1, a == DOUBLE, b == DOUBLE, step)
                if b is not None:
                    two.pop()
                    left[b] += 1
            if a is not None:
                one.pop()
                left[a] += 1

    for first in range(1, HIGHEST + 1):
        yield from extend(first, 0, False, False, 1)
        yield from extend(first, 0, False, False, 0)
