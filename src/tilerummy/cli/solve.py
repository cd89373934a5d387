"""`tilerummy solve`: the best turn of a position."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from tilerummy.cli.jsonl import answer_lines
from tilerummy.cli.options import (
    Language,
    OptionTexts,
    QuestionEdition,
    Statements,
    bad_input_exits,
    chosen_edition,
    chosen_language,
    parsed_options,
)
from tilerummy.cli.output import Output
from tilerummy.cli.page import Page
from tilerummy.cli.positions import check_typed_position
from tilerummy.cli.turnpage import TurnPage
from tilerummy.locales.typed import in_notation, typed_row, typed_table
from tilerummy.queries import (
    AlternativesQuestion,
    MissingQuestion,
    PlayableQuestion,
    SolveAnswer,
    SolveQuestion,
)
from tilerummy.queries.contract import Request
from tilerummy.queries.parsing import DEFAULT_EDITION, declared_of
from tilerummy.queries.solving import MOST_TURNS
from tilerummy.rules.declarations import parse_statement
from tilerummy.rules.errors import PositionError, TileRummyError, quoted
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Table
from tilerummy.solver.turns.objectives import OBJECTIVES, objective

MOST_COLUMNS = 100
LARGEST_TEXT = 1 << 16
EXAMPLE = 'tilerummy solve "table: b4 b5 b6 / r8 k8 o8  rack: b3 b8 k1"'

_LABEL = re.compile(r"(table|rack|桌面|牌架)\s*[:：=]", re.IGNORECASE)
_RACK = ("rack", "牌架")


def solve_command(
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION",
            help='For example "table: b4 b5 b6 / r8 k8 o8  rack: b3 b8 k1". With --json, a file of '
            "JSON Lines. Default: standard input.",
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", "-t", metavar="ROWS", help='The table: "r5 r6 J / k1 k2 k3".'),
    ] = None,
    rack: Annotated[
        str | None, typer.Option("--rack", "-r", metavar="TILES", help='The rack: "r7 k11 J".')
    ] = None,
    unopened: Annotated[
        bool, typer.Option("--unopened", help="The player has not opened yet.")
    ] = False,
    declare: Statements = None,
    wanted: Annotated[
        str,
        typer.Option(
            "--objective",
            metavar="|".join(OBJECTIVES),
            help="What is best: the most tiles (tiles), the most points (value), or the whole rack "
            "or nothing (out).",
        ),
    ] = "tiles",
    turns: Annotated[
        int,
        typer.Option(
            "--best", "-n", min=1, max=MOST_TURNS, metavar="N", help="Show the N best turns."
        ),
    ] = 1,
    show_missing: Annotated[
        bool, typer.Option("--missing", help="Also list each tile that would help if you had it.")
    ] = False,
    show_playable: Annotated[
        bool, typer.Option("--playable", help="Also list the tiles of the rack that can be played.")
    ] = False,
    edition: QuestionEdition = None,
    option: OptionTexts = None,
    lang: Language = None,
    json: Annotated[
        bool, typer.Option("--json", help="Read and write JSON Lines: one position per line.")
    ] = False,
    tidy: Annotated[
        bool,
        typer.Option(
            "--tidy/--quick",
            help="Of equally good turns, choose one that changes the fewest rows (--tidy), or the "
            "first one found (--quick).",
        ),
    ] = True,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="SECONDS", help="Stop after this time with the best turn found so far."
        ),
    ] = None,
) -> None:
    """Find the best turn of a position, prove that it is the best, and show it step by step.

    A tile is a colour and a number: r (red), b (blue), k (black) or o (orange)
    and 1 to 13. The jokers are J, D, C and M. / separates the rows of the table.

    Examples:

        tilerummy solve "table: b4 b5 b6 / r8 k8 o8  rack: b3 b8 k1"

        tilerummy solve --table "r5 r6 J" --rack "r7 k11 k12" --missing

        tilerummy solve --unopened --rack "r9 r10 r11 k4 J" --best 3

        tilerummy solve --edition twist --rack "r7 r7 M b2" --objective value

        tilerummy solve --json positions.jsonl

    With --json, each line is a position and gets a line as its answer:

        echo '{"rack": ["b3"], "table": [["b4", "b5", "b6"]]}' | tilerummy solve --json

    "rack" and "table" are required; "edition", "options", "opened", "declared",
    "objective" and "steps" are optional. "objective" can also be a weight per
    tile, {"r7": 3}. "steps": true adds the steps that lead to the new table.

    The answer has "tiles", "value", "played", "table", "rows_kept", "exact",
    "tidiest" and "micros". "tiles": 0 means that it is best to draw. "exact":
    false means that the time limit ended the search before the proof.
    docs/notation.md describes every field.
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        rules = chosen_edition(edition or DEFAULT_EDITION, option)
        goal = objective(wanted)
        if json:
            if table is not None or rack is not None or declare:
                raise TileRummyError(
                    "with --json, each line has its tiles: omit --table, --rack and --declare",
                    key="error.solve.json-tiles",
                )
            defaults: dict[str, Any] = {"opened": not unopened, "objective": wanted}
            defaults |= {} if edition is None else {"edition": edition}
            defaults |= {"options": parsed_options(option)} if option else {}
            _answer_lines(position, defaults, language, tidy=tidy, time_limit=time_limit)
            return
        if time_limit is not None and (turns > 1 or show_missing or show_playable):
            raise TileRummyError(
                "--time-limit is only for the best turn: omit --best, --missing and --playable",
                key="error.solve.time-limit",
            )
        rows, tiles = _given(position, table, rack)
        check_typed_position(rules, tiles, rows, language)
        statements = [parse_statement(in_notation(text)) for text in declare or ()]
        declared = declared_of(rows, dict(statements))
        asked = Position(rules, rows, tiles, opened=not unopened, declared=declared)
        screen = TurnPage(Page(Output(highlight=False), MOST_COLUMNS), language, asked)
        screen.show_position()
        if turns > 1 and not goal.forces_whole_rack:
            _show_turns(screen, AlternativesQuestion(asked, turns, goal, tidy))
        else:
            answer = SolveQuestion(asked, goal, tidy, time_limit).answer()
            screen.show_turn(answer.solution, goal)
        if show_playable:
            screen.show_playable(PlayableQuestion(asked).answer().playable)
        if show_missing:
            screen.show_missing(MissingQuestion(asked).answer().missing)


