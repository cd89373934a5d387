"""`tilerummy lab dataset`: games of bots as rows for learning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

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
from tilerummy.cli.lab.runs import Progress, stops_with
from tilerummy.cli.options import (
    EditionName,
    Language,
    OptionTexts,
    bad_input_exits,
    chosen_edition,
    chosen_language,
)
from tilerummy.cli.recordfile import check_target, unwritable
from tilerummy.lab.dataset import ROWS, Row, RowKind, write_dataset
from tilerummy.lab.errors import LabError
from tilerummy.lab.line_ups import seatings
from tilerummy.lab.tournament import Tournament
from tilerummy.lab.workers import on_processes, on_ray
from tilerummy.locales import Catalogue, catalogue
from tilerummy.queries.parsing import DEFAULT_EDITION
from tilerummy.rules.errors import quoted


def dataset(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Where to write: Parquet if the name ends in .parquet, otherwise JSON Lines.",
        ),
    ],
    bots: BotNames,
    games: Games = 1000,
    rows: Annotated[
        str,
        typer.Option(
            "--rows",
            metavar="KIND",
            help="What a row is: turns (what a player saw, did and got) or games (all events).",
        ),
    ] = "turns",
    edition: EditionName = DEFAULT_EDITION,
    option: OptionTexts = None,
    seed: Seed = 1,
    nodes: Nodes = NODES,
    samples: Samples = SAMPLES,
    workers: Workers = None,
    ray: Ray = None,
    force: Force = False,
    lang: Language = None,
) -> None:
    """Write games of bots as rows, for statistics and for learning.

    The games are those of 'lab tournament' with the same arguments. A row of
    turns has the rack and the table before the turn, the sizes of all racks
    and of the pool, the action with its tiles, and the result of the game. A
    row of games has its events, from which the game can be replayed.

    Parquet needs the extra 'lab'. docs/lab.md lists all columns.

    Examples:

        tilerummy lab dataset turns.parquet --bots owl,hare --games 1000

        tilerummy lab dataset games.jsonl --bots solver,solver --rows games --edition twist
    """
    with bad_input_exits(lang), lab_needed():
        words = catalogue(chosen_language(lang))
        kind = _row_kind(rows)
        rules = chosen_edition(edition, option)
        plan = Tournament(rules, (bot_ids(bots),), False, seed, nodes, samples)
        check_target(file, force=force)
        found = _rows(plan, plan.deals_for(games), kind, worker_count(workers), ray, words)
        try:
            with stops_with(words.text("lab.dataset-stopped")):
                count = write_dataset(file, kind, found)
        except OSError as error:
            raise unwritable(file, error) from error
    typer.echo(words.text("lab.dataset-written", path=file, rows=count))


def _row_kind(text: str) -> RowKind:
    for kind in ROWS:
        if kind == text:
            return kind
    raise LabError(
        "--rows is one of {kinds}, not '{given}'",
        key="error.lab.rows",
        kinds=tuple(ROWS),
        given=quoted(text),
    )


def _rows(
    plan: Tournament, deals: int, kind: RowKind, workers: int, ray: str | None, words: Catalogue
) -> Iterator[Row]:
    tasks = [*plan.tasks(deals)]
    per_deal = len(seatings(plan.line_ups[0]))
    if ray is None:
        played = on_processes(ROWS[kind], plan, tasks, min(workers, len(tasks)))
    else:
        played = on_ray(ROWS[kind], plan, tasks, ray)
    with Progress(words, deals * per_deal, 0) as progress:
        for rows in played:
            yield from rows
            progress.add(per_deal)
