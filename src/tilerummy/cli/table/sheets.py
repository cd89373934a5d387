"""The contents of the long texts: keys and rules, scores, racks laid open."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tilerummy.bots.missed import missed_plays
from tilerummy.cli.endtext import end_text
from tilerummy.cli.pad.words import signed
from tilerummy.cli.table.paint import tiles_markup
from tilerummy.cli.table.wrapped import Wrapped
from tilerummy.cli.tables import score_sheet, standing_text
from tilerummy.locales import catalogue
from tilerummy.locales.rulebook import (
    Example,
    Paragraph,
    RowExample,
    ScoreSheet,
    TurnExample,
    Variations,
    rulebook,
)
from tilerummy.locales.rulebook.markdown import sheet_lines
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition
from tilerummy.rules.scores import rack_points

MISSED_SECONDS = 0.5
"""For each player, to find what they could still have played."""
RACK_LINE = 10
"""Tiles of a rack side by side, so that name, score and points fit beside them."""
KEYS = (
    ("← → ↑ ↓", "play.key.arrows"),
    ("Home End", "play.key.ends"),
    ("Tab", "play.key.tab"),
    ("Space", "play.key.space"),
    ("a  Esc", "play.key.row"),
    ("Enter", "play.key.enter"),
    ("n", "play.key.new"),
    ("Backspace", "play.key.back"),
    ("u  y  x", "play.key.undo"),
    ("s  < >", "play.key.sort"),
    ("j", "play.key.name"),
    ("c", "play.key.commit"),
    ("d", "play.key.draw"),
    ("m", "play.key.show"),
    ("p", "play.key.scores"),
    ("t", "play.key.theme"),
    ("q", "play.key.quit"),
)


def help_parts(edition: Edition, lang: str) -> list[RenderableType]:
    """The keys, then the rules of the edition."""
    words = catalogue(lang)
    keys = Grid.grid(padding=(0, 2))
    for key, meaning in KEYS:
        keys.add_row(Text(key, "bold", no_wrap=True), Wrapped(words.text(meaning)))
    parts: list[RenderableType] = [keys]
    for key in ("play.order-help", "play.mouse-help", "play.legend"):
        parts += [Text(), Wrapped(words.text(key))]
    parts.append(Text())
    name = words.text(f"edition.{edition.name}.name")
    parts.append(Text(words.text("show.rules", edition=name), "bold underline"))
    for section in rulebook(edition, lang):
        parts += [Text(), Text(section.title, "bold")]
        for block in section.blocks:
            if isinstance(block, Paragraph):
                parts.append(Wrapped(block.text))
            elif isinstance(block, Variations):
                parts += [Wrapped(block.caption), Padding(_variations(block), (0, 0, 0, 2))]
            else:
                parts.append(Padding(_example(block, lang), (0, 0, 0, 2)))
    return parts


def _variations(block: Variations) -> RenderableType:
    grid = Grid.grid(padding=(0, 1))
    for item in block.items:
        grid.add_row("·", Wrapped(item.text))
        grid.add_row("", Text(item.option, "dim"))
    return grid


def _example(block: Example, lang: str) -> RenderableType:
    words = catalogue(lang)
    grid = Grid.grid(padding=(0, 1))
    if isinstance(block, RowExample):
        kind = f"{block.label} {block.value}. " if block.label else ""
        grid.add_row(_mark(block.valid), tiles_markup(block.row), Wrapped(f"{kind}{block.caption}"))
        return grid
    if isinstance(block, TurnExample):
        grid.add_row(_mark(block.legal), Wrapped(block.caption))
        for key, rows in (
            ("example.rack", (block.rack,)),
            ("example.before", block.before),
            ("example.after", block.after),
        ):
            line = Text(words.text(key) + " ", "dim")
            line.append_text(Text("  ").join(tiles_markup(row) for row in rows))
            grid.add_row("", line)
        return grid
    if isinstance(block, ScoreSheet):
        return _score_sheet(block)
    grid.add_row("", Wrapped(block.caption))
    for rack, score in zip(block.racks, block.scores, strict=True):
        grid.add_row(signed(score), tiles_markup(rack) or Text("-"))
    return grid


def _score_sheet(sheet: ScoreSheet) -> RenderableType:
    head, *lines = sheet_lines(sheet)
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for number, name in enumerate(head):
        grid.add_column(name, justify="right" if number else "left")
    for line in lines:
        grid.add_row(*line)
    return Group(Wrapped(sheet.caption), grid)


def _mark(good: bool) -> Text:
    return Text("✓", "green") if good else Text("✗", "red")


def end_parts(game: Game, match: Match, lang: str) -> list[RenderableType]:
    """How a game ended: every rack laid open with its points, then the sheet of the match."""
    words, result = catalogue(lang), game.result
    parts: list[RenderableType] = []
    if result is None:
        return parts
    parts += [Wrapped(end_text(game, lang), "bold"), Text()]
    racks = Grid.grid(padding=(0, 2))
    racks.add_column()
    racks.add_column(justify="right")
    racks.add_column()
    for seat, rack in enumerate(game.racks):
        points = words.text("count.points", count=rack_points(game.edition, rack))
        shown = (
            tiles_markup(rack, RACK_LINE) if rack else Text(words.text("play.rack-empty"), "dim")
        )
        score = Text(signed(result.scores[seat]), "bold" if seat in result.winners else "")
        racks.add_row(Text(game.players[seat]), score, shown, Text(points if rack else "", "dim"))
    for seat, solution in missed_plays(game, MISSED_SECONDS).items():
        label = Text(words.text("ending.missed", name=game.players[seat]), "dim")
        racks.add_row(label, "", tiles_markup(solution.played, RACK_LINE))
    parts += [racks, Text()]
    parts += score_parts(match, lang)
    return parts


def score_parts(match: Match, lang: str) -> list[RenderableType]:
    return [score_sheet(match, lang), Wrapped(standing_text(match, lang))]
