"""The ordered-row reader: what a row of tiles means as laid on the table.

A row may have several readings (`r8 J J` is a run worth 27 or a group worth 24). Every tile takes
slots: most take one, a double joker two, a mirror none (`SLOTS`). A run counts its slots upwards, a
group repeats one number, a mirror row reads the same from both sides of its M.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.row_caches import caches_of
from tilerummy.rules.tiles import (
    ALL_FACES,
    CHANGES_COLOUR,
    COLOUR,
    COLOURS,
    HIGHEST,
    IS_JOKER,
    NUMBER,
    RUN_FROM,
    SLOTS,
    Face,
    Row,
    face_texts,
    has_joker,
    has_mirror,
    may_be_group,
    mirror_at,
    mirrors_in,
    numbered,
)

Faces = tuple[Face, ...]
ALL_COLOURS = frozenset(range(len(COLOURS)))
LONGEST_ROW = 2 * HIGHEST + 1
"""Thirteen slots on both sides of a mirror."""


class Kind(StrEnum):
    """The kinds of sets."""

    GROUP = "group"
    RUN = "run"
    MIRROR_RUN = "mirror-run"
    MIRROR_GROUP = "mirror-group"
    MIRROR = "mirror"  # one slot a side: neither run nor group


GROUP_KINDS = frozenset({Kind.GROUP, Kind.MIRROR_GROUP})


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """One meaning of a row.

    `stands` maps the place of each joker in the row to the numbered faces it may be: the
    missing colours in a group, the one tile in a run, both tiles for D, every colour of its
    number for C, nothing for M.
    """

    kind: Kind
    value: int
    stands: tuple[tuple[int, frozenset[Face]], ...] = ()

    def __repr__(self) -> str:
        jokers = "".join(f", {place} is {_one_of(faces)}" for place, faces in self.stands)
        return f"<Reading: {self.kind}, {self.value} points{jokers}>"


def _one_of(faces: frozenset[Face]) -> str:
    return "|".join(face_texts(sorted(faces))) or "nothing"


class Slot(NamedTuple):
    """One place of a run or of half a mirror: where its tile lies in the row, and the face."""

    at: int
    face: Face


class RowReader:
    """Reads rows under the options of one edition. Use `reader(edition)`: it keeps a cache."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        box = edition.box()
        self._counts = tuple(box.count(face) for face in ALL_FACES)
        self._cached, self._cached_tiles = caches_of(edition, self._read)

    def readings(self, row: Faces) -> tuple[Reading, ...]:
        """All readings of a row as laid, the most valuable first; empty if it is not a set."""
        return self._cached(row) if 3 <= len(row) <= LONGEST_ROW else ()

    def readings_of_tiles(self, row: Row) -> tuple[Reading, ...]:
        """As `readings`, of physical tiles: a row that stands for many turns keeps its faces."""
        return self._cached_tiles(row) if 3 <= len(row) <= LONGEST_ROW else ()

    def _read(self, row: Faces) -> tuple[Reading, ...]:
        if not has_joker(row):
            return self._read_plain(row)
        if not self.composition_allowed(row):
            return ()
        if not has_mirror(row):
            found = [*self._groups(row), *self._runs(row)]
        elif mirrors_in(row) == 1:
            found = [*self._mirror_groups(row), *self._mirror_runs(row)]
        else:
            found = []
        found.sort(key=lambda reading: -reading.value)
        return tuple(found)

    def _read_plain(self, row: Faces) -> tuple[Reading, ...]:
        """A row of numbered tiles has at most one reading."""
        first, length = row[0], len(row)
        if length < self.edition.set_min_natural:
            return ()
        number = NUMBER[first]
        if NUMBER[row[1]] == number:
            if length > 4 or len(set(row)) < length:
                return ()
            if any(NUMBER[face] != number for face in row):
                return ()
            return (Reading(Kind.GROUP, number * length),)
        if row != RUN_FROM[first][:length]:
            return ()
        return (Reading(Kind.RUN, length * (2 * number + length - 1) // 2),)

    def composition_allowed(self, row: Faces) -> bool:
        """The checks that ignore order: enough numbered tiles, few enough jokers, this box."""
        edition = self.edition
        jokers = sum([IS_JOKER[face] for face in row])
        if len(row) - jokers < edition.set_min_natural:
            return False
        if edition.joker_max_per_set is not None and jokers > edition.joker_max_per_set:
            return False
        counts = self._counts
        return not [face for face in {*row} if row.count(face) > counts[face]]

    # Groups

    def _groups(self, row: Faces) -> Iterator[Reading]:
        if not may_be_group(row):
            return
        naturals = [face for face in row if not IS_JOKER[face]]
        slots = sum([SLOTS[face] for face in row])
        if slots > 4 or len(set(naturals)) < len(naturals):
            return
        numbers = {NUMBER[face] for face in naturals}
        if len(numbers) > 1:
            return
        candidates = numbers or set(range(1, HIGHEST + 1))
        taken = {COLOUR[face] for face in naturals}
        free = ALL_COLOURS - taken
        missing = frozenset([numbered(colour, number) for number in candidates for colour in free])
        stands = tuple([(index, missing) for index, face in enumerate(row) if IS_JOKER[face]])
        yield Reading(Kind.GROUP, max(candidates) * slots, stands)

    def _mirror_groups(self, row: Faces) -> Iterator[Reading]:
        if not may_be_group(row):
            return
        left, right = halves(row)
        side = len(left)
        if side != len(right) or not self.edition.twist_mirror_min_side <= side <= 4:
            return
        pairs = list(zip(left, right, strict=True))
        numbers = {NUMBER[slot.face] for pair in pairs for slot in pair if not IS_JOKER[slot.face]}
        if len(numbers) > 1:
            return
        colours: list[int | None] = []
        for pair in pairs:
            shown = {COLOUR[slot.face] for slot in pair if not IS_JOKER[slot.face]}
            if len(shown) > 1:
                return
            colours.append(shown.pop() if shown else None)
        fixed = [colour for colour in colours if colour is not None]
        if len(set(fixed)) < len(fixed):
            return
        candidates = numbers or set(range(1, HIGHEST + 1))
        free = ALL_COLOURS.difference(fixed)
        stands: dict[int, set[Face]] = {mirror_at(row): set()}
        for pair, colour in zip(pairs, colours, strict=True):
            could_be = free if colour is None else (colour,)
            for slot in pair:
                if IS_JOKER[slot.face]:
                    stands.setdefault(slot.at, set()).update(
                        numbered(c, number) for number in candidates for c in could_be
                    )
        yield Reading(Kind.MIRROR_GROUP, 2 * side * max(candidates), _sorted_stands(stands))

    # Runs

    def _runs(self, row: Faces) -> Iterator[Reading]:
        first = _first_number(row)
        if first is not None and not 1 <= first <= HIGHEST:
            return  # the usual case for rows that are not runs
        yield from self._run_reading(row, Kind.RUN, [slots(row, range(len(row)))], HIGHEST)

    def _mirror_runs(self, row: Faces) -> Iterator[Reading]:
        left, right = halves(row)
        if len(left) != len(right) or len(left) < self.edition.twist_mirror_min_side:
            return
        if self.edition.twist_mirror_c_needs_c and any(
            CHANGES_COLOUR[a.face] != CHANGES_COLOUR[b.face]
            for a, b in zip(left, right, strict=True)
        ):
            return
        last = HIGHEST - 1 if self.edition.twist_mirror_number == "next" else HIGHEST
        yield from self._run_reading(row, Kind.MIRROR_RUN, [left, right], last)

    def _run_reading(
        self, row: Faces, kind: Kind, halves: list[list[Slot]], last: int
    ) -> Iterator[Reading]:
        """A run is one half, a mirror run two that agree slot by slot."""
        length = len(halves[0])
        firsts = first_numbers(halves)
        starts = firsts or set(range(1, last - length + 2))
        if len(firsts) > 1 or not starts or min(starts) < 1 or max(starts) + length - 1 > last:
            return
        if not self.edition.twist_adjacent_c and any(
            CHANGES_COLOUR[a.face] and CHANGES_COLOUR[b.face]
            for half in halves
            for a, b in itertools.pairwise(half)
        ):
            return
        colours = _run_colours(halves)
        if colours is None:
            return
        stands: dict[int, set[Face]] = {mirror_at(row): set()} if len(halves) == 2 else {}
        for half, half_colours in zip(halves, colours, strict=True):
            for place, (slot, could_be) in enumerate(zip(half, half_colours, strict=True)):
                if IS_JOKER[slot.face]:
                    stands.setdefault(slot.at, set()).update(
                        [numbered(colour, start + place) for start in starts for colour in could_be]
                    )
        start = max(starts)
        value = len(halves) * length * (2 * start + length - 1) // 2
        yield Reading(kind, value, _sorted_stands(stands))


def reader(edition: Edition) -> RowReader:
    """The reader of an edition. The edition keeps it: that is quicker than to hash the edition."""
    kept: RowReader | None = edition.__dict__.get("_reader")
    if kept is None:
        kept = edition.__dict__["_reader"] = _shared_reader(edition)
    return kept


@lru_cache(64)
def _shared_reader(edition: Edition) -> RowReader:
    """One reader for all equal editions."""
    return RowReader(edition)


def best_kind(row: Faces, readings: tuple[Reading, ...]) -> Kind:
    """The kind of the most valuable reading; a group goes before a run of equal value."""
    if has_mirror(row) and sum([SLOTS[face] for face in row]) == 2:
        return Kind.MIRROR
    return readings[0].kind


def is_ambiguous(row: Faces, readings: tuple[Reading, ...]) -> bool:
    """Whether it matters which reading the player means."""
    return len(readings) > 1 and best_kind(row, readings) is not Kind.MIRROR


def stands_for(readings: tuple[Reading, ...], index: int) -> frozenset[Face]:
    """identity(row, joker): the faces the joker at that place may be, in some reading."""
    return frozenset().union(
        *(faces for reading in readings for place, faces in reading.stands if place == index)
    )


def _sorted_stands(stands: dict[int, set[Face]]) -> tuple[tuple[int, frozenset[Face]], ...]:
    return tuple([(index, frozenset(stands[index])) for index in sorted(stands)])


def _first_number(row: Faces) -> int | None:
    """Where a run would have to begin: None if undetermined, 0 if its tiles disagree."""
    first, place = None, 0
    for face in row:
        if not IS_JOKER[face]:
            start = NUMBER[face] - place
            if first is None:
                first = start
            elif first != start:
                return 0
        place += SLOTS[face]
    return first


def slots(row: Faces, order: range) -> list[Slot]:
    found: list[Slot] = []
    for index in order:
        face = row[index]
        found += (Slot(index, face),) * SLOTS[face]
    return found


def first_numbers(halves: list[list[Slot]]) -> set[int]:
    """The numbers with which a run of these slots can begin, by its numbered tiles; more than one
    if they do not go together, none if all are jokers."""
    return {
        NUMBER[slot.face] - place
        for half in halves
        for place, slot in enumerate(half)
        if not IS_JOKER[slot.face]
    }


def halves(row: Faces) -> tuple[list[Slot], list[Slot]]:
    """Both sides of the mirror, each read from the outside towards M."""
    centre = mirror_at(row)
    return slots(row, range(centre)), slots(row, range(len(row) - 1, centre, -1))


def _run_colours(halves: list[list[Slot]]) -> list[list[frozenset[int]]] | None:
    """For each slot the colours it may have, or None when no colouring exists.

    C cuts a half into segments of one colour, neighbouring segments differ, and facing slots of
    two halves agree unless one of them is C. C itself may be of any colour.
    """
    segment_of: list[list[int]] = []  # per half and slot; -1 for C
    neighbours: list[tuple[int, int]] = []
    segments = 0
    for half in halves:
        places = []
        for slot in half:
            if CHANGES_COLOUR[slot.face]:
                neighbours.append((segments, segments + 1))
                segments += 1
                places.append(-1)
            else:
                places.append(segments)
        segments += 1
        segment_of.append(places)
    if segments == len(halves):  # no C: everything has one colour
        shown = {COLOUR[slot.face] for half in halves for slot in half if not IS_JOKER[slot.face]}
        if len(shown) > 1:
            return None
        could_be = frozenset(shown) or ALL_COLOURS
        return [[could_be] * len(half) for half in halves]

    if len(halves) == 1:
        return _one_half_colours(halves[0], segment_of[0], segments)
    same = list(range(segments))
    for a, b in zip(*segment_of, strict=True):
        if a >= 0 and b >= 0 and same[a] != same[b]:
            old, new = same[b], same[a]
            same = [new if item == old else item for item in same]
    domain: dict[int, frozenset[int]] = dict.fromkeys(same, ALL_COLOURS)
    for half, places in zip(halves, segment_of, strict=True):
        for slot, place in zip(half, places, strict=True):
            if not IS_JOKER[slot.face]:
                domain[same[place]] &= {COLOUR[slot.face]}
    unequal = {(same[a], same[b]) for a, b in neighbours}
    roots = list(domain)
    possible: dict[int, set[int]] = {root: set() for root in roots}
    for choice in itertools.product(*(domain[root] for root in roots)):
        colour = dict(zip(roots, choice, strict=True))
        if all(colour[a] != colour[b] for a, b in unequal):
            for root, value in colour.items():
                possible[root].add(value)
    if not all(possible.values()):
        return None
    return [
        [ALL_COLOURS if place < 0 else frozenset(possible[same[place]]) for place in places]
        for places in segment_of
    ]


def _one_half_colours(
    half: list[Slot], places: list[int], segments: int
) -> list[list[frozenset[int]]] | None:
    """As `_run_colours` for a plain run, whose segments lie side by side.

    With four colours a segment that shows none always finds one that its neighbours leave, so only
    the colours shown next to it bind it.
    """
    shown: list[set[int]] = [set() for _ in range(segments)]
    for slot, place in zip(half, places, strict=True):
        if not IS_JOKER[slot.face]:
            shown[place].add(COLOUR[slot.face])
    if any(len(colours) > 1 for colours in shown):
        return None
    if any(a & b for a, b in itertools.pairwise(shown)):
        return None
    around = [set(), *shown, set()]
    could_be = [
        frozenset(colours) or ALL_COLOURS - around[number] - around[number + 2]
        for number, colours in enumerate(shown)
    ]
    return [[ALL_COLOURS if place < 0 else could_be[place] for place in places]]
