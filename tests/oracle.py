"""Test oracle: a slow brute-force judge of rows, turns and endings, to compare the fast one with.

It tries every reading of a row, every order of its tiles and every assignment of physical tiles.
It shares no code with the judge under test. Tiles are written as everywhere else: `r5`,
`b12`, `k1`, `o13` and the jokers `J` (regular), `D` (double), `C` (colour change), `M` (mirror).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise, permutations, product
from typing import NamedTuple, TypedDict

COLOURS = "rbko"
NUMBERS = range(1, 14)
JOKERS = frozenset("JDCM")
SPECIAL = frozenset("DCM")
SLOTS = {"D": 2, "M": 0}
EDITIONS = ("classic", "taiwan", "sixplayer", "twist", "sabra")

Row = tuple[str, ...]
Table = tuple[Row, ...]
Face = tuple[int, str]  # a number and a colour; a colour-change joker has the colour ""
Faces = tuple[Face, ...]  # what one tile stands for: J one face, D two, M none
Laying = tuple[Faces, ...]  # what each tile of a row stands for
NO_OPTIONS: Mapping[str, object] = {}

# ---------------------------------------------------------------------------------------------
# Editions and options
# ---------------------------------------------------------------------------------------------


class RowRules(NamedTuple):
    """The options that decide whether a row is valid."""

    copies: int
    jokers: str
    min_natural: int
    max_jokers: int | None
    mirror_min_side: int
    mirror_c_needs_c: bool
    adjacent_c: bool


class Rules(NamedTuple):
    """The options that decide whether a turn is legal."""

    row: RowRules
    normalise: bool
    initial_min: int
    single_set: bool
    initial_jokers: bool
    same_turn_manipulation: bool
    reuse: str
    locked_sets: bool
    group3_needs_both: bool
    special_exchange_ban: bool
    named: bool


AS_LAID = "as_laid"
DEFAULTS: Mapping[str, object] = {
    "set.min_natural": 1,
    "set.order": "normalise",
    "joker.max_per_set": None,
    "joker.reuse": "any",
    "joker.locked_sets": False,
    "joker.group3_needs_both": False,
    "joker.declare": "position",
    "initial.min": 30,
    "initial.single_set": False,
    "initial.jokers": True,
    "initial.same_turn_manipulation": False,
    "twist.special_exchange_ban": True,
    "twist.mirror_min_side": 1,
    "twist.mirror_c_needs_c": False,
    "twist.adjacent_c": True,
}
EDITION_DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "classic": {"joker.reuse": "new_set"},
    "taiwan": {},
    "sixplayer": {},
    "twist": {"set.order": AS_LAID},
    "sabra": {"joker.locked_sets": True, "initial.same_turn_manipulation": True},
}
BOX_COPIES = {"classic": 2, "taiwan": 2, "sixplayer": 3, "twist": 2, "sabra": 2}
BOX_JOKERS = {
    "classic": "JJ",
    "taiwan": "JJ",
    "sixplayer": "JJJJ",
    "twist": "JJDDCCMM",
    "sabra": "JJ",
}
REUSES = ("any", "other_set", "new_set", "new_set_rack2")


def rules_of(edition: str, options: Mapping[str, object] = NO_OPTIONS) -> Rules:
    if edition not in EDITIONS:
        raise ValueError(f"edition {edition!r} is none of {', '.join(EDITIONS)}")
    for name in options:
        if name not in DEFAULTS:
            raise ValueError(f"option {name!r} is none of {', '.join(DEFAULTS)}")
    chosen = {**DEFAULTS, **EDITION_DEFAULTS[edition], **options}

    def number(name: str) -> int:
        value = chosen[name]
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"option {name} is {value!r}, expected a number")
        return value

    def flag(name: str) -> bool:
        value = chosen[name]
        if not isinstance(value, bool):
            raise ValueError(f"option {name} is {value!r}, expected true or false")
        return value

    reuse = str(chosen["joker.reuse"])
    if reuse not in REUSES:
        raise ValueError(f"option joker.reuse is {reuse!r}, expected one of {', '.join(REUSES)}")
    no_limit = chosen["joker.max_per_set"] is None
    return Rules(
        row=RowRules(
            copies=BOX_COPIES[edition],
            jokers=BOX_JOKERS[edition],
            min_natural=number("set.min_natural"),
            max_jokers=None if no_limit else number("joker.max_per_set"),
            mirror_min_side=number("twist.mirror_min_side"),
            mirror_c_needs_c=flag("twist.mirror_c_needs_c"),
            adjacent_c=flag("twist.adjacent_c"),
        ),
        normalise=chosen["set.order"] == "normalise",
        initial_min=number("initial.min"),
        single_set=flag("initial.single_set"),
        initial_jokers=flag("initial.jokers"),
        same_turn_manipulation=flag("initial.same_turn_manipulation"),
        reuse=reuse,
        locked_sets=flag("joker.locked_sets"),
        group3_needs_both=flag("joker.group3_needs_both"),
        special_exchange_ban=flag("twist.special_exchange_ban"),
        named=chosen["joker.declare"] == "explicit",
    )


# ---------------------------------------------------------------------------------------------
# Tiles
# ---------------------------------------------------------------------------------------------


def is_joker(tile: str) -> bool:
    return tile in JOKERS


@cache
def face_of(tile: str) -> Face:
    """The face of a numbered tile."""
    for colour, number in product(COLOURS, NUMBERS):
        if tile == f"{colour}{number}":
            return number, colour
    raise ValueError(f"{tile!r} is not a tile; expected r, b, k or o and 1 to 13, or J, D, C or M")


def tile_of(face: Face) -> str:
    number, colour = face
    return f"{colour}{number}"


def slots_of(row: Sequence[str]) -> int:
    return sum(SLOTS.get(tile, 1) for tile in row)


def naturals(row: Sequence[str]) -> list[str]:
    return [tile for tile in row if not is_joker(tile)]


@cache
def box_of(rules: RowRules) -> Counter[str]:
    box = Counter(rules.jokers)
    for colour, number in product(COLOURS, NUMBERS):
        box[tile_of((number, colour))] = rules.copies
    return box


def fits_box(tiles: Sequence[str], rules: RowRules) -> bool:
    return not Counter(tiles) - box_of(rules)


# ---------------------------------------------------------------------------------------------
# Readings of a row
# ---------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """One way to read a row: what each tile stands for, from left to right as laid."""

    kind: str  # group, run, mirror-group, mirror-run
    laying: Laying

    @property
    def value(self) -> int:
        return sum(number for faces in self.laying for number, _ in faces)

    @property
    def is_group(self) -> bool:
        return self.kind in ("group", "mirror-group")


def _group_layings(row: Row) -> Iterator[Laying]:
    """One number, different colours, at most four slots, no C and no M."""
    if "C" in row or "M" in row or slots_of(row) > 4:
        return
    for number in NUMBERS:
        if any(face_of(tile)[0] != number for tile in naturals(row)):
            continue
        for colours in permutations(COLOURS, slots_of(row)):
            laying = _lay([(number, colour) for colour in colours], row)
            if _naturals_sit(laying, row):
                yield laying


def _run_layings(row: Row, adjacent_c: bool) -> Iterator[Laying]:
    """Rising numbers within 1 to 13; each C ends a segment, neighbouring segments differ."""
    if "M" in row or (not adjacent_c and ("C", "C") in pairwise(row)):
        return
    width = slots_of(row)
    segment_of_slot: list[int | None] = []
    segment = 0
    for tile in row:
        if tile == "C":
            segment_of_slot.append(None)
            segment += 1
        else:
            segment_of_slot.extend([segment] * SLOTS.get(tile, 1))
    for first in range(1, 13 - width + 2):
        if not all(
            is_joker(tile) or face_of(tile)[0] == first + slots_of(row[:place])
            for place, tile in enumerate(row)
        ):
            continue
        for colours in product(COLOURS, repeat=segment + 1):
            if any(left == right for left, right in pairwise(colours)):
                continue
            slots = [
                (first + slot, "" if where is None else colours[where])
                for slot, where in enumerate(segment_of_slot)
            ]
            laying = _lay(slots, row)
            if _naturals_sit(laying, row):
                yield laying


def _lay(slots: Sequence[Face], row: Row) -> Laying:
    laying = []
    place = 0
    for tile in row:
        width = SLOTS.get(tile, 1)
        laying.append(tuple(slots[place : place + width]))
        place += width
    return tuple(laying)


def _naturals_sit(laying: Laying, row: Row) -> bool:
    return all(
        is_joker(tile) or faces == (face_of(tile),) for tile, faces in zip(row, laying, strict=True)
    )


def _mirror_layings(row: Row, rules: RowRules) -> Iterator[tuple[str, Laying]]:
    """L M R: slot by slot the left half equals the right half reversed."""
    if row.count("M") != 1:
        return
    centre = row.index("M")
    left, right = row[:centre], row[centre + 1 :][::-1]
    if not left or not right:
        return
    if slots_of(left) != slots_of(right) or slots_of(left) < rules.mirror_min_side:
        return

    def joined(of_left: Laying, of_right: Laying) -> Laying:
        return (*of_left, (), *(faces[::-1] for faces in of_right[::-1]))

    right_runs = list(dict.fromkeys(_run_layings(right, rules.adjacent_c)))
    for of_left in dict.fromkeys(_run_layings(left, rules.adjacent_c)):
        for of_right in right_runs:
            if _halves_agree(of_left, of_right, rules.mirror_c_needs_c):
                yield "mirror-run", joined(of_left, of_right)
    for of_left in _group_layings(left):
        for of_right in _group_layings(right):
            if _halves_agree(of_left, of_right, rules.mirror_c_needs_c):
                yield "mirror-group", joined(of_left, of_right)


def _halves_agree(left: Laying, right: Laying, c_needs_c: bool) -> bool:
    pairs = zip(chain.from_iterable(left), chain.from_iterable(right), strict=True)
    for (left_number, left_colour), (right_number, right_colour) in pairs:
        if left_number != right_number:
            return False
        if left_colour == right_colour:
            continue
        one_is_c = left_colour == "" or right_colour == ""
        if not one_is_c or c_needs_c:
            return False
    return True


@lru_cache(maxsize=200_000)
def readings(row: Row, rules: RowRules) -> tuple[Reading, ...]:
    """All readings of the row as laid; none means the row is invalid."""
    if len(row) < 3 or len(naturals(row)) < rules.min_natural or not fits_box(row, rules):
        return ()
    if rules.max_jokers is not None and len(row) - len(naturals(row)) > rules.max_jokers:
        return ()
    found = [
        *(Reading("group", laying) for laying in _group_layings(row)),
        *(Reading("run", laying) for laying in _run_layings(row, rules.adjacent_c)),
        *(Reading(kind, laying) for kind, laying in _mirror_layings(row, rules)),
    ]
    return tuple(dict.fromkeys(found))


class Meant(tuple[str, ...]):
    """A row of which only some readings are meant."""

    readings: tuple[Reading, ...]

    @staticmethod
    def as_(row: Row, chosen: Sequence[Reading]) -> Meant:
        meant = Meant(row)
        meant.readings = tuple(chosen)
        return meant


def meant_readings(row: Row, rules: RowRules) -> tuple[Reading, ...]:
    return row.readings if isinstance(row, Meant) else readings(row, rules)


def value_of(row: Row, rules: RowRules) -> int:
    return max(reading.value for reading in meant_readings(row, rules))


def identity(row: Row, place: int, rules: RowRules) -> frozenset[Face]:
    """The numbered tiles the joker at this place stands for in some reading."""
    return _identity(meant_readings(row, rules), place)


@lru_cache(maxsize=200_000)
def _identity(meant: tuple[Reading, ...], place: int) -> frozenset[Face]:
    faces = {face for reading in meant for face in reading.laying[place]}
    colours_of_c = {(number, colour) for number, c in faces if c == "" for colour in COLOURS}
    return frozenset(colours_of_c | {face for face in faces if face[1]})


def numbers_covered(row: Row, place: int, rules: RowRules) -> set[int]:
    return {number for number, _ in identity(row, place, rules)}


# ---------------------------------------------------------------------------------------------
# Sets
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetVerdict:
    valid: bool
    value: int | None
    kind: str | None
    readings: list[tuple[str, int]]


def set_verdict(
    edition: str, row: Sequence[str], options: Mapping[str, object] = NO_OPTIONS
) -> SetVerdict:
    """Judge a row as laid. The best reading comes first, a group before a run of equal value."""
    laid = tuple(row)
    found = {
        (reading.kind, reading.value) for reading in readings(laid, rules_of(edition, options).row)
    }
    ranked = sorted(found, key=lambda reading: (-reading[1], reading[0]))
    if not ranked:
        return SetVerdict(False, None, None, [])
    kind, value = ranked[0]
    if "M" in laid and slots_of(laid) == 2:
        kind = "mirror"
    return SetVerdict(True, value, kind, ranked)


def best_order(
    edition: str, row: Sequence[str], options: Mapping[str, object] = NO_OPTIONS
) -> tuple[list[str], int] | None:
    """The valid order of these tiles with the highest value, from all of their orders."""
    if len(row) > 7:
        raise NotImplementedError(f"{len(row)} tiles have too many orders; at most 7 are tried")
    rules = rules_of(edition, options).row
    best: tuple[list[str], int] | None = None
    for order in distinct_permutations(tuple(row)):
        if readings(order, rules):
            value = value_of(order, rules)
            if best is None or value > best[1]:
                best = list(order), value
    return best


def distinct_permutations(tiles: Row) -> Iterator[Row]:
    if not tiles:
        yield ()
    for tile in sorted(set(tiles)):
        rest = list(tiles)
        rest.remove(tile)
        for order in distinct_permutations(tuple(rest)):
            yield (tile, *order)


def candidate_orders(tiles: Row) -> Iterator[Row]:
    """Orders of which at least one is valid, and all valid runs, if any order is valid.

    A group is valid in every order or in none, and the numbered tiles of a run rise. So are the
    halves of a mirror row, the right one seen from outside.
    """
    if "M" not in tiles:
        yield tuple(sorted(tiles))
        yield from _rising_orders(tiles)
    elif tiles.count("M") == 1:
        rest = list(tiles)
        rest.remove("M")
        for left in sub_multisets(Counter(rest)):
            right = list((Counter(rest) - Counter(left)).elements())
            if slots_of(left) != slots_of(right):
                continue
            for left_half in _half_orders(left):
                for right_half in _half_orders(tuple(sorted(right))):
                    yield (*left_half, "M", *right_half[::-1])


@lru_cache(maxsize=50_000)
def _half_orders(tiles: Row) -> tuple[Row, ...]:
    orders = distinct_permutations(tiles) if slots_of(tiles) <= 4 else _rising_orders(tiles)
    return tuple(
        order
        for order in orders
        if any(_group_layings(order)) or any(_run_layings(order, adjacent_c=True))
    )


def _rising_orders(tiles: Row) -> Iterator[Row]:
    rising = sorted(naturals(tiles), key=lambda tile: face_of(tile)[0])
    if len({face_of(tile)[0] for tile in rising}) < len(rising):
        return
    jokers = tuple(tile for tile in tiles if is_joker(tile))
    for joker_order in distinct_permutations(jokers):
        for places in combinations(range(len(tiles)), len(jokers)):
            next_joker, next_natural = iter(joker_order), iter(rising)
            yield tuple(
                next(next_joker if place in places else next_natural) for place in range(len(tiles))
            )


def sub_multisets(tiles: Counter[str]) -> Iterator[Row]:
    names = sorted(tiles)
    for counts in product(*(range(tiles[name] + 1) for name in names)):
        yield tuple(name for name, count in zip(names, counts, strict=True) for _ in range(count))


def _no_order_fits(tiles: Row) -> bool:
    """Skip the orders of tiles with too many copies of a number or too wide a gap."""
    halves = 2 if "M" in tiles else 1
    numbers = Counter(face_of(tile)[0] for tile in naturals(tiles))
    if slots_of(tiles) % halves or not numbers:
        return True
    width = slots_of(tiles) // halves
    in_group = len(numbers) == 1 and width <= 4 and "C" not in tiles
    in_run = max(numbers) - min(numbers) < width <= 13 and max(numbers.values()) <= halves
    if in_run and "C" not in tiles:
        in_run = len({face_of(tile)[1] for tile in naturals(tiles)}) == 1
    return not in_group and not in_run


@lru_cache(maxsize=50_000)
def valid_orders(tiles: Row, rules: RowRules) -> tuple[Row, ...]:
    if _no_order_fits(tiles):
        return ()
    return tuple(
        dict.fromkeys(order for order in candidate_orders(tiles) if readings(order, rules))
    )


def normal_rows(row: Row, rules: Rules) -> tuple[Row, ...]:
    """The row as laid if it is valid; else, where rows are normalised, its best valid orders."""
    if readings(row, rules.row):
        return (row,)
    if not rules.normalise or not fits_box(row, rules.row):
        return ()
    orders = valid_orders(tuple(sorted(row)), rules.row)
    best = max((value_of(order, rules.row) for order in orders), default=None)
    return tuple(order for order in orders if value_of(order, rules.row) == best)


Signature = tuple[Row, frozenset[tuple[str, tuple[tuple[str, Faces], ...]]]]


def signature(row: Row, rules: RowRules) -> Signature:
    """Equal for two rows of the same tiles with the same readings, however they are laid."""
    return tuple(sorted(row)), frozenset(
        (
            reading.kind,
            tuple(
                sorted(
                    (tile, tuple(sorted(faces)))
                    for tile, faces in zip(row, reading.laying, strict=True)
                )
            ),
        )
        for reading in meant_readings(row, rules)
    )


# ---------------------------------------------------------------------------------------------
# Turns
# ---------------------------------------------------------------------------------------------


Said = Mapping[Row, Sequence[str]]
NOTHING_SAID: Said = {}


def turn_verdict(
    edition: str,
    options: Mapping[str, object],
    opened: bool,
    rack: Sequence[str],
    before: Sequence[Sequence[str]],
    after: Sequence[Sequence[str]],
    said_before: Said = NOTHING_SAID,
    said: Said = NOTHING_SAID,
) -> bool:
    """Is there an assignment of physical tiles under which the turn is legal?

    `said` names the tiles of rows, slot by slot, for rows that are valid as they lie.
    """
    rules = rules_of(edition, options)
    tiles_before = Counter(chain.from_iterable(before))
    if not fits_box([*tiles_before.elements(), *rack], rules.row):
        raise ValueError("rack and table hold more copies of a tile than the box")
    tables_before = [normal_rows(tuple(row), rules) for row in before]
    if not all(tables_before):
        raise ValueError("the table holds an invalid row before the turn")

    tiles_after = Counter(chain.from_iterable(after))
    if tiles_before - tiles_after:
        return False
    played = tiles_after - tiles_before
    if not played or played - Counter(rack):
        return False
    tables_after = [normal_rows(tuple(row), rules) for row in after]
    if not all(tables_after):
        return False
    if not rules.named:
        return any(
            _play_is_legal(table, end, played, opened, rules)
            for table in product(*tables_before)
            for end in product(*tables_after)
        )
    return any(
        _named_play_is_legal(table, end, played, opened, rules, said_before, said)
        for table in product(*tables_before)
        for end in product(*tables_after)
    )


def _play_is_legal(
    table: Table, end: Table, played: Counter[str], opened: bool, rules: Rules
) -> bool:
    if opened:
        return _jokers_are_respected(table, end, played, rules)
    if rules.same_turn_manipulation:
        return _opens_and_goes_on(table, end, played, rules)
    return _opens(table, end, rules)


# --- named jokers


def _named_play_is_legal(
    table: Table,
    end: Table,
    played: Counter[str],
    opened: bool,
    rules: Rules,
    said_before: Said,
    said: Said,
) -> bool:
    """Every joker of a set with several of them is named, and keeps its name where that fits."""
    old = tuple(_as_said(row, said_before, rules) for row in table)
    if not all(row.readings for row in old):
        raise ValueError("a row on the table does not match its declaration")
    new = tuple(_as_said(row, said, rules) for row in end)
    if not all(row.readings for row in new):
        return False
    return any(
        _complete(old, meant, said, rules)
        and _play_is_legal_from(old, meant, played, opened, rules, owners)
        for owners in _every_joker(old, new, played)
        for meant in [_with_old_names(old, new, owners, said_before, rules)]
    )


def _slots_said(row: Row, names: Sequence[str]) -> list[tuple[str, ...]]:
    found, first = [], 0
    for tile in row:
        width = SLOTS.get(tile, 1) or 1
        found.append(tuple(names[first : first + width]))
        first += width
    return found


def _name_of(faces: Faces) -> list[str]:
    return sorted(f"C{number}" if not colour else f"{colour}{number}" for number, colour in faces)


def _as_said(row: Row, said: Said, rules: Rules) -> Meant:
    every = readings(row, rules.row)
    if row not in said:
        return Meant.as_(row, every)
    names = _slots_said(row, said[row])
    return Meant.as_(
        row,
        [
            reading
            for reading in every
            if all(
                name == (tile,) * len(name) or (tile != "M" and sorted(name) == _name_of(faces))
                for tile, name, faces in zip(row, names, reading.laying, strict=True)
            )
        ],
    )


def _several(row: Row) -> bool:
    return sum(map(is_joker, row)) >= 2


def _settled_names(row: Meant) -> bool:
    """Whether every joker of the row is one thing only."""
    return all(
        len({tuple(_name_of(reading.laying[place])) for reading in row.readings}) == 1
        for place, tile in enumerate(row)
        if is_joker(tile)
    )


def _own_name(row: Meant, place: int, said: Said, rules: Rules) -> list[str] | None:
    """The name of the joker: declared, or the only meaning of a set with several jokers."""
    by_statement = row in said and _slots_said(row, said[row])[place][0] not in JOKERS
    if by_statement or (_several(row) and _settled_names(row)):
        return _name_of(row.readings[0].laying[place])
    return None


def _every_joker(
    old: Sequence[Meant], new: Sequence[Meant], played: Counter[str]
) -> Iterator[Owners]:
    """Every way to say which joker of the new table lay where on the old one."""
    origins: dict[str, list[Place]] = {}
    for index, row in enumerate(old):
        for place, tile in enumerate(row):
            if is_joker(tile):
                origins.setdefault(tile, []).append((index, place))
    for tile, count in played.items():
        if is_joker(tile):
            origins.setdefault(tile, []).extend([RACK] * count)
    targets: dict[str, list[Place]] = {}
    for index, row in enumerate(new):
        for place, tile in enumerate(row):
            if is_joker(tile):
                targets.setdefault(tile, []).append((index, place))
    choices = [sorted(set(permutations(origins[tile]))) for tile in targets]
    for chosen in product(*choices):
        owners: Owners = {}
        for tile, places in zip(targets, chosen, strict=True):
            owners.update(zip(targets[tile], places, strict=True))
        yield owners


def _with_old_names(
    old: Sequence[Meant], new: Sequence[Meant], owners: Owners, said_before: Said, rules: Rules
) -> tuple[Meant, ...]:
    found = []
    for index, row in enumerate(new):
        wanted = {}
        for place, tile in enumerate(row):
            origin = owners.get((index, place), RACK)
            if is_joker(tile) and tile != "M" and origin != RACK:
                name = _own_name(old[origin[0]], origin[1], said_before, rules)
                if name and any(
                    _name_of(reading.laying[place]) == name for reading in row.readings
                ):
                    wanted[place] = name
        kept = [
            reading
            for reading in row.readings
            if all(_name_of(reading.laying[place]) == name for place, name in wanted.items())
        ]
        found.append(Meant.as_(row, kept or row.readings))
    return tuple(found)


def _complete(old: Sequence[Meant], new: Sequence[Meant], said: Said, rules: Rules) -> bool:
    """Nothing is open, but in rows that lie as they lay and were open already."""
    open_before = Counter(tuple(row) for row in old if _several(row) and not _settled_names(row))
    for row in new:
        untouched = tuple(row) not in said and row.readings == readings(tuple(row), rules.row)
        if _several(row) and open_before[tuple(row)] and untouched:
            open_before[tuple(row)] -= 1
        elif _several(row) and not _settled_names(row):
            return False
    return True


def _play_is_legal_from(
    table: Sequence[Meant],
    end: Sequence[Meant],
    played: Counter[str],
    opened: bool,
    rules: Rules,
    jokers: Owners,
) -> bool:
    table, end = tuple(table), tuple(end)
    if opened:
        return _jokers_are_respected(table, end, played, rules, jokers)
    if rules.same_turn_manipulation:
        return _opens_and_goes_on(table, end, played, rules, jokers)
    return _opens(table, end, rules)


# --- before the initial meld


def _is_opening(rows: Sequence[Row], rules: Rules) -> bool:
    if not rules.initial_jokers and any(map(is_joker, chain.from_iterable(rows))):
        return False
    values = [value_of(row, rules.row) for row in rows]
    return (max(values, default=0) if rules.single_set else sum(values)) >= rules.initial_min


def _opens(table: Table, end: Table, rules: Rules) -> bool:
    """Every row of the table stays unchanged and the others are the opening."""
    unchanged = Counter(signature(row, rules.row) for row in table)
    opening = []
    for row in end:
        mark = signature(row, rules.row)
        if unchanged[mark]:
            unchanged[mark] -= 1
        else:
            opening.append(row)
    return not unchanged.total() and _is_opening(opening, rules)


def _opens_and_goes_on(
    table: Table, end: Table, played: Counter[str], rules: Rules, jokers: Owners | None = None
) -> bool:
    """Some rows of rack tiles open; from there the turn goes on as an opened player's.

    The case in which nothing follows is included: every tile may stay what and where it is.
    """
    judged = set()
    for opening in _openings(played, rules):
        rest = played - Counter(chain.from_iterable(opening))
        seen_by_conditions = tuple(
            (row, meant_readings(row, rules.row)) for row in opening if _origin_matters(row, rules)
        )
        if (seen_by_conditions, frozenset(rest.items())) in judged:
            continue
        judged.add((seen_by_conditions, frozenset(rest.items())))
        if _jokers_are_respected((*table, *opening), end, rest, rules, jokers):
            return True
    return False


def _openings(played: Counter[str], rules: Rules) -> Iterator[Table]:
    rows: dict[Signature, Row] = {}
    if not rules.initial_jokers:
        played = Counter(naturals(list(played.elements())))
    for tiles in sub_multisets(played):
        if len(tiles) >= 3:
            for order in valid_orders(tiles, rules.row):
                for meant in _meanings(order, rules):
                    rows.setdefault(signature(meant, rules.row), meant)
    candidates = list(rows.values())

    def choose(start: int, left: Counter[str]) -> Iterator[Table]:
        yield ()
        for index in range(start, len(candidates)):
            row = candidates[index]
            if not Counter(row) - left:
                for others in choose(index, left - Counter(row)):
                    yield (row, *others)

    for opening in choose(0, played):
        if _is_opening(opening, rules):
            yield opening


def _meanings(row: Row, rules: Rules) -> list[Row]:
    """The possible declarations of a row of the opening, if one is required."""
    if not rules.named or not _several(row):
        return [row]
    every = readings(row, rules.row)
    names = {tuple(tuple(_name_of(faces)) for faces in reading.laying) for reading in every}
    return [
        Meant.as_(
            row,
            [r for r in every if tuple(tuple(_name_of(faces)) for faces in r.laying) == name],
        )
        for name in sorted(names)
    ]


# --- which physical tile is where

Place = tuple[int, int]  # of a tile in the table before the turn: row and position
RACK: Place = (-1, -1)
SOMEWHERE: Place = (-2, -2)  # a tile of a row to which no condition refers
Owners = dict[Place, Place]  # place in the table after the turn -> where that tile came from


def _origin_matters(row: Row, rules: Rules) -> bool:
    return any(map(is_joker, row)) or rules.reuse.startswith("new_set")


def _assignments(table: Table, end: Table, played: Counter[str], rules: Rules) -> Iterator[Owners]:
    """Every way to say which tile of the end table came from where.

    Left out is what no condition can see: the origin of tiles in end rows without a joker and,
    unless a new set is asked for, the exact origin of tiles from table rows without a joker.
    """
    origins: dict[str, list[Place]] = {}
    for index, row in enumerate(table):
        matters = _origin_matters(row, rules)
        for place, tile in enumerate(row):
            origins.setdefault(tile, []).append((index, place) if matters else SOMEWHERE)
    for tile, count in played.items():
        origins.setdefault(tile, []).extend([RACK] * count)
    targets: dict[str, list[Place]] = {}
    for index, row in enumerate(end):
        if any(map(is_joker, row)):
            for place, tile in enumerate(row):
                targets.setdefault(tile, []).append((index, place))
    tiles = list(targets)
    choices = [sorted(set(permutations(origins[tile], len(targets[tile])))) for tile in tiles]
    for chosen in product(*choices):
        owners: Owners = {}
        for tile, places in zip(tiles, chosen, strict=True):
            owners.update(zip(targets[tile], places, strict=True))
        yield owners


# --- the joker conditions


def _jokers_are_respected(
    table: Table,
    end: Table,
    played: Counter[str],
    rules: Rules,
    jokers: Owners | None = None,
) -> bool:
    """`jokers` maps the jokers of the table before the turn to their new places, if known."""
    if not any(map(is_joker, chain.from_iterable(table))):
        return True
    known = {place: origin for place, origin in (jokers or {}).items() if origin != RACK}
    return any(
        all(owners[place] == origin for place, origin in known.items())
        and _reuse_is_legal(table, end, owners, rules)
        and not (rules.special_exchange_ban and _special_exchanged(table, end, owners, rules))
        and (not rules.locked_sets or _locks_hold(table, end, owners, played, rules))
        for owners in _assignments(table, end, played, rules)
    )


def _reuse_is_legal(table: Table, end: Table, owners: Owners, rules: Rules) -> bool:
    if rules.reuse == "any":
        return True
    for (end_row, end_place), (row, place) in owners.items():
        tile = end[end_row][end_place]
        if not is_joker(tile) or tile == "M" or (row, place) == RACK:
            continue
        stood_for = identity(table[row], place, rules.row)
        if stood_for & identity(end[end_row], end_place, rules.row):
            continue
        origins = [owners[end_row, other] for other in range(len(end[end_row]))]
        old_rows = [row] if rules.reuse == "other_set" else range(len(table))
        if any(_contains_rest_of(table, old_row, origins) for old_row in old_rows):
            return False
        if rules.reuse == "new_set_rack2" and origins.count(RACK) < 2:
            return False
    return True


def _contains_rest_of(table: Table, row: int, origins: Sequence[Place]) -> bool:
    rest = [(row, place) for place, tile in enumerate(table[row]) if not is_joker(tile)]
    return len(rest) >= 2 and all(place in origins for place in rest)


def _special_exchanged(table: Table, end: Table, owners: Owners, rules: Rules) -> bool:
    """A special joker lies where a joker of another kind lay, between the same tiles."""
    where = {origin: place for place, origin in owners.items() if origin not in (RACK, SOMEWHERE)}
    for index, row in enumerate(table):
        for place, joker in enumerate(row):
            if not is_joker(joker):
                continue
            left = [where.get((index, other)) for other in range(place)]
            right = [where.get((index, other)) for other in range(place + 1, len(row))]
            for end_index, end_row in enumerate(end):
                if where.get((index, place), RACK)[0] == end_index:
                    continue
                if any(at is None or at[0] != end_index for at in (*left, *right)):
                    continue
                before = [at[1] for at in left if at]
                behind = [at[1] for at in right if at]
                for end_place, special in enumerate(end_row):
                    if special not in SPECIAL or special == joker:
                        continue
                    if end_place in before or end_place in behind:
                        continue
                    if not numbers_covered(row, place, rules.row) & numbers_covered(
                        end_row, end_place, rules.row
                    ):
                        continue
                    if _has_group_reading(row, rules) and _has_group_reading(end_row, rules):
                        return True
                    if _separates(end_place, before, behind):
                        return True
                    if "M" in end_row and _separates(end_place, behind, before):
                        return True
    return False


def _has_group_reading(row: Row, rules: Rules) -> bool:
    return any(reading.kind == "group" for reading in meant_readings(row, rules.row))


def _separates(place: int, before: Sequence[int], behind: Sequence[int]) -> bool:
    return all(other < place for other in before) and all(other > place for other in behind)


# --- locked rows


class Way(NamedTuple):
    """One way to respect a locked row."""

    occupied: frozenset[Place]  # places of the end table in which the row survives
    spent: Row  # rack tiles that replaced its jokers


def _locks_hold(
    table: Table, end: Table, owners: Owners, played: Counter[str], rules: Rules
) -> bool:
    ways: list[set[Way]] = []
    for index, row in enumerate(table):
        if any(map(is_joker, row)):
            ways.append(set(_ways(table, index, end, owners, played, rules)))
            if not ways[-1]:
                return False

    def choose(index: int, taken: frozenset[Place], left: Counter[str]) -> bool:
        if index == len(ways):
            return True
        return any(
            choose(index + 1, taken | way.occupied, left - Counter(way.spent))
            for way in ways[index]
            if not taken & way.occupied and not Counter(way.spent) - left
        )

    return choose(0, frozenset(), played)


def _ways(
    table: Table, index: int, end: Table, owners: Owners, played: Counter[str], rules: Rules
) -> Iterator[Way]:
    """Choose a reading and the jokers to replace; the others stay in the surviving row."""
    row = table[index]
    jokers = [place for place, tile in enumerate(row) if is_joker(tile)]
    for reading in meant_readings(row, rules.row):
        for count in range(len(jokers) + 1):
            for replaced in combinations(jokers, count):
                for items in _replacements(row, reading, replaced, rules):
                    spent = tuple(sorted(item for item in items if isinstance(item, str)))
                    if Counter(spent) - played:
                        continue
                    if len(replaced) == len(jokers):
                        yield Way(frozenset(), spent)
                        continue
                    for occupied in _survivals(index, reading, items, end, owners, rules):
                        yield Way(occupied, spent)


Item = int | str  # a place of the old row whose tile stays, or a rack tile in its place


def _replacements(
    row: Row, reading: Reading, replaced: Sequence[int], rules: Rules
) -> Iterator[list[Item]]:
    """The row with rack tiles in place of these jokers, in every way the reading allows."""
    choices: list[list[tuple[Item, ...]]] = []
    for place, tile in enumerate(row):
        faces = reading.laying[place]
        if place not in replaced:
            choices.append([(place,)])
        elif tile == "M":
            return
        elif tile == "C":
            choices.append([(tile_of((faces[0][0], colour)),) for colour in COLOURS])
        else:
            choices.append([tuple(map(tile_of, faces))])
    extra: list[Item] = []
    if rules.group3_needs_both and reading.kind == "group" and replaced:
        covered = [face for faces in reading.laying for face in faces]
        number = covered[0][0]
        missing = [(number, colour) for colour in COLOURS if (number, colour) not in covered]
        extra.extend(map(tile_of, missing))
    for chosen in product(*choices):
        yield [*chain.from_iterable(chosen), *extra]


def _survivals(
    index: int, reading: Reading, items: Sequence[Item], end: Table, owners: Owners, rules: Rules
) -> Iterator[frozenset[Place]]:
    """Where these tiles lie together in one row that continues the reading."""
    for end_index, end_row in enumerate(end):
        origins = [owners.get((end_index, place)) for place in range(len(end_row))]
        if any((index, item) not in origins for item in items if not isinstance(item, str)):
            continue
        for end_reading in meant_readings(end_row, rules.row):

            def fits(
                item: Item,
                end_place: int,
                end_index: int = end_index,
                end_row: Row = end_row,
                end_reading: Reading = end_reading,
            ) -> bool:
                origin = owners[end_index, end_place]
                if isinstance(item, str):
                    return origin == RACK and end_row[end_place] == item
                return origin == (index, item) and sorted(reading.laying[item]) == sorted(
                    end_reading.laying[end_place]
                )

            if reading.is_group and end_reading.is_group:
                fitting = [
                    [place for place in range(len(end_row)) if fits(item, place)] for item in items
                ]
                for places in product(*fitting):
                    if len(set(places)) == len(places):
                        yield frozenset((end_index, place) for place in places)
            for start in range(len(end_row) - len(items) + 1):
                block = range(start, start + len(items))
                for laid in (items, items[::-1]):
                    if all(fits(item, place) for item, place in zip(laid, block, strict=True)):
                        yield frozenset((end_index, place) for place in block)


# ---------------------------------------------------------------------------------------------
# Endings
# ---------------------------------------------------------------------------------------------


def can_play(
    edition: str,
    options: Mapping[str, object],
    opened: bool,
    rack: Sequence[str],
    table: Sequence[Sequence[str]],
) -> bool:
    """Whether any legal turn plays a tile. Every part of the rack is tried in every arrangement
    with the table, so there must not be many tiles."""
    rules = rules_of(edition, options)
    laid = tuple(chain.from_iterable(table))
    return any(
        turn_verdict(edition, options, opened, rack, table, after)
        for played in sorted(sub_multisets(Counter(rack)), key=len)
        if played
        for after in _arrangements(tuple(sorted(laid + played)), rules.row)
    )


@lru_cache(maxsize=100_000)
def _arrangements(tiles: Row, rules: RowRules) -> tuple[Table, ...]:
    """All ways to lay all of these tiles in valid rows."""
    if not tiles:
        return ((),)
    first, rest = tiles[0], Counter(tiles[1:])
    return tuple(
        (row, *others)
        for more in sub_multisets(rest)
        if len(more) >= 2
        for row in valid_orders(tuple(sorted((first, *more))), rules)
        for others in _arrangements(tuple(sorted((rest - Counter(more)).elements())), rules)
    )


class Turn(NamedTuple):
    """The outcome of a turn or of the deal, and the number of tiles left in the pool."""

    what: str  # deal, play, draw, or nothing: passed, or ended by the clock with nothing to draw
    pool: int


def ending(
    mode: str,
    racks: Sequence[Sequence[str]],
    history: Sequence[Turn],
    able: Callable[[int], bool],
    to_move: int,
) -> str | None:
    """How a game has ended after this history, if it has: the first rule that applies.

    `mode` is the option empty_pool.end, `able` returns whether a seat can play.
    """
    seats = range(len(racks))
    if any(not rack for rack in racks):
        return "out"
    if history[-1].pool:
        return None
    emptied_by = next(number for number, turn in enumerate(history) if not turn.pool)
    turns_since = len(history) - 1 - emptied_by
    if mode == "nobody_can" and not any(able(seat) for seat in seats):
        return "nobody_can"
    if mode == "first_unable" and not able(to_move):
        return "first_unable"
    if mode == "final_round" and (turns_since == len(racks) or not able(to_move)):
        return "final_round"
    latest = [turn.what for turn in history[-len(racks) :]]
    if latest == ["nothing"] * len(racks):
        return "all_passed"
    return None


# ---------------------------------------------------------------------------------------------
# Random cases
# ---------------------------------------------------------------------------------------------

ROW_OPTIONS: Mapping[str, Sequence[object]] = {
    "joker.max_per_set": (1, 1, 2),
    "set.min_natural": (2, 2, 3),
}
TWIST_ROW_OPTIONS: Mapping[str, Sequence[object]] = {
    "twist.mirror_min_side": (2, 3),
    "twist.mirror_c_needs_c": (True,),
    "twist.adjacent_c": (False,),
}
# One of these is chosen whole; an opening takes one of each list.
JOKER_OPTIONS: Sequence[Mapping[str, object]] = (
    {},
    {},
    {},
    {"joker.reuse": "new_set"},
    {"joker.reuse": "new_set_rack2"},
    {"joker.reuse": "other_set"},
    {"joker.reuse": "any"},
    {"joker.locked_sets": True},
    {"joker.locked_sets": True, "joker.group3_needs_both": True},
    {"joker.locked_sets": True, "joker.group3_needs_both": True},
    {"joker.locked_sets": True, "joker.reuse": "new_set"},
    {"joker.locked_sets": False},
    {"joker.locked_sets": False, "joker.reuse": "new_set"},
)
OPENING_OPTIONS: Sequence[Mapping[str, object]] = (
    {},
    {},
    {},
    {"initial.min": 20},
    {"initial.min": 45},
    {"initial.single_set": True},
    {"initial.single_set": True},
    {"initial.jokers": False},
    {"initial.jokers": False},
    {"initial.same_turn_manipulation": True},
    {"initial.same_turn_manipulation": True, "initial.single_set": True},
    {"initial.same_turn_manipulation": True, "initial.jokers": False},
    {"initial.same_turn_manipulation": False},
)


def _random_turn_options(rng: random.Random, edition: str, opened: bool) -> dict[str, object]:
    twist = edition == "twist"
    options = dict(rng.choice(JOKER_OPTIONS))
    if not opened:
        options.update(rng.choice(OPENING_OPTIONS))
    if rng.random() < 0.12:
        row_options = {**ROW_OPTIONS, **(TWIST_ROW_OPTIONS if twist else {})}
        options.update(_random_options(rng, row_options, most=1))
    if rng.random() < 0.08:
        options["set.order"] = "normalise" if twist else AS_LAID
    if twist and rng.random() < 0.08:
        options["twist.special_exchange_ban"] = False
    return options


def _random_options(
    rng: random.Random, offers: Mapping[str, Sequence[object]], most: int
) -> dict[str, object]:
    names = rng.sample(sorted(offers), rng.randint(0, min(most, len(offers))))
    return {name: rng.choice(offers[name]) for name in sorted(names)}


def _random_shape(rng: random.Random, numbers: Sequence[int], twist: bool) -> list[str]:
    """A row without J and D that is valid but for the box, the numbers taken from a window."""
    low, high = numbers[0], numbers[-1]

    def run(length: int, colour: str) -> list[str]:
        length = min(length, high - low + 1)
        first = rng.randint(low, high - length + 1)
        return [tile_of((number, colour)) for number in range(first, first + length)]

    def group(length: int) -> list[str]:
        number = rng.choice(numbers)
        return [tile_of((number, colour)) for colour in rng.sample(COLOURS, length)]

    kind = rng.random()
    if twist and kind < 0.22:
        size = rng.choice([1, 2, 2, 3])
        half = group(size) if rng.random() < 0.4 else run(size, rng.choice(COLOURS))
        return [*half, "M", *half[::-1]]
    if twist and kind < 0.4:
        row = run(rng.choice([3, 4, 5]), "r")
        colour = rng.choice(COLOURS)
        shape: list[str] = []
        for place, tile in enumerate(row):
            change = rng.random() < 0.5 if shape.count("C") == 0 else rng.random() < 0.15
            if change or (place == len(row) - 1 and "C" not in shape):
                shape.append("C")
                colour = rng.choice([other for other in COLOURS if other != colour])
            else:
                shape.append(colour + tile[1:])
        return shape
    if kind < 0.65:
        return group(rng.choice([3, 3, 4]))
    return run(rng.choice([3, 3, 3, 4, 4, 5, 6]), rng.choice(COLOURS))


def _with_joker(rng: random.Random, row: Sequence[str], joker: str) -> list[str]:
    """Put a joker in the place of a numbered tile, a double joker in the place of two."""
    changed = list(row)
    width = SLOTS.get(joker, 1)
    places = [
        place
        for place in range(len(row) - width + 1)
        if not any(map(is_joker, row[place : place + width]))
    ]
    if places and width:
        place = rng.choice(places)
        changed[place : place + width] = [joker]
    return changed


class SetCase(TypedDict):
    edition: str
    row: list[str]
    options: dict[str, object]


class TurnCase(TypedDict):
    edition: str
    options: dict[str, object]
    opened: bool
    rack: list[str]
    before: list[list[str]]
    after: list[list[str]]


def random_set_case(rng: random.Random, edition: str) -> SetCase:
    """A row that is valid or nearly so, as the arguments of `set_verdict`."""
    twist = edition == "twist"
    options: dict[str, object] = {}
    if rng.random() < 0.35:
        options = _random_options(
            rng, {**ROW_OPTIONS, **(TWIST_ROW_OPTIONS if twist else {})}, most=2
        )
    rules = rules_of(edition, options).row
    kinds = sorted(set(rules.jokers))
    row = _random_shape(rng, NUMBERS, twist)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
        row = _with_joker(rng, row, rng.choice(kinds))
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        row = _mutated(rng, row, kinds)
    return {"edition": edition, "row": row, "options": options}


def _mutated(rng: random.Random, row: Sequence[str], jokers: Sequence[str]) -> list[str]:
    changed = list(row)
    place = rng.randrange(len(changed))
    action = rng.randrange(9)
    if action == 0:
        other = rng.randrange(len(changed))
        changed[place], changed[other] = changed[other], changed[place]
    elif action == 1:
        changed[place] = rng.choice(jokers)
    elif action == 2:
        changed.insert(rng.choice([0, len(changed)]), rng.choice(jokers))
    elif action == 3:
        del changed[place]
        changed = changed or ["J"]
    elif action == 4:
        rng.shuffle(changed)
    elif action == 5:
        changed.reverse()
    elif action == 6:
        changed.insert(rng.choice([0, len(changed)]), _near_tile(rng, row))
    elif action == 7:
        changed[place] = _near_tile(rng, row)
    else:
        rules = rules_of("twist", {}).row
        possible = [reading.laying[place] for reading in readings(tuple(row), rules)]
        if possible and is_joker(changed[place]):
            faces = rng.choice(possible)
            changed[place : place + 1] = [
                tile_of((number, colour or rng.choice(COLOURS))) for number, colour in faces
            ]
    return changed


def _near_tile(rng: random.Random, row: Sequence[str]) -> str:
    faces = [face_of(tile) for tile in naturals(row)] or [(7, "r")]
    numbers = [number for number, _ in faces]
    number = rng.choice([min(numbers) - 1, max(numbers) + 1, rng.choice(numbers)])
    colour = rng.choice([rng.choice(faces)[1], rng.choice(COLOURS)])
    return tile_of((min(13, max(1, number)), colour))


class _Draft:
    """A table on which a turn is tried out; tiles come from the box and must all find a row."""

    def __init__(self, rng: random.Random, edition: str, rules: Rules) -> None:
        self.rng = rng
        self.rules = rules
        self.twist = edition == "twist"
        self.pool = box_of(rules.row).copy()
        width = rng.choice([4, 5, 5, 6, 7])
        first = rng.randint(1, 14 - width)
        self.window = range(first, first + width)
        self.table: list[list[str]] = []
        self.loose: list[str] = []
        self.drawn: list[str] = []

    # --- bookkeeping

    def valid(self, row: Sequence[str]) -> bool:
        return bool(readings(tuple(row), self.rules.row))

    def draw(self, tiles: Sequence[str]) -> bool:
        """Take tiles from the loose ones first and else from the box, as if from the rack."""
        needed = Counter(tiles) - Counter(self.loose)
        if needed - self.pool:
            return False
        for tile in (Counter(tiles) - needed).elements():
            self.loose.remove(tile)
        self.pool -= needed
        self.drawn.extend(needed.elements())
        return True

    def attempt(self, move: Callable[[], bool]) -> bool:
        """Make a move and find a row for every loose tile, or leave all as it was."""
        kept = (
            [list(row) for row in self.table],
            list(self.loose),
            list(self.drawn),
            self.pool.copy(),
        )
        if move() and self.settle():
            return True
        self.table, self.loose, self.drawn, self.pool = kept
        return False

    def shuffled_rows(self, with_joker: bool = False) -> list[int]:
        rows = [
            index
            for index, row in enumerate(self.table)
            if not with_joker or any(map(is_joker, row))
        ]
        self.rng.shuffle(rows)
        return rows

    # --- rows out of the box

    def random_row(self, numbers: Sequence[int], jokers: float) -> list[str] | None:
        rng = self.rng
        for _ in range(40):
            row = _random_shape(rng, numbers, self.twist)
            while rng.random() < jokers:
                row = _with_joker(rng, row, rng.choice(["J", "J", "D"] if self.twist else ["J"]))
            if self.valid(row) and not Counter(row) - self.pool:
                return row
        return None

    def twin_row(self) -> list[str] | None:
        """The second copies of a row's tiles, perhaps with a joker among them."""
        if not self.table:
            return None
        row = list(self.rng.choice(self.table))
        if self.rng.random() < 0.6:
            row = _with_joker(self.rng, row, "J")
        for place, tile in enumerate(row):
            if is_joker(tile) and self.rng.random() < 0.5:
                faces = [reading.laying[place] for reading in readings(tuple(row), self.rules.row)]
                if faces and faces[0] and len(faces[0]) == 1 and faces[0][0][1]:
                    row[place] = tile_of(faces[0][0])
        return row if self.valid(row) and not Counter(row) - self.pool else None

    def deal_table(self, rows: int) -> None:
        for count in range(rows):
            row = self.twin_row() if self.rng.random() < 0.3 else None
            row = row or self.random_row(self.window, jokers=0.4 if count else 0.85)
            if row:
                self.pool -= Counter(row)
                self.table.append(row)

    # --- moves

    def extend(self) -> bool:
        for index in self.shuffled_rows():
            row = self.table[index]
            tiles = [_near_tile(self.rng, row) for _ in range(6)]
            if self.rng.random() < 0.2:
                tiles.insert(0, self.rng.choice(self.rules.row.jokers))
            for tile in tiles:
                places = [0, len(row)] if "M" not in row else [0]
                self.rng.shuffle(places)
                for place in places:
                    longer = [*row[:place], tile, *row[place:]]
                    added = [tile]
                    if "M" in row:
                        longer.append(tile)
                        added.append(tile)
                    if self.valid(longer) and self.draw(added):
                        self.table[index] = longer
                        return True
        return False

    def lay(self) -> bool:
        row = self.random_row(self.window, jokers=0.25)
        return row is not None and self.put(row)

    def put(self, row: list[str]) -> bool:
        if not self.draw(row):
            return False
        self.table.append(row)
        return True

    def split(self) -> bool:
        for index in self.shuffled_rows():
            row = self.table[index]
            if len(row) < 4:
                continue
            cut = self.rng.randint(1, len(row) - 1)
            halves = [row[:cut], row[cut:]]
            added: list[str] = []
            for half in halves:
                for _ in range(2):
                    if len(half) < 3:
                        tile = _near_tile(self.rng, half)
                        half.insert(self.rng.choice([0, len(half)]), tile)
                        added.append(tile)
            if all(map(self.valid, halves)) and self.draw(added):
                self.table[index : index + 1] = halves
                return True
        return False

    def join(self) -> bool:
        rows = self.shuffled_rows()
        for left, right in permutations(rows, 2):
            for filler in ([], [_near_tile(self.rng, self.table[left])]):
                joined = [*self.table[left], *filler, *self.table[right]]
                if self.valid(joined) and self.draw(filler):
                    self.table[left] = joined
                    del self.table[right]
                    return True
        return False

    def replace_joker(self) -> bool:
        """Put the tiles a joker stands for in its place, from the rack or from another row."""
        for index in self.shuffled_rows(with_joker=True):
            row = self.table[index]
            places = [place for place, tile in enumerate(row) if is_joker(tile) and tile != "M"]
            if not places:
                continue
            place = self.rng.choice(places)
            reading = self.rng.choice(readings(tuple(row), self.rules.row))
            tiles = [
                tile_of((number, colour or self.rng.choice(COLOURS)))
                for number, colour in reading.laying[place]
            ]
            if reading.kind == "group" and self.rng.random() < 0.5:
                number = reading.laying[place][0][0]
                whole = {tile_of((number, colour)) for colour in COLOURS}
                tiles = sorted(whole - set(row))[: 5 - len(row)]
            filled = [*row[:place], *tiles, *row[place + 1 :]]
            if not self.valid(filled) and row[place] != "C":
                continue
            if all(
                (self.rng.random() < 0.4 and self.borrow(tile, index)) or self.draw([tile])
                for tile in tiles
            ):
                self.loose.append(row[place])
                if self.valid(filled):
                    self.table[index] = filled
                else:
                    del self.table[index]
                    self.loose.extend([*row[:place], *tiles, *row[place + 1 :]])
                return True
        return False

    def borrow(self, tile: str, receiver: int) -> bool:
        for index in self.shuffled_rows():
            row = self.table[index]
            if index != receiver and tile in row:
                place = row.index(tile)
                rest = [*row[:place], *row[place + 1 :]]
                if self.valid(rest):
                    self.table[index] = rest
                    return True
        return False

    def shift_joker(self) -> bool:
        """Move a joker inside its own row, perhaps with a rack tile beside it."""
        for index in self.shuffled_rows(with_joker=True):
            for _ in range(8):
                row = list(self.table[index])
                place = self.rng.choice([at for at, tile in enumerate(row) if is_joker(tile)])
                joker = row.pop(place)
                row.insert(self.rng.randint(0, len(row)), joker)
                added = [_near_tile(self.rng, row) for _ in range(self.rng.randint(0, 2))]
                for tile in added:
                    row.insert(self.rng.randint(0, len(row)), tile)
                if row != self.table[index] and self.valid(row) and self.draw(added):
                    self.table[index] = row
                    return True
        return False

    def exchange_joker(self) -> bool:
        """Put another joker in the place of one that lies in a row."""
        for index in self.shuffled_rows(with_joker=True):
            row = self.table[index]
            place = self.rng.choice([at for at, tile in enumerate(row) if is_joker(tile)])
            kinds = [kind for kind in "CDJ" if kind != row[place]]
            if self.rng.random() < 0.5:
                kinds.reverse()
            for kind in kinds:
                changed = list(row)
                changed[place] = kind
                added = [kind]
                if self.rng.random() < 0.3:
                    tile = _near_tile(self.rng, row)
                    changed.insert(self.rng.choice([0, len(changed)]), tile)
                    added.append(tile)
                if self.valid(changed) and self.draw(added):
                    self.loose.append(row[place])
                    self.table[index] = changed
                    return True
        return False

    def dismantle(self) -> bool:
        """Take rows apart, one with a joker first."""
        rows = self.shuffled_rows(with_joker=self.rng.random() < 0.8)[: self.rng.choice([1, 1, 2])]
        for index in sorted(rows, reverse=True):
            self.loose.extend(self.table.pop(index))
        return bool(rows)

    # --- finding rows for loose tiles

    def settle(self) -> bool:
        for _ in range(12):
            if not self.loose:
                return True
            numbered = naturals(self.loose)
            tile = self.rng.choice(numbered or self.loose)
            ways: list[Callable[[str], bool]] = [self.hang, self.lay_with]
            if self.rng.random() < (0.3 if is_joker(tile) else 0.6):
                ways.reverse()
            if not any(way(tile) for way in ways):
                return False
        return not self.loose

    def hang(self, tile: str) -> bool:
        for index in self.shuffled_rows():
            row = self.table[index]
            places = list(range(len(row) + 1))
            self.rng.shuffle(places)
            for place in places:
                longer = [*row[:place], tile, *row[place:]]
                if self.valid(longer):
                    self.loose.remove(tile)
                    self.table[index] = longer
                    return True
        return False

    def lay_with(self, tile: str) -> bool:
        """A new row with this tile; prefers loose tiles, then second copies of table tiles."""
        rng = self.rng
        fewest: tuple[int, list[str]] | None = None
        for _ in range(25):
            if self.table and rng.random() < 0.4:
                row = list(rng.choice(self.table))
                if len(row) > 3 and "M" not in row:
                    start = rng.randint(0, len(row) - 3)
                    row = row[start : start + 3]
            else:
                row = _random_shape(rng, self.window, self.twist)
            if tile not in row:
                if is_joker(tile):
                    row = _with_joker(rng, row, tile)
                else:
                    row[rng.randrange(len(row))] = tile
            for joker in self.loose:
                if is_joker(joker) and joker not in row and rng.random() < 0.5:
                    row = _with_joker(rng, row, joker)
            if tile not in row or not self.valid(row):
                continue
            needed = Counter(row) - Counter(self.loose)
            if not needed - self.pool and (fewest is None or needed.total() < fewest[0]):
                fewest = needed.total(), row
        return fewest is not None and self.put(fewest[1])


