"""Locks: the ways in which a turn may treat a locked row (`joker.locked_sets`).

Either the row survives as a block of one new row, perhaps with some jokers replaced, or all of its
jokers are replaced and its tiles are free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tilerummy.rules.candidates import all_rows
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow, replacements, with_replacements
from tilerummy.rules.rows import Faces, RowReader, reader
from tilerummy.rules.ticks import Tick, TickedCache, ticking
from tilerummy.rules.tiles import (
    ALL_FACES,
    COLOUR,
    HIGHEST,
    IS_JOKER,
    IS_SPECIAL,
    MIRRORS,
    NUMBER,
    SLOTS,
    Face,
    has_mirror,
    unidentified,
)

SPECIAL_JOKERS = tuple([face for face in ALL_FACES if IS_SPECIAL[face]])
NEAR = 2
"""No row reaches farther beyond a locked one, but a mirror row by two numbers for each joker."""


@dataclass(frozen=True, slots=True)
class LockTreatment:
    """`row` is the new row that holds the old one, None where the old one is free.

    `from_rack` are the tiles of that row, or anywhere on the table, that the rack must give.
    """

    row: Faces | None
    from_rack: Faces = ()


def lock_treatments(
    edition: Edition,
    row: LaidRow,
    stock: Counter[Face],
    rack: Counter[Face],
    free_table: Counter[Face],
    tick: Tick | None = None,
) -> Iterator[LockTreatment]:
    """Yield every treatment that can matter; `stock` is all that may be added to the row.

    `free_table` are tiles of the table that may replace a joker (`joker.replace_from=any`).
    """
    specials = any(stock[face] or face in row.faces for face in SPECIAL_JOKERS)
    if specials or row.named or row.said or free_table or edition.set_min_natural > 1:
        yield from _distinct(_treatments(edition, row, stock, rack, free_table, tick))
        return
    lock = Lock(reader(edition), row.faces)
    near, stand_ins = near_tiles(row.faces), stand_ins_of(lock)
    close = tuple(
        [(face, count if IS_JOKER[face] else 1) for face, count in stock.items() if face in near]
    )
    given = tuple(sorted([face for face in rack if face in stand_ins]))
    yield from known_treatments(lock, (close, given), tick)


class Lock(NamedTuple):
    """A locked row under the options of one edition."""

    rows: RowReader
    faces: Faces


Stocks = tuple[tuple[tuple[Face, int], ...], Faces]
"""What is near to a locked row: the tiles that may be added to it, in the order in which they are
tried, and those that may replace its jokers. A row holds no numbered tile twice, so one of each is
enough."""


def _list_treatments(lock: Lock, stocks: Stocks, tick: Tick | None) -> list[LockTreatment]:
    """The treatments of a row of J and numbered tiles; of table and rack what is near to it."""
    rows, faces = lock
    close, given = Counter(dict(stocks[0])), Counter(stocks[1])
    row = LaidRow(unidentified(faces), faces, rows.readings(faces), 0)
    return list(_distinct(_treatments(rows.edition, row, close, given, Counter(), tick)))


MOST_KNOWN = 1 << 14
known_treatments = TickedCache(_list_treatments, MOST_KNOWN)
"""The same locked rows lie on a table for many turns, and in all branches of a search."""


@lru_cache(MOST_KNOWN)
def near_tiles(row: Faces) -> frozenset[Face]:
    """The tiles that may be added to a row of J and numbered tiles.

    Those are the tiles of its number, if it may be a group, and if it may be a run those of its
    colour up to two numbers beyond its ends: three tiles would be a row of their own.
    """
    places = [place for place, face in enumerate(row) if not IS_JOKER[face]]
    if not places:
        return frozenset(ALL_FACES)
    first = row[places[0]]
    numbers = {NUMBER[row[place]] for place in places}
    start = NUMBER[first] - places[0]
    beyond = [*range(start - NEAR, start), *range(start + len(row), start + len(row) + NEAR)]
    may_be_group, may_be_run = len(numbers) == 1, len(numbers) == len(places)
    return frozenset(
        face
        for face in ALL_FACES
        if IS_JOKER[face]
        or (may_be_group and NUMBER[face] in numbers and face not in row)
        or (may_be_run and COLOUR[face] == COLOUR[first] and NUMBER[face] in beyond)
    )


@lru_cache(MOST_KNOWN)
def stand_ins_of(lock: Lock) -> frozenset[Face]:
    """The tiles that may take the place of a joker of a row."""
    readings = lock.rows.readings(lock.faces)
    return frozenset(
        [face for reading in readings for _, stands in reading.stands for face in stands]
    )


def _distinct(ways: Iterable[LockTreatment]) -> Iterator[LockTreatment]:
    seen: set[LockTreatment] = set()
    for way in ways:
        if way not in seen:
            seen.add(way)
            yield way


def _treatments(
    edition: Edition,
    row: LaidRow,
    stock: Counter[Face],
    rack: Counter[Face],
    free_table: Counter[Face],
    tick: Tick | None,
) -> Iterator[LockTreatment]:
    rows = reader(edition)
    for longer in extensions(rows, row.faces, stock, tick=tick):
        yield LockTreatment(longer)
    for _, filled in replacements(edition, row, rack + free_table, tick):
        if not filled:
            continue
        new = tuple(face for faces in filled.values() for face in faces)
        for from_rack in _sources(new, rack, free_table):
            if len(filled) == len(row.jokers()):
                yield LockTreatment(None, from_rack)
                continue
            block = tuple(face for _, face in with_replacements(row, filled))
            released = Counter(row.faces[index] for index in filled)
            left = stock - Counter(new) + released
            for longer in extensions(rows, block, left, tick=tick):
                yield LockTreatment(longer, from_rack)


def _sources(new: Faces, rack: Counter[Face], free_table: Counter[Face]) -> Iterator[Faces]:
    """Which of the new tiles come from the rack."""
    if not new:
        yield ()
        return
    first, rest = new[0], new[1:]
    if rack[first]:
        for others in _sources(rest, rack - Counter([first]), free_table):
            yield (first, *others)
    if free_table[first]:
        yield from _sources(rest, rack, free_table - Counter([first]))


def extensions(
    rows: RowReader,
    block: Faces,
    stock: Counter[Face],
    *,
    mirrored: bool = True,
    tick: Tick | None = None,
) -> Iterator[Faces]:
    """Yield the block and every longer row around it that need not be cut.

    With `mirrored` also rows in which it becomes part of a mirror, of which there are many.
    """
    if rows.readings(block):  # it may not be one any more, with some of its jokers replaced
        yield block
    if mirrored and (has_mirror(block) or any(stock[face] for face in MIRRORS)):
        yield from _mirrored(rows.edition, block, stock, tick)
    if has_mirror(block):
        return
    faces = [face for face in stock if stock[face] > 0]
    before = list(_grow(rows, block, faces, tick, at_front=True))
    after = list(_grow(rows, block, faces, tick, at_front=False))
    seen = {block}
    for front in before:
        for back in ticking(after, tick):
            longer = (*front, *block, *back)
            if longer not in seen and fits(Counter(front + back), stock) and rows.readings(longer):
                seen.add(longer)
                yield longer


def _grow(
    rows: RowReader, block: Faces, faces: list[Face], tick: Tick | None, *, at_front: bool
) -> Iterator[Faces]:
    """Sequences that may be added at one end and are no row by themselves."""
    layer: list[Faces] = [()]
    while layer:
        yield from layer
        longer = []
        for part in ticking(layer, tick):
            fitting = _next_numbers((*part, *block) if at_front else (*block, *part), at_front)
            for face in faces:
                if NUMBER[face] not in fitting:
                    continue
                new = (face, *part) if at_front else (*part, face)
                numbered = sum(not IS_JOKER[f] for f in new)
                if len(new) >= 3 and numbered >= rows.edition.set_min_natural:
                    continue
                whole = (*new, *block) if at_front else (*block, *new)
                if rows.readings(whole):
                    longer.append(new)
        layer = longer


def _next_numbers(row: Faces, at_front: bool) -> Collection[int]:
    """The numbers that a tile may have which is added to a row without a mirror, 0 for jokers.

    In a group it has the number of the others, in a run the one that is next.
    """
    place = 0
    for face in row:
        if not IS_JOKER[face]:
            ahead = -place - 1 if at_front else sum([SLOTS[other] for other in row]) - place
            return 0, NUMBER[face], NUMBER[face] + ahead
        place += SLOTS[face]
    return range(HIGHEST + 1)


def _mirrored(
    edition: Edition, block: Faces, stock: Counter[Face], tick: Tick | None
) -> Iterator[Faces]:
    """Rows with a mirror that hold all tiles of the block; the referee sorts out the rest."""
    numbers = [NUMBER[face] for face in block if not IS_JOKER[face]] or [1, HIGHEST]
    reach = 2 * sum(IS_JOKER[face] for face in block) + NEAR
    near = Counter(
        {
            face: count
            for face, count in stock.items()
            if IS_JOKER[face] or min(numbers) - reach <= NUMBER[face] <= max(numbers) + reach
        }
    )
    need = Counter(block)
    for row in ticking(all_rows(edition, near + need, whole=True, tick=tick), tick):
        if has_mirror(row) and fits(need, Counter(row)) and len(row) > len(block):
            yield row


def fits(need: Counter[Face], stock: Counter[Face]) -> bool:
    """Return whether a stock has all that is needed."""
    return all(stock[face] >= count for face, count in need.items())
