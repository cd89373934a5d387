"""Where the rows of a table lie on a screen of some width, and what lies under a point of it.

Rows flow from left to right. Each takes a line of tiles (more where it is longer than the screen)
and a line for its caption. A row of n tiles has n + 1 places: before each tile, and after the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TILE = 4
"""Columns of a tile."""
INDENT = 1
GAP = 2
NARROWEST = 20


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a row."""

    row: int
    place: int


@dataclass(frozen=True, slots=True)
class Block:
    """One row on the screen; the block without tiles after the last row starts a new one."""

    row: int
    x: int
    y: int
    tiles: int
    per_line: int
    width: int

    @property
    def lines(self) -> int:
        """Lines of tiles, without the caption."""
        return max(1, -(-self.tiles // self.per_line))

    @property
    def height(self) -> int:
        return self.lines + 1

    def position(self, place: int) -> tuple[int, int]:
        """Column and line of a place; the last one follows the last tile."""
        last = place == self.tiles and place > 0
        line, column = divmod(place - 1 if last else place, self.per_line)
        return self.x + TILE * (column + last), self.y + line

    def tiles_on(self, line: int) -> range:
        """The tiles on a line of the screen."""
        first = (line - self.y) * self.per_line
        return range(first, min(first + self.per_line, self.tiles))


@dataclass(frozen=True, slots=True)
class Flow:
    blocks: tuple[Block, ...]
    height: int

    def block(self, row: int) -> Block:
        return self.blocks[row]

    def at(self, x: int, y: int) -> tuple[Block, int | None] | None:
        """The block at a point, and the tile there if it is on one."""
        for block in self.blocks:
            inside = block.x - 1 <= x < block.x + block.width + 1
            if inside and block.y <= y < block.y + block.height:
                column = (x - block.x) // TILE
                if y < block.y + block.lines and 0 <= column < block.per_line:
                    tile = (y - block.y) * block.per_line + column
                    return block, tile if tile < block.tiles else None
                return block, None
        return None

    def above(self, spot: Spot) -> Spot | None:
        return self._nearest(spot, -1)

    def below(self, spot: Spot) -> Spot | None:
        return self._nearest(spot, 1)

    def _nearest(self, spot: Spot, step: int) -> Spot | None:
        """The place nearest in column on the next line of tiles in that direction."""
        x, y = self.blocks[spot.row].position(spot.place)
        spots = [
            (Spot(block.row, place), *block.position(place))
            for block in self.blocks
            for place in range(block.tiles + 1)
        ]
        lines = [line for _, _, line in spots if (line - y) * step > 0]
        if not lines:
            return None
        line = min(lines, key=lambda line: abs(line - y))
        on_line = [(one, abs(column - x)) for one, column, at in spots if at == line]
        return min(on_line, key=lambda item: item[1])[0]

    def nearest_on_last_line(self, x: int) -> Spot:
        """Where one arrives from the rack."""
        last = max(block.y for block in self.blocks)
        row = min(
            (block for block in self.blocks if block.y == last), key=lambda block: abs(block.x - x)
        )
        return Spot(row.row, 0)


def flow(
    rows: Sequence[int], captions: Sequence[int], width: int, new_row: int, air: int = 0
) -> Flow:
    """Lay out rows of these lengths with captions of these widths.

    `new_row` is the width of the sign for a new row.

    `air` is how many empty lines part one line of rows from the next.
    """
    width = max(width, NARROWEST)
    per_line = (width - INDENT - 1) // TILE
    blocks: list[Block] = []
    x, y, band = INDENT, 0, 0
    sizes = [*zip(rows, captions, strict=True), (0, new_row)]
    for number, (tiles, caption) in enumerate(sizes):
        wide = min(max(TILE * min(tiles, per_line) + 1, caption), width - INDENT)
        if x > INDENT and x + wide > width:
            x, y, band = INDENT, y + band + air, 0
        block = Block(number, x, y, tiles, per_line, wide)
        blocks.append(block)
        band = max(band, block.height)
        x += wide + GAP
    return Flow(tuple(blocks), y + band)
