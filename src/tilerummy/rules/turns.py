"""The turn judge: may this player turn that table into this one?

Only the final table counts. A verdict lists every reason against a turn, not the first one found.

Tables and racks hold tiles or, where ids are not known, faces: equal entries are told apart in
whatever way makes the turn legal (see `matching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.faults import row_faults
from tilerummy.rules.jokers import GROUP_KINDS, LaidRow, joker_problem, lay
from tilerummy.rules.openings import Valued, openings, rows_from
from tilerummy.rules.orders import settled
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Kind, Reading, RowReader, is_ambiguous, reader, stands_for
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import (
    FACE_TEXT,
    FACES,
    JOKER,
    Face,
    Row,
    Table,
    faces_of,
    row_text,
    sorted_tiles,
)

Declared = Mapping[Row, Kind]
"""What the player says an ambiguous row is."""


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """`table` is the new table with its rows in valid order; `value` the points of the opening
    rows, or for an opened player the points that leave the rack; None when nothing can be said."""

    reasons: tuple[Reason, ...]
    played: tuple[int, ...]
    value: int | None
    table: Table
    declared: dict[Row, Kind] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        return not self.reasons


class _Read(NamedTuple):
    """A row as the judge uses it: put in order where the edition allows, with its readings."""

    tiles: Row
    readings: tuple[Reading, ...]


def judge_turn(
    edition: Edition,
    *,
    opened: bool,
    rack: Iterable[int],
    before: Sequence[Sequence[int]],
    after: Sequence[Sequence[int]],
    declared_before: Declared | None = None,
    declared: Declared | None = None,
    manipulation: bool = True,
) -> TurnVerdict:
    """Judge one turn by sections of the rules: tiles, rows, opening or jokers.

    `declared` names the reading of ambiguous rows; with None the question is not asked.
    `manipulation=False` forbids taking rows of the table apart.
    """
    played, reasons = _check_tiles(rack, before, after)
    rows = reader(edition)
    if declared is not None and declared_before:
        declared = {**declared_before, **declared}

    old_rows = [_read_old(edition, rows, tuple(row), declared_before) for row in before]
    # Most rows lie there as they lay; where nothing is said of any, they mean what they meant.
    silent = not declared and edition.joker_declare != "explicit"
    standing = {row.tiles: row for row in old_rows} if silent else {}
    new_rows: list[_Read] = []
    for number, row in enumerate(after):
        tiles = tuple(row)
        read = standing.get(tiles)
        if read is None:
            read, faults = _read_new(edition, rows, tiles, number, declared)
            reasons += faults
        new_rows.append(read)
    table = tuple([row.tiles for row in new_rows])
    kept = {
        read.tiles: declared[tuple(row)]
        for row, read in zip(after, new_rows, strict=True)
        if declared
        and tuple(row) in declared
        and is_ambiguous(faces_of(read.tiles), rows.readings(faces_of(read.tiles)))
    }

    value: int | None = None
    if opened:
        value = rack_points(edition, played)
        if not reasons:
            reasons += _joker_reasons(edition, old_rows, new_rows)
    elif not edition.initial_same_turn_manipulation:
        value, more = _plain_opening(edition, old_rows, new_rows)
        reasons += more
    elif not reasons:
        value, more = _continued_opening(edition, old_rows, new_rows, played)
        reasons += more
    if not manipulation:
        reasons += _taken_apart(old_rows, new_rows)
    return TurnVerdict(tuple(reasons), played, value, table, kept)


def check_position(edition: Edition, rack: Iterable[int], table: Sequence[Sequence[int]]) -> None:
    """Raise PositionError where the box lacks tiles or a row of the table is no set."""
    count = Counter(tile % FACES for tile in rack)
    count.update(tile % FACES for row in table for tile in row)
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
        _read_old(edition, rows, tuple(row), None)


def read_table(
    edition: Edition, table: Sequence[Sequence[int]], declared: Declared | None = None
) -> list[LaidRow]:
    """The rows of a table as the joker rules see them. Raises PositionError where one is no set."""
    rows = reader(edition)
    return _laid([_read_old(edition, rows, tuple(row), declared) for row in table])


def has_joker_rules(edition: Edition) -> bool:
    """Whether what lies on the table may bind its jokers, beyond every row being a set."""
    return (
        edition.joker_reuse != "any"
        or edition.joker_locked_sets
        or (edition.has_specials and edition.twist_special_exchange_ban)
    )


def _check_tiles(
    rack: Iterable[int], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]
) -> tuple[Row, list[Reason]]:
    """The tiles played, and what is wrong with where tiles come from and go to."""
    rack = tuple(rack)
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
    old: Counter[int], new: Counter[int], rack: Counter[int], played: Counter[int]
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


def _read_new(
    edition: Edition, rows: RowReader, row: Row, number: int, declared: Declared | None
) -> tuple[_Read, list[Reason]]:
    readings = rows.readings(faces_of(row))
    if readings and not declared and edition.joker_declare != "explicit":
        return _Read(row, readings), []
    ordered = row if readings else settled(edition, row)
    if ordered is None:
        faults = [
            Reason(fault.code, fault.tiles, {**fault.params, "row": number})
            for fault in row_faults(edition, faces_of(row))
        ]
        return _Read(row, ()), faults
    readings = rows.readings(faces_of(ordered))
    if declared is None or not is_ambiguous(faces_of(ordered), readings):
        return _Read(ordered, readings), []
    kind = declared.get(row)
    if kind is None:
        if edition.joker_declare != "explicit":
            return _Read(ordered, readings), []
        names = " / ".join(reading.kind for reading in readings)
        return _Read(ordered, readings), [Reason("undeclared", row, {"readings": names})]
    chosen = tuple(reading for reading in readings if reading.kind == kind)
    if not chosen:
        return _Read(ordered, readings), [Reason("bad-declaration", row, {"declared": str(kind)})]
    return _Read(ordered, chosen), []


def _read_old(edition: Edition, rows: RowReader, row: Row, declared: Declared | None) -> _Read:
    """A row of the table before the turn; it is a set, or the position is impossible."""
    readings = rows.readings(faces_of(row))
    if readings and not declared:
        return _Read(row, readings)
    read, faults = _read_new(edition, rows, row, 0, declared)
    if not read.readings:
        raise PositionError(
            "{row} lies on the table but is no set ({faults})",
            key="error.position.no-set",
            row=row_text(row) or "–",
            faults=tuple(fault.code for fault in faults),
        )
    return read


# Opened players


def _joker_reasons(
    edition: Edition, before: list[_Read], after: list[_Read], opening: list[_Read] | None = None
) -> list[Reason]:
    """What the joker rules say; `opening` rows were laid in this same turn, as faces."""
    opening = opening or []
    if not _joker_rules_apply(edition, [*before, *opening]):
        return []
    count = len(opening)
    touched_before, touched_after = _touched(before, after)
    touched = joker_problem(
        edition, _laid([*touched_before, *opening]), _laid(touched_after), count
    )
    if touched.solvable():
        return []
    # Equal tiles without ids may also change places with those of rows that look untouched.
    whole = joker_problem(edition, _laid([*before, *opening]), _laid(after), count)
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
    return has_joker_rules(edition) and any(
        tile % FACES >= JOKER for row in before for tile in row.tiles
    )


def _laid(rows: Iterable[_Read]) -> list[LaidRow]:
    return lay([(row.tiles, row.readings) for row in rows])


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
        if new.tiles[place] % FACES >= JOKER
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
    jokers = tuple(tile for row in laid for tile in row.tiles if tile % FACES >= JOKER)
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
    edition: Edition, before: list[_Read], after: list[_Read], played: tuple[int, ...]
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
    value, obvious_reasons = _opening_value(edition, obvious)
    if (obvious or not edition.initial_min) and not obvious_reasons:
        reasons = _joker_reasons(
            edition, before, after, [_Read(faces_of(row.tiles), row.readings) for row in obvious]
        )
        if not reasons:
            return value, []

    reasons = []
    stock = Counter(faces_of(played))
    for value, rows in openings(edition, stock, _candidates(edition, after, stock)):
        reasons = _joker_reasons(edition, before, after, _as_read(edition, rows))
        if not reasons:
            return value, []
    if reasons:
        return None, reasons
    below = [reason for reason in obvious_reasons if reason.code != "opening-joker"]
    if below and sum(len(row.tiles) for row in obvious) == len(played):
        return value, obvious_reasons
    return None, [Reason("no-opening", played, {"minimum": edition.initial_min})]


def _candidates(edition: Edition, after: list[_Read], stock: Counter[Face]) -> list[Valued]:
    """Rows that may have opened this turn.

    Where joker rows are locked, a joker laid in the opening still stands in its row at the end:
    one that was replaced by a tile of the rack could have left its place to that tile at once.
    Only in a row with several readings may it have counted as more than that tile.
    """
    plain = Counter({face: count for face, count in stock.items() if face < JOKER})
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


def _as_read(edition: Edition, rows: Iterable[tuple[Face, ...]]) -> list[_Read]:
    return [_Read(row, reader(edition).readings(row)) for row in rows]