def random_turn_case(rng: random.Random, edition: str) -> TurnCase:
    """A turn that is legal or nearly so, as the arguments of `turn_verdict`."""
    opened = rng.random() < 0.75
    options = _random_turn_options(rng, edition, opened)
    rules = rules_of(edition, options)
    draft = _Draft(rng, edition, rules)
    draft.deal_table(rng.choice([2, 2, 3, 3, 4, 5]) if opened else rng.choice([0, 1, 2, 3]))
    before = [list(row) for row in draft.table]

    if not opened:
        _lay_opening(rng, draft)
    if opened or rng.random() < (0.7 if rules.same_turn_manipulation else 0.15):
        _rearrange(rng, draft)
    if not draft.drawn and rng.random() < 0.9:
        _ = draft.attempt(draft.extend) or draft.attempt(draft.lay)

    if not opened and rules.same_turn_manipulation and len(draft.drawn) > 11:
        return random_turn_case(rng, edition)  # too many openings to try them all

    after = [list(row) for row in draft.table]
    spare = rng.sample(sorted(draft.pool.elements()), rng.randint(0, 4))
    rack = [*draft.drawn, *spare]
    if rng.random() < 0.18:
        _corrupt(rng, rack, after)
    if rng.random() < 0.2:
        _reorder(rng, rng.choice([before, after]), rules)
    if rules.normalise and any(_is_tied(row, rules) for row in (*before, *after)):
        # Which of several best orders is meant is left open, so such a case would prove nothing.
        options = {**options, "set.order": AS_LAID}
        if not all(draft.valid(row) for row in before):
            before = [list(normal_rows(tuple(row), rules)[0]) for row in before]
    rng.shuffle(rack)
    rng.shuffle(after)
    return {
        "edition": edition,
        "options": options,
        "opened": opened,
        "rack": rack,
        "before": before,
        "after": after,
    }


