"""`tilerummy rules`: the rule book of an edition, with tiles drawn in colour."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, assert_never

import typer
from rich.cells import cell_len
from rich.text import Text

from tilerummy.cli import draw
from tilerummy.cli.options import (
    EditionName,
    Language,
    OptionTexts,
    bad_input_exits,
    chosen_edition,
    chosen_language,
)
from tilerummy.cli.output import Output
from tilerummy.cli.page import Page
from tilerummy.locales import catalogue
from tilerummy.locales.rulebook import (
    Block,
    Paragraph,
    RowExample,
    ScoreExample,
    ScoreSheet,
    TurnExample,
    Variations,
    rulebook,
)
from tilerummy.locales.rulebook.blocks import PLAYERS
from tilerummy.locales.rulebook.markdown import NO, YES, render_markdown, sheet_lines, signed
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import Row

MOST_COLUMNS = 100
"""Longer lines are hard to read, however wide the window."""
SUMS = 2
"""Lines at the foot of a score sheet: totals and games won."""


def rules(
    edition: EditionName = "classic",
    option: OptionTexts = None,
    lang: Language = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> None:
    """Print the complete rules of an edition, including your house rules.

    Examples:

      tilerummy rules --edition twist

      tilerummy rules --edition sabra --option timer.seconds=0 --lang zh-Hant

    'tilerummy editions' lists the editions and explains every option.
    """
    with bad_input_exits(lang):
        chosen, language = chosen_edition(edition, option), chosen_language(lang)
    if markdown:
        typer.echo(render_markdown(chosen, language), nl=False)
    else:
        _Book(Page(Output(highlight=False), MOST_COLUMNS), chosen, language).print()


class _Book:
    """Prints a rule book."""

    def __init__(self, page: Page, edition: Edition, lang: str) -> None:
        self.page, self.edition, self.lang = page, edition, lang
        self.words = catalogue(lang)

    def print(self) -> None:
        name = self.words.text(f"edition.{self.edition.name}.name")
        self.page.line(self.words.text("show.rules", edition=name), "bold")
        self.page.paragraph(self.words.text(f"edition.{self.edition.name}.blurb"))
        for section in rulebook(self.edition, self.lang):
            self.page.line()
            self._title(section.title)
            for _, group in groupby(section.blocks, type):
                self.page.line()
                self._blocks(list(group))

    def _title(self, title: str) -> None:
        self.page.line(title, "bold underline" if self.page.colour else "bold")
        if not self.page.colour:
            self.page.line("-" * cell_len(title))

    def _blocks(self, blocks: list[Block]) -> None:
        """Blocks of one type: rows one below the other, anything else with air between."""
        rows = [self._row(block.row) for block in blocks if isinstance(block, RowExample)]
        column = max((row.cell_len for row in rows), default=0) + 2
        for number, block in enumerate(blocks):
            if number and not rows:
                self.page.line()
            match block:
                case Paragraph():
                    self.page.paragraph(block.text)
                case RowExample():
                    self._row_example(block, column)
                case TurnExample():
                    self._turn_example(block)
                case ScoreExample():
                    self._score_example(block)
                case ScoreSheet():
                    self._score_sheet(block)
                case Variations():
                    self._variations(block)
                case _:
                    assert_never(block)

    def _row_example(self, example: RowExample, column: int) -> None:
        text = example.caption
        if example.label is not None:
            points = self.words.text("count.points", count=example.value)
            text = self.words.text("example.row", kind=example.label, points=points, caption=text)
        drawn = self._row(example.row)
        gap = Text(" " * (column - drawn.cell_len))
        self.page.hanging(self._mark(example.valid) + drawn + gap, text)

    def _turn_example(self, example: TurnExample) -> None:
        self.page.hanging(self._mark(example.legal), example.caption)
        labels = [self.words.text(f"example.{key}") for key in ("rack", "before", "after")]
        column = max(map(cell_len, labels)) + 6
        tables = [(example.rack,), example.before, example.after]
        for label, rows in zip(labels, tables, strict=True):
            head = Text("    ").append(label, "dim")
            head.append(" " * (column - head.cell_len))
            width = self.page.width - column
            drawn = draw.table(rows, colour=self.page.colour, width=width) or self._empty()
            for line in drawn.split("\n"):
                self.page.line(head + line)
                head = Text(" " * column)

    def _score_example(self, example: ScoreExample) -> None:
        self.page.paragraph(example.caption, indent=2)
        racks = [self._row(rack) or self._empty() for rack in example.racks]
        column = max(rack.cell_len for rack in racks) + 2
        for name, rack, score in zip(PLAYERS, racks, example.scores, strict=False):
            gap = " " * (column - rack.cell_len)
            self.page.line(Text(f"    {name}  ") + rack + Text(f"{gap}{signed(score):>4}"))

    def _score_sheet(self, sheet: ScoreSheet) -> None:
        self.page.paragraph(sheet.caption, indent=2)
        lines = sheet_lines(sheet)
        column = max(cell_len(line[0]) for line in lines)
        for number, (label, *cells) in enumerate(lines):
            last = number >= len(lines) - SUMS
            gap = " " * (column - cell_len(label))
            text = f"    {label}{gap}" + "".join(f"{cell:>6}" for cell in cells)
            self.page.line(text, "bold" if last else "")

    def _variations(self, variations: Variations) -> None:
        self.page.paragraph(variations.caption)
        for item in variations.items:
            self.page.hanging(Text("  · "), item.text)
            self.page.line(Text("    ").append(item.option, "dim"))

    def _row(self, row: Row) -> Text:
        return draw.row(row, colour=self.page.colour)

    def _empty(self) -> Text:
        return Text().append(self.words.text("example.empty"), "dim")

    def _mark(self, good: bool) -> Text:
        return Text("  ").append(YES if good else NO, "green" if good else "red").append(" ")
