"""The table and the rack as widgets. They draw what they are given and report clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from tilerummy.cli.table.layout import TILE, Block, Flow, Spot, flow
from tilerummy.cli.table.notes import Note
from tilerummy.cli.table.paint import DARK, Mark, Palette, fit, tile_back, tile_segments
from tilerummy.rules.tiles import Table, Tile

LONGEST_CAPTION = 38
NEW_ROW = Style(dim=True)
NEW_ROW_HERE = Style(reverse=True, bold=True)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to draw of a table."""

    rows: Table = ()
    notes: tuple[Note, ...] = ()
    new_row: str = ""
    """What the place for a new row is called; empty where no row may be laid."""
    cursor: Spot | None = None
    marks: Mapping[Tile, Mark] = field(default_factory=dict)
    palette: Palette = DARK

    def caption(self, row: int) -> str:
        """Short enough to leave room for other rows, but never shorter than its own row."""
        return fit(self.notes[row].caption, max(LONGEST_CAPTION, TILE * len(self.rows[row])))


class TableView(ScrollView, can_focus=False):
    """All rows, scrolled to where the cursor is."""

    class Clicked(Message):
        """A click on a row (or on the place for a new one), and on which tile of it."""

        def __init__(self, row: int, tile: int | None, place: int) -> None:
            super().__init__()
            self.row, self.tile, self.place = row, tile, place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene = Scene()
        self.flow: Flow = flow((), (), 80, 0)

    def show(self, scene: Scene) -> None:
        self.scene = scene
        self._lay_out()

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        scene = self.scene
        captions = [cell_len(scene.caption(row)) for row in range(len(scene.rows))]
        width = self.scrollable_content_region.width or self.size.width or 80
        air = 1
        while True:
            self.flow = flow(
                [len(row) for row in scene.rows], captions, width, cell_len(scene.new_row), air
            )
            if not air or self.flow.height <= self.size.height:
                break
            air = 0
        self.virtual_size = Size(width, self.flow.height)
        if scene.cursor is not None and scene.cursor.row >= 0:
            block = self.flow.block(scene.cursor.row)
            _, y = block.position(scene.cursor.place)
            self.scroll_to_region(Region(0, y, 1, 2), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        segments: list[Segment] = []
        column = 0
        for block in self.flow.blocks:
            if not block.y <= line < block.y + block.height:
                continue
            segments.append(Segment(" " * (block.x - column)))
            drawn = self._block_line(block, line)
            segments += drawn
            column = block.x + sum(segment.cell_length for segment in drawn)
        strip = Strip(segments, column)
        return (
            strip.extend_cell_length(self.size.width)
            .crop(0, self.size.width)
            .apply_style(self.rich_style)
        )

    def _block_line(self, block: Block, line: int) -> list[Segment]:
        scene = self.scene
        here = scene.cursor is not None and scene.cursor.row == block.row
        if block.row == len(scene.rows):
            if line > block.y:
                return []
            return [Segment(scene.new_row, NEW_ROW_HERE if here else NEW_ROW)]
        if line == block.y + block.lines:
            note = scene.notes[block.row]
            ink = scene.palette.good if note.good else scene.palette.bad
            return [Segment(scene.caption(block.row), Style(color=ink, bold=not note.good))]
        row, place = scene.rows[block.row], scene.cursor.place if here and scene.cursor else None
        segments: list[Segment] = []
        for index in block.tiles_on(line):
            mark = scene.marks.get(row[index], Mark.NONE)
            segments += tile_segments(row[index], mark, cursor=index == place)
        if place == len(row) and line == block.y + block.lines - 1:
            segments.append(Segment("▌", Style(color="#00a5cc", bold=True)))
        return segments

    def on_click(self, event: events.Click) -> None:
        x, y = event.x, event.y + self.scroll_offset.y
        found = self.flow.at(x, y)
        if found is None:
            last = len(self.scene.rows)
            self.post_message(self.Clicked(last, None, 0))
            return
        block, tile = found
        place = block.tiles if tile is None else tile
        if tile is not None and (x - block.x) % TILE >= TILE // 2:
            place = tile + 1
        self.post_message(self.Clicked(block.row, tile, place))


class RackView(Widget, can_focus=False):
    """The rack in front of the player, on as many lines as it needs."""

    class Clicked(Message):
        """A click on a tile of the rack, or beside them."""

        def __init__(self, place: int | None) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tiles: tuple[Tile, ...] = ()
        self.hidden = 0
        self.cursor: int | None = None
        self.marks: Mapping[Tile, Mark] = {}

    def show(
        self, tiles: Sequence[Tile], cursor: int | None, marks: Mapping[Tile, Mark], hidden: int = 0
    ) -> None:
        """Show tiles, or the backs of `hidden` ones."""
        lines = self._lines()
        self.tiles, self.cursor, self.marks, self.hidden = tuple(tiles), cursor, marks, hidden
        self.refresh(layout=self._lines() != lines)

    @property
    def per_line(self) -> int:
        return self._fit(self.size.width or 80)

    def _fit(self, width: int) -> int:
        return max((width - 2) // TILE, 1)

    def _lines(self) -> int:
        return -(-max(len(self.tiles), self.hidden, 1) // self.per_line)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return -(-max(len(self.tiles), self.hidden, 1) // self._fit(width))

    def render_line(self, y: int) -> Strip:
        first = y * self.per_line
        segments = [Segment(" ")]
        if self.hidden:
            for _ in range(first, min(first + self.per_line, self.hidden)):
                segments += tile_back()
        for index in range(first, min(first + self.per_line, len(self.tiles))):
            tile = self.tiles[index]
            mark = self.marks.get(tile, Mark.NONE)
            segments += tile_segments(tile, mark, cursor=index == self.cursor)
        return Strip(segments).extend_cell_length(self.size.width).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        column = (event.x - 1) // TILE
        place = event.y * self.per_line + column
        inside = 0 <= column < self.per_line and place < len(self.tiles)
        self.post_message(self.Clicked(place if inside else None))
