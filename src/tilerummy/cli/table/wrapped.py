"""A paragraph widget that wraps by the rules of its language, at any width."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from tilerummy.cli.wrap import wrap


@dataclass(frozen=True, slots=True)
class Wrapped:
    text: str
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in wrap(self.text, options.max_width):
            yield Text(line, self.style, overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        most = min(cell_len(self.text), options.max_width)
        return Measurement(min(12, most), most)
