"""`tilerummy lab tournament`: bots against bots on paired deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.cli.atomic import replace_file
from tilerummy.cli.extras import lab_needed
from tilerummy.cli.lab.options import (
    NODES,
    SAMPLES,
    BotNames,
    Force,
    Games,
    Nodes,
    Ray,
    Samples,
    Seed,
    Workers,
    bot_ids,
    worker_count,
)
from tilerummy.cli.lab.runs import play_tournament
from tilerummy.cli.lab.text import print_scoreboard
from tilerummy.cli.options import (
    EditionName,
    Language,
    OptionTexts,
    bad_input_exits,
    chosen_edition,
    chosen_language,
)
from tilerummy.cli.recordfile import check_target, unwritable
from tilerummy.lab.errors import LabError
from tilerummy.lab.line_ups import LineUp, pair_line_ups
from tilerummy.lab.report import report_page
from tilerummy.lab.scoreboard import Scoreboard, scoreboard_of
from tilerummy.lab.tournament import Tournament
from tilerummy.locales import Catalogue, catalogue
from tilerummy.queries.parsing import DEFAULT_EDITION


def tournament(
    bots: BotNames,
    games: Games = 1000,
    edition: EditionName = DEFAULT_EDITION,
    option: OptionTexts = None,
    seed: Seed = 1,
    pairs: Annotated[
        bool,
        typer.Option(
            "--pairs", help="Let each bot play alone against each other one: a cross table."
        ),
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            metavar="N",
            help="With --pairs: the number of seats. The other bot has all seats but one. "
            "Default: 2.",
        ),
    ] = None,
    nodes: Nodes = NODES,
    samples: Samples = SAMPLES,
    workers: Workers = None,
    ray: Ray = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help="Keep every finished deal in this file. The same command goes on from there if "
            "it was stopped.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write a report with plots: one HTML file."),
    ] = None,
    force: Force = False,
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let bots play many games against each other, and measure who is stronger.

    Deals are paired: each one is played in every order in which the bots can
    sit, so each bot gets each hand, and the luck of the tiles cancels out.
    The intervals are 95 % intervals over deals. The judge looks at every
    turn, and a bot sees only what its seat may know.

    The same seed gives the same bytes on any machine and any number of
    workers: a decision has a budget of states and samples, not of time.
    --games can grow with the same --file; with any other argument changed,
    the file is refused.

    With --pairs, --games counts for each pair.

    Examples:

        tilerummy lab tournament --bots master,club,club,club

        tilerummy lab tournament -b owl,hare -g 10000 --file run.jsonl --report report.html

        tilerummy lab tournament -b owl,hare --pairs --players 4 --json
    """
    with bad_input_exits(lang), lab_needed():
        import openskill  # noqa: F401  a run of hours must not end with its absence

        words = catalogue(chosen_language(lang))
        rules = chosen_edition(edition, option)
        line_ups = _line_ups(bot_ids(bots), pairs, players)
        plan = Tournament(rules, line_ups, pairs, seed, nodes, samples)
        if report is not None:
            check_target(report, force=force)
        results = play_tournament(
            plan, plan.deals_for(games), file, worker_count(workers), ray, words
        )
        board = scoreboard_of(plan, results)
        if report is not None:
            _write_report(report, board, words)
    if as_json:
        typer.echo(json.dumps(board.to_json(), indent=2))
    else:
        print_scoreboard(board, words)
        if report is not None:
            typer.echo(words.text("lab.report-written", path=report))


def _write_report(path: Path, board: Scoreboard, words: Catalogue) -> None:
    try:
        replace_file(path, report_page(board, words.language))
    except OSError as error:
        raise unwritable(path, error) from error


def _line_ups(bots: tuple[str, ...], pairs: bool, players: int | None) -> tuple[LineUp, ...]:
    if pairs:
        return pair_line_ups(bots, 2 if players is None else players)
    if players is None:
        return (bots,)
    raise LabError(
        "--players goes with --pairs: without it, --bots names every seat",
        key="error.lab.players-alone",
    )
