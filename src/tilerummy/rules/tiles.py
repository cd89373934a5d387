"""Tiles: faces, physical tiles and their text.

A *face* is the print on a tile: `r7`, `J`. A *tile* is one physical piece: a box with two
copies holds two tiles of the face `r7`, written `r7.1` and `r7.2`. They are different types, so
that mixing them up is a type error. At runtime both are small integers, and a row is a tuple of
integers. This module is the only place that knows the encoding:

    face = 13 * colour + number - 1     for the 52 numbered faces, then a face for each joker kind
    tile = face + FACES * (copy - 1)

The encoding does not depend on the edition, so a tile keeps its number in every box. Other modules
use the lookup tables here (`FACE_OF[tile]`, `IS_JOKER[face]`): they are faster than arithmetic.
What a joker is and does comes from `joker_kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NewType, Protocol, TypeAlias, TypeVar, cast

from tilerummy.rules.errors import TileError, quoted
from tilerummy.rules.joker_kinds import JOKER_KINDS, JokerKind

Face = NewType("Face", int)
Tile = NewType("Tile", int)
Faces: TypeAlias = tuple[Face, ...]
Row: TypeAlias = tuple[Tile, ...]
Table: TypeAlias = tuple[Row, ...]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class ByFace(Protocol[_T_co]):
    """A tuple with one entry for each face. A tile as the index is a type error."""

    def __getitem__(self, face: Face, /) -> _T_co: ...
    def __iter__(self) -> Iterator[_T_co]: ...
    def __len__(self) -> int: ...


class ByTile(Protocol[_T_co]):
    """A tuple with one entry for each tile. A face as the index is a type error."""

    def __getitem__(self, tile: Tile, /) -> _T_co: ...
    def __iter__(self) -> Iterator[_T_co]: ...
    def __len__(self) -> int: ...


COLOURS = "rbko"
HIGHEST = 13
JOKER = Face(len(COLOURS) * HIGHEST)
"""The first joker face: the regular joker."""
FACES = JOKER + len(JOKER_KINDS)
"""How many faces there are."""
MOST_COPIES = 4
"""Of one face, in any box."""
MOST_WRITTEN = 99
"""The highest copy that a text may name, more than any box has."""
JOKER_LETTERS = "".join([kind.letter for kind in JOKER_KINDS])

ALL_FACES: Faces = tuple([Face(face) for face in range(FACES)])
NUMBERED_FACES: Faces = ALL_FACES[:JOKER]
JOKER_FACES: Faces = ALL_FACES[JOKER:]

FACE_TEXT: ByFace[str] = tuple(
    [f"{colour}{number}" for colour in COLOURS for number in range(1, HIGHEST + 1)]
    + list(JOKER_LETTERS)
)
_FACE_OF_TEXT = dict(zip(FACE_TEXT, ALL_FACES, strict=True))


def _by_face(numbered: Sequence[_T], joker: Callable[[JokerKind], _T]) -> ByFace[_T]:
    return (*numbered, *map(joker, JOKER_KINDS))


def _jokers(wanted: Callable[[JokerKind], bool]) -> Faces:
    return tuple([face for face in JOKER_FACES if wanted(JOKER_KINDS[face - JOKER])])


NUMBER: ByFace[int] = _by_face([face % HIGHEST + 1 for face in NUMBERED_FACES], lambda _: 0)
"""The number on each face; 0 for jokers."""
COLOUR: ByFace[int] = _by_face([face // HIGHEST for face in NUMBERED_FACES], lambda _: -1)
"""The colour of each face, as an index into COLOURS; -1 for jokers."""
RUN_FROM: ByFace[Faces] = _by_face(
    [ALL_FACES[face : face - face % HIGHEST + HIGHEST] for face in NUMBERED_FACES], lambda _: ()
)
"""The longest run of one colour that begins with each face; empty for jokers."""
SLOTS: ByFace[int] = _by_face([1] * JOKER, lambda kind: kind.slots)
"""How many places of a row each face takes."""
IS_JOKER: ByFace[bool] = _by_face([False] * JOKER, lambda _: True)
IS_WILD: ByFace[bool] = _by_face([False] * JOKER, lambda kind: kind.wild)
"""The jokers that stand for tiles: all but the mirror."""
IN_GROUPS: ByFace[bool] = _by_face([True] * JOKER, lambda kind: kind.in_groups)
"""The faces that may lie in a group."""
CHANGES_COLOUR: ByFace[bool] = _by_face([False] * JOKER, lambda kind: kind.changes_colour)
"""The jokers behind which a run goes on in another colour."""
IS_MIRROR: ByFace[bool] = _by_face([False] * JOKER, lambda kind: kind.mirrors)
IS_SPECIAL: ByFace[bool] = _by_face([False] * JOKER, lambda kind: kind.special)
"""All jokers but the regular one."""

WILD_FACES: Faces = _jokers(lambda kind: kind.wild)
MIRRORS: Faces = _jokers(lambda kind: kind.mirrors)
COLOUR_CHANGES: Faces = _jokers(lambda kind: kind.changes_colour)
SPECIAL_WILDS: Faces = _jokers(lambda kind: kind.special and kind.wild)
"""The jokers that `twist.special_exchange_ban` is about."""
TWO_SLOTS: frozenset[Face | None] = frozenset(_jokers(lambda kind: kind.slots == 2))
"""The jokers that also fill the slot behind the one where they lie."""
_MIRRORS = frozenset(MIRRORS)
_COLOUR_CHANGES = frozenset(COLOUR_CHANGES)
_NOT_IN_GROUPS = frozenset(_jokers(lambda kind: not kind.in_groups))

FACE_OF: ByTile[Face] = ALL_FACES * MOST_WRITTEN
"""Of every tile that has a text. `face_of` is for tiles that may come from anywhere."""
ALL_TILES: Row = tuple([Tile(number) for number in range(FACES * MOST_COPIES)])
"""Every tile of every box."""


def face_of(item: Tile | Face) -> Face:
    """The face of a tile; a face is its own. Also for tiles that no box holds."""
    return ALL_FACES[item % FACES]


def copy_of(tile: Tile) -> int:
    return tile // FACES + 1


def faces_of(tiles: Iterable[Tile]) -> Faces:
    """The faces of tiles, also of tiles that no box holds."""
    found = tuple(tiles)
    try:
        return tuple([FACE_OF[tile] for tile in found])
    except IndexError:
        return tuple([face_of(tile) for tile in found])


def tile(face: Face, copy: int) -> Tile:
    """The physical tile that is the given copy (from 1) of a face."""
    return Tile(face + FACES * (copy - 1))


def unidentified(faces: Iterable[Face]) -> Row:
    """Tiles of which only the faces are known, as in a position that was typed.

    All tiles of one face are then equal: each is written as the first copy. The judge
    assigns equal tiles in any way that makes a turn legal.
    """
    return cast("Row", tuple(faces))


def are_unidentified(tiles: Iterable[Tile]) -> bool:
    """Whether all of these could come from `unidentified`: every tile is a first copy."""
    return max(tiles, default=0) < FACES


def numbered(colour: int, number: int) -> Face:
    return ALL_FACES[HIGHEST * colour + number - 1]


def colour_of(face: Face) -> int:
    """Index into COLOURS; -1 for jokers."""
    return COLOUR[face]


def is_joker(face: Face) -> bool:
    return IS_JOKER[face]


def has_joker(faces: Iterable[Face]) -> bool:
    """Whether a row that is not empty holds a joker."""
    return max(faces) >= JOKER


def all_jokers(faces: Iterable[Face]) -> bool:
    return min(faces) >= JOKER


def has_mirror(faces: Iterable[Face]) -> bool:
    return not _MIRRORS.isdisjoint(faces)


def mirrors_in(faces: Iterable[Face]) -> int:
    """How many mirrors a row holds."""
    return sum([IS_MIRROR[face] for face in faces])


def mirror_at(faces: Sequence[Face]) -> int:
    """The place of the first mirror in a row that has one."""
    return [IS_MIRROR[face] for face in faces].index(True)


def has_colour_change(faces: Iterable[Face]) -> bool:
    return not _COLOUR_CHANGES.isdisjoint(faces)


may_be_group: Callable[[Iterable[Face]], bool] = _NOT_IN_GROUPS.isdisjoint
"""Whether every one of some faces may lie in a group."""


_RANK: ByTile[int] = tuple(
    [face * MOST_COPIES + copy for copy in range(MOST_COPIES) for face in range(FACES)]
)
"""The place of each tile among all tiles by colour and number."""


def sorted_tiles(tiles: Iterable[Tile]) -> Row:
    """Tiles by colour and number, jokers last."""
    found = [*tiles]
    try:
        found.sort(key=_RANK.__getitem__)
    except IndexError:  # of a box that does not exist
        found.sort(key=lambda tile: (face_of(tile), tile))
    return tuple(found)


def parse_face(text: object) -> Face:
    """`r7` → its face. Raises TileError that describes the notation."""
    face = _FACE_OF_TEXT.get(text) if isinstance(text, str) else None
    if face is None:
        raise TileError(
            "unknown tile '{tile}': a tile is r, b, k or o and a number from 1 to 13 "
            "(r7, k12), or one of the jokers {letters}",
            key="error.tile.unknown",
            tile=quoted(text),
            letters=tuple(JOKER_LETTERS),
        )
    return face


def parse_faces(texts: Iterable[object]) -> Faces:
    return tuple([parse_face(text) for text in texts])


def parse_tiles(texts: Iterable[object]) -> Row:
    """`["r7", "b7", "J"]` → these tiles, unidentified."""
    return unidentified(parse_faces(texts))


def parse_row(text: str) -> Row:
    """`r7 b7 J` → a tuple of tiles, unidentified; commas may replace spaces.

    Raises TileError, which quotes the text that is not a tile.
    """
    return parse_tiles(text.replace(",", " ").split())


def parse_table(text: str) -> Table:
    """`r7 b7 J / k1 k2 k3` → a tuple of rows of unidentified tiles; empty rows are dropped.

    Raises TileError, which quotes the text that is not a tile.
    """
    rows = (parse_row(part) for part in text.split("/"))
    return tuple(row for row in rows if row)


def parse_tile(text: str) -> Tile:
    """`r7.2` → the second copy of red 7.

    Raises TileError if the text is not a physical tile.
    """
    name, dot, copy = text.partition(".")
    digits = copy.isascii() and copy.isdigit() and len(copy) <= len(str(MOST_WRITTEN))
    if not dot or not digits or int(copy) < 1:
        raise TileError(
            "unknown tile '{tile}': a physical tile is written r7.1 or J.2",
            key="error.tile.physical",
            tile=quoted(text),
        )
    return tile(parse_face(name), int(copy))


def parse_physical_tiles(texts: Sequence[str]) -> Row:
    """`["r7.2", "J.1"]` → these tiles; as `parse_tile` for each, but fast for those of a box."""
    try:
        return tuple([_TILE_OF_TEXT[text] for text in texts])
    except KeyError:
        return tuple([parse_tile(text) for text in texts])


def tile_texts(tiles: Sequence[Tile]) -> list[str]:
    try:
        return [_TILE_TEXT[tile_] for tile_ in tiles]
    except IndexError:
        return [_text_of(tile_) for tile_ in tiles]


def tile_text(tile_: Tile) -> str:
    """A physical tile as text: `r7.2`. `parse_tile` reads it back."""
    return _TILE_TEXT[tile_] if 0 <= tile_ < len(_TILE_TEXT) else _text_of(tile_)


def _text_of(tile_: Tile) -> str:
    return f"{face_text(tile_)}.{copy_of(tile_)}"


def face_text(item: Tile | Face) -> str:
    return FACE_TEXT[face_of(item)]


_TILE_TEXT: ByTile[str] = tuple([_text_of(tile_) for tile_ in ALL_TILES])
_TILE_OF_TEXT: dict[str, Tile] = dict(zip(_TILE_TEXT, ALL_TILES, strict=True))


def face_texts(items: Iterable[Tile | Face]) -> list[str]:
    return [FACE_TEXT[face_of(item)] for item in items]


def row_text(row: Iterable[Tile | Face]) -> str:
    """A row of tiles or faces as text: `r7 b7 J`. `parse_row` reads it back."""
    return " ".join(face_texts(row))


def table_text(table: Iterable[Iterable[Tile | Face]]) -> str:
    """A table as text: `r7 b7 J / k1 k2 k3`. `parse_table` reads it back."""
    return " / ".join(row_text(row) for row in table)


def has_tile_twice(table: Table) -> bool:
    """Whether one physical tile lies in two places. Not for tables without ids."""
    tiles = [tile for row in table for tile in row]
    return len({*tiles}) < len(tiles)