def random_names(rng: random.Random, row: Sequence[str], rules: RowRules) -> list[str] | None:
    """A possible declaration of a row, slot by slot; None for a row that is not a set."""
    possible = readings(tuple(row), rules)
    if not possible:
        return None
    names = []
    for tile, faces in zip(row, rng.choice(possible).laying, strict=True):
        named = [f"C{number}" if not colour else f"{colour}{number}" for number, colour in faces]
        names += ["M"] if tile == "M" else named
    return names


class NamedCase(TurnCase):
    said_before: dict[Row, list[str]]
    said: dict[Row, list[str]]


def random_named_case(rng: random.Random, edition: str) -> NamedCase:
    """A turn at a table where several jokers of a set are named, and mostly the right ones."""
    while True:
        case = random_turn_case(rng, edition)
        jokers = [sum(map(is_joker, row)) for row in (*case["before"], *case["after"])]
        if max(jokers, default=0) >= 2 or rng.random() < 0.1:
            break
    case["options"] = {**case["options"], "joker.declare": "explicit", "set.order": AS_LAID}
    rules = rules_of(edition, case["options"])
    for row in case["before"]:
        if not readings(tuple(row), rules.row):
            row[:] = best_order(edition, row, case["options"])[0]  # type: ignore[index]
    said_before: dict[Row, list[str]] = {}
    said: dict[Row, list[str]] = {}
    for row in case["before"]:
        often = 0.9 if _several(tuple(row)) else 0.3
        names = random_names(rng, row, rules.row)
        if any(map(is_joker, row)) and names and rng.random() < often:
            said_before[tuple(row)] = names
    for row in case["after"]:
        often = 0.6 if _several(tuple(row)) else 0.1
        if not case["opened"] and row in case["before"] and tuple(row) not in said_before:
            continue  # a player who has not opened does not change the table
        names = random_names(rng, row, rules.row)
        if any(map(is_joker, row)) and names and rng.random() < often:
            if rng.random() < 0.1:
                place = rng.randrange(len(names))
                names[place] = _near_tile(rng, row)
            said[tuple(row)] = said_before.get(tuple(row), names)
    return {**case, "said_before": said_before, "said": said}


