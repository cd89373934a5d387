"""Every row that a stock of tiles can form, written from the rules without their code.

Only the numbers that stand for tiles are shared with what is tested. A *template* is a row as it
lies, with the points of its best reading. `rows` lists all of them, `whole_rows` those that cannot
be cut into valid rows: for a plain covering the others are never needed, because the parts hold the
same tiles and are worth at least as much. `Cut` decides what may be cut where rules look at jokers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from tests.faces import CHANGE, DOUBLE, MIRROR
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import JOKER, NUMBER, SLOTS, Face, numbered

Faces = tuple[Face, ...]
Stock = Counter[Face]


class Grammar(NamedTuple):
    """The options that decide what a row is."""

    min_natural: int
    max_jokers: int
    mirror_min_side: int
    mirror_last: int
    mirror_c_needs_c: bool
    adjacent_c: bool

    @staticmethod
    def of(edition: Edition) -> Grammar:
        limit = edition.joker_max_per_set
        return Grammar(
            edition.set_min_natural,
            99 if limit is None else limit,
            edition.twist_mirror_min_side,
            12 if edition.twist_mirror_number == "next" else 13,
            edition.twist_mirror_c_needs_c,
            edition.twist_adjacent_c,
        )


class Cut:
    """Which rows can be left out because their parts serve as well. This one: every row that has
    parts.

    `reached` is a number that no numbered tile of the inner part is below or at.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.least = grammar.min_natural

    def allowed(self, outer: Sequence[Faces], inner: Faces, reached: int, is_group: bool) -> bool:
        """Whether `outer` parts come off, however much is still added to `inner`."""
        return all(naturals(part) >= self.least for part in (*outer, inner))


class NoCut(Cut):
    def allowed(self, outer: Sequence[Faces], inner: Faces, reached: int, is_group: bool) -> bool:
        return False


class JokerCut(Cut):
    """Cuts after which every joker still means the same and no exchange can appear.

    `rests` are the rows of the old table: each joker with the tiles around it. The exchange ban
    asks for these tiles together in a row that lacks the joker, so a cut is left out where the
    tiles might stay together while the joker goes.
    """

    def __init__(self, grammar: Grammar, rests: Sequence[tuple[Face, Faces]]) -> None:
        super().__init__(grammar)
        self.rests = [(joker, Counter(rest)) for joker, rest in rests]

    def allowed(self, outer: Sequence[Faces], inner: Faces, reached: int, is_group: bool) -> bool:
        if not super().allowed(outer, inner, reached, is_group):
            return False
        plain = [all(face < JOKER for face in part) for part in (*outer, inner)]
        if all(plain):
            return True
        if is_group or naturals(inner) < (2 if MIRROR not in inner else 1):
            return False
        for part in outer:
            if max(part) >= JOKER and naturals(part) < 2:
                return False
        for joker, rest in self.rests:
            if any(rest <= Counter(part) for part in outer if {DOUBLE, CHANGE} & {*part}):
                return False
            if any(joker in part for part in outer) and not any(
                face < JOKER and NUMBER[face] <= reached for face in rest
            ):
                return False
        return True


def rows(grammar: Grammar, stock: Stock) -> dict[Faces, int]:
    """Every row in every order, with its value; of a group only one order per joker pattern."""
    return _collect(grammar, stock, NoCut(grammar))


def whole_rows(grammar: Grammar, stock: Stock) -> dict[Faces, int]:
    """The rows that cannot be cut, for each set of tiles the most valuable order."""
    best: dict[Faces, tuple[int, Faces]] = {}
    for row, value in _collect(grammar, stock, Cut(grammar)).items():
        key = tuple(sorted(row))
        if key not in best or best[key][0] < value:
            best[key] = value, row
    return {row: value for value, row in best.values()}


def ordered_rows(grammar: Grammar, stock: Stock, cut: Cut) -> dict[Faces, int]:
    """The rows that `cut` does not take apart; of a mirror row one direction.

    No rule looks at rows without a joker, so of these the whole ones will do in any case.
    """
    found: dict[Faces, int] = {}
    plain = Cut(grammar)
    for row, value in _collect(grammar, stock, cut).items():
        if MIRROR in row:
            if row[::-1] not in found:
                found[row] = value
        elif max(row) >= JOKER or not _run_can_be_cut(plain, list(row), 0):
            found[row] = value
    return found


def _collect(grammar: Grammar, stock: Stock, cut: Cut) -> dict[Faces, int]:
    found: dict[Faces, int] = {}
    stock = +stock
    sources = [_groups(stock), _runs(grammar, stock, cut)]
    if stock[MIRROR]:
        sources += [_mirror_groups(grammar, stock, cut), _mirror_runs(grammar, stock, cut)]
    for source in sources:
        for row, value in source:
            if len(row) >= 3 and _composed(grammar, row):
                found[row] = max(value, found.get(row, 0))
    return found


