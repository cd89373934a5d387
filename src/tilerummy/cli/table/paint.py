"""Tiles as little blocks of four columns: a left edge and what is printed on the tile.

The letter of its colour is on every tile and every mark has a sign of its own, so that nothing
depends on seeing colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from tilerummy.cli.draw import IVORY, style_of
from tilerummy.cli.table.layout import TILE
from tilerummy.rules.tiles import (
    CHANGES_COLOUR,
    IS_JOKER,
    IS_MIRROR,
    SLOTS,
    Face,
    Tile,
    face_of,
    face_text,
)

EDGE = "#a89f8a"
CURSOR = "#66e0ff"
BACK = Style(color="#8a8271", bgcolor="#d9d0ba")


@dataclass(frozen=True, slots=True)
class Palette:
    """Inks that can be read on the ground of a theme."""

    good: str
    bad: str
    warn: str


DARK = Palette(good="#6fd08c", bad="#ff8a80", warn="#e3b341")
LIGHT = Palette(good="#116329", bad="#b3261e", warn="#7a4f00")


class Mark(Enum):
    """Why a tile stands out: its background and the sign at its edge."""

    NONE = (IVORY, "▏")
    FRESH = ("#cfe3ff", "'")  # laid by another player since your turn
    PLACED = ("#c9efb9", "+")  # laid by you in this turn
    DRAWN = ("#ffe08a", "'")  # just drawn
    SELECTED = ("#ffb84d", "*")

    @property
    def ground(self) -> str:
        return self.value[0]

    @property
    def edge(self) -> str:
        return self.value[1]


def tile_label(tile: Tile) -> str:
    face = face_of(tile)
    return face_text(face) + (_joker_sign(face) if IS_JOKER[face] else "")


def _joker_sign(face: Face) -> str:
    """What a joker does, as a sign."""
    if IS_MIRROR[face]:
        return "|"
    if CHANGES_COLOUR[face]:
        return "~"
    return "*" if SLOTS[face] == 1 else f"x{SLOTS[face]}"


def tile_segments(tile: Tile, mark: Mark = Mark.NONE, *, cursor: bool = False) -> list[Segment]:
    selected = mark is Mark.SELECTED
    ground = CURSOR if cursor and not selected else mark.ground
    ink = style_of(tile) + Style(bgcolor=ground, underline=cursor)
    edge = mark.edge if not cursor else "▓" if selected else "▌"
    edge_ink = "#004a66" if cursor else EDGE if mark is Mark.NONE else "#333333"
    return [
        Segment(edge, Style(color=edge_ink, bgcolor=ground, bold=True)),
        Segment(f"{tile_label(tile):<{TILE - 1}}", ink),
    ]


def tile_back() -> list[Segment]:
    """A hidden tile."""
    return [Segment("▏", BACK), Segment("░░ ", BACK)]


def tiles_markup(tiles: tuple[Tile, ...], per_line: int = 15) -> Text:
    """Tiles for texts and dialogs, on as many lines as it takes."""
    text = Text()
    for number, tile in enumerate(tiles):
        if number and number % per_line == 0:
            text.append("\n")
        for segment in tile_segments(tile):
            text.append(segment.text, segment.style)
    return text


def fit(text: str, width: int) -> str:
    """The text truncated to a number of columns, with an ellipsis."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    """The text padded or truncated to a number of columns, also in Chinese."""
    cut = fit(text, width)
    return cut + " " * max(width - cell_len(cut), 0)
