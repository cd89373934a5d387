"""The registry of commands. Each command lives in a module of its own and is only listed here.

A command module imports what is slow to load (a screen, a server) inside its function, so that
`tilerummy --help` stays instant and works without the extras.
"""

import io
import os
import sys
from typing import Annotated, NoReturn

import typer

from tilerummy import __version__
from tilerummy.cli import (
    check,
    doctor,
    editions,
    lab,
    play,
    records,
    rules,
    score,
    serve,
    solve,
    store,
)
from tilerummy.cli.helptext import ROOT, LocalisedGroup
from tilerummy.cli.options import (
    Language,
    bad_input_exits,
    chosen_language,
    language_of_arguments,
    spoken_language,
)
from tilerummy.locales import catalogue, system_reason

app = typer.Typer(
    name=ROOT, cls=LocalisedGroup, no_args_is_help=True, pretty_exceptions_show_locals=False
)


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tilerummy {__version__}")
        raise typer.Exit


@app.callback()
def tilerummy(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    lang: Language = None,
) -> None:
    """The tile game played by the rules of Rummikub, in five editions.

    To start, run 'tilerummy play'. Add --help to a command for its options and examples.
    """
    with bad_input_exits(lang):
        chosen_language(lang)


app.command()(play.play)
app.command("solve")(solve.solve_command)
app.command()(rules.rules)
app.command()(editions.editions)
app.command("replay")(records.replay_command)
app.command("verify")(records.verify_command)
app.add_typer(score.app, name="score")
app.add_typer(check.app, name="check")
app.add_typer(lab.app, name="lab")
app.command()(serve.serve)
app.command()(serve.load)
app.add_typer(store.app, name="store")
app.command("doctor")(doctor.doctor)


def run() -> None:
    """Entry point of the console script."""
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without ✓ or 牌 shows ? instead
            stream.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _give_up_output()
    except OSError as error:
        language = spoken_language(language_of_arguments(sys.argv[1:]))
        text = catalogue(language).text("serve.no-output", reason=system_reason(error, language))
        print(f"tilerummy: {text}", file=sys.stderr)
        _give_up_output()


def _open_missing_streams() -> None:
    """A program may be started with closed streams; then it reads nothing and says nothing."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)


def _give_up_output() -> NoReturn:
    """Leave without another attempt to write what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    raise SystemExit(1)
