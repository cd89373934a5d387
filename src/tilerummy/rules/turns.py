"""The turn judge: may this player turn that table into this one?

Only the final table counts. A verdict lists every reason against a turn, not only the first.

Tables and racks hold tiles or, where ids are not known, faces. Equal entries are then matched in
any way that makes the turn legal (see `matching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tilerummy.rules.declarations import Declaration, Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.jokers import NO_PINS, LaidRow
from tilerummy.rules.manipulation import manipulation_reasons
from tilerummy.rules.matching import Place, Source
from tilerummy.rules.position import Position
from tilerummy.rules.reading_steps import reading_steps
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Kind, reader
from tilerummy.rules.scores import rack_points
from tilerummy.rules.ticks import Tick, spend, ticking
from tilerummy.rules.tiles import FACE_TEXT, Row, Table, Tile, faces_of, row_text, sorted_tiles
from tilerummy.rules.turn_jokers import joker_reasons
from tilerummy.rules.turn_names import carry_names, joker_pins
from tilerummy.rules.turn_openings import judge_continued_opening, judge_plain_opening
from tilerummy.rules.turn_rows import (
    ReadRow,
    laid_rows,
    read_declaration,
    read_old_row,
    read_undeclared_row,
)


@dataclass(frozen=True, slots=True, repr=False)
class TurnVerdict:
    """The verdict on a turn: whether it is legal, every reason if not, and its result.

    `table` is the new table with its rows in a valid order. `value` is the value of the opening
    rows, or for an opened player the points that leave the rack; None if it is undefined.
    `declared` has the declarations of that table, from this turn or before. They are complete for
    every row that has a named joker.
    """

    reasons: tuple[Reason, ...]
    played: Row
    value: int | None
    table: Table
    declared: dict[Row, Declaration] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        """Whether the referee accepts the turn."""
        return not self.reasons

    def __repr__(self) -> str:
        if not self.legal:
            return f"<TurnVerdict: illegal ({'; '.join(map(str, self.reasons))})>"
        return f"<TurnVerdict: legal, plays {row_text(self.played)} ({self.value} points)>"


Judge: TypeAlias = Callable[[Position, Table, Declared], TurnVerdict | None]
"""`judge_turn`, or a judge with a time limit: None if there was no verdict in time."""


def judge_turn(
    position: Position, table: Table, declared: Declared | None = None, tick: Tick | None = None
) -> TurnVerdict:
    """Judge whether the player of a position may turn its table into `table`.

    Only the final table counts. `declared` has the declarations for rows of the new table; None
    skips that question. An illegal turn is a verdict with reasons, not an exception. `tick` is
    called at every step, and what it raises ends the judging.
    Raises PositionError if a row of the old table is not a set.
    """
    edition, declared_before = position.edition, position.declared
    played, reasons = _check_tiles(position.rack, position.table, table)
    if not (reasons or declared or declared_before) and edition.joker_declare == "position":
        verdict = _judge_changes(position, table, played, tick)
        if verdict is not None:
            return verdict
    rows = reader(edition)
    old_rows = [read_old_row(edition, rows, row, declared_before, tick) for row in position.table]
    turn = _Turn(edition, position.opened, position.manipulation, old_rows, played, tick)
    if declared is not None and declared_before:
        kinds = {row: said for row, said in declared_before.items() if isinstance(said, Kind)}
        declared = {**kinds, **declared}
    if not declared and edition.joker_declare == "position" and not any(r.named for r in old_rows):
        # Most rows are unchanged. Without declarations, they keep their meaning.
        standing = {row.tiles: row for row in old_rows}
        new_rows: list[ReadRow] = []
        for number, row in enumerate(table):
            read = standing.get(row)
            if read is None:
                read, faults = read_undeclared_row(edition, rows, row, number, tick)
                reasons += faults
            new_rows.append(read)
        return turn.verdict(new_rows, reasons)

    found = [read_declaration(edition, rows, row, n, declared, tick) for n, row in enumerate(table)]
    reasons += [fault for row in found for fault in row.faults]
    first: TurnVerdict | None = None
    for pins in ticking(joker_pins(old_rows, [row.tiles for row in found]), tick):
        new_rows, faults = carry_names(edition, old_rows, found, pins, asked=declared is not None)
        verdict = turn.verdict(new_rows, [*reasons, *faults], pins)
        if verdict.legal:
            return verdict
        first = first or verdict
    assert first is not None, "there is at least one assignment, if only an empty one"
    return first


def _judge_changes(
    position: Position, table: Table, played: Row, tick: Tick | None
) -> TurnVerdict | None:
    """The verdict on a legal turn without declarations, from the rows that changed alone.

    Most turns are legal, and most rows stand. None means that the whole turn has to be judged: for
    the reasons against it, for rows that are not in order, and for equal rows without ids.
    """
    edition, opened = position.edition, position.opened
    before, after = {*position.table}, {*table}
    if len(before) < len(position.table) or len(after) < len(table):
        return None
    if not opened and edition.initial_same_turn_manipulation:
        return None
    read = reader(edition).readings_of_tiles
    old_rows: list[ReadRow] = []
    for row in position.table:
        readings = read(row)
        if not readings:
            return None
        if row not in after:
            old_rows.append(ReadRow(row, readings))
    changed = [row for row in table if row not in before]
    if tick is not None and edition.has_specials:
        spend(tick, sum([reading_steps(faces_of(row)) for row in changed]))
    new_rows = [ReadRow(row, read(row)) for row in changed]
    if not all(row.readings for row in new_rows):
        return None
    turn = _Turn(edition, opened, position.manipulation, old_rows, played, tick)
    verdict = turn.verdict(new_rows, [])
    return TurnVerdict((), played, verdict.value, table) if verdict.legal else None


def check_position(edition: Edition, rack: Row, table: Table) -> None:
    """Check that a rack and a table can occur in an edition; returns None if they can.

    Raises PositionError if the box lacks tiles or a row of the table is not a set.
    """
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
        read_old_row(edition, rows, row, None)


def read_table(edition: Edition, table: Table, declared: Declared | None = None) -> list[LaidRow]:
    """Read the rows of a table for the joker rules.

    Raises PositionError if a row is not a set.
    """
    rows = reader(edition)
    return laid_rows([read_old_row(edition, rows, row, declared) for row in table])


class _Turn(NamedTuple):
    """The fixed part of a turn: what the player may do, the old rows and the tiles played."""

    edition: Edition
    opened: bool
    manipulation: bool
    before: list[ReadRow]
    played: Row
    tick: Tick | None = None

    def verdict(
        self, after: list[ReadRow], reasons: list[Reason], pins: Mapping[Source, Place] = NO_PINS
    ) -> TurnVerdict:
        """Judge the new rows. `pins` says where named jokers lie."""
        edition, before, played = self.edition, self.before, self.played
        value: int | None = None
        if self.opened:
            value = rack_points(edition, played)
            if not reasons:
                reasons = joker_reasons(edition, before, after, pins=pins, tick=self.tick)
        elif not edition.initial_same_turn_manipulation:
            value, more = judge_plain_opening(edition, before, after)
            reasons = reasons + more
        elif not reasons:
            value, reasons = judge_continued_opening(
                edition, before, after, played, pins, self.tick
            )
        if not self.manipulation:
            reasons = reasons + manipulation_reasons(before, after, self.tick)
        table = tuple([row.tiles for row in after])
        said = {row.tiles: row.said for row in after if row.said is not None}
        return TurnVerdict(tuple(reasons), played, value, table, said)


def _check_tiles(rack: Row, before: Table, after: Table) -> tuple[Row, list[Reason]]:
    """Return the tiles played, and the reasons against the origin of tiles."""
    old_tiles = [tile for row in before for tile in row]
    new_tiles = [tile for row in after for tile in row]
    one_each, laid = {*old_tiles}, {*new_tiles}
    if len(one_each) == len(old_tiles) and len(laid) == len(new_tiles) and one_each < laid:
        # The fast path: all tiles have distinct ids, and the old ones are all still there.
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
