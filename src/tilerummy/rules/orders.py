"""Row ordering: finds the order in which some tiles form a set.

Order matters for value (`J r9 r10` is 27, `r9 r10 J` is 30), so the search
returns the most valuable valid order. It places tiles slot by slot, and the row reader confirms
the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tilerummy.rules.editions import Edition
from tilerummy.rules.reading_steps import ticking_rows
from tilerummy.rules.rows import LONGEST_ROW, Faces, RowReader, reader
from tilerummy.rules.ticks import Tick, TickedCache, every, ticking
from tilerummy.rules.tiles import (
    CHANGES_COLOUR,
    COLOUR,
    HIGHEST,
    IS_JOKER,
    IS_MIRROR,
    NUMBER,
    SLOTS,
    TWO_SLOTS,
    WILD_FACES,
    Face,
    Row,
    Tile,
    faces_of,
    has_joker,
    has_mirror,
    may_be_group,
    mirror_at,
    mirrors_in,
)

PLACES_A_STEP = 4
"""Tiles that are tried in a place in one step of a tick."""
Wanted = tuple[int, ...]
"""The number each slot must show: ascending for runs, constant for groups."""


def normalise(edition: Edition, row: Row, tick: Tick | None = None) -> Row | None:
    """The tiles of a row in the most valuable order that is a set, or None if no order is."""
    faces = faces_of(row)
    order = best_order(edition, faces, tick)
    if order is None:
        return None
    stock: dict[Face, list[Tile]] = {}
    for tile, face in zip(reversed(row), reversed(faces), strict=True):
        stock.setdefault(face, []).append(tile)
    return tuple([stock[face].pop() for face in order])


def settled(edition: Edition, row: Row, tick: Tick | None = None) -> Row | None:
    """The row as it counts: as laid, or reordered if the edition allows; None if not a set."""
    if reader(edition).readings_of_tiles(row):
        return row
    return normalise(edition, row, tick) if edition.set_order == "normalise" else None


def best_order(edition: Edition, faces: Faces, tick: Tick | None = None) -> Faces | None:
    """The most valuable order in which these faces are a set, or None if no order is.

    A group goes before a run of equal value.
    """
    if not 3 <= len(faces) <= LONGEST_ROW:
        return None
    return _known_orders(edition, tuple(sorted(faces)), tick)


def _best_order(edition: Edition, faces: Faces, tick: Tick | None) -> Faces | None:
    rows = reader(edition)
    mirrors = mirrors_in(faces)
    if mirrors > 1 or not rows.composition_allowed(faces):
        return None
    slots = sum([SLOTS[face] for face in faces])
    if mirrors and slots % 2:
        return None
    side = slots // 2 if mirrors else slots
    small = every(PLACES_A_STEP, tick)
    for wanted in _plans(faces, side):
        found = _mirror_orders(faces, wanted, small) if mirrors else _orders(faces, wanted, small)
        for order in ticking_rows(found, tick):
            if _reads_as(rows, order, wanted):
                return order
    return None


_known_orders = TickedCache(_best_order, 1 << 14)


def _plans(faces: Faces, side: int) -> list[Wanted]:
    """What the slots of the row, or of half a mirror row, could count, the most valuable first."""
    shown = {NUMBER[face] for face in faces if not IS_JOKER[face]}
    plans: list[Wanted] = []
    if side <= 4 and len(shown) <= 1 and may_be_group(faces):
        plans += [(number,) * side for number in shown or {HIGHEST}]
    lowest, highest = (min(shown), max(shown)) if shown else (HIGHEST, 0)
    first_start = max(1, highest - side + 1)
    last_start = min(lowest, HIGHEST - side + 1)
    plans += [tuple(range(start, start + side)) for start in range(last_start, first_start - 1, -1)]
    return sorted(plans, key=lambda plan: -sum(plan))


def _reads_as(rows: RowReader, order: Faces, wanted: Wanted) -> bool:
    value = sum(wanted) * (2 if has_mirror(order) else 1)
    return any(reading.value == value for reading in rows.readings(order))


def _orders(faces: Faces, wanted: Wanted, tick: Tick | None) -> Iterator[Faces]:
    """Rows without a mirror that fill the wanted slots from left to right."""
    if len(set(wanted)) < len(wanted):  # a group: any order will do
        yield faces
        return
    remaining = Counter(faces)
    placed: list[Face] = []

    def fill(place: int, colour: int | None, left_of_change: int | None) -> Iterator[Faces]:
        # colour: of the open segment; left_of_change: of the segment before it, if C was used
        if tick is not None:
            tick()
        if place == len(wanted):
            if not any(remaining.values()):
                yield tuple(placed)
            return
        fitting = [
            face for face in remaining if not IS_JOKER[face] and NUMBER[face] == wanted[place]
        ]
        naturals = [face for face in fitting if remaining[face]]
        for face in naturals or WILD_FACES:
            if not remaining[face]:
                continue
            if not IS_JOKER[face]:
                own = COLOUR[face]
                if colour not in (None, own) or left_of_change == own or len(naturals) > 1:
                    continue
                step: tuple[int, int | None, int | None] = (place + 1, own, left_of_change)
            elif CHANGES_COLOUR[face]:
                step = (place + 1, None, colour)
            else:
                step = (place + SLOTS[face], colour, left_of_change)
                if step[0] > len(wanted):
                    continue
            remaining[face] -= 1
            placed.append(face)
            yield from fill(*step)
            placed.pop()
            remaining[face] += 1

    yield from fill(0, None, None)


def _mirror_orders(faces: Faces, wanted: Wanted, tick: Tick | None) -> Iterator[Faces]:
    """Rows around one mirror whose sides both fill the wanted slots from the outside inwards."""
    side = len(wanted)
    is_run = len(set(wanted)) == side
    mirror = faces[mirror_at(faces)]
    remaining = Counter(face for face in faces if not IS_MIRROR[face])
    left: list[Face] = []
    right: list[Face] = []

    def choices(place: int, covered: bool) -> Iterator[Face | None]:
        if covered:  # by the D before
            yield None
            return
        for face, count in list(remaining.items()):
            fits = NUMBER[face] in (0, wanted[place])
            if count and fits and place + SLOTS[face] <= side:
                yield face

    def fill(place: int, left_covered: bool, right_covered: bool) -> Iterator[Faces]:
        if place == side:
            if not any(remaining.values()):
                yield (*left, mirror, *reversed(right))
            return
        for one in choices(place, left_covered):
            take(remaining, left, one)
            for two in ticking(choices(place, right_covered), tick):
                both_show = one is not None and two is not None and not has_joker((one, two))
                if both_show and one != two:
                    continue
                take(remaining, right, two)
                if not is_run or not _left_behind(remaining, wanted[place]):
                    yield from fill(place + 1, one in TWO_SLOTS, two in TWO_SLOTS)
                put_back(remaining, right, two)
            put_back(remaining, left, one)

    yield from fill(0, False, False)


def _left_behind(remaining: Counter[Face], number: int) -> bool:
    """Whether a numbered tile is unplaced although its slot is past."""
    return any(count and 0 < NUMBER[face] <= number for face, count in remaining.items())


def take(remaining: Counter[Face], half: list[Face], face: Face | None) -> None:
    if face is not None:
        remaining[face] -= 1
        half.append(face)


def put_back(remaining: Counter[Face], half: list[Face], face: Face | None) -> None:
    if face is not None:
        half.pop()
        remaining[face] += 1
