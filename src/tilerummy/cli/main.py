"""The registry of commands. Each command lives in a module of its own and is only listed here.

A command module imports what is slow to load (a screen, a server) inside its function, so that
`tilerummy --help` stays instant and works without the extras.
"""

import io
import sys
from typing import Annotated

import typer

from tilerummy import __version__
from tilerummy.cli import check, editions, play, records, rules, score

app = typer.Typer(name="tilerummy", no_args_is_help=True, pretty_exceptions_show_locals=False)


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tilerummy {__version__}")
        raise typer.Exit


@app.callback()
def tilerummy(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """The tile game played by the rules of Rummikub, in five editions.

    Start with 'tilerummy play'. Each command explains itself with --help.
    """


app.command()(play.play)
app.command()(rules.rules)
app.command()(editions.editions)
app.command("replay")(records.replay_command)
app.command("verify")(records.verify_command)
app.add_typer(score.app, name="score")
app.add_typer(check.app, name="check")


def run() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without ✓ or 牌 shows ? instead
            stream.reconfigure(errors="replace")
    app()