def _composed(grammar: Grammar, row: Faces) -> bool:
    jokers = sum(face >= JOKER for face in row)
    return jokers <= grammar.max_jokers and len(row) - jokers >= grammar.min_natural


def naturals(row: Faces) -> int:
    return sum(face < JOKER for face in row)


# --- groups


def _groups(stock: Stock) -> Iterator[tuple[Faces, int]]:
    """One number, different colours, three or four slots; J and D fill in.

    Where order can matter to a joker rule (a D, or at most one numbered tile) all orders are given.
    """
    for number in range(1, 14):
        for shown in product((False, True), repeat=4):
            own = tuple(numbered(colour, number) for colour in range(4) if shown[colour])
            if any(not stock[face] for face in own):
                continue
            for jokers in range(min(stock[JOKER], 4) + 1):
                for doubles in range(min(stock[DOUBLE], 2) + 1):
                    slots = len(own) + jokers + 2 * doubles
                    if slots > 4 or len(own) + jokers + doubles < 3:
                        continue
                    row = own + (JOKER,) * jokers + (DOUBLE,) * doubles
                    if doubles or len(own) < 2:
                        yield from ((order, number * slots) for order in orders(row))
                    else:
                        yield row, number * slots


def orders(tiles: Faces) -> Iterator[Faces]:
    if not tiles:
        yield ()
    for face in sorted(set(tiles)):
        at = tiles.index(face)
        for rest in orders(tiles[:at] + tiles[at + 1 :]):
            yield (face, *rest)


# --- runs


def _runs(grammar: Grammar, stock: Stock, cut: Cut) -> Iterator[tuple[Faces, int]]:
    left = Counter(stock)
    row: list[Face] = []

    def extend(number: int, colour: int, before: int, points: int) -> Iterator[tuple[Faces, int]]:
        """`colour` of this segment and the one `before` it; -1 while nothing shows it."""
        if _run_can_be_cut(cut, row, number - 1):
            return
        if len(row) >= 3:
            yield tuple(row), points
        if number > 13:
            return
        steps = [(JOKER, 1, colour, before), (DOUBLE, 2, colour, before)]
        if grammar.adjacent_c or not row or row[-1] != CHANGE:
            steps.append((CHANGE, 1, -1, colour))
        for own in range(4):
            if own == colour or (colour < 0 and own != before):
                steps.append((numbered(own, number), 1, own, before))
        for face, slots, next_colour, next_before in steps:
            if not left[face] or number + slots > 14:
                continue
            left[face] -= 1
            row.append(face)
            more = sum(range(number, number + slots))
            yield from extend(number + slots, next_colour, next_before, points + more)
            row.pop()
            left[face] += 1

    for first in range(1, 14):
        yield from extend(first, -1, -1, 0)


def _run_can_be_cut(cut: Cut, row: list[Face], reached: int) -> bool:
    for place in range(len(row) - 1, 2, -1):
        reached -= SLOTS[row[place]]
        if place <= len(row) - 3 and cut.allowed(
            [tuple(row[:place])], tuple(row[place:]), reached, False
        ):
            return True
    return False


# --- mirror rows: both halves are written from the outside inwards


def _mirror(one: list[Face], two: list[Face]) -> Faces:
    return (*one, MIRROR, *reversed(two))


def _mirror_groups(grammar: Grammar, stock: Stock, cut: Cut) -> Iterator[tuple[Faces, int]]:
    left = Counter(stock)
    one: list[Face] = []
    two: list[Face] = []
    for number in range(1, 14):
        # The colour of each slot, None where only jokers are: shown colours differ.
        def second(
            place: int, colours: list[int | None], number: int = number
        ) -> Iterator[tuple[Faces, int]]:
            if place == len(colours):
                if not _mirror_can_be_cut(grammar, cut, one, two, number):
                    yield _mirror(one, two), 2 * number * len(colours)
                return
            seen = colours[place]
            for colour in range(4):
                face = numbered(colour, number)
                if not left[face] or (seen is not None and seen != colour):
                    continue
                if seen is None and colour in colours:
                    continue
                left[face] -= 1
                two.append(face)
                changed = [*colours[:place], colour, *colours[place + 1 :]]
                yield from second(place + 1, changed)
                two.pop()
                left[face] += 1
            for face in (JOKER, DOUBLE):
                if left[face] and place + SLOTS[face] <= len(colours):
                    left[face] -= 1
                    two.append(face)
                    yield from second(place + SLOTS[face], colours)
                    two.pop()
                    left[face] += 1

        def first(colours: list[int | None], number: int = number) -> Iterator[tuple[Faces, int]]:
            if len(colours) >= max(1, grammar.mirror_min_side):
                yield from second(0, colours)
            for colour in range(4):
                face = numbered(colour, number)
                if left[face] and colour not in colours and len(colours) < 4:
                    left[face] -= 1
                    one.append(face)
                    yield from first([*colours, colour])
                    one.pop()
                    left[face] += 1
            for face in (JOKER, DOUBLE):
                if left[face] and len(colours) + SLOTS[face] <= 4:
                    left[face] -= 1
                    one.append(face)
                    yield from first([*colours, *[None] * SLOTS[face]])
                    one.pop()
                    left[face] += 1

        yield from first([])


