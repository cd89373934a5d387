"""The joker rules of a turn: re-use of a retrieved joker, locked rows, the exchange ban.

Each rule is turned into data for `matching`: patterns of old tiles in new places that are not
allowed, and requirements of which one alternative must hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

from tilerummy.rules.declarations import Declaration
from tilerummy.rules.editions import Edition
from tilerummy.rules.matching import Alternative, Forbid, NeedsRack, Place, Problem, Require, Source
from tilerummy.rules.reasons import Reason, ReasonCode
from tilerummy.rules.rows import GROUP_KINDS, Faces, Kind, Reading, reader, stands_for
from tilerummy.rules.ticks import Tick, spend, ticking
from tilerummy.rules.tiles import (
    ALL_FACES,
    CHANGES_COLOUR,
    COLOURS,
    FACE_TEXT,
    IS_JOKER,
    IS_WILD,
    NUMBER,
    RUN_FROM,
    SLOTS,
    SPECIAL_WILDS,
    Face,
    Row,
    Tile,
    faces_of,
    has_mirror,
    numbered,
)

NEW_SET_RACK_TILES = 2
ROWS_A_STEP = 8  # rows compared with another one in one step of a tick
ANY_FACE = frozenset(ALL_FACES)
NO_PINS: Mapping[Source, Place] = MappingProxyType({})
Survival = tuple[tuple[tuple[Source, frozenset[Place]], ...], frozenset[Place]]
"""Where the old tiles of a locked row lie, and the places of the new tiles among them."""


@dataclass(frozen=True, slots=True)
class LaidRow:
    """A row with its readings, and the number of its first tile counted over the whole table."""

    tiles: Row
    faces: Faces
    readings: tuple[Reading, ...]
    first: int
    said: Declaration | None = None
    named: frozenset[int] = frozenset()
    """The declaration of the row, and its named jokers by place."""

    def at(self, index: int) -> int:
        return self.first + index

    @property
    def span(self) -> range:
        return range(self.first, self.first + len(self.faces))

    def stands(self, index: int) -> frozenset[Face]:
        return stands_for(self.readings, index)

    def places(self, face: Face, part: Iterable[int] | None = None) -> frozenset[Place]:
        """Where in the table a face lies within this row (or within a part of it)."""
        part = range(len(self.faces)) if part is None else part
        return frozenset([self.first + i for i in part if self.faces[i] == face])

    def jokers(self) -> list[int]:
        return [index for index, face in enumerate(self.faces) if IS_JOKER[face]]


def lay(rows: Sequence[tuple[Row, tuple[Reading, ...]]]) -> list[LaidRow]:
    """Number the tiles of a table from its first row on."""
    laid, first = [], 0
    for tiles, readings in rows:
        laid.append(LaidRow(tiles, faces_of(tiles), readings, first))
        first += len(tiles)
    return laid


def has_joker_rules(edition: Edition) -> bool:
    """Whether the table can restrict its jokers, beyond every row being a set."""
    return edition.joker_reuse != "any" or not has_only_reuse_rule(edition)


def has_only_reuse_rule(edition: Edition) -> bool:
    """Whether jokers that are not retrieved are free."""
    banned = edition.has_specials and edition.twist_special_exchange_ban
    return not edition.joker_locked_sets and not banned


def joker_problem(
    edition: Edition,
    before: list[LaidRow],
    after: list[LaidRow],
    opening: int = 0,
    pins: Mapping[Source, Place] = NO_PINS,
    tick: Tick | None = None,
) -> Problem:
    """The matching problem: may an opened player turn one table into the other?

    A tile with an id has the one place where it lies; equal tiles without ids share their places.
    The last `opening` rows of `before` were laid in this same turn: any copy will do for them.
    `pins` fixes the places of some of several equal tiles.
    """
    by_tile: dict[Tile, set[Place]] = {}
    by_face: dict[Face, set[Place]] = {}
    for row in after:
        for index, tile in enumerate(row.tiles):
            by_tile.setdefault(tile, set()).add(row.first + index)
            by_face.setdefault(row.faces[index], set()).add(row.first + index)
    standing = len(before) - opening
    of_tile = {tile: frozenset(places) for tile, places in by_tile.items()}
    of_face = {face: frozenset(places) for face, places in by_face.items()}
    domains = {
        row.first + index: of_tile[tile] if number < standing else of_face[row.faces[index]]
        for number, row in enumerate(before)
        for index, tile in enumerate(row.tiles)
    }
    for source, place in pins.items():
        domains[source] &= {place}
    available = Counter([face for row in after for face in row.faces])
    available.subtract([face for row in before for face in row.faces])
    problem = Problem(domains, available, tick=tick)
    joker_rows = [row for row in before if row.jokers()]
    if not joker_rows:
        return problem
    if edition.joker_reuse != "any":
        for row in ticking(joker_rows, tick):
            _add_reuse_rules(problem, edition, row, before, after, tick)
    if edition.twist_special_exchange_ban and edition.has_specials:
        for row in ticking(joker_rows, tick):
            problem.forbids += _exchange_rules(row, after, tick)
    if edition.joker_locked_sets:
        if edition.joker_replace_from == "any":
            free_rows = [row for row in before if not row.jokers()]
            problem.available.update(face for row in free_rows for face in row.faces)
        for row in joker_rows:
            reason = Reason("locked-row", row.tiles)
            ways = treatments(edition, row, after, +problem.available, tick)
            problem.requires.append(Require(reason, tuple([way for _, way in ways])))
    return problem


# Re-use of a retrieved joker (`joker.reuse`)


def _add_reuse_rules(
    problem: Problem,
    edition: Edition,
    row: LaidRow,
    before: list[LaidRow],
    after: list[LaidRow],
    tick: Tick | None,
) -> None:
    only_own_row = edition.joker_reuse == "other_set"
    code: ReasonCode = "joker-not-in-other-set" if only_own_row else "joker-not-in-new-set"
    old_rows = [row] if only_own_row else before
    for index in row.jokers():
        if not IS_WILD[row.faces[index]]:
            continue
        stood_for, joker = row.stands(index), row.faces[index]
        for target in after:
            if joker not in target.faces:
                continue
            retrieved_to = frozenset(
                target.at(place)
                for place, face in enumerate(target.faces)
                if face == joker and not stood_for & target.stands(place)
            )
            if not retrieved_to:
                continue
            spend(tick, 1 + len(old_rows) // ROWS_A_STEP)
            source = row.at(index)
            reason = Reason(code, target.tiles)
            for old in old_rows:
                remainder = _remainder_inside(old, target)
                if remainder:
                    pattern = ((source, retrieved_to), *remainder)
                    problem.forbids.append(Forbid(reason, pattern))
            if edition.joker_reuse == "new_set_rack2":
                need = Reason(
                    "joker-needs-rack-tiles", target.tiles, {"minimum": NEW_SET_RACK_TILES}
                )
                problem.needs_rack.append(
                    NeedsRack(
                        need, source, retrieved_to, frozenset(target.span), NEW_SET_RACK_TILES
                    )
                )


def _remainder_inside(
    old: LaidRow, target: LaidRow
) -> tuple[tuple[Source, frozenset[Place]], ...] | None:
    """The numbered tiles of an old row, at least two, each with its places in the target row."""
    numbered_at = [index for index, face in enumerate(old.faces) if not IS_JOKER[face]]
    if len(numbered_at) < 2 or any(old.faces[i] not in target.faces for i in numbered_at):
        return None
    return tuple([(old.at(index), target.places(old.faces[index])) for index in numbered_at])


# No special joker in the place of another (`twist.special_exchange_ban`)


def _exchange_rules(row: LaidRow, after: list[LaidRow], tick: Tick | None) -> Iterator[Forbid]:
    for index in row.jokers():
        joker = row.faces[index]
        covered = {NUMBER[face] for face in row.stands(index)}
        for target in after:
            rivals = [
                place
                for place, special in enumerate(target.faces)
                if special in SPECIAL_WILDS
                and special != joker
                and covered & {NUMBER[face] for face in target.stands(place)}
            ]
            if not rivals:
                continue
            spend(tick, 1 + len(after) // ROWS_A_STEP)
            elsewhere = frozenset(
                other.at(place)
                for other in after
                if other is not target
                for place, face in enumerate(other.faces)
                if face == joker
            )
            if not elsewhere:
                continue
            for place in rivals:
                special = FACE_TEXT[target.faces[place]]
                names = {"special": special, "joker": FACE_TEXT[joker]}
                reason = Reason("special-exchange", target.tiles, names)
                for sides in _counterparts(row, index, target, place):
                    yield Forbid(reason, ((row.at(index), elsewhere), *sides))


def _counterparts(
    row: LaidRow, index: int, target: LaidRow, place: int
) -> Iterator[tuple[tuple[Source, frozenset[Place]], ...]]:
    """The ways in which the rest of a row can lie around a place of another."""
    kinds = {reading.kind for reading in row.readings}
    target_kinds = {reading.kind for reading in target.readings}
    ahead, behind = range(place), range(place + 1, len(target.faces))
    if Kind.GROUP in kinds and Kind.GROUP in target_kinds:
        anywhere = [*ahead, *behind]
        arrangements: list[tuple[Sequence[int], Sequence[int]]] = [(anywhere, anywhere)]
    elif has_mirror(row.faces) or has_mirror(target.faces):
        arrangements = [(ahead, behind), (behind, ahead)]
    else:
        arrangements = [(ahead, behind)]
    for first_part, second_part in arrangements:
        sides = [
            (row.at(i), target.places(face, first_part if i < index else second_part))
            for i, face in enumerate(row.faces)
            if i != index
        ]
        if all(places for _, places in sides):
            yield tuple(sides)


# Locked rows (`joker.locked_sets`)


def treatments(
    edition: Edition,
    row: LaidRow,
    after: list[LaidRow],
    available: Counter[Face],
    tick: Tick | None = None,
) -> Iterator[tuple[dict[int, Faces], Alternative]]:
    """Ways to respect a locked row, each with what replaces its jokers, by their places.

    With every joker replaced the row is free; with some replaced, or none, it must survive with the
    new tiles in their places.
    """
    jokers = row.jokers()
    for reading, filled in replacements(edition, row, available, tick):
        uses = tuple(face for faces in filled.values() for face in faces)
        if len(filled) == len(jokers):
            yield filled, Alternative(uses=uses)
            continue
        stands = dict(reading.stands)
        kept = {i: stands[i] for i in jokers if i not in filled}
        spend(tick, 1 + len(after) // ROWS_A_STEP)
        for where, new_at in _survivals(row, reading, filled, kept, after):
            if edition.joker_replace_from == "any":
                new_at = frozenset()
            yield filled, Alternative(where, new_at, uses)


def replacements(
    edition: Edition, row: LaidRow, available: Counter[Face], tick: Tick | None = None
) -> Iterator[tuple[Reading, dict[int, Faces]]]:
    """Which jokers of a locked row, by place, may be replaced by what, none of them included."""
    jokers = row.jokers()
    for reading in row.readings:
        for count in range(min(len(jokers), available.total()) + 1):
            for replaced in combinations(jokers, count):
                for filled in _replacements(edition, row, reading, replaced, available, tick):
                    yield reading, filled


def _replacements(
    edition: Edition,
    row: LaidRow,
    reading: Reading,
    replaced: tuple[int, ...],
    available: Counter[Face],
    tick: Tick | None,
) -> Iterator[dict[int, Faces]]:
    """Which faces take the places of the replaced jokers, all in one reading."""
    stands = dict(reading.stands)
    is_group = reading.kind is Kind.GROUP
    if replaced and is_group and len(row.faces) == 3 and edition.joker_group3_needs_both:
        for faces in _full_groups(row, stands, replaced):
            yield {**dict.fromkeys(replaced, ()), replaced[0]: faces}
        return

    def fill(rest: tuple[int, ...], left: Counter[Face]) -> Iterator[dict[int, Faces]]:
        if tick is not None:
            tick()
        if not rest:
            yield {}
            return
        index, *others = rest
        for faces in _stand_ins(row.faces[index], stands[index], reading.kind):
            if all(left[face] for face in faces):
                for filled in fill(tuple(others), left - Counter(faces)):
                    yield {index: faces, **filled}

    for filled in fill(replaced, available):
        # A colour change stands for its number only, so what replaces it need not fit its place.
        if any(CHANGES_COLOUR[row.faces[i]] for i in filled) or _reads_on(
            edition, row, reading, filled
        ):
            yield filled


def _full_groups(
    row: LaidRow, stands: Mapping[int, frozenset[Face]], replaced: tuple[int, ...]
) -> Iterator[Faces]:
    """The tiles that replace jokers of a group and complete it to all four colours."""
    shown = [face for face in row.faces if not IS_JOKER[face]]
    kept = [index for index in row.jokers() if index not in replaced]
    slots = sum(SLOTS[row.faces[index]] for index in kept)
    named = {i: faces for i, faces in stands.items() if len(faces) == SLOTS[row.faces[i]]}
    for number in sorted({NUMBER[face] for face in stands[replaced[0]]}):
        missing = sorted({numbered(colour, number) for colour in range(len(COLOURS))} - {*shown})
        for faces in combinations(missing, len(missing) - slots):
            # A joker that is named is replaced by that tile, and stays that tile.
            if all(named[i] <= {*faces} for i in replaced if i in named) and not any(
                named[i] & {*faces} for i in kept if i in named
            ):
                yield faces


def _stand_ins(joker: Face, stands: frozenset[Face], kind: Kind) -> Iterator[Faces]:
    """The tiles that replace one joker, in the order in which they lie, outer ones first."""
    for face in sorted(stands):
        if SLOTS[joker] == 1:
            yield (face,)
        elif kind in GROUP_KINDS:
            yield from ((face, other) for other in sorted(stands) if other != face)
        elif len(pair := RUN_FROM[face][:2]) == 2 and pair[1] in stands:
            yield pair


def _reads_on(edition: Edition, row: LaidRow, reading: Reading, filled: dict[int, Faces]) -> bool:
    """Whether the row with those tiles in place is still that reading."""
    faces = tuple(face for _, face in with_replacements(row, filled))
    return any(
        (new.kind, new.value) == (reading.kind, reading.value)
        for new in reader(edition).readings(faces)
    )


def with_replacements(row: LaidRow, filled: dict[int, Faces]) -> list[tuple[int | None, Face]]:
    """The row after replacing: each face with its old place, None where it is new."""
    block: list[tuple[int | None, Face]] = []
    for i, face in enumerate(row.faces):
        new = filled.get(i, ())[:: -1 if i in filled and has_mirror(row.faces[:i]) else 1]
        block += [(None, f) for f in new] if i in filled else [(i, face)]
    return block


def _survivals(
    row: LaidRow,
    reading: Reading,
    filled: dict[int, Faces],
    kept: dict[int, frozenset[Face]],
    after: list[LaidRow],
) -> Iterator[Survival]:
    """Where a locked row, with some jokers replaced, can lie in one of the new rows."""
    whole = with_replacements(row, filled)
    for target in after:
        if reading.kind in GROUP_KINDS:
            yield from _group_survivals(row, filled, kept, target)
        for block in (whole, whole[::-1]) if has_mirror(row.faces + target.faces) else (whole,):
            for offset in range(len(target.faces) - len(block) + 1):
                if any(target.faces[offset + n] != face for n, (_, face) in enumerate(block)):
                    continue
                where = []
                new_at = set()
                at: dict[int, int] = {}
                for n, (old, _) in enumerate(block, offset):
                    if old is None:
                        new_at.add(target.at(n))
                    else:
                        where.append((row.at(old), frozenset({target.at(n)})))
                        at[old] = n
                if _continues(target, at, kept):
                    yield tuple(where), frozenset(new_at)


def _group_survivals(
    row: LaidRow, filled: dict[int, Faces], kept: dict[int, frozenset[Face]], target: LaidRow
) -> Iterator[Survival]:
    """As `_survivals` for groups, where the order does not matter."""
    for reading in target.readings:
        if reading.kind not in GROUP_KINDS:
            continue
        stands = dict(reading.stands)
        where = []
        for i, face in enumerate(row.faces):
            if i in filled:
                continue
            part = [
                place
                for place in range(len(target.faces))
                if i not in kept or stands.get(place, ANY_FACE) <= kept[i]
            ]
            where.append((row.at(i), target.places(face, part)))
        new = [target.places(face) for faces in filled.values() for face in faces]
        if all(places for _, places in where) and all(new):
            yield tuple(where), frozenset().union(*new)


def _continues(target: LaidRow, at: dict[int, int], kept: dict[int, frozenset[Face]]) -> bool:
    """Whether in some reading of the target every kept joker is limited to its old faces."""
    return any(
        all(dict(reading.stands)[at[i]] <= faces for i, faces in kept.items())
        for reading in target.readings
    )
