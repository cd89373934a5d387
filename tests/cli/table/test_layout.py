"""Rows flow over the screen without touching each other, and every point belongs to one row."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilerummy.cli.table.layout import TILE, Spot, flow

ROWS = st.lists(st.tuples(st.integers(1, 27), st.integers(5, 40)), max_size=30)


@given(ROWS, st.integers(40, 200), st.integers(0, 1))
def test_rows_never_overlap_and_never_leave_the_screen(
    rows: list[tuple[int, int]], width: int, air: int
) -> None:
    laid = flow([tiles for tiles, _ in rows], [caption for _, caption in rows], width, 13, air)
    cells = set()
    for block in laid.blocks:
        assert block.x >= 1
        assert block.x + block.width <= width
        assert block.y + block.height <= laid.height
        for y in range(block.y, block.y + block.height):
            for x in range(block.x, block.x + block.width):
                assert (x, y) not in cells
                cells.add((x, y))


@given(ROWS, st.integers(40, 200))
def test_every_tile_is_found_where_it_is_drawn(rows: list[tuple[int, int]], width: int) -> None:
    laid = flow([tiles for tiles, _ in rows], [caption for _, caption in rows], width, 13)
    for block in laid.blocks:
        for tile in range(block.tiles):
            x, y = block.position(tile)
            assert tile in block.tiles_on(y)
            for column in range(TILE):
                assert laid.at(x + column, y) == (block, tile)


def test_arrows_find_the_nearest_place_on_the_next_line() -> None:
    laid = flow([3, 3, 3], [8, 8, 8], 32, 10)
    assert [(block.x, block.y) for block in laid.blocks] == [(1, 0), (16, 0), (1, 2), (16, 2)]
    assert laid.below(Spot(1, 0)) == Spot(3, 0)
    assert laid.below(Spot(0, 2)) == Spot(2, 2)
    assert laid.above(Spot(2, 1)) == Spot(0, 1)
    assert laid.above(Spot(0, 1)) is None
    assert laid.below(Spot(2, 0)) is None


def test_a_row_longer_than_the_screen_is_broken() -> None:
    laid = flow([27], [8], 42, 10)
    block = laid.block(0)
    assert block.per_line == 10
    assert block.lines == 3
    assert block.position(27) == (1 + 7 * TILE, 2)
    assert laid.below(Spot(0, 3)) == Spot(0, 13)
