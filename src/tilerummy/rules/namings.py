"""Namings: every complete meaning of a row with jokers, and those that a declaration leaves.

The number of namings explodes where a row has many jokers, so listing them takes a tick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product

from tilerummy.rules.declarations import CHANGED, Declaration, Entry, Names, Way, split
from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import (
    GROUP_KINDS,
    Faces,
    Kind,
    Slot,
    first_numbers,
    halves,
    reader,
    slots,
)
from tilerummy.rules.ticks import Tick, TickedCache, every, ticking
from tilerummy.rules.tiles import (
    CHANGES_COLOUR,
    COLOUR,
    COLOURS,
    HIGHEST,
    IS_JOKER,
    IS_MIRROR,
    IS_WILD,
    NUMBER,
    SLOTS,
    has_mirror,
    numbered,
)

NAMINGS_A_STEP = 8
"""Namings, possible or not, in one step of a tick."""
_COLOURS = range(len(COLOURS))
_NUMBERS = range(1, HIGHEST + 1)


def ways(edition: Edition, row: Faces, tick: Tick | None = None) -> tuple[Way, ...]:
    """All complete namings of a row as laid: the most valuable first, then by first colours."""
    return _known_ways(edition, row, tick)


def _ways(edition: Edition, row: Faces, tick: Tick | None) -> tuple[Way, ...]:
    small = every(NAMINGS_A_STEP, tick)
    found = [
        Way(reading.kind, names)
        for reading in reader(edition).readings(row)
        for names in dict.fromkeys(_namings(edition, row, reading.kind, small))
    ]
    return tuple(sorted(found, key=lambda way: -way.value))


_known_ways = TickedCache(_ways, 1 << 12)


def _namings(edition: Edition, row: Faces, kind: Kind, tick: Tick | None) -> Iterator[Names]:
    sides = [*halves(row)] if has_mirror(row) else [slots(row, range(len(row)))]
    if kind in GROUP_KINDS:
        yield from _group_namings(row, sides, tick)
    else:
        highest = HIGHEST
        if has_mirror(row) and edition.twist_mirror_number == "next":
            highest -= 1
        yield from _run_namings(row, sides, highest, tick)


def _group_namings(row: Faces, sides: list[list[Slot]], tick: Tick | None) -> Iterator[Names]:
    shown = {NUMBER[face] for face in row if not IS_JOKER[face]}
    for number in shown or reversed(_NUMBERS):
        for colours in ticking(permutations(_COLOURS, len(sides[0])), tick):
            names = [numbered(colour, number) for colour in colours]
            if all(
                IS_WILD[slot.face] or slot.face == name
                for side in sides
                for slot, name in zip(side, names, strict=True)
            ):
                laid = _lay(row, sides, [names] * len(sides))
                # The two tiles of a D in a group have no order, except against a mirror.
                if has_mirror(row) or all(list(name) == sorted(name) for name in split(row, laid)):
                    yield laid


def _run_namings(
    row: Faces, sides: list[list[Slot]], highest: int, tick: Tick | None
) -> Iterator[Names]:
    length = len(sides[0])
    for first in first_numbers(sides) or range(highest - length + 1, 0, -1):
        for colours in ticking(product(*(_colourings(side, tick) for side in sides)), tick):
            if len(sides) == 2 and any(
                None not in pair and pair[0] != pair[1] for pair in zip(*colours, strict=True)
            ):
                continue
            yield _lay(
                row,
                sides,
                [
                    [
                        CHANGED + number if colour is None else numbered(colour, number)
                        for number, colour in enumerate(side, first)
                    ]
                    for side in colours
                ],
            )


def _colourings(side: list[Slot], tick: Tick | None) -> list[tuple[int | None, ...]]:
    """The colours of the slots of a run, None for C: each C begins a segment of another colour."""
    places: list[int | None] = []
    segment = 0
    for slot in side:
        changes = CHANGES_COLOUR[slot.face]
        segment += changes
        places.append(None if changes else segment)
    found: dict[tuple[int | None, ...], None] = {}
    for chosen in ticking(product(_COLOURS, repeat=segment + 1), tick):
        if any(a == b for a, b in pairwise(chosen)):
            continue
        colours = tuple([None if place is None else chosen[place] for place in places])
        if all(
            IS_JOKER[slot.face] or COLOUR[slot.face] == colour
            for slot, colour in zip(side, colours, strict=True)
        ):
            found[colours] = None
    return list(found)


def _lay(row: Faces, sides: list[list[Slot]], names: Sequence[Sequence[Entry]]) -> Names:
    """The names of both sides of a mirror, or of the one side of a plain row, as they lie."""
    at: list[list[Entry]] = [[face] if IS_MIRROR[face] else [] for face in row]
    for number, (side, side_names) in enumerate(zip(sides, names, strict=True)):
        for slot, name in zip(side, side_names, strict=True):
            # The right side is read from the outside, so the inner tile of a D lies first.
            at[slot.at].insert(0 if number else len(at[slot.at]), name)
    return tuple([name for entry in at for name in entry])


def declared_ways(
    edition: Edition, row: Faces, said: Declaration, tick: Tick | None = None
) -> tuple[Way, ...]:
    """The namings that match a declaration; none if it is impossible."""
    if isinstance(said, Kind):
        return tuple(
            [
                way
                for way in ways(edition, row, tick)
                if said is way.kind or _is_small_mirror(row, said)
            ]
        )
    if len(said) != sum([SLOTS[face] or 1 for face in row]):
        return ()
    asked = [tuple(sorted(name)) for name in split(row, said)]
    return tuple(
        [
            way
            for way in ways(edition, row, tick)
            if all(
                want == tuple(sorted(name)) or (IS_JOKER[face] and {*want} == {face})
                for face, want, name in zip(row, asked, split(row, way.names), strict=True)
            )
        ]
    )


def _is_small_mirror(row: Faces, said: Kind) -> bool:
    """A mirror with one slot a side is neither run nor group."""
    return said is Kind.MIRROR and has_mirror(row) and sum([SLOTS[face] for face in row]) == 2
