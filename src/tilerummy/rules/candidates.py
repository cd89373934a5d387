"""Candidate rows: enumerates the rows that some tiles can form, all or those with one face.

The enumeration skips most rows that can be cut into two valid rows: the two parts allow the same
turns, and a joker rule that forbids a part usually forbids the row. There are two exceptions.
A longer row can be better under `joker.reuse=new_set_rack2` and for callers that count the points
of a single row: `whole=True` lists every row. And a row may hold a special joker beside tiles that
lost their own joker if it holds that one too: `bonds` keeps such rows in one piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from tilerummy.rules.bonds import NOTHING, Bond, Coming, Part, is_bound
from tilerummy.rules.editions import Edition
from tilerummy.rules.known_rows import KnownRows, is_short_list, plain_rows
from tilerummy.rules.orders import put_back, take
from tilerummy.rules.reading_steps import ticking_rows
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.ticks import Tick, ticking
from tilerummy.rules.tiles import (
    CHANGES_COLOUR,
    COLOUR,
    COLOUR_CHANGES,
    COLOURS,
    HIGHEST,
    IN_GROUPS,
    IS_JOKER,
    IS_WILD,
    JOKER,
    JOKER_FACES,
    MIRRORS,
    NUMBER,
    NUMBERED_FACES,
    SLOTS,
    TWO_SLOTS,
    WILD_FACES,
    Face,
    has_joker,
    numbered,
)

_IN_GROUPS = tuple([face for face in WILD_FACES if IN_GROUPS[face]])
_MOST_IN_GROUP = {f: 1 // (SLOTS[f] - 1) if SLOTS[f] > 1 else len(COLOURS) for f in _IN_GROUPS}
"""Three tiles of a group leave one more slot."""


def all_rows(
    edition: Edition,
    stock: Counter[Face],
    around: Face | None = None,
    *,
    whole: bool = False,
    bonds: Sequence[Bond] = (),
    tick: Tick | None = None,
) -> list[Faces]:
    """Every row of these tiles, or those `around` a face, in every order that matters, once.

    A row that keeps tiles and joker of a bond together is listed although it could be cut.
    """
    if not whole and not bonds and is_short_list(edition, stock):
        known = _known_rows(edition, max(0, stock[JOKER]))
        return [row for row in ticking_rows(known.among(stock), tick) if around in (None, *row)]
    return _list_rows(edition, stock, around, whole=whole, bonds=bonds, tick=tick)


@lru_cache(64)
def _known_rows(edition: Edition, jokers: int) -> KnownRows:
    stock = Counter({**dict.fromkeys(NUMBERED_FACES, 1), JOKER: jokers})
    return KnownRows(_list_rows(edition, stock))


def _list_rows(
    edition: Edition,
    stock: Counter[Face],
    around: Face | None = None,
    *,
    whole: bool = False,
    bonds: Sequence[Bond] = (),
    tick: Tick | None = None,
) -> list[Faces]:
    """As `all_rows`, row by row."""
    rows = reader(edition)
    minimum = HIGHEST + 1 if whole else edition.set_min_natural
    if around is None and not any(stock[face] for face in JOKER_FACES):
        plain = ticking_rows(list(plain_rows(stock, minimum)), tick)
        return [row for row in plain if rows.readings(row)]
    shown = around if around is not None and not IS_JOKER[around] else None
    number = 0 if shown is None else NUMBER[shown]
    bonds = [bond for bond in bonds if stock[bond.joker] and bond.tiles <= stock]
    found: dict[Faces, None] = {}
    for row in ticking(_groups(stock, number), tick):
        found[row] = None
    for row in _runs(stock, shown, minimum, bonds, tick):
        found[row] = None
    min_side = max(1, edition.twist_mirror_min_side)
    for mirror in MIRRORS:
        if not stock[mirror]:
            continue
        for row in _mirrors(stock, mirror, shown, minimum, min_side, bonds, tick):
            if row[::-1] in found:  # the same row seen from the other side
                continue
            found[row] = None
            if whole:
                found[row[::-1]] = None
    return [
        row
        for row in ticking_rows(found, tick)
        if (around is None or around in row) and rows.readings(row)
    ]


def _jokers_for_groups(stock: Counter[Face], room: int) -> list[Faces]:
    """The jokers that may fill some of so many free slots of a group."""
    counts = [range(min(stock[f], room // SLOTS[f], _MOST_IN_GROUP[f]) + 1) for f in _IN_GROUPS]
    return [
        tuple([f for f, n in zip(_IN_GROUPS, some, strict=True) for _ in range(n)])
        for some in product(*counts)
    ]


def _groups(stock: Counter[Face], number: int) -> Iterator[Faces]:
    jokers = [_jokers_for_groups(stock, len(COLOURS) - size) for size in range(len(COLOURS) + 1)]
    for shown_number in (number,) if number else range(1, HIGHEST + 1):
        shown = [f for c in range(len(COLOURS)) if stock[f := numbered(c, shown_number)]]
        for size in range(len(shown) + 1):
            for naturals in combinations(shown, size):
                for wilds in jokers[size]:
                    if size + len(wilds) >= 3:
                        yield naturals + wilds


def _cut_in_two(
    row: list[Face],
    minimum: int,
    bonds: Sequence[Bond],
    front: Coming = NOTHING,
    back: Coming = NOTHING,
) -> bool:
    """Whether some cut leaves two runs, each with enough tiles and enough numbered ones.

    `front` and `back` are tiles that may still be added at these ends.
    """
    if len(row) < 6:
        return False
    naturals = 0
    total = _naturals(row)
    for cut, face in enumerate(row, 1):
        naturals += not IS_JOKER[face]
        if cut < 3 or len(row) - cut < 3 or min(naturals, total - naturals) < minimum:
            continue
        if not bonds or not is_bound(bonds, (Part(row[:cut], front), Part(row[cut:], back))):
            return True
    return False


def _runs(
    stock: Counter[Face],
    wanted: Face | None,
    minimum: int,
    bonds: Sequence[Bond],
    tick: Tick | None,
) -> Iterator[Faces]:
    """Runs without a mirror; only those with one numbered face if one is given."""
    bonds = [bond for bond in bonds if bond.fits_in_run()]
    if wanted is None:
        for first in range(1, HIGHEST + 1):
            yield from _Runs(stock, minimum, bonds, tick).after(first, _Segment())
    elif stock[wanted]:
        yield from _Runs(stock, minimum, bonds, tick).around(wanted)


class _Segment(NamedTuple):
    """The end of a run so far: its colour and that beyond the last C, where shown."""

    colour: int | None = None
    beyond: int | None = None


class _Runs:
    """Runs that grow tile by tile: upwards, or first downwards from a tile and then upwards."""

    def __init__(
        self, stock: Counter[Face], minimum: int, bonds: Sequence[Bond], tick: Tick | None
    ) -> None:
        self.left = Counter(stock)
        self.minimum = minimum
        self.bonds = bonds
        self.tick = tick
        self.placed: list[Face] = []

    def around(self, wanted: Face) -> Iterator[Faces]:
        self.left[wanted] -= 1
        self.placed.append(wanted)
        yield from self._before(NUMBER[wanted] - 1, _Segment(COLOUR[wanted]), wanted)

    def after(self, number: int, end: _Segment) -> Iterator[Faces]:
        """The run as it is, and longer ones that go on with a number."""
        if self.tick is not None:
            self.tick()
        placed = self.placed
        if len(placed) >= 3 and not _cut_in_two(placed, self.minimum, self.bonds):
            yield tuple(placed)
        for face, slots, grown in self._next(number, end, HIGHEST + 1 - number):
            self._lay(face, len(placed))
            back = Coming(self.left, range(number + slots, HIGHEST + 1))
            if not _cut_in_two(placed, self.minimum, self.bonds, back=back):
                yield from self.after(number + slots, grown)
            self._take_back(len(placed) - 1)

    def _before(self, number: int, end: _Segment, wanted: Face) -> Iterator[Faces]:
        yield from self.after(NUMBER[wanted] + 1, _Segment(COLOUR[wanted]))
        for face, slots, grown in self._next(number, end, number):
            self._lay(face, 0)
            front = Coming(self.left, range(1, number - slots + 1))
            back = Coming(self.left, range(NUMBER[wanted] + 1, HIGHEST + 1))
            if not _cut_in_two(self.placed, self.minimum, self.bonds, front, back):
                yield from self._before(number - slots, grown, wanted)
            self._take_back(0)

    def _next(self, number: int, end: _Segment, room: int) -> Iterator[tuple[Face, int, _Segment]]:
        """The tiles that may lie at a number, with room for that many slots."""
        if room < 1:
            return
        colour, beyond = end
        for own in range(len(COLOURS)) if colour is None else (colour,):
            face = numbered(own, number)
            if self.left[face] and own != beyond:
                yield face, 1, _Segment(own, beyond)
        for face in WILD_FACES:
            if self.left[face] and SLOTS[face] <= room:
                yield face, SLOTS[face], _Segment(None, colour) if CHANGES_COLOUR[face] else end

    def _lay(self, face: Face, place: int) -> None:
        self.left[face] -= 1
        self.placed.insert(place, face)

    def _take_back(self, place: int) -> None:
        self.left[self.placed.pop(place)] += 1


def _mirrors(
    stock: Counter[Face],
    mirror: Face,
    wanted: Face | None,
    minimum: int,
    min_side: int,
    bonds: Sequence[Bond],
    tick: Tick | None,
) -> Iterator[Faces]:
    """Rows around one mirror, filled slot by slot from the outside inwards on both sides."""
    through = 0 if wanted is None else NUMBER[wanted]
    for first in range(1, (through or HIGHEST) + 1):
        halves = _MirrorRuns(stock, mirror, wanted, minimum, min_side, bonds, tick)
        yield from halves.start(first)
        if not through or first == through:
            yield from _mirror_groups(stock, mirror, first, tick)


class _Half(NamedTuple):
    """One side of a mirror run so far: its colour and that before the last C, where shown."""

    colour: int | None = None
    before: int | None = None
    covered: bool = False

    def after(self, face: Face | None) -> _Half | None:
        """The half with one more slot filled, None where the colours do not fit."""
        if face is not None and not IS_JOKER[face]:
            return self.shown(COLOUR[face])
        if face is not None and CHANGES_COLOUR[face]:
            return _Half(None, self.colour)
        covers = face in TWO_SLOTS
        return self if covers == self.covered else _Half(self.colour, self.before, covers)

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
        mirror: Face,
        wanted: Face | None,
        minimum: int,
        min_side: int,
        bonds: Sequence[Bond],
        tick: Tick | None,
    ) -> None:
        self.left = Counter(stock)
        self.mirror = mirror
        self.tick = tick
        self.wanted = wanted
        self.through = 0 if wanted is None else NUMBER[wanted]
        self.minimum = minimum
        self.min_side = min_side
        self.bonds = bonds
        jokers = [face for face in WILD_FACES if stock[face]]
        self.fitting: list[list[Face]] = [[*jokers] for _ in range(HIGHEST + 1)]
        for face in sorted(stock):
            if not IS_JOKER[face]:
                self.fitting[NUMBER[face]].append(face)
        self.lacking = _lacking(stock, self.through)
        self.one: list[Face] = []
        self.two: list[Face] = []
        self.cuts: list[tuple[int, int, int]] = []  # where both could be cut: tiles, slots

    def start(self, first: int) -> Iterator[Faces]:
        yield from self._extend(first, 0, _Half(), _Half())

    def _extend(self, number: int, slots: int, a: _Half, b: _Half) -> Iterator[Faces]:
        if self.tick is not None:
            self.tick()
        if self.lacking[number] > self._joker_slots() + a.covered + b.covered:
            return
        whole = slots > 0 and not a.covered and not b.covered
        if whole:
            if self._needless(slots, Coming(self.left, range(number, HIGHEST + 1))):
                return
            if number > self.through and not (self.bonds and self._needless(slots, NOTHING)):
                yield (*self.one, self.mirror, *reversed(self.two))
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
            if pair is not None and not (left in COLOUR_CHANGES or right in COLOUR_CHANGES):
                pair = _agreed(*pair)
            if pair is None:
                continue
            take(self.left, self.two, right)
            yield from self._extend(number + 1, slots + 1, *pair)
            put_back(self.left, self.two, right)

    def _joker_slots(self) -> int:
        return sum([self.left[face] * SLOTS[face] for face in WILD_FACES])

    def _choices(self, number: int, half: _Half) -> list[Face | None]:
        if half.covered:
            return [None]
        return [face for face in self.fitting[number] if self.left[face]]

    def _needless(self, slots: int, coming: Coming) -> bool:
        """Whether the outer parts are rows of their own, and the rest still mirrors."""
        one, two, minimum = self.one, self.two, self.minimum
        return any(
            slots - cut >= self.min_side
            and min(a, b) >= 3
            and min(_naturals(one[:a]), _naturals(two[:b])) >= minimum
            and _naturals(one[a:]) + _naturals(two[b:]) >= minimum
            and not is_bound(
                self.bonds,
                (
                    Part(one[:a], NOTHING),
                    Part(two[:b], NOTHING),
                    Part([*one[a:], self.mirror, *two[b:]], coming),
                ),
            )
            for a, b, cut in self.cuts
        )


def _lacking(stock: Counter[Face], through: int) -> list[int]:
    """How many slots from each number on only jokers can fill, both sides of a mirror up to one
    number: two tiles that face each other are equal."""
    lacking = [0] * (HIGHEST + 2)
    for number in range(through, 0, -1):
        most = max(stock[numbered(colour, number)] for colour in range(len(COLOURS)))
        lacking[number] = lacking[number + 1] + max(0, 2 - most)
    return lacking


def _agreed(a: _Half, b: _Half) -> tuple[_Half, _Half] | None:
    """Facing slots have one colour."""
    colour = a.colour if a.colour is not None else b.colour
    if colour is None:
        return a, b
    one, two = a.shown(colour), b.shown(colour)
    return None if one is None or two is None else (one, two)


def _mirror_groups(
    stock: Counter[Face], mirror: Face, number: int, tick: Tick | None
) -> Iterator[Faces]:
    left = Counter(stock)
    fitting = [f for f in sorted(stock) if NUMBER[f] == number or (IS_WILD[f] and IN_GROUPS[f])]
    one: list[Face] = []
    two: list[Face] = []

    def extend(slots: int, one_covered: bool, two_covered: bool) -> Iterator[Faces]:
        if tick is not None:
            tick()
        if slots and not one_covered and not two_covered:
            yield (*one, mirror, *reversed(two))
        if slots == len(COLOURS):
            return
        for a in [None] if one_covered else [face for face in fitting if left[face]]:
            if a is not None and not IS_JOKER[a] and (a in one or a in two):
                continue
            take(left, one, a)
            for b in [None] if two_covered else [face for face in fitting if left[face]]:
                both_show = a is not None and b is not None and not has_joker((a, b))
                if both_show and a != b:
                    continue
                take(left, two, b)
                yield from extend(slots + 1, a in TWO_SLOTS, b in TWO_SLOTS)
                put_back(left, two, b)
            put_back(left, one, a)

    yield from extend(0, False, False)


def _naturals(tiles: list[Face]) -> int:
    return sum([not IS_JOKER[face] for face in tiles])
