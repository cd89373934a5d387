"""Possible openings: the rows that a rack can lay, and the collections of them that open.

Some editions allow a player to open and rearrange in the same turn. Only the final table is known
then, and the judge asks whether some opening explains it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tilerummy.rules.candidates import all_rows
from tilerummy.rules.declarations import distinct, readings_of, several_jokers
from tilerummy.rules.editions import Edition
from tilerummy.rules.namings import ways
from tilerummy.rules.rows import Faces, Reading, reader
from tilerummy.rules.ticks import Tick, spend, ticking
from tilerummy.rules.tiles import HIGHEST, IS_JOKER, NUMBER, SLOTS, Face

Valued = tuple[int, Faces]


class OpeningRow(NamedTuple):
    """A row that a rack could lay first, as the player means it."""

    value: int
    row: Faces
    readings: tuple[Reading, ...]


Opening = tuple[OpeningRow, ...]


def meanings(
    edition: Edition, candidates: Iterable[Valued], tick: Tick | None = None
) -> list[OpeningRow]:
    """The rows with their readings; where jokers have to be named, once for each naming."""
    found = []
    for value, row in ticking(candidates, tick):
        if edition.joker_declare != "explicit" or not several_jokers(row):
            found.append(OpeningRow(value, row, reader(edition).readings(row)))
            continue
        possible = ways(edition, row, tick)
        spend(tick, len(possible))
        named = distinct(row, possible)
        found += [OpeningRow(way.value, row, readings_of(row, [way])) for way in named]
    return found


def openings(
    edition: Edition,
    stock: Counter[Face],
    candidates: Iterable[OpeningRow],
    tick: Tick | None = None,
) -> Iterator[tuple[int, Opening]]:
    """Smallest collections of disjoint rows worth the opening minimum, with their value.

    A larger collection never helps: it leaves fewer new tiles and binds more rows.
    """
    minimum = edition.initial_min
    if minimum == 0:
        yield 0, ()
        return
    candidates = sorted(candidates, key=lambda item: item[:2], reverse=True)
    if edition.initial_single_set:
        for item in candidates:
            if item.value >= minimum:
                yield item.value, (item,)
        return
    needs = [Counter(item.row) for item in candidates]

    def collect(
        start: int, left: Counter[Face], total: int, chosen: Opening
    ) -> Iterator[tuple[int, Opening]]:
        if total + _most_points(left) < minimum:
            return
        for number in ticking(range(start, len(candidates)), tick):
            item = candidates[number]
            if any(left[face] < count for face, count in needs[number].items()):
                continue
            worth = total + item.value
            if worth >= minimum:
                yield worth, (*chosen, item)
            else:
                yield from collect(number, left - needs[number], worth, (*chosen, item))

    yield from collect(0, stock, 0, ())


def openings_from(
    edition: Edition, stock: Counter[Face], tick: Tick | None = None
) -> Iterator[tuple[int, Opening]]:
    """The smallest openings that these tiles could make, with their value."""
    if not edition.initial_jokers:
        stock = Counter({face: count for face, count in stock.items() if not IS_JOKER[face]})
    candidates = rows_from(edition, stock, whole=edition.initial_single_set, tick=tick)
    yield from openings(edition, stock, meanings(edition, candidates, tick), tick)


def _most_points(stock: Counter[Face]) -> int:
    """An upper bound on the value of rows of these tiles."""
    return sum(
        count * (NUMBER[face] if not IS_JOKER[face] else HIGHEST * SLOTS[face])
        for face, count in stock.items()
    )


def rows_from(
    edition: Edition, stock: Counter[Face], *, whole: bool = True, tick: Tick | None = None
) -> list[Valued]:
    """Every row in every order that matters that these tiles could form, with its value.

    `whole=False` leaves out rows that can be cut into two rows.
    """
    rows = reader(edition)
    found = all_rows(edition, stock, whole=whole, tick=tick)
    return [(rows.readings(row)[0].value, row) for row in ticking(found, tick)]