def _show_turns(screen: TurnPage, question: AlternativesQuestion) -> None:
    found = question.answer().turns
    if not found:
        found = (SolveQuestion(question.position, question.objective).answer().solution,)
    screen.show_turn(found[0], question.objective)
    screen.show_others(found[1:])


def _answer_lines(
    files: list[str] | None,
    defaults: dict[str, Any],
    language: str,
    *,
    tidy: bool,
    time_limit: float | None,
) -> None:
    if files and len(files) > 1:
        raise TileRummyError(
            "with --json, give one file of JSON Lines, or none for standard input",
            key="error.solve.json-files",
        )

    def ask(line: Request) -> SolveAnswer:
        question = SolveQuestion.from_json({**defaults, **line})
        return replace(question, tidy=tidy, time_limit=time_limit).answer()

    if not files or files[0] == "-":
        answer_lines(ask, language)
        return
    try:
        with Path(files[0]).open("rb") as source:
            answer_lines(ask, language, source)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise TileRummyError(
            "cannot read {path}: {reason}",
            key="error.file.unreadable",
            path=files[0],
            reason=error,
        ) from error


def _given(texts: list[str] | None, table: str | None, rack: str | None) -> tuple[Table, Row]:
    """Table and rack from the argument and the flags, or from standard input."""
    text = " ".join(texts or ())
    if not text.strip() and table is None and rack is None and not sys.stdin.isatty():
        text = sys.stdin.read(LARGEST_TEXT)
    rows, tiles = parse_position(text)
    if (rows and table is not None) or (tiles and rack is not None):
        raise PositionError(
            "the table or the rack is given twice: give each once", key="error.solve.both"
        )
    rows, tiles = rows or typed_table(table or ""), tiles or typed_row(rack or "")
    if not tiles:
        if rows:
            raise PositionError(
                "the rack is empty. Write, for example: {example}",
                key="error.solve.no-rack",
                example=EXAMPLE,
            )
        raise PositionError(
            "no position is given. Write, for example: {example}",
            key="error.solve.no-position",
            example=EXAMPLE,
        )
    return rows, tiles


def parse_position(text: str) -> tuple[Table, Row]:
    """`table: b4 b5 b6 / r8 k8 o8  rack: b3 b8 k1` → table and rack.

    A text without labels is the rack.
    """
    before, *parts = _LABEL.split(" ".join(text.replace("／", "/").split()))
    if before.strip() and (parts or "/" in before):
        raise PositionError(
            "is '{text}' the table or the rack? Write, for example: {example}",
            key="error.solve.label",
            text=quoted(before.strip()),
            example=EXAMPLE,
        )
    labelled = {"rack": before}
    for label, part in zip(parts[::2], parts[1::2], strict=True):
        name = "rack" if label.lower() in _RACK else "table"
        if labelled.get(name, "").strip():
            raise PositionError(
                "{label} is given twice: give it once, with / between rows",
                key="error.solve.twice",
                label=label,
            )
        labelled[name] = part
    if "/" in labelled["rack"]:
        raise PositionError(
            "the rack has no rows: write its tiles without /", key="error.solve.rack-rows"
        )
    return typed_table(labelled.get("table", "")), typed_row(labelled["rack"])
