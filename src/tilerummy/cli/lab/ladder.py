"""`tilerummy lab ladder`: measures the roster and writes the strengths of its bots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.bots.roster import BOTS
from tilerummy.cli.atomic import replace_file
from tilerummy.cli.lab.options import (
    NODES,
    SAMPLES,
    Force,
    Nodes,
    Ray,
    Samples,
    Seed,
    Workers,
    bot_ids,
    worker_count,
)
from tilerummy.cli.lab.runs import play_tournament
from tilerummy.cli.lab.text import print_ladder
from tilerummy.cli.options import Language, bad_input_exits, chosen_language
from tilerummy.cli.recordfile import check_target, unwritable
from tilerummy.lab.errors import LabError
from tilerummy.lab.ladder import Strength, ladder_line_ups, strengths_json, strengths_of
from tilerummy.lab.tournament import Tournament
from tilerummy.locales import Catalogue, catalogue
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.errors import quoted

ALL_BOTS = ",".join(BOTS)
ALL_EDITIONS = ",".join(EDITIONS)


def ladder(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The JSON file to write.")],
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            "-b",
            metavar="IDS",
            help=f"The bots to measure, from weak to strong. Default: all: {ALL_BOTS}.",
            show_default=False,
        ),
    ] = ALL_BOTS,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="ID", help="The yardstick. Default: the last of the bots."
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option("--games", "-g", metavar="N", min=1, help="At least so many for each pair."),
    ] = 400,
    editions: Annotated[
        str,
        typer.Option(
            "--editions",
            "-e",
            metavar="NAMES",
            help=f"The editions, with commas between them. Default: all: {ALL_EDITIONS}.",
            show_default=False,
        ),
    ] = ALL_EDITIONS,
    players: Annotated[
        str,
        typer.Option("--players", metavar="NS", help="The numbers of seats, with commas."),
    ] = "2,4",
    seed: Seed = 1,
    nodes: Nodes = NODES,
    samples: Samples = SAMPLES,
    search_every: Annotated[
        int,
        typer.Option(
            "--search-every",
            metavar="N",
            min=1,
            help="Pairs with a bot that searches play one deal in N: a search takes long.",
        ),
    ] = 1,
    workers: Workers = None,
    ray: Ray = None,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FOLDER", help="Keep every finished deal in this folder."),
    ] = None,
    force: Force = False,
    lang: Language = None,
) -> None:
    """Measure how strong all bots are in every edition, and write it as data.

    Each bot plays alone against the one below it in the list (unless that one
    searches, which takes long), and against one bot that serves as a
    yardstick; the opponent has all other seats. Tables of two and of four are
    measured apart. The file has the seed, the games, 95 % intervals, and the
    fingerprint of each bot, which changes with its play. An edition is left
    out where it does not allow so many players.

    With --keep, the same command goes on after it was stopped.

    Examples:

        tilerummy lab ladder strengths.json

        tilerummy lab ladder classic.json --editions classic --players 4 --games 2000 --keep runs
    """
    with bad_input_exits(lang):
        words = catalogue(chosen_language(lang))
        ids = bot_ids(bots)
        yardstick = ids[-1] if against is None else against
        check_target(file, force=force)
        tables = _tables([edition(name.strip()) for name in editions.split(",")], players)
        plans = [
            Tournament(
                rules,
                ladder_line_ups(ids, yardstick, count),
                pairs=True,
                seed=seed,
                nodes=nodes,
                samples=samples,
                search_every=search_every,
            )
            for rules, count in tables
        ]
        measured: list[tuple[Tournament, Sequence[Strength]]] = []
        for plan in plans:
            path = _run_path(keep, plan)
            deals = plan.deals_for(games)
            results = play_tournament(plan, deals, path, worker_count(workers), ray, words)
            measured.append((plan, strengths_of(plan, results)))
            print_ladder(*measured[-1], yardstick, words)
        _write(file, json.dumps(strengths_json(measured, yardstick), indent=1) + "\n", words)


def _tables(editions: Sequence[Edition], players: str) -> list[tuple[Edition, int]]:
    """The editions with each number of players that they allow; with all, if they allow none."""
    pairs = list(product(editions, _counts(players)))
    allowed = [
        (rules, count) for rules, count in pairs if rules.players_min <= count <= rules.players_max
    ]
    return allowed or pairs


def _counts(players: str) -> list[int]:
    texts = [text.strip() for text in players.split(",")]
    if not all(text.isascii() and text.isdecimal() for text in texts):
        raise LabError(
            "--players takes numbers with commas between them, not '{given}'",
            key="error.lab.counts",
            given=quoted(players),
        )
    return [*map(int, texts)]


def _run_path(folder: Path | None, plan: Tournament) -> Path | None:
    if folder is None:
        return None
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    return folder / f"{plan.edition.name}-{plan.players}.jsonl"


def _write(path: Path, text: str, words: Catalogue) -> None:
    try:
        replace_file(path, text)
    except OSError as error:
        raise unwritable(path, error) from error
    typer.echo(words.text("lab.written", path=path))
