"""The opening in a turn: does a player who has not opened reach the minimum with rack tiles?

`openings` lists what could open; here that is compared with the rows of both tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

from tilerummy.rules.editions import Edition
from tilerummy.rules.matching import Place, Source
from tilerummy.rules.openings import (
    Opening,
    OpeningRow,
    Valued,
    meanings,
    openings,
    rows_from,
)
from tilerummy.rules.reading_steps import ticking_rows
from tilerummy.rules.reasons import Reason, ReasonCode
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.table_changes import unmatched
from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import (
    IS_JOKER,
    JOKER,
    JOKER_FACES,
    Face,
    Row,
    Tile,
    face_of,
    faces_of,
    unidentified,
)
from tilerummy.rules.turn_jokers import joker_reasons
from tilerummy.rules.turn_rows import ReadRow

T = TypeVar("T", Tile, Face)


def judge_plain_opening(
    edition: Edition, before: list[ReadRow], after: list[ReadRow]
) -> tuple[int | None, list[Reason]]:
    """Judge an opening that leaves the table unchanged: value of the new rows, and reasons."""
    old, new = [_signature(row) for row in before], [_signature(row) for row in after]
    reasons = [Reason("table-changed", before[index].tiles) for index in unmatched(old, new)]
    laid = [after[index] for index in unmatched(new, old)]
    if reasons or not all(row.readings for row in laid):
        return None, reasons
    return _opening_value(edition, laid)


def _signature(row: ReadRow) -> tuple[object, ...]:
    """A key that is equal for rows with the same tiles and the same meaning of each joker."""
    if row.readings and not row.readings[0].stands:  # without jokers, the tiles have one meaning
        return (tuple(sorted(row.tiles)),)
    return tuple(sorted(row.tiles)), tuple(
        (
            reading.kind,
            reading.value,
            tuple(sorted((row.tiles[index], tuple(sorted(s))) for index, s in reading.stands)),
        )
        for reading in row.readings
    )


def _opening_value(edition: Edition, laid: list[ReadRow]) -> tuple[int, list[Reason]]:
    """The value of the rows of an opening, and the reasons why they do not open."""
    values = [row.readings[0].value for row in laid]
    reasons = []
    jokers = tuple(tile for row in laid for tile in row.tiles if IS_JOKER[face_of(tile)])
    if jokers and not edition.initial_jokers:
        reasons.append(Reason("opening-joker", jokers))
    minimum = edition.initial_min
    reached = max(values, default=0) if edition.initial_single_set else sum(values)
    if laid and reached < minimum:
        code: ReasonCode = "below-minimum"
        if edition.initial_single_set:
            code = "below-minimum-single"
        tiles = tuple(tile for row in laid for tile in row.tiles)
        reasons.append(Reason(code, tiles, {"value": reached, "minimum": minimum}))
    return sum(values), reasons


def judge_continued_opening(
    edition: Edition,
    before: list[ReadRow],
    after: list[ReadRow],
    played: Row,
    pins: Mapping[Source, Place],
    tick: Tick | None = None,
) -> tuple[int | None, list[Reason]]:
    """Judge a turn that opens and then goes on as for an opened player: value and reasons.

    Only the final table is known, so some opening has to explain it. The obvious one comes first:
    the new rows that consist of rack tiles.
    """
    numbers = _from_rack([row.tiles for row in after], Counter(played))
    obvious = [after[number] for number in numbers]
    worth, obvious_reasons = _opening_value(edition, obvious)
    if (obvious or not edition.initial_min) and not obvious_reasons:
        laid = [ReadRow(unidentified(faces_of(row.tiles)), row.readings) for row in obvious]
        reasons = joker_reasons(edition, before, after, laid, pins, tick)
        if not reasons:
            return worth, []

    reasons = []
    stock = Counter(faces_of(played))
    candidates: list[OpeningRow] = []
    if edition.initial_min:  # otherwise no row is needed to open
        candidates = meanings(edition, _candidates(edition, after, stock, tick), tick)
    for value, rows in openings(edition, stock, candidates, tick):
        laid = [ReadRow(unidentified(row.row), row.readings) for row in rows]
        reasons = joker_reasons(edition, before, after, laid, pins, tick)
        if not reasons:
            return value, []
    below = [reason for reason in obvious_reasons if reason.code != "opening-joker"]
    if below and sum(len(row.tiles) for row in obvious) == len(played):
        return worth, obvious_reasons
    if reasons:
        return None, reasons
    return None, [Reason("no-opening", played, {"minimum": edition.initial_min})]


def obvious_opening(
    edition: Edition, rows: Sequence[Faces], played: Counter[Face]
) -> Opening | None:
    """Return the new rows that consist of rack tiles, if they open by themselves."""
    if not edition.initial_min:
        return ()
    read = reader(edition).readings
    obvious = [rows[number] for number in _from_rack(rows, played)]
    found = [OpeningRow(read(row)[0].value, row, read(row)) for row in obvious]
    laid = [ReadRow(unidentified(row.row), row.readings) for row in found]
    _, reasons = _opening_value(edition, laid)
    return tuple(found) if found and not reasons else None


def _from_rack(rows: Sequence[tuple[T, ...]], played: Counter[T]) -> list[int]:
    """The rows, by number, that consist of played tiles: each tile is used once."""
    found = []
    rest = dict(played)
    for number, row in enumerate(rows):
        if any(tile not in rest for tile in row):
            continue
        need = Counter(row)
        if all(rest[tile] >= count for tile, count in need.items()):
            found.append(number)
            for tile, count in need.items():
                rest[tile] -= count
    return found


def _candidates(
    edition: Edition, after: list[ReadRow], stock: Counter[Face], tick: Tick | None
) -> list[Valued]:
    """List the rows that may have opened this turn.

    Where joker rows are locked, a joker laid in the opening is still in its row at the end. If a
    rack tile replaced it, that tile could have been in its place from the start. Only in a row with
    several readings may the joker have counted as more than that tile.
    """
    plain = Counter({face: count for face, count in stock.items() if not IS_JOKER[face]})
    if not edition.initial_jokers:
        return rows_from(edition, plain, tick=tick)
    if not edition.joker_locked_sets or edition.joker_replace_from == "any":
        return rows_from(edition, stock, tick=tick)
    rows = reader(edition)
    found = set(rows_from(edition, plain, tick=tick))
    if _may_be_ambiguous(stock):
        listed = rows_from(edition, stock, tick=tick)
        found.update(item for item in listed if len(rows.readings(item[1])) > 1)
    for row in after:
        for block in ticking_rows(_blocks(faces_of(row.tiles), stock), tick):
            readings = rows.readings(block)
            if readings and Counter(block) <= stock:
                found.add((readings[0].value, block))
    return list(found)


def _blocks(row: Faces, stock: Counter[Face]) -> set[Faces]:
    """The parts of a row that may have been laid before the rest, of faces that a stock has."""
    missing = [face not in stock for face in row]
    blocks = set()
    for start in range(len(row)):
        stops = range(start + 1, len(row) + 1)
        stop = next((stop for stop in stops if missing[stop - 1]), len(row) + 1)
        blocks |= {row[start:end] for end in range(start + 3, stop)}
    if len(row) == 4:
        parts = [row[:i] + row[i + 1 :] for i in range(4) if sum(missing) == missing[i]]
        blocks.update(parts)
    return blocks


def _may_be_ambiguous(stock: Counter[Face]) -> bool:
    """Whether a row of these tiles can have several readings: it has one numbered tile or a joker
    other than J."""
    return stock[JOKER] > 1 or any(stock[face] for face in JOKER_FACES if face != JOKER)
