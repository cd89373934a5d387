"""`tilerummy lab`: what can be found out about the game by counting and by many games of bots."""

from __future__ import annotations

import typer

from tilerummy.cli.lab.dataset import dataset
from tilerummy.cli.lab.hands import hands
from tilerummy.cli.lab.ladder import ladder
from tilerummy.cli.lab.stats import stats
from tilerummy.cli.lab.tournament import tournament

app = typer.Typer(
    no_args_is_help=True, help="Study the game: tournaments of bots, statistics, exact counts."
)
app.command()(tournament)
app.command()(ladder)
app.command()(stats)
app.command()(dataset)
app.command()(hands)