def _mirror_runs(grammar: Grammar, stock: Stock, cut: Cut) -> Iterator[tuple[Faces, int]]:
    left = Counter(stock)
    one: list[Face] = []
    two: list[Face] = []
    last = grammar.mirror_last
    both_ways = isinstance(cut, NoCut)  # the same row from its other end

    def choices(number: int, half: list[Face]) -> list[Face]:
        found = [f for f in (JOKER, CHANGE) if left[f]]
        if left[DOUBLE] and number < last:
            found.append(DOUBLE)
        if not grammar.adjacent_c and half and half[-1] == CHANGE and CHANGE in found:
            found.remove(CHANGE)
        found += [f for colour in range(4) if left[f := numbered(colour, number)]]
        return found

    def extend(
        number: int, points: int, slots: int, in_one: bool, in_two: bool, alike: bool
    ) -> Iterator[tuple[Faces, int]]:
        if not in_one and not in_two and slots:
            if not _colours_agree(grammar, one, two):
                return
            if _mirror_can_be_cut(grammar, cut, one, two):
                return
            if slots >= grammar.mirror_min_side:
                yield _mirror(one, two), points
        if number > last:
            return
        for a in [None] if in_one else choices(number, one):
            if a is not None:
                left[a] -= 1
                one.append(a)
            for b in [None] if in_two else choices(number, two):
                if a is not None and b is not None:
                    if max(a, b) < JOKER and a != b:
                        continue
                    if alike and a > b and not both_ways:
                        continue
                if b is not None:
                    left[b] -= 1
                    two.append(b)
                more = points + 2 * number
                yield from extend(
                    number + 1, more, slots + 1, a == DOUBLE, b == DOUBLE, alike and a == b
                )
                if b is not None:
                    two.pop()
                    left[b] += 1
            if a is not None:
                one.pop()
                left[a] += 1

    for first in range(1, last + 1):
        yield from extend(first, 0, 0, False, False, True)


def _slots(half: list[Face]) -> list[Face]:
    return [face for face in half for _ in range(SLOTS[face])]


def _colours_agree(grammar: Grammar, one: list[Face], two: list[Face]) -> bool:
    """Some colouring: one colour a segment, neighbours differ, facing slots agree unless C."""
    if CHANGE not in one and CHANGE not in two:
        return len({face // 13 for face in (*one, *two) if face < JOKER}) <= 1
    # The number on a tile does not matter here, so many halves are alike.
    halves = [tuple(f if f >= JOKER else f // 13 for f in _slots(half)) for half in (one, two)]
    if grammar.mirror_c_needs_c and any(
        (a == CHANGE) != (b == CHANGE) for a, b in zip(*halves, strict=True)
    ):
        return False
    return _colouring_exists(*halves)


@lru_cache(1 << 16)
def _colouring_exists(one: Faces, two: Faces) -> bool:
    """For slots that are a colour or a joker."""
    segments: list[list[int]] = []
    count = 0
    differ: list[tuple[int, int]] = []
    shown: dict[int, int] = {}
    for half in (one, two):
        places = []
        for face in half:
            if face == CHANGE:
                differ.append((count, count + 1))
                count += 1
                places.append(-1)
                continue
            places.append(count)
            if face < JOKER and shown.setdefault(count, face) != face:
                return False
        count += 1
        segments.append(places)
    same = {(a, b) for a, b in zip(*segments, strict=True) if a >= 0 and b >= 0}
    offers = [(shown[s],) if s in shown else (0, 1, 2, 3) for s in range(count)]
    return any(
        all(colours[a] == colours[b] for a, b in same)
        and all(colours[a] != colours[b] for a, b in differ)
        for colours in product(*offers)
    )


def _mirror_can_be_cut(
    grammar: Grammar, cut: Cut, one: list[Face], two: list[Face], group: int = 0
) -> bool:
    """Whether equal outer parts of both halves are rows and what stays is still a mirror row.

    `group` is the number of a mirror group; a mirror run has its own.
    """
    ends: list[dict[int, int]] = []
    for half in (one, two):
        slots = 0
        at = {}
        for place, face in enumerate(half, 1):
            slots += SLOTS[face]
            at[slots] = place
        ends.append(at)
    total = sum(SLOTS[face] for face in one)
    for slots, a in ends[0].items():
        b = ends[1].get(slots)
        if b is None or a < 3 or b < 3 or total - slots < max(1, grammar.mirror_min_side):
            continue
        reached = max((NUMBER[f] for f in (*one[:a], *two[:b])), default=0)
        outer = [tuple(one[:a]), tuple(two[:b])]
        if cut.allowed(outer, (*one[a:], MIRROR, *two[b:]), group or reached, bool(group)):
            return True
    return False
