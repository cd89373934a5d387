"""A page of text on a terminal: lines broken by the width they take, in any of our languages."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from tilerummy.cli import draw
from tilerummy.cli.wrap import wrap

LEAST_COLUMNS = 20


class Page:
    """Prints line by line; `most_columns` keeps lines readable in a wide window."""

    def __init__(self, console: Console, most_columns: int) -> None:
        self.console = console
        self.colour = draw.has_colour(console)
        self.width = min(console.width, most_columns)

    def line(self, text: Text | str = "", style: str = "") -> None:
        line = Text(text, style) if isinstance(text, str) else text
        if not self.colour:  # in colour the margin of the last tile is part of it
            line.rstrip()
        self.console.print(line, soft_wrap=True)

    def paragraph(self, text: str, indent: int = 0, style: str = "") -> None:
        self.hanging(Text(" " * indent), text, style)

    def hanging(self, head: Text, text: str, style: str = "") -> None:
        """Text beside a head, its further lines below its first."""
        column = head.cell_len
        for line in wrap(text, max(self.width - column, LEAST_COLUMNS)) or [""]:
            self.line(head + Text(line, style))
            head = Text(" " * column)
