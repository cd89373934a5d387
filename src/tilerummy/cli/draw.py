"""Tiles on a terminal: ivory with coloured text, or plain notation where there is no colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.style import Style
from rich.text import Text

from tilerummy.rules.tiles import COLOURS, colour_of, face_of, face_text, is_joker

IVORY = "#fdf6e3"
INK = {"r": "#c1121f", "b": "#0b5cad", "k": "#1c1c1c", "o": "#b35c00"}
JOKER_INK = "#7a1fa2"


def has_colour(console: Console) -> bool:
    """Whether this console shows colours: a terminal, and NO_COLOR not set."""
    return console.color_system is not None and not console.no_color


def style_of(tile_or_face: int) -> Style:
    face = face_of(tile_or_face)
    ink = JOKER_INK if is_joker(face) else INK[COLOURS[colour_of(face)]]
    return Style(color=ink, bgcolor=IVORY, bold=True)


def row(tiles_or_faces: Iterable[int], *, colour: bool) -> Text:
    """A row of tiles. In colour every tile has a margin of its own; plain it is `r7 b7 J`."""
    drawn = [
        Text(f" {face_text(item)} ", style_of(item)) if colour else Text(face_text(item))
        for item in tiles_or_faces
    ]
    return Text(" ").join(drawn)


def table(rows: Iterable[Sequence[int]], *, colour: bool, width: int | None = None) -> Text:
    """Rows side by side, on as many lines as the width asks for."""
    gap, tail = ("   ", "") if colour else (" / ", " /")
    lines: list[Text] = []
    for drawn in (row(one, colour=colour) for one in rows):
        if lines:
            needed = lines[-1].cell_len + len(gap) + drawn.cell_len + len(tail)
            if width is None or needed <= width:
                lines[-1] = lines[-1] + Text(gap) + drawn
                continue
        lines.append(drawn)
    return Text(f"{tail}\n").join(lines)
