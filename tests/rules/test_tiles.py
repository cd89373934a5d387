"""Tiles and their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.rules import tiles
from tilerummy.rules.errors import TileError, TileRummyError

TILES = st.integers(0, tiles.FACES * 99 - 1).map(tiles.Tile)


@given(TILES)
def test_a_tile_reads_back_from_its_text(tile: tiles.Tile) -> None:
    assert tiles.parse_tile(tiles.tile_text(tile)) == tile
    assert tiles.tile(tiles.face_of(tile), tiles.copy_of(tile)) == tile


@given(st.lists(st.lists(st.sampled_from(tiles.ALL_FACES), min_size=1).map(tiles.unidentified)))
def test_a_table_reads_back_from_its_text(rows: list[tiles.Row]) -> None:
    table = tuple(rows)
    assert tiles.parse_table(tiles.table_text(table)) == table


def test_faces_are_numbered_by_colour_and_number_then_the_jokers() -> None:
    assert tiles.parse_row("r1 r13 b1 o13 J D C M") == (0, 12, 13, 51, 52, 53, 54, 55)
    faces = tiles.faces_of(tiles.parse_row("r1 r13 o13 J D C M"))
    assert [tiles.NUMBER[face] for face in faces] == [1, 13, 13, 0, 0, 0, 0]
    assert [tiles.SLOTS[face] for face in faces] == [1, 1, 1, 1, 2, 1, 0]
    assert [tiles.is_joker(face) for face in faces] == [False] * 3 + [True] * 4
    assert tiles.COLOURS[tiles.colour_of(tiles.parse_face("k7"))] == "k"


def test_commas_and_blanks_separate_tiles_alike() -> None:
    assert tiles.parse_row("r7,b7, k7") == tiles.parse_row(" r7  b7\tk7 ")
    assert tiles.parse_table("r1 r2 r3 / / b1 b2 b3 /") == tiles.parse_table("r1 r2 r3/b1 b2 b3")


@pytest.mark.parametrize(
    "text", ["", "r", "r0", "r14", "x5", "R7", "r07", "r7.1", "7", "JJ", "j", " r7", None, 7, "r٣"]
)
def test_text_that_is_not_a_face_is_refused_with_what_was_given(text: object) -> None:
    with pytest.raises(TileError, match="a tile is r, b, k or o") as refused:
        tiles.parse_face(text)
    assert repr(text) in str(refused.value)
    assert refused.value.code == "bad-tile"
    assert isinstance(refused.value, TileRummyError)


@pytest.mark.parametrize(
    "text",
    ["", "r7", "r7.", "r7.0", "r7.100", "r7.-1", "r7.x", "x7.1", "r7.1.1", "r7.²", ".1", "r7. 1",
     "r7.00012", "r7.0001" + "9" * 5000],
)  # fmt: skip
def test_text_that_is_not_a_physical_tile_is_refused(text: str) -> None:
    with pytest.raises(TileError):
        tiles.parse_tile(text)


def test_long_input_is_quoted_shortened() -> None:
    with pytest.raises(TileError) as refused:
        tiles.parse_face("x" * 10_000)
    assert len(str(refused.value)) < 200


def test_tiles_sort_by_face_with_jokers_last() -> None:
    jumbled = [tiles.parse_tile(text) for text in ("J.1", "r2.2", "b1.1", "r2.1", "o13.1")]
    ordered = tiles.sorted_tiles(jumbled)
    assert [tiles.tile_text(tile) for tile in ordered] == ["r2.1", "r2.2", "b1.1", "o13.1", "J.1"]


def test_physical_tiles_in_one_call_are_those_one_by_one() -> None:
    texts = tiles.tile_texts(tiles.ALL_TILES)
    assert tiles.parse_physical_tiles(texts) == tuple(map(tiles.parse_tile, texts))
    assert tiles.parse_physical_tiles(["r7.1", "r7.99"])[1] == tiles.parse_tile("r7.99")
    with pytest.raises(TileError):
        tiles.parse_physical_tiles(["r7.1", "r14.1"])
