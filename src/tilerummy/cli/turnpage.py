"""A turn of the solver on the terminal: the table before and after, its steps and figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.text import Text

from tilerummy.cli import draw
from tilerummy.cli.page import Page
from tilerummy.locales import catalogue, declaration_name
from tilerummy.queries import step_texts
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Table, Tile, row_text, sorted_tiles, unidentified
from tilerummy.solver.steps.planner import plan_steps
from tilerummy.solver.steps.step import Step
from tilerummy.solver.turns.alternatives import Missing
from tilerummy.solver.turns.objectives import Objective
from tilerummy.solver.turns.solution import Solution

INDENT = 2
HEAD = "bold"


class TurnPage:
    """Prints one position and what the solver says about it."""

    def __init__(self, page: Page, language: str, position: Position) -> None:
        self.page = page
        self.language = language
        self.words = catalogue(language)
        self.position = position

    def show_position(self) -> None:
        self._head("solve.table")
        if self.position.table:
            self._table(self.position.table)
        else:
            self.page.paragraph(self.words.text("solve.empty-table"), INDENT)
        self._head("solve.rack")
        self._rack(self.position.rack)

    def show_turn(self, solution: Solution, goal: Objective) -> None:
        position, page = self.position, self.page
        page.line()
        page.paragraph(self._verdict(solution, goal), style=HEAD)
        if solution.plays and solution.tiles == len(position.rack):
            page.paragraph(self.words.text("solve.out"), style=HEAD)
        if solution.plays:
            way = plan_steps(position, solution)
            width = len(str(len(way)))
            sentences = step_texts(position.table, way, self.language, position.edition)
            for number, sentence in enumerate(sentences, 1):
                page.hanging(Text(f"{number:>{INDENT + width}}  "), sentence)
            rows, fresh = laid(position.table, way)
            page.line()
            self._head("solve.new-table")
            self._table(rows, fresh)
            for row, said in solution.declared.items():
                name = declaration_name(said, self.language)
                text = self.words.text("check.declared", row=row_text(row), said=name)
                page.paragraph(text.strip(), INDENT)
            self._head("solve.new-rack")
            self._rack(_left(position.rack, solution.played))
        page.line()
        page.paragraph(self._proof(solution, goal), style="dim")
        if solution.plays and position.table:
            kept, total = solution.rows_kept, len(position.table)
            page.paragraph(self.words.text("solve.kept", kept=kept, total=total), style="dim")

    def show_others(self, solutions: Sequence[Solution]) -> None:
        page = self.page
        page.line()
        if not solutions:
            page.paragraph(self.words.text("solve.no-nexts"))
            return
        self._head("solve.nexts")
        for number, solution in enumerate(solutions, 2):
            page.hanging(
                Text(f"{number:>{INDENT + 1}}  "),
                self.words.text(
                    "solve.next",
                    tiles=self._tiles(solution.tiles),
                    points=self._points(solution.value),
                    played=row_text(solution.played),
                ),
            )
            rows, fresh = laid(self.position.table, plan_steps(self.position, solution))
            self._table(rows, fresh, indent=INDENT + 3)

    def show_missing(self, found: Sequence[Missing]) -> None:
        self.page.line()
        if not found:
            self.page.paragraph(self.words.text("solve.missing-none"))
        for (out, count), items in groupby(found, key=lambda item: (item.out, item.tiles)):
            text = self.words.text(
                "solve.missing-out" if out else "solve.missing-more", count=count
            )
            self.page.paragraph(text)
            self._rack(unidentified([item.face for item in items]))

    def show_playable(self, playable: Row) -> None:
        self.page.line()
        rest = _left(self.position.rack, playable)
        for key, tiles in (("solve.playable", playable), ("solve.unplayable", rest)):
            if tiles:
                self.page.paragraph(self.words.text(key))
                self._rack(tiles)

    # Words

    def _verdict(self, solution: Solution, goal: Objective) -> str:
        position = self.position
        if not solution.plays:
            if not solution.exact:
                return self.words.text("solve.none-found")
            if goal.forces_whole_rack:
                return self.words.text("solve.draw-out")
            if not position.opened and position.edition.initial_min:
                minimum = position.edition.initial_min
                return self.words.text("solve.draw-opening", minimum=minimum)
            return self.words.text("solve.draw")
        laid_rows = not position.opened and not position.edition.initial_same_turn_manipulation
        return self.words.text(
            "solve.opening" if laid_rows else "solve.turn",
            tiles=self._tiles(solution.tiles),
            points=self._points(solution.value),
        )

    def _proof(self, solution: Solution, goal: Objective) -> str:
        if not solution.exact:
            return self.words.text("solve.unproven")
        return self.words.text(f"solve.proven-{goal.name if solution.plays else 'none'}")

    def _tiles(self, count: int) -> str:
        return self.words.text("play.tiles", count=count)

    def _points(self, count: int) -> str:
        return self.words.text("count.points", count=count)

    # Tiles

    def _head(self, key: str) -> None:
        self.page.line(self.words.text(key), "dim")

    def _table(
        self, rows: Table, fresh: Iterable[Sequence[bool]] = (), indent: int = INDENT
    ) -> None:
        page = self.page
        drawn = draw.table(rows, colour=page.colour, width=page.width - indent, fresh=fresh)
        for line in drawn.split("\n"):
            page.line(Text(" " * indent) + line)

    def _rack(self, tiles: Sequence[Tile]) -> None:
        if not tiles:
            self.page.paragraph(self.words.text("solve.empty-rack"), INDENT)
            return
        line = Text()
        for tile in sorted_tiles(tiles):
            drawn = draw.row([tile], colour=self.page.colour)
            if line and INDENT + line.cell_len + 1 + drawn.cell_len > self.page.width:
                self.page.line(Text(" " * INDENT) + line)
                line = Text()
            line = line + Text(" " if line else "") + drawn
        self.page.line(Text(" " * INDENT) + line)


def laid(before: Table, way: Sequence[Step]) -> tuple[Table, list[list[bool]]]:
    """The table after a way, and for each of its tiles whether it is new there."""
    rows = [(row, [False] * len(row)) for row in before]
    for step in way:
        new: list[Tile] = []
        for old, becomes in ((step.source, step.left), (step.target, step.result)):
            number = [row for row, _ in rows].index(old) if old else len(rows)
            place = slice(number, number + bool(old))
            for row, marks in rows[place]:
                new += [tile for tile, mark in zip(row, marks, strict=True) if mark]
            if becomes is step.result:
                new += step.played
            rows[place] = [(row, [_found(tile, new) for tile in row]) for row in becomes]
    return tuple([row for row, _ in rows]), [marks for _, marks in rows]


def _found(tile: Tile, new: list[Tile]) -> bool:
    if tile not in new:
        return False
    new.remove(tile)
    return True


def _left(rack: Row, played: Row) -> Row:
    rest = list(rack)
    for tile in played:
        rest.remove(tile)
    return tuple(rest)
