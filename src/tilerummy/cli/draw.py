"""Tiles on a terminal: ivory with coloured text, or plain notation where there is no colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat, zip_longest

from rich.console import Console
from rich.style import Style
from rich.text import Text

from tilerummy.rules.tiles import COLOURS, Face, Tile, colour_of, face_of, face_text, is_joker

IVORY = "#fdf6e3"
FRESH = "#dcf8cb"
INK = {"r": "#c1121f", "b": "#0b5cad", "k": "#1c1c1c", "o": "#b35c00"}
JOKER_INK = "#7a1fa2"


def has_colour(console: Console) -> bool:
    """Whether this console shows colours: a terminal, and NO_COLOR not set."""
    return console.color_system is not None and not console.no_color


def style_of(tile_or_face: Tile | Face, *, fresh: bool = False) -> Style:
    face = face_of(tile_or_face)
    ink = JOKER_INK if is_joker(face) else INK[COLOURS[colour_of(face)]]
    return Style(color=ink, bgcolor=FRESH if fresh else IVORY, bold=True)


def row(tiles_or_faces: Iterable[Tile | Face], *, colour: bool, fresh: Sequence[bool] = ()) -> Text:
    """A row of tiles. In colour every tile has a margin of its own; plain it is `r7 b7 J`.

    `fresh` are those with a +, the mark of a tile that is new on the table.
    """
    drawn = []
    for item, new in zip(tiles_or_faces, chain(fresh, repeat(False)), strict=False):
        sign, text = "+" if new else " " if colour else "", face_text(item)
        style = style_of(item, fresh=new) if colour else Style.null()
        drawn.append(Text(f"{sign}{text} " if colour else f"{sign}{text}", style))
    return Text(" ").join(drawn)


def table(
    rows: Iterable[Sequence[Tile | Face]],
    *,
    colour: bool,
    width: int | None = None,
    fresh: Iterable[Sequence[bool]] = (),
) -> Text:
    """Rows side by side, on as many lines as the width asks for; `fresh` as in `row`."""
    gap, tail = ("   ", "") if colour else (" / ", " /")
    lines: list[Text] = []
    for one, new in zip_longest(rows, fresh, fillvalue=()):
        drawn = row(one, colour=colour, fresh=new)
        if lines:
            needed = lines[-1].cell_len + len(gap) + drawn.cell_len + len(tail)
            if width is None or needed <= width:
                lines[-1] = lines[-1] + Text(gap) + drawn
                continue
        lines.append(drawn)
    return Text(f"{tail}\n").join(lines)
