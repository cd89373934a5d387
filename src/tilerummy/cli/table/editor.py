"""The hand that moves the tiles: a draft, a cursor and a selection, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tilerummy.cli.table.draft import Draft
from tilerummy.cli.table.layout import Flow, Spot
from tilerummy.rules.declarations import Declaration, Declared
from tilerummy.rules.tiles import Row, Table, Tile

RACK = -1
"""The row number of the rack."""
FIRST = Spot(RACK, 0)


class Unmoved(Exception):  # noqa: N818 - an answer to the player, not a failure
    """A key that has nothing to do here; its text is the key of the message that says why."""


@dataclass(frozen=True, slots=True)
class Editor:
    draft: Draft
    cursor: Spot = FIRST
    selected: tuple[Tile, ...] = ()
    """In the order in which they were chosen: that is how they will lie."""
    declared: Declared = field(default_factory=dict)

    # What there is

    @property
    def on_rack(self) -> bool:
        return self.cursor.row == RACK

    @property
    def tile(self) -> Tile | None:
        """The tile under the cursor."""
        tiles = self._tiles(self.cursor.row)
        return tiles[self.cursor.place] if self.cursor.place < len(tiles) else None

    def declarations(self) -> dict[Row, Declaration]:
        """What has been said of the rows as they lie now."""
        return {row: self.declared[row] for row in self.draft.rows if row in self.declared}

    def declare(self, row: Row, said: Declaration) -> Editor:
        return replace(self, declared={**self.declared, row: said})

    # The cursor

    def move(self, step: int) -> Editor:
        """One place to the left or right, on into the neighbouring row."""
        row, place = self.cursor.row, self.cursor.place + step
        if row == RACK:
            return self._at(row, min(max(place, 0), max(len(self.draft.rack) - 1, 0)))
        if place < 0:
            if row == 0:
                return self
            return self._at(row - 1, len(self._tiles(row - 1)))
        if place > len(self._tiles(row)):
            return self if row == len(self.draft.rows) else self._at(row + 1, 0)
        return self._at(row, place)

    def up(self, flow: Flow, rack_line: int) -> Editor:
        """To the line above; `rack_line` is how many tiles a line of the rack has."""
        if self.on_rack:
            if self.cursor.place >= rack_line:
                return self._at(RACK, self.cursor.place - rack_line)
            return replace(self, cursor=flow.nearest_on_last_line(4 * self.cursor.place))
        spot = flow.above(self.cursor)
        return self if spot is None else replace(self, cursor=spot)

    def down(self, flow: Flow, rack_line: int) -> Editor:
        if self.on_rack:
            last = len(self.draft.rack) - 1
            same_line = self.cursor.place // rack_line == max(last, 0) // rack_line
            place = self.cursor.place if same_line else min(self.cursor.place + rack_line, last)
            return self._at(RACK, place)
        spot = flow.below(self.cursor)
        if spot is not None:
            return replace(self, cursor=spot)
        x, _ = flow.block(self.cursor.row).position(self.cursor.place)
        return self._at(RACK, min(x // 4, max(len(self.draft.rack) - 1, 0)))

    def ends(self, step: int) -> Editor:
        """To the first or the last place of the row."""
        last = len(self._tiles(self.cursor.row)) - self.on_rack
        return self._at(self.cursor.row, max(last, 0) if step > 0 else 0)

    def to_rack(self) -> Editor:
        return self._at(RACK, 0)

    def to_table(self) -> Editor:
        return self._at(len(self.draft.rows), 0)

    def goto(self, row: int, place: int) -> Editor:
        return self._at(row, place)._inside()

    # The selection

    def toggle(self) -> Editor:
        tile = self.tile
        if tile is None:
            raise Unmoved("play.no-tile-here")
        if tile in self.selected:
            return replace(self, selected=tuple(one for one in self.selected if one != tile))
        return replace(self, selected=(*self.selected, tile))

    def select_row(self) -> Editor:
        """All tiles of the row under the cursor, or none of them if all were."""
        if self.on_rack:
            raise Unmoved("play.select-row-on-table")
        tiles = self._tiles(self.cursor.row)
        if set(tiles) <= set(self.selected):
            return replace(self, selected=tuple(t for t in self.selected if t not in tiles))
        more = tuple(tile for tile in tiles if tile not in self.selected)
        return replace(self, selected=(*self.selected, *more))

    def select_none(self) -> Editor:
        return replace(self, selected=())

    # Moving tiles

    def place(self) -> Editor:
        """What Enter does: put the selection where the cursor is, or cut the row there."""
        if not self.selected:
            return self._split()
        if self.on_rack:
            if any(self.draft.row_of(tile) is not None for tile in self.selected):
                return self.take_back()
            return self.lay()
        return self.put(self.cursor.row, self.cursor.place)

    def put(self, row: int, place: int) -> Editor:
        """The selection into a row; the cursor follows it."""
        if not self.selected:
            raise Unmoved("play.select-first")
        draft = self.draft.place(self.selected, row, place)
        found = draft.row_of(self.selected[-1])
        if found is None:
            return self
        spot = Spot(found, draft.rows[found].index(self.selected[-1]) + 1)
        return replace(self, draft=draft, cursor=spot, selected=())._inside()

    def lay(self) -> Editor:
        """The selection, or the tile under the cursor, as a new row; the cursor stays."""
        tiles = self.selected or ((self.tile,) if self.tile is not None else ())
        if not tiles:
            raise Unmoved("play.select-first")
        moved = replace(self, draft=self.draft.lay(tiles), selected=())
        if self.on_rack:
            before = self.draft.rack[: self.cursor.place]
            moved = moved._at(RACK, sum(tile not in tiles for tile in before))
        return moved._inside()

    def take_back(self) -> Editor:
        """The selection, or the tile under the cursor, back to the rack."""
        tiles = self.selected or ((self.tile,) if self.tile is not None else ())
        back = [tile for tile in tiles if tile in self.draft.placed]
        if not back:
            raise Unmoved("play.not-yours" if tiles else "play.no-tile-here")
        left = tuple(tile for tile in self.selected if tile not in back)
        return replace(self, draft=self.draft.take_back(back), selected=left)._inside()

    def shift(self, step: int) -> Editor:
        """Move the selection, or the tile under the cursor, along the rack."""
        rack = self.draft.rack
        chosen = [tile for tile in self.selected if tile in rack]
        if not chosen and self.on_rack and self.tile is not None:
            chosen = [self.tile]
        if not chosen:
            raise Unmoved("play.no-tile-here")
        under = self.tile if self.on_rack else None
        moved = replace(self, draft=self.draft.shift(chosen, step))
        return moved if under is None else moved._at(RACK, moved.draft.rack.index(under))

    # The whole draft

    def undo(self) -> Editor:
        if not self.draft.past:
            raise Unmoved("play.nothing-to-undo")
        return self.with_draft(self.draft.undo())

    def redo(self) -> Editor:
        if not self.draft.future:
            raise Unmoved("play.nothing-to-redo")
        return self.with_draft(self.draft.redo())

    def reset(self) -> Editor:
        """Everything as it was, and the cursor on the rack, where a new attempt begins."""
        fresh = self.with_draft(self.draft.reset())
        return fresh if fresh.on_rack else fresh.to_rack()

    def show(self, table: Table, declared: Declared) -> Editor:
        """Replace the whole table, as one step that can be undone."""
        shown = self.with_draft(self.draft.show(table))
        return replace(shown, selected=(), declared={**self.declared, **declared})

    def with_draft(self, draft: Draft) -> Editor:
        return replace(self, draft=draft, selected=())._inside()

    def with_order(self, draft: Draft) -> Editor:
        """The rack in another order; selection and cursor stay with their tiles."""
        tile = self.tile if self.on_rack else None
        moved = replace(self, draft=draft)
        return moved if tile is None else moved._at(RACK, draft.rack.index(tile))

    # Inside

    def _split(self) -> Editor:
        row, place = self.cursor.row, self.cursor.place
        if row == RACK or not 0 < place < len(self._tiles(row)):
            raise Unmoved("play.select-first")
        return replace(self, draft=self.draft.split(row, place), cursor=Spot(row + 1, 0))

    def _tiles(self, row: int) -> tuple[Tile, ...]:
        if row == RACK:
            return self.draft.rack
        return self.draft.rows[row] if row < len(self.draft.rows) else ()

    def _at(self, row: int, place: int) -> Editor:
        return replace(self, cursor=Spot(row, place))

    def _inside(self) -> Editor:
        """The cursor back where something is, after rows have come and gone."""
        row = min(self.cursor.row, len(self.draft.rows))
        last = len(self._tiles(row)) - (row == RACK)
        return self._at(row, min(self.cursor.place, max(last, 0)))
