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
    BotNames,
    Force,
    Games,
    Nodes,
    Ray,
    Seed,
    Workers,
    bot_ids,
    worker_count,
)
from tilerummy.cli.lab.runs import Progress, stops_with
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
from tilerummy.lab.line_ups import pair_line_ups, seatings
from tilerummy.lab.report import report_page
from tilerummy.lab.run_file import RunFile
from tilerummy.lab.scoreboard import Scoreboard, scoreboard_of
from tilerummy.lab.tournament import DealResult, Tournament
from tilerummy.lab.workers import on_processes, on_ray
from tilerummy.locales import Catalogue, catalogue
from tilerummy.queries.parsing import DEFAULT_EDITION
from tilerummy.rules.editions import Edition


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
    workers: a decision has a budget of states, not of time. --games can grow
    with the same --file; with any other argument changed, the file is refused.

    With --pairs, --games counts for each pair.

    Examples:

        tilerummy lab tournament --bots solver,simple,simple,simple

        tilerummy lab tournament -b solver,simple -g 10000 --file run.jsonl --report report.html

        tilerummy lab tournament -b solver,simple --pairs --players 4 --json
    """
    with bad_input_exits(lang), lab_needed():
        import openskill  # noqa: F401  a run of hours must not end with its absence

        words = catalogue(chosen_language(lang))
        rules = chosen_edition(edition, option)
        plan = _plan(rules, bot_ids(bots), pairs, players, seed, nodes)
        if report is not None:
            check_target(report, force=force)
        results = _play(plan, plan.deals_for(games), file, worker_count(workers), ray, words)
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


def _plan(
    rules: Edition, bots: tuple[str, ...], pairs: bool, players: int | None, seed: int, nodes: int
) -> Tournament:
    if pairs:
        line_ups = pair_line_ups(bots, 2 if players is None else players)
    elif players is None:
        line_ups = (bots,)
    else:
        raise LabError(
            "--players goes with --pairs: without it, --bots names every seat",
            key="error.lab.players-alone",
        )
    return Tournament(rules, line_ups, pairs, seed, nodes)


def _play(
    plan: Tournament,
    deals: int,
    path: Path | None,
    workers: int,
    ray: str | None,
    words: Catalogue,
) -> list[DealResult]:
    """All results, those that the file already has included."""
    if path is None:
        with stops_with(words.text("lab.stopped", flag="--file")):
            return _rest(plan, deals, [], None, workers, ray, words)
    with RunFile(path, plan) as file, stops_with(words.text("lab.stopped-kept", path=path)):
        known = file.known[: deals * len(plan.line_ups)]
        return _rest(plan, deals, known, file, workers, ray, words)


def _rest(
    plan: Tournament,
    deals: int,
    known: list[DealResult],
    file: RunFile | None,
    workers: int,
    ray: str | None,
    words: Catalogue,
) -> list[DealResult]:
    tasks = [*plan.tasks(deals)][len(known) :]
    results = [*known]
    if not tasks:
        return results
    done = sum(len(result.games) for result in known)
    left = sum(len(seatings(plan.line_ups[task.table])) for task in tasks)
    workers = min(workers, len(tasks))
    if ray is None:
        played = on_processes(Tournament.play, plan, tasks, workers)
    else:
        played = on_ray(Tournament.play, plan, tasks, ray)
    with Progress(words, done + left, done) as progress:
        for result in played:
            if file is not None:
                file.append(result)
            results.append(result)
            progress.add(len(result.games))
    return results
