"""The wire format of tiles (`r7.1`), sets, tables and declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from tilerummy.rules import declarations
from tilerummy.rules.declarations import Declared, parse_declaration
from tilerummy.rules.errors import TileError
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import (
    ALL_TILES,
    MOST_COPIES,
    ByTile,
    Face,
    Row,
    Table,
    Tile,
    face_texts,
    parse_tile,
    tile_texts,
)

_TEXT: ByTile[str] = tuple(tile_texts(ALL_TILES))
_TILE: dict[str, Tile] = dict(zip(_TEXT, ALL_TILES, strict=True))

WireRow = list[str]
WireTable = list[WireRow]
TileText = Annotated[str, Meta(max_length=5)]
RowText = Annotated[list[TileText], Meta(max_length=32)]
NameText = Annotated[str, Meta(max_length=12)]
NamesText = Annotated[list[NameText], Meta(max_length=32)]


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a row is: `run`, `group`, `mirror-run` or `mirror-group`, or the tile of every slot from
    left to right, such as `["r8", "b8", "k8"]` for a red 8 and two jokers. A colour change is
    named by its number, `C4`, a mirror is `M`, and the letter of a joker leaves it open."""

    set: RowText
    as_: NameText | NamesText = msgspec.field(name="as")


def row_out(tiles: Iterable[Tile]) -> WireRow:
    return [_TEXT[tile] for tile in tiles]


def faces_out(tiles: Iterable[Tile | Face]) -> WireRow:
    """For what speaks of faces, or of either: which of the equal tiles it is, is not said."""
    return face_texts(tiles)


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


def declared_out(declared: Declared) -> list[Declaration]:
    return [
        Declaration(
            row_out(row), str(said) if isinstance(said, Kind) else declarations.names_texts(said)
        )
        for row, said in declared.items()
    ]


def declared_in(said: Iterable[Declaration]) -> dict[Row, declarations.Declaration]:
    """Raises TileError or DeclarationError."""
    return {row_in(item.set): parse_declaration(item.as_) for item in said}
