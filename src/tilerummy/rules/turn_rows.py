"""The rows of a turn: each row of both tables in a valid order, with its readings and declaration.

`ReadRow` is what the other parts of the turn judge work on. `DeclaredRow` is the step before it: a
row with the declarations that are still possible, before jokers bring names from the old table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from tilerummy.rules.declarations import (
    Declaration,
    Declared,
    Name,
    Names,
    Way,
    declaration_text,
    is_open,
    joker_name,
    named_jokers,
    number_of,
    readings_of,
    several_jokers,
    split,
    written,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.faults import row_faults
from tilerummy.rules.jokers import LaidRow, lay
from tilerummy.rules.namings import declared_ways, ways
from tilerummy.rules.orders import settled
from tilerummy.rules.reading_steps import reading_steps
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Kind, Reading, RowReader, is_ambiguous, reader
from tilerummy.rules.ticks import Tick, spend
from tilerummy.rules.tiles import SLOTS, Row, faces_of, has_joker, row_text

NO_NAMES: Mapping[int, Name] = MappingProxyType({})


class ReadRow(NamedTuple):
    """A row as the judge uses it: in a valid order where the edition allows, with its readings.

    `said` is its declaration. `named` has the jokers that have a name, by their place in the row.
    """

    tiles: Row
    readings: tuple[Reading, ...]
    said: Declaration | None = None
    named: Mapping[int, Name] = NO_NAMES


class DeclaredRow(NamedTuple):
    """A row in a valid order, with the namings that its declaration leaves possible."""

    tiles: Row
    said: Declaration | None
    ways: tuple[Way, ...] | None
    """None for a row without jokers, and for a row that is not a set."""
    as_laid: Row
    faults: tuple[Reason, ...] = ()


def read_old_row(
    edition: Edition,
    rows: RowReader,
    row: Row,
    declared: Declared | None,
    tick: Tick | None = None,
) -> ReadRow:
    """Read a row of the table before the turn.

    Raises PositionError if the row is not a set, or cannot be what was declared.
    """
    readings = rows.readings_of_tiles(row)
    explicit = edition.joker_declare == "explicit" and several_jokers(faces_of(row))
    if readings and not declared and not explicit:
        return ReadRow(row, readings)
    found = read_declaration(edition, rows, row, 0, declared, tick)
    faces = faces_of(found.tiles)
    if found.faults:
        codes = tuple(fault.code for fault in found.faults)
        if rows.readings(faces):
            raise PositionError(
                "{row} on the table cannot be {said}",
                key="error.position.bad-declaration",
                row=row_text(row),
                said=found.faults[0].params["declared"],
            )
        raise PositionError(
            "{row} is on the table but is not a set ({faults})",
            key="error.position.no-set",
            row=row_text(row) or "–",
            faults=codes,
        )
    if found.ways is None:
        return ReadRow(found.tiles, rows.readings(faces))
    return name_jokers(edition, found, found.ways, {})


def read_undeclared_row(
    edition: Edition, rows: RowReader, row: Row, number: int, tick: Tick | None = None
) -> tuple[ReadRow, list[Reason]]:
    """Read a row of the new table that has no declaration and needs none."""
    spend(tick, reading_steps(faces_of(row)))
    readings = rows.readings_of_tiles(row)
    if readings:
        return ReadRow(row, readings), []
    ordered = settled(edition, row, tick)
    if ordered is None:
        return ReadRow(row, ()), _row_faults(edition, row, number)
    return ReadRow(ordered, rows.readings_of_tiles(ordered)), []


def read_declaration(
    edition: Edition,
    rows: RowReader,
    row: Row,
    number: int,
    declared: Declared | None,
    tick: Tick | None = None,
) -> DeclaredRow:
    """Put a row in a valid order and find what its declaration leaves possible.

    `number` is the row's place on the table, for the reasons.
    """
    said = declared.get(row) if declared else None
    ordered: Row | None = row
    spend(tick, reading_steps(faces_of(row)))
    if not rows.readings_of_tiles(row):
        ordered = settled(edition, row, tick)
        if ordered is not None and said is not None and not isinstance(said, Kind):
            ordered, said = _in_order(edition, row, ordered, said, tick)
    if ordered is None:
        return DeclaredRow(row, None, None, row, tuple(_row_faults(edition, row, number)))
    faces = faces_of(ordered)
    possible = None
    if has_joker(faces):
        possible = ways(edition, faces, tick)
        spend(tick, len(possible))  # the names of each are compared a few times
    if said is None:
        return DeclaredRow(ordered, None, possible, row)
    left = declared_ways(edition, faces, said, tick)
    if left:
        return DeclaredRow(ordered, said, None if possible is None else left, row)
    reason = Reason("bad-declaration", row, {"declared": declaration_text(said)})
    return DeclaredRow(ordered, None, possible, row, (reason,))


def _in_order(
    edition: Edition, row: Row, best: Row, said: Names, tick: Tick | None
) -> tuple[Row, Names]:
    """Sort an unordered row together with its names: by the names if these fit, else as `best`."""
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
        if declared_ways(edition, faces_of(ordered), names, tick):
            break
    return ordered, names


def _row_faults(edition: Edition, row: Row, number: int) -> list[Reason]:
    return [
        Reason(fault.code, fault.tiles, {**fault.params, "row": number})
        for fault in row_faults(edition, faces_of(row))
    ]


def name_jokers(
    edition: Edition, row: DeclaredRow, left: tuple[Way, ...], brought: Mapping[int, Name]
) -> ReadRow:
    """Read a row with jokers, and keep the part of its declaration that later turns need.

    `left` are the namings that are still possible, `brought` the names that jokers of the old table
    bring with them, by place in the row.
    """
    faces = faces_of(row.tiles)
    readings = readings_of(faces, left)
    named = named_jokers(faces, row.said) if isinstance(row.said, tuple) else {}
    if edition.joker_declare == "explicit" and several_jokers(faces) and not is_open(faces, left):
        named = named_jokers(faces, left[0].names)
    for index, name in brought.items():
        if all(joker_name(faces, way.names, index) == name for way in left):
            named[index] = name
    if named:
        return ReadRow(row.tiles, readings, written(faces, left[0], named), named)
    said = row.said if isinstance(row.said, Kind) else None
    if said is not None and not is_ambiguous(faces, reader(edition).readings(faces)):
        said = None
    return ReadRow(row.tiles, readings, said)


def laid_rows(rows: Iterable[ReadRow]) -> list[LaidRow]:
    """Convert rows to the form that the joker rules use, with tiles numbered over the table."""
    found = [*rows]
    laid = lay([(row.tiles, row.readings) for row in found])
    return [
        replace(row, said=read.said, named=frozenset(read.named)) if read.said else row
        for row, read in zip(laid, found, strict=True)
    ]
