"""Test helper: assigns physical tiles to positions that have only faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from tilerummy.rules.position import Position
from tilerummy.rules.tiles import MOST_WRITTEN, Face, Row, Table, Tile, face_of, tile


class Copies:
    """Assigns each tile the next copy of its face; the last copy repeats."""

    def __init__(self, most: int = MOST_WRITTEN) -> None:
        self._most = most
        self._seen = Counter[Face]()

    def row(self, tiles: Iterable[Tile | Face]) -> Row:
        return tuple([self._next(face_of(item)) for item in tiles])

    def table(self, rows: Iterable[Iterable[Tile | Face]]) -> Table:
        return tuple([self.row(row) for row in rows])

    def position(self, plain: Position) -> Position:
        """The same position in physical tiles, with the declarations of its rows."""
        table = self.table(plain.table)
        declared = {
            new: plain.declared[old]
            for old, new in zip(plain.table, table, strict=True)
            if old in plain.declared
        }
        return replace(plain, table=table, rack=self.row(plain.rack), declared=declared)

    def _next(self, face: Face) -> Tile:
        self._seen[face] += 1
        return tile(face, min(self._seen[face], self._most))


def by_id(*ids: int) -> Row:
    """Tiles by number, without checking that they exist."""
    return tuple([Tile(number) for number in ids])