def _lay_opening(rng: random.Random, draft: _Draft) -> None:
    """New rows of about the value that is needed, just enough or just not."""
    best: tuple[int, list[list[str]]] | None = None
    for _ in range(6):
        rows: list[list[str]] = []
        for _ in range(rng.choice([1, 1, 2, 2])):
            row = draft.random_row(NUMBERS, jokers=0.3)
            if row and not Counter([*chain.from_iterable(rows), *row]) - draft.pool:
                rows.append(row)
        total = sum(value_of(tuple(row), draft.rules.row) for row in rows)
        gap = abs(total - draft.rules.initial_min - rng.randint(-4, 8))
        if best is None or gap < best[0]:
            best = gap, rows
    for row in best[1] if best else []:
        draft.put(row)


def _rearrange(rng: random.Random, draft: _Draft) -> None:
    moves: list[tuple[Callable[[], bool], int]] = [
        (draft.replace_joker, 8),
        (draft.dismantle, 6),
        (draft.extend, 2),
        (draft.split, 2),
        (draft.join, 1),
        (draft.shift_joker, 3),
        (draft.lay, 1),
        (draft.exchange_joker, 14 if draft.twist else 0),
    ]
    names = [move for move, _ in moves]
    weights = [weight for _, weight in moves]
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        for move in rng.choices(names, weights, k=4):
            if draft.attempt(move):
                break


