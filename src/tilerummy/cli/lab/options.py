"""Options that several commands of the lab share."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from tilerummy.bots.roster import BOTS
from tilerummy.lab.bot_games import DEFAULT_NODES, DEFAULT_SAMPLES

BotNames = Annotated[
    str,
    typer.Option(
        "--bots",
        "-b",
        metavar="IDS",
        help=f"The bots at the table, one for each seat: {','.join(BOTS)}. A bot may be named "
        "several times.",
    ),
]
Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-g",
        metavar="N",
        min=1,
        help="At least so many games; a deal is always played in all seatings.",
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="The same seed deals the same tiles.")
]
Nodes = Annotated[
    int,
    typer.Option(
        "--nodes",
        metavar="N",
        min=1,
        help="The budget of a decision: how many states the solver may look at. It does not "
        "depend on the speed of the machine.",
    ),
]
Samples = Annotated[
    int,
    typer.Option(
        "--samples",
        metavar="N",
        min=1,
        help="The budget of a decision of a bot that searches: how many games it plays out.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        metavar="N",
        min=1,
        help="The number of processes. Default: one for each core. The results are the same.",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS|auto",
        help="Play on a Ray cluster instead: its address, or auto for the one that runs here.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]

NODES = DEFAULT_NODES
SAMPLES = DEFAULT_SAMPLES


def bot_ids(text: str) -> tuple[str, ...]:
    """The ids of the option --bots."""
    return tuple(name.strip() for name in text.split(","))


def worker_count(given: int | None) -> int:
    """The number of processes of the option --workers."""
    return given or os.cpu_count() or 1
