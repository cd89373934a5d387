"""The turn judge: may this player turn that table into this one?

Only the final table counts. A verdict lists every reason against a turn, not the first one found.

Tables and racks hold tiles or, where ids are not known, faces: equal entries are told apart in
whatever way makes the turn legal (see `matching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from tilerummy.rules.declarations import (
    Declaration,
    Declared,
    Name,
    Names,
    Way,
    carried_ways,
    declaration_text,
    declared_ways,
    distinct,
    is_open,
    joker_name,
    named_jokers,
    number_of,
    readings_of,
    several_jokers,
    split,
    ways,
    written,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.faults import row_faults
from tilerummy.rules.jokers import NO_PINS, LaidRow, joker_problem, lay
from tilerummy.rules.matching import Place, Source
from tilerummy.rules.openings import Valued, meanings, openings, rows_from
from tilerummy.rules.orders import settled
from tilerummy.rules.position import Position
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import (
    GROUP_KINDS,
    Faces,
    Kind,
    Reading,
    RowReader,
    is_ambiguous,
    reader,
    stands_for,
)
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import (
    FACE_TEXT,
    IS_JOKER,
    IS_WILD,
    SLOTS,
    Face,
    Row,
    Table,
    Tile,
    face_of,
    faces_of,
    has_joker,
    row_text,
    sorted_tiles,
    unidentified,
)

NO_NAMES: Mapping[int, Name] = MappingProxyType({})
MOST_NAMINGS = 3
"""So many are shown of what a row could mean."""


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """`table` is the new table with its rows in valid order; `value` the points of the opening
    rows, or for an opened player the points that leave the rack; None when nothing can be said.
    `declared` is what was said of rows of that table, in this turn or before: complete for every
    row that holds a named joker."""

    reasons: tuple[Reason, ...]
    played: Row
    value: int | None
    table: Table
    declared: dict[Row, Declaration] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        return not self.reasons


class _Read(NamedTuple):
    """A row as the judge uses it: put in order where the edition allows, with its readings.

    `said` is what is declared of it, `named` the jokers that have a name, by their place.
    """

    tiles: Row
    readings: tuple[Reading, ...]
    said: Declaration | None = None
    named: Mapping[int, Name] = NO_NAMES


def judge_turn(position: Position, table: Table, declared: Declared | None = None) -> TurnVerdict:
    """Judge whether the player of a position may turn its table into another one.

    `declared` says what rows of the new table and their jokers are; None skips that question.
    Raises PositionError where a row of the old table is not a set.
    """
    edition, declared_before = position.edition, position.declared
    played, reasons = _check_tiles(position.rack, position.table, table)
    rows = reader(edition)
    old_rows = [_read_old(edition, rows, row, declared_before) for row in position.table]
    turn = _Turn(edition, position.opened, position.manipulation, old_rows, played)
    if declared is not None and declared_before:
        kinds = {row: said for row, said in declared_before.items() if isinstance(said, Kind)}
        declared = {**kinds, **declared}
    if not declared and edition.joker_declare == "position" and not any(r.named for r in old_rows):
        # Most rows lie there as they lay; where nothing is said of any, they mean what they meant.
        standing = {row.tiles: row for row in old_rows}
        new_rows: list[_Read] = []
        for number, row in enumerate(table):
            read = standing.get(row)
            if read is None:
                read, faults = _read_silent(edition, rows, row, number)
                reasons += faults
            new_rows.append(read)
        return turn.verdict(new_rows, reasons)

    laid = [_laid_row(edition, rows, row, n, declared) for n, row in enumerate(table)]
    reasons += [fault for row in laid for fault in row.faults]
    first: TurnVerdict | None = None
    for pins in _pins(old_rows, [row.tiles for row in laid]):
        new_rows, faults = _carried(edition, old_rows, laid, pins, asked=declared is not None)
        verdict = turn.verdict(new_rows, [*reasons, *faults], pins)
        if verdict.legal:
            return verdict
        first = first or verdict
    assert first is not None, "there is at least one way in which the tiles may lie"
    return first


class _Turn(NamedTuple):
    edition: Edition
    opened: bool
    manipulation: bool
    before: list[_Read]
    played: Row

    def verdict(
        self, after: list[_Read], reasons: list[Reason], pins: Mapping[Source, Place] = NO_PINS
    ) -> TurnVerdict:
        """The verdict on the new rows as they are read; `pins` says where named jokers lie."""
        edition, before, played = self.edition, self.before, self.played
        value: int | None = None
        if self.opened:
            value = rack_points(edition, played)
            if not reasons:
                reasons = _joker_reasons(edition, before, after, pins=pins)
        elif not edition.initial_same_turn_manipulation:
            value, more = _plain_opening(edition, before, after)
            reasons = reasons + more
        elif not reasons:
            value, reasons = _continued_opening(edition, before, after, played, pins)
        if not self.manipulation:
            reasons = reasons + _taken_apart(before, after)
        table = tuple([row.tiles for row in after])
        said = {row.tiles: row.said for row in after if row.said is not None}
        return TurnVerdict(tuple(reasons), played, value, table, said)


def check_position(edition: Edition, rack: Row, table: Table) -> None:
    """Raise PositionError where the box lacks tiles or a row of the table is not a set."""
    count = Counter(faces_of(rack))
    for row in table:
        count.update(faces_of(row))
    box = edition.box()
    for face, number in sorted(count.items()):
        if number > box.count(face):
            tile, held = FACE_TEXT[face], box.count(face)
            if not held:
                raise PositionError(
                    "the box of this edition has no {tile}", key="error.position.no-tile", tile=tile
                )
            raise PositionError(
                "{count} × {tile} on rack and table, but the box of this edition has {held}",
                key="error.position.box",
                count=number,
                tile=tile,
                held=held,
            )
    rows = reader(edition)
    for row in table:
        _read_old(edition, rows, row, None)


def read_table(edition: Edition, table: Table, declared: Declared | None = None) -> list[LaidRow]:
    """The rows of a table as the joker rules see them. Raises PositionError where one is not a
    set."""
    rows = reader(edition)
    return _laid([_read_old(edition, rows, row, declared) for row in table])


def has_joker_rules(edition: Edition) -> bool:
    """Whether what lies on the table may bind its jokers, beyond every row being a set."""
    return (
        edition.joker_reuse != "any"
        or edition.joker_locked_sets
        or (edition.has_specials and edition.twist_special_exchange_ban)
    )


def _check_tiles(rack: Row, before: Table, after: Table) -> tuple[Row, list[Reason]]:
    """The tiles played, and what is wrong with where tiles come from and go to."""
    old_tiles = [tile for row in before for tile in row]
    new_tiles = [tile for row in after for tile in row]
    one_each, laid = {*old_tiles}, {*new_tiles}
    if len(one_each) == len(old_tiles) and len(laid) == len(new_tiles) and one_each < laid:
        # Every tile is another one, as at a real table, and the old ones are all there.
        played = laid - one_each
        if played <= {*rack}:
            return sorted_tiles(played), []
    old, new = Counter(old_tiles), Counter(new_tiles)
    added = new - old
    return sorted_tiles(added.elements()), _tile_reasons(old, new, Counter(rack), added)


def _tile_reasons(
    old: Counter[Tile], new: Counter[Tile], rack: Counter[Tile], played: Counter[Tile]
) -> list[Reason]:
    reasons = []
    gone = old - new
    if gone:
        reasons.append(Reason("tile-left-table", tuple(sorted(gone.elements()))))
    foreign = played - rack
    twice = Counter({tile: n for tile, n in foreign.items() if rack[tile] or old[tile]})
    unknown = foreign - twice
    if unknown:
        reasons.append(Reason("not-on-rack", tuple(sorted(unknown.elements()))))
    if twice:
        reasons.append(Reason("tile-twice", tuple(sorted(twice.elements()))))
    if not played:
        reasons.append(Reason("nothing-played"))
    return reasons


def _read_silent(
    edition: Edition, rows: RowReader, row: Row, number: int
) -> tuple[_Read, list[Reason]]:
    """A row of the new table of which nothing is said and nothing has to be said."""
    readings = rows.readings(faces_of(row))
    if readings:
        return _Read(row, readings), []
    ordered = settled(edition, row)
    if ordered is None:
        return _Read(row, ()), _row_faults(edition, row, number)
    return _Read(ordered, rows.readings(faces_of(ordered))), []


def _row_faults(edition: Edition, row: Row, number: int) -> list[Reason]:
    return [
        Reason(fault.code, fault.tiles, {**fault.params, "row": number})
        for fault in row_faults(edition, faces_of(row))
    ]


# What is declared


class _LaidRow(NamedTuple):
    """A row of the new table in order, with the namings that what is said of it leaves."""

    tiles: Row
    said: Declaration | None
    ways: tuple[Way, ...] | None
    """None for a row without jokers, and for one that is no set."""
    as_laid: Row
    faults: tuple[Reason, ...] = ()


def _laid_row(
    edition: Edition, rows: RowReader, row: Row, number: int, declared: Declared | None
) -> _LaidRow:
    said = declared.get(row) if declared else None
    ordered: Row | None = row
    if not rows.readings(faces_of(row)):
        ordered = settled(edition, row)
        if ordered is not None and said is not None and not isinstance(said, Kind):
            ordered, said = _in_order(edition, row, ordered, said)
    if ordered is None:
        return _LaidRow(row, None, None, row, tuple(_row_faults(edition, row, number)))
    faces = faces_of(ordered)
    possible = ways(edition, faces) if has_joker(faces) else None
    if said is None:
        return _LaidRow(ordered, None, possible, row)
    left = declared_ways(edition, faces, said)
    if left:
        return _LaidRow(ordered, said, None if possible is None else left, row)
    reason = Reason("bad-declaration", row, {"declared": declaration_text(said)})
    return _LaidRow(ordered, None, possible, row, (reason,))


def _in_order(edition: Edition, row: Row, best: Row, said: Names) -> tuple[Row, Names]:
    """A row that lies out of order, with its names: as these ask for, or as `best` has it."""
    faces = faces_of(row)
    if len(said) != sum([SLOTS[face] or 1 for face in faces]):
        return best, said
    entries = split(faces, said)
    by_names = sorted(range(len(row)), key=lambda index: min(map(number_of, entries[index])))
    left = [*range(len(row))]
    by_value = []
    for tile in best:
        index = next(index for index in left if row[index] == tile)
        left.remove(index)
        by_value.append(index)
    for order in (by_names, by_value):
        ordered = tuple([row[index] for index in order])
        names = tuple([name for index in order for name in entries[index]])
        if declared_ways(edition, faces_of(ordered), names):
            break
    return ordered, names


def _pins(before: list[_Read], after: list[Row]) -> Iterator[dict[Source, Place]]:
    """Every way in which named jokers may lie on the new table: only one where tiles have ids."""
    sources = []
    first = 0
    for row in before:
        sources += [(first + index, row.tiles[index]) for index in row.named]
        first += len(row.tiles)
    places: dict[Tile, list[Place]] = {}
    for place, tile in enumerate([tile for row in after for tile in row]):
        places.setdefault(tile, []).append(place)

    def choose(
        left: list[tuple[Source, Tile]], taken: dict[Source, Place]
    ) -> Iterator[dict[Source, Place]]:
        if not left:
            yield dict(taken)
            return
        (source, tile), *rest = left
        free = [place for place in places.get(tile, ()) if place not in taken.values()]
        if not free:  # the joker has left the table, which is refused already
            yield from choose(rest, taken)
        for place in free:
            yield from choose(rest, {**taken, source: place})

    yield from choose(sources, {})


def _carried(
    edition: Edition,
    before: list[_Read],
    laid: list[_LaidRow],
    pins: Mapping[Source, Place],
    *,
    asked: bool,
) -> tuple[list[_Read], list[Reason]]:
    """The rows of the new table, in which jokers keep their names as far as these fit."""
    names = {}
    first = 0
    for row in before:
        names.update({first + index: name for index, name in row.named.items()})
        first += len(row.tiles)
    brought = {place: names[source] for source, place in pins.items()}
    undeclared = Counter(row.tiles for row in before if _leaves_open(edition, row))
    found: list[_Read] = []
    reasons: list[Reason] = []
    first = 0
    for new in laid:
        span = range(first, first + len(new.tiles))
        first += len(new.tiles)
        faces = faces_of(new.tiles)
        if new.ways is None:
            found.append(_Read(new.tiles, reader(edition).readings(faces)))
            continue
        own = {place - span.start: brought[place] for place in span if place in brought}
        left = carried_ways(faces, new.ways, own)
        read = _named_read(edition, new, left, own)
        if asked and not new.faults:
            if undeclared[new.as_laid] and new.said is None and left == new.ways:
                undeclared[new.as_laid] -= 1  # it lies as it lay, and means what it meant
            else:
                reasons += _undeclared(edition, new, left)
        found.append(read)
    return found, reasons


def _named_read(
    edition: Edition, row: _LaidRow, left: tuple[Way, ...], brought: Mapping[int, Name]
) -> _Read:
    """A row with jokers as it is read, and what is to be kept of what was said of it."""
    faces = faces_of(row.tiles)
    readings = readings_of(faces, left)
    named = named_jokers(faces, row.said) if isinstance(row.said, tuple) else {}
    if edition.joker_declare == "explicit" and several_jokers(faces) and not is_open(faces, left):
        named = named_jokers(faces, left[0].names)
    for index, name in brought.items():
        if all(joker_name(faces, way.names, index) == name for way in left):
            named[index] = name
    if named:
        return _Read(row.tiles, readings, written(faces, left[0], named), named)
    kind = row.said if isinstance(row.said, Kind) and _is_ambiguous(edition, faces) else None
    return _Read(row.tiles, readings, kind)


def _is_ambiguous(edition: Edition, faces: Faces) -> bool:
    return is_ambiguous(faces, reader(edition).readings(faces))


def _undeclared(edition: Edition, row: _LaidRow, left: tuple[Way, ...]) -> list[Reason]:
    """What the player still has to say of this row."""
    faces = faces_of(row.tiles)
    kinds = dict.fromkeys(way.kind for way in left)
    if edition.joker_declare == "kind" and len(kinds) > 1 and _is_ambiguous(edition, faces):
        return [Reason("undeclared", row.as_laid, {"readings": " / ".join(kinds)})]
    if edition.joker_declare == "explicit" and several_jokers(faces) and is_open(faces, left):
        options = [declaration_text(way.names) for way in distinct(faces, left)]
        more = ["…"] if len(options) > MOST_NAMINGS else []
        shown = " / ".join([*options[:MOST_NAMINGS], *more])
        return [Reason("undeclared", row.as_laid, {"readings": shown})]
    return []


def _leaves_open(edition: Edition, row: _Read) -> bool:
    """Whether a row of the old table has jokers that should have been named, and are not."""
    faces = faces_of(row.tiles)
    if edition.joker_declare != "explicit" or not several_jokers(faces):
        return False
    return len(row.named) < sum(IS_WILD[face] for face in faces)


def _read_old(edition: Edition, rows: RowReader, row: Row, declared: Declared | None) -> _Read:
    """A row of the table before the turn; it is a set, or the position is impossible."""
    faces = faces_of(row)
    readings = rows.readings(faces)
    explicit = edition.joker_declare == "explicit" and several_jokers(faces)
    if readings and not declared and not explicit:
        return _Read(row, readings)
    laid = _laid_row(edition, rows, row, 0, declared)
    faces = faces_of(laid.tiles)
    if laid.faults:
        codes = tuple(fault.code for fault in laid.faults)
        if rows.readings(faces):
            raise PositionError(
                "{row} on the table cannot be {said}",
                key="error.position.bad-declaration",
                row=row_text(row),
                said=laid.faults[0].params["declared"],
            )
        raise PositionError(
            "{row} lies on the table but is no set ({faults})",
            key="error.position.no-set",
            row=row_text(row) or "–",
            faults=codes,
        )
    if laid.ways is None:
        return _Read(laid.tiles, rows.readings(faces))
    return _named_read(edition, laid, laid.ways, {})


# Opened players


def _joker_reasons(
    edition: Edition,
    before: list[_Read],
    after: list[_Read],
    opening: Sequence[_Read] = (),
    pins: Mapping[Source, Place] = NO_PINS,
) -> list[Reason]:
    """What the joker rules say; `opening` rows were laid in this same turn, as faces."""
    if not _joker_rules_apply(edition, [*before, *opening]):
        return []
    count = len(opening)
    if not pins:
        touched_before, touched_after = _touched(before, after)
        touched = joker_problem(
            edition, _laid([*touched_before, *opening]), _laid(touched_after), count
        )
        if touched.solvable():
            return []
    # Equal tiles without ids may also change places with those of rows that look untouched.
    whole = joker_problem(edition, _laid([*before, *opening]), _laid(after), count, pins)
    return whole.broken()


def _touched(before: list[_Read], after: list[_Read]) -> tuple[list[_Read], list[_Read]]:
    """Both tables without the rows that lie in both as they are, and mean the same."""
    meaning = {row.tiles: row.readings for row in before}
    standing = Counter(row.tiles for row in before)
    standing &= Counter(row.tiles for row in after if meaning.get(row.tiles) == row.readings)

    def rest(rows: list[_Read]) -> list[_Read]:
        left, kept = Counter(standing), []
        for row in rows:
            if left[row.tiles] and meaning[row.tiles] == row.readings:
                left[row.tiles] -= 1
            else:
                kept.append(row)
        return kept

    return rest(before), rest(after)


def _joker_rules_apply(edition: Edition, before: Iterable[_Read]) -> bool:
    # A reading says what each joker of its row stands for, and nothing of a row without jokers.
    return has_joker_rules(edition) and any(row.readings[0].stands for row in before)


def _laid(rows: Iterable[_Read]) -> list[LaidRow]:
    found = [*rows]
    laid = lay([(row.tiles, row.readings) for row in found])
    return [
        replace(row, said=read.said, named=frozenset(read.named)) if read.said else row
        for row, read in zip(laid, found, strict=True)
    ]


def _taken_apart(before: list[_Read], after: list[_Read]) -> list[Reason]:
    """Rows that were not left alone or merely added to, each within a new row of its own."""
    holder: dict[int, int] = {}  # new row → old row

    def settle(number: int, seen: set[int]) -> bool:
        for home, new in enumerate(after):
            if home in seen or not _continued(before[number], new):
                continue
            seen.add(home)
            if home not in holder or settle(holder[home], seen):
                holder[home] = number
                return True
        return False

    return [
        Reason("no-manipulation", row.tiles)
        for number, row in enumerate(before)
        if not settle(number, set())
    ]


def _continued(old: _Read, new: _Read) -> bool:
    """Whether the old tiles lie in the new row as they lay, every joker meaning what it meant."""
    own = set(old.tiles)
    is_group = any(reading.kind in GROUP_KINDS for reading in old.readings)
    places = [place for place, tile in enumerate(new.tiles) if tile in own]
    # Only without ids are there more places than tiles, and then few.
    return any(
        _lies_at(old, new, chosen, is_group) for chosen in combinations(places, len(old.tiles))
    )


def _lies_at(old: _Read, new: _Read, places: tuple[int, ...], is_group: bool) -> bool:
    found = tuple(new.tiles[place] for place in places)
    if found == old.tiles:
        pairs = list(zip(places, range(len(found)), strict=True))
    elif found == old.tiles[::-1]:
        pairs = list(zip(reversed(places), range(len(found)), strict=True))
    elif is_group and sorted(found) == sorted(old.tiles):
        pairs = [(place, old.tiles.index(new.tiles[place])) for place in places]
    else:
        return False
    return all(
        stands_for(new.readings, place) <= stands_for(old.readings, index)
        for place, index in pairs
        if IS_JOKER[face_of(new.tiles[place])]
    )


# Players who have not opened


def _plain_opening(
    edition: Edition, before: list[_Read], after: list[_Read]
) -> tuple[int | None, list[Reason]]:
    """The table stays as it is; new rows come from the rack alone and reach the minimum."""
    standing = Counter(_signature(row) for row in before)
    laid: list[_Read] = []
    for row in after:
        signature = _signature(row)
        if standing[signature]:
            standing[signature] -= 1
        else:
            laid.append(row)
    reasons = []
    for row in before:
        signature = _signature(row)
        if standing[signature]:  # still looked for, so it is gone
            standing[signature] -= 1
            reasons.append(Reason("table-changed", row.tiles))
    if reasons or not all(row.readings for row in laid):
        return None, reasons
    return _opening_value(edition, laid)


def _opening_value(edition: Edition, laid: list[_Read]) -> tuple[int, list[Reason]]:
    values = [row.readings[0].value for row in laid]
    reasons = []
    jokers = tuple(tile for row in laid for tile in row.tiles if IS_JOKER[face_of(tile)])
    if jokers and not edition.initial_jokers:
        reasons.append(Reason("opening-joker", jokers))
    minimum = edition.initial_min
    reached = max(values, default=0) if edition.initial_single_set else sum(values)
    if laid and reached < minimum:
        code = "below-minimum-single" if edition.initial_single_set else "below-minimum"
        tiles = tuple(tile for row in laid for tile in row.tiles)
        reasons.append(Reason(code, tiles, {"value": reached, "minimum": minimum}))
    return sum(values), reasons


def _signature(row: _Read) -> tuple[object, ...]:
    """Equal for rows that are the same to every player: same tiles, same meaning of each joker."""
    return tuple(sorted(row.tiles)), tuple(
        (
            reading.kind,
            reading.value,
            tuple(sorted((row.tiles[index], tuple(sorted(s))) for index, s in reading.stands)),
        )
        for reading in row.readings
    )


def _continued_opening(
    edition: Edition,
    before: list[_Read],
    after: list[_Read],
    played: Row,
    pins: Mapping[Source, Place],
) -> tuple[int | None, list[Reason]]:
    """Rows from the rack reach the minimum first; then the turn goes on as for an opened player.

    Only the final table is known, so some opening has to explain it. First the obvious one: the
    rows that consist of rack tiles as they lie.
    """
    obvious, rest = [], Counter(played)
    for row in after:
        need = Counter(row.tiles)
        if need <= rest:
            obvious.append(row)
            rest -= need
    worth, obvious_reasons = _opening_value(edition, obvious)
    if (obvious or not edition.initial_min) and not obvious_reasons:
        laid = [_Read(unidentified(faces_of(row.tiles)), row.readings) for row in obvious]
        reasons = _joker_reasons(edition, before, after, laid, pins)
        if not reasons:
            return worth, []

    reasons = []
    stock = Counter(faces_of(played))
    candidates = meanings(edition, _candidates(edition, after, stock))
    for value, rows in openings(edition, stock, candidates):
        laid = [_Read(unidentified(row.row), row.readings) for row in rows]
        reasons = _joker_reasons(edition, before, after, laid, pins)
        if not reasons:
            return value, []
    below = [reason for reason in obvious_reasons if reason.code != "opening-joker"]
    if below and sum(len(row.tiles) for row in obvious) == len(played):
        return worth, obvious_reasons
    if reasons:
        return None, reasons
    return None, [Reason("no-opening", played, {"minimum": edition.initial_min})]


def _candidates(edition: Edition, after: list[_Read], stock: Counter[Face]) -> list[Valued]:
    """Rows that may have opened this turn.

    Where joker rows are locked, a joker laid in the opening still stands in its row at the end:
    one that was replaced by a tile of the rack could have left its place to that tile at once.
    Only in a row with several readings may it have counted as more than that tile.
    """
    plain = Counter({face: count for face, count in stock.items() if not IS_JOKER[face]})
    if not edition.initial_jokers:
        return rows_from(edition, plain)
    if not edition.joker_locked_sets or edition.joker_replace_from == "any":
        return rows_from(edition, stock)
    rows = reader(edition)
    found = set(rows_from(edition, plain))
    found.update(item for item in rows_from(edition, stock) if len(rows.readings(item[1])) > 1)
    for row in after:
        faces = faces_of(row.tiles)
        blocks = {
            faces[start:stop]
            for start in range(len(faces))
            for stop in range(start + 3, len(faces) + 1)
        }
        if len(faces) == 4:
            blocks |= {faces[:i] + faces[i + 1 :] for i in range(4)}
        for block in blocks:
            readings = rows.readings(block)
            if readings and Counter(block) <= stock:
                found.add((readings[0].value, block))
    return list(found)
