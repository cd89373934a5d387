"""Tiles on the wire: the text of physical tiles, `r7.1`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tilerummy.rules.errors import TileError
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import (
    FACES,
    MOST_COPIES,
    Row,
    Table,
    Tile,
    face_text,
    parse_tile,
    tile_text,
)

_TEXT: tuple[str, ...] = tuple([tile_text(tile) for tile in range(MOST_COPIES * FACES)])
_TILE: dict[str, Tile] = {text: tile for tile, text in enumerate(_TEXT)}

WireRow = list[str]
WireTable = list[WireRow]


def row_out(tiles: Iterable[Tile]) -> WireRow:
    return [_TEXT[tile] for tile in tiles]


def faces_out(tiles: Iterable[int]) -> WireRow:
    """For what speaks of faces, or of either: which of the equal tiles it is, is not said."""
    return [face_text(tile) for tile in tiles]


def table_out(table: Table) -> WireTable:
    return [[_TEXT[tile] for tile in row] for row in table]


def row_in(texts: Sequence[str]) -> Row:
    """Raises TileError."""
    try:
        return tuple([_TILE[text] for text in texts])
    except KeyError:
        for text in texts:
            parse_tile(text)
        raise TileError(f"no box holds more than {MOST_COPIES} tiles of a face") from None


def table_in(rows: Sequence[Sequence[str]]) -> Table:
    return tuple([row_in(row) for row in rows])


def declared_out(declared: Mapping[Row, Kind]) -> list[tuple[WireRow, str]]:
    return [(row_out(row), str(kind)) for row, kind in declared.items()]