def _corrupt(rng: random.Random, rack: list[str], after: list[list[str]]) -> None:
    """Spoil the turn a little."""
    row = rng.choice(after) if after else []
    action = rng.randrange(5)
    if action == 0 and rack:
        rack.pop(0)
    elif action == 1 and row:
        row.pop(rng.randrange(len(row)))
    elif action == 2 and row:
        other = rng.choice(after)
        place, other_place = rng.randrange(len(row)), rng.randrange(len(other) or 1)
        if other:
            row[place], other[other_place] = other[other_place], row[place]
    elif action == 3 and row:
        rng.choice(after).append(row.pop())
    elif row:
        row[rng.randrange(len(row))] = _near_tile(rng, row)
    after[:] = [row for row in after if row]


def _reorder(rng: random.Random, table: list[list[str]], rules: Rules) -> None:
    """Lay the tiles of a row in another order."""
    if table:
        index = rng.randrange(len(table))
        row = list(table[index])
        rng.shuffle(row)
        if rng.random() < 0.3:
            row = table[index][::-1]
        if normal_rows(tuple(row), rules):
            table[index] = row


def _is_tied(row: Sequence[str], rules: Rules) -> bool:
    marks = {signature(order, rules.row) for order in normal_rows(tuple(row), rules)}
    return len(marks) > 1
