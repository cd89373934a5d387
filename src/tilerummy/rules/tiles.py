"""Tiles: faces, physical tiles and their text.

A *face* is what is printed on a tile: `r7`, `J`. A *tile* is one physical piece: a box with two
copies holds two tiles of the face `r7`, written `r7.1` and `r7.2`. Both are small integers, so a
row is a tuple of integers; the functions here are the only place that knows the encoding:

    face = 13 * colour + number - 1     for the 52 numbered faces, then J D C M
    tile = face + 56 * (copy - 1)

The encoding does not depend on the edition, so a tile keeps its number in every box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tilerummy.rules.errors import TileError, quoted

Face: TypeAlias = int
Tile: TypeAlias = int
Row: TypeAlias = tuple[Tile, ...]
Table: TypeAlias = tuple[Row, ...]

COLOURS = "rbko"
HIGHEST = 13
JOKER: Face = 52
DOUBLE: Face = 53
CHANGE: Face = 54
MIRROR: Face = 55
FACES = 56
MOST_COPIES = 4
"""Of one face, in any box."""
JOKER_LETTERS = "JDCM"

FACE_TEXT: tuple[str, ...] = tuple(
    [f"{colour}{number}" for colour in COLOURS for number in range(1, HIGHEST + 1)]
    + list(JOKER_LETTERS)
)
_FACE_OF_TEXT = {text: face for face, text in enumerate(FACE_TEXT)}

NUMBER: tuple[int, ...] = tuple([face % HIGHEST + 1 for face in range(JOKER)] + [0] * 4)
"""The number on each face; 0 for jokers."""
SLOTS: tuple[int, ...] = tuple([1] * JOKER + [1, 2, 1, 0])
"""How many places of a row each face takes."""


def face_of(tile: Tile) -> Face:
    return tile % FACES


def copy_of(tile: Tile) -> int:
    return tile // FACES + 1


def faces_of(tiles: Iterable[Tile]) -> tuple[Face, ...]:
    return tuple([tile % FACES for tile in tiles])


def tile(face: Face, copy: int) -> Tile:
    """The physical tile that is the given copy (from 1) of a face."""
    return face + FACES * (copy - 1)


def numbered(colour: int, number: int) -> Face:
    return HIGHEST * colour + number - 1


def colour_of(face: Face) -> int:
    """Index into COLOURS; only for numbered faces."""
    return face // HIGHEST


def is_joker(face: Face) -> bool:
    return face >= JOKER


_RANK = [face * MOST_COPIES + copy for copy in range(MOST_COPIES) for face in range(FACES)]
"""The place of each tile among all tiles by colour and number."""


def sorted_tiles(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Tiles by colour and number, jokers last."""
    found = [*tiles]
    try:
        found.sort(key=_RANK.__getitem__)
    except IndexError:  # of a box that does not exist
        found.sort(key=lambda tile: (tile % FACES, tile))
    return tuple(found)


def parse_face(text: object) -> Face:
    """`r7` → its face. Raises TileError that says what a tile looks like."""
    face = _FACE_OF_TEXT.get(text) if isinstance(text, str) else None
    if face is None:
        raise TileError(
            "unknown tile '{tile}': a tile is r, b, k or o and a number from 1 to 13 "
            "(r7, k12), or one of the jokers J, D, C, M",
            key="error.tile.unknown",
            tile=quoted(text),
        )
    return face


def parse_faces(texts: Iterable[object]) -> tuple[Face, ...]:
    return tuple([parse_face(text) for text in texts])


def parse_row(text: str) -> tuple[Face, ...]:
    """`r7 b7 J` → its faces; commas may stand for blanks."""
    return parse_faces(text.replace(",", " ").split())


def parse_table(text: str) -> tuple[tuple[Face, ...], ...]:
    """`r7 b7 J / k1 k2 k3` → its rows; empty rows are dropped."""
    rows = (parse_row(part) for part in text.split("/"))
    return tuple(row for row in rows if row)


def parse_tile(text: str) -> Tile:
    """`r7.2` → the second copy of red 7."""
    name, dot, copy = text.partition(".")
    digits = copy.isascii() and copy.isdigit() and len(copy) <= 2
    if not dot or not digits or int(copy) < 1:
        raise TileError(
            "unknown tile '{tile}': a physical tile is written r7.1 or J.2",
            key="error.tile.physical",
            tile=quoted(text),
        )
    return tile(parse_face(name), int(copy))


def tile_texts(tiles: Sequence[Tile]) -> list[str]:
    try:
        return [_TILE_TEXT[tile_] for tile_ in tiles]
    except IndexError:
        return [_text_of(tile_) for tile_ in tiles]


def tile_text(tile_: Tile) -> str:
    return _TILE_TEXT[tile_] if 0 <= tile_ < len(_TILE_TEXT) else _text_of(tile_)


def _text_of(tile_: Tile) -> str:
    return f"{FACE_TEXT[tile_ % FACES]}.{tile_ // FACES + 1}"


_TILE_TEXT = tuple([_text_of(tile_) for tile_ in range(MOST_COPIES * FACES)])
"""Of the tiles of every box."""


def face_text(tile_or_face: int) -> str:
    return FACE_TEXT[tile_or_face % FACES]


def row_text(row: Iterable[int]) -> str:
    """The faces of a row, `r7 b7 J`."""
    return " ".join([FACE_TEXT[item % FACES] for item in row])


def table_text(table: Iterable[Sequence[int]]) -> str:
    return " / ".join(row_text(row) for row in table)


def has_tile_twice(table: Table) -> bool:
    """Whether one physical tile lies in two places. Not for tables without ids."""
    tiles = [tile for row in table for tile in row]
    return len({*tiles}) < len(tiles)
