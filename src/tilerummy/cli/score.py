"""`tilerummy score`: the score pad that people lay beside a real table."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilerummy.cli.options import (
    EditionName,
    Language,
    OptionTexts,
    bad_input_exits,
    chosen_edition,
    chosen_language,
)
from tilerummy.cli.pad import files as padfile
from tilerummy.cli.pad.inputs import GameForm, entry_form
from tilerummy.cli.pad.words import Words
from tilerummy.play.scorepad import NOTHING, Counted, Left, PadError, ScorePad, new_pad
from tilerummy.play.scoresheet import sheet_csv
from tilerummy.queries import ScoreQuestion
from tilerummy.rules.errors import TileRummyError

if TYPE_CHECKING:
    from rich.console import Console

File = Annotated[
    Path | None,
    typer.Option(
        "--file",
        "-f",
        metavar="PATH",
        readable=False,  # reading it says more about what is wrong with it
        help="The file of the pad, in any folder.",
    ),
]
PadName = Annotated[
    str | None,
    typer.Option(
        "--pad", "-p", metavar="NAME", help="The name of a pad. Default: the pad changed last."
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=LEFT...",
        help="What each player has left: tiles (Ben='r7 J'), points (Ben=17), or points and "
        "number of tiles (Ben=17/3). Values without names follow the order of the players.",
        show_default=False,
    ),
]
Out = Annotated[
    str | None,
    typer.Option("--out", metavar="NAME", help="The player who went out and wins the game."),
]
Blocked = Annotated[
    bool, typer.Option("--blocked", help="No player went out: the lowest rack wins.")
]
Scores = Annotated[
    bool,
    typer.Option(
        "--scores", help="The values are final scores, such as 24 -5 -19; their sum must be 0."
    ),
]
First = Annotated[
    str | None,
    typer.Option(
        "--first",
        metavar="NAME",
        help="The player who began, who gets the odd point of a shared pot.",
    ),
]
Unopened = Annotated[
    list[str] | None,
    typer.Option(
        "--unopened",
        metavar="NAME",
        help="A player who never opened, if tournament.unopened_penalty is set. Can be repeated.",
    ),
]
Winner = Annotated[
    list[str] | None,
    typer.Option(
        "--winner",
        metavar="NAME",
        help="With --scores: the winner, if the scores do not show it.",
    ),
]

EXAMPLES = ("17", "r7 J", "5", "12", "k3")
ANY_VALUE = {"ignore_unknown_options": True}  # -5 is a score, not an option

app = typer.Typer(invoke_without_command=True, no_args_is_help=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pad, and in which words."""

    words: Words
    file: Path | None
    name: str | None

    def wanted(self) -> Path | None:
        """The file that was asked for; None leaves it to us."""
        if self.file is not None:
            return self.file.expanduser()
        return None if self.name is None else padfile.named_pad(padfile.pads_dir(), self.name)

    def path(self) -> Path:
        """The file that was asked for, or the pad changed last."""
        path = self.wanted() or padfile.current_pad(padfile.pads_dir())
        if path is None:
            raise PadError("no-pad")
        return path

    def command(self, *words: str) -> str:
        """A command for this pad, as it would be typed."""
        name = [] if self.name is None else ["--pad", self.name]
        file = [] if self.file is None else ["--file", padfile.shown(self.file)]
        return shlex.join(["tilerummy", "score", *words, *name, *file])

    def show(self, path: Path, pad: ScorePad, number: int | None = None) -> None:
        from tilerummy.cli.pad.screen import print_pad

        print_pad(screen(), self.words, path, pad, number)


@contextlib.contextmanager
def choosing(
    context: typer.Context, file: Path | None, pad: str | None, lang: str | None
) -> Iterator[Choice]:
    """What the options before and after the command choose; wrong input ends it with exit code 2.

    An error raised inside has changed nothing, so printing its message is enough.
    """
    before = context.find_object(dict) or {}
    lang = lang or before.get("lang")
    with bad_input_exits(lang):
        words = Words(chosen_language(lang))
        try:
            file, pad = file or before.get("file"), pad or before.get("pad")
            if file is not None and pad is not None:
                raise PadError("file-or-pad")
            yield Choice(words, file, pad)
        except PadError as error:
            raise TileRummyError(words.error(error), code=error.code) from error


def screen() -> Console:
    """Where everything is printed; a letter the terminal does not have must not end the game."""
    from tilerummy.cli.output import Output

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return Output(highlight=False)


@app.callback()
def score(
    context: typer.Context, file: File = None, pad: PadName = None, lang: Language = None
) -> None:
    """Keep the score of a real game: a pad that adds up, checks and saves.

    Without a command, it asks for game after game and saves each one at once.

    Examples:

      tilerummy score

      tilerummy score new Ann Ben Cleo --edition classic --rounds 2

      tilerummy score add --out Ann Ben=17 Cleo="r7 J"

      tilerummy score add --blocked Ann=10 Ben=4 Cleo=25

      tilerummy score add --scores 24 -5 -19
    """
    context.obj = {"file": file, "pad": pad, "lang": lang}
    if context.invoked_subcommand is None:
        from tilerummy.cli.pad.session import sit_down

        with choosing(context, file, pad, lang) as choice:
            wanted = choice.wanted()
            path = padfile.current_pad(padfile.pads_dir()) if wanted is None else wanted
            if path is not None and (wanted is None or padfile.is_there(path)):
                sit_down(choice.words, screen(), path, None)
            else:
                sit_down(choice.words, screen(), None, wanted)


@app.command()
def new(
    context: typer.Context,
    players: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="The players in seating order.")
    ],
    edition: EditionName = "classic",
    option: OptionTexts = None,
    rounds: Annotated[
        int, typer.Option("--rounds", "-r", metavar="N", help="The number of rounds to play.")
    ] = 1,
    file: File = None,
    pad: PadName = None,
    lang: Language = None,
) -> None:
    """Start a new pad. Existing pads do not change.

    Examples:

      tilerummy score new Ann Ben Cleo

      tilerummy score new Ann Ben --edition sabra --option joker.rack_penalty=25 --pad friday
    """
    with choosing(context, file, pad, lang) as choice:
        begun = new_pad(players, chosen_edition(edition, option), rounds)
        path = padfile.add_pad(begun, choice.wanted())
        choice.show(path, begun)
        example = Counted((NOTHING, *map(Left.parse, EXAMPLES[: len(begun.players) - 1])), out=0)
        add_one = choice.command("add", *entry_form(begun, example))
        typer.echo(choice.words("how-to-add", command=add_one, plain=choice.command()))


@app.command(context_settings=ANY_VALUE)
def add(
    context: typer.Context,
    values: Values = None,
    out: Out = None,
    blocked: Blocked = False,
    scores: Scores = False,
    first: First = None,
    unopened: Unopened = None,
    winner: Winner = None,
    file: File = None,
    pad: PadName = None,
    lang: Language = None,
) -> None:
    """Enter a game: who went out, and what the others have left.

    Names can be shortened as long as they are unambiguous.

    Examples:

      tilerummy score add --out Ann Ben=17 Cleo="r7 J"

      tilerummy score add --out Ann 17 "r7 J"

      tilerummy score add --blocked Ann=10 Ben=4 Cleo=25

      tilerummy score add --scores 24 -5 -19
    """
    form = _form(values, out, blocked, scores, first, unopened, winner)
    with choosing(context, file, pad, lang) as choice:
        path = choice.path()
        after = padfile.change_pad(path, lambda pad: pad.with_game(form.entry(pad)))[1]
        choice.show(path, after, len(after.entries))


@app.command(context_settings=ANY_VALUE)
def correct(
    context: typer.Context,
    number: Annotated[
        int, typer.Argument(metavar="GAME", help="The number of the game; the first is 1.")
    ],
    values: Values = None,
    out: Out = None,
    blocked: Blocked = False,
    scores: Scores = False,
    first: First = None,
    unopened: Unopened = None,
    winner: Winner = None,
    file: File = None,
    pad: PadName = None,
    lang: Language = None,
) -> None:
    """Correct a game that was entered wrongly.

    Example:

      tilerummy score correct 2 --out Ben Ann=6 Cleo=11
    """
    form = _form(values, out, blocked, scores, first, unopened, winner)
    with choosing(context, file, pad, lang) as choice:
        path = choice.path()

        def change(pad: ScorePad) -> ScorePad:
            pad.check_number(number)
            return pad.corrected(number, form.entry(pad))

        choice.show(path, padfile.change_pad(path, change)[1], number)


@app.command()
def undo(
    context: typer.Context, file: File = None, pad: PadName = None, lang: Language = None
) -> None:
    """Remove the last game, and show how to enter it again."""
    with choosing(context, file, pad, lang) as choice:
        path = choice.path()
        before, after = padfile.change_pad(path, ScorePad.without_last)
        choice.show(path, after)
        again = choice.command("add", *entry_form(before, before.entries[-1]))
        typer.echo(choice.words("taken-back", number=len(before.entries)))
        typer.echo(choice.words("enter-again", command=again))


@app.command()
def rename(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The name on the pad.")],
    new_name: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
    file: File = None,
    pad: PadName = None,
    lang: Language = None,
) -> None:
    """Change the name of a player."""
    _change_and_show(context, file, pad, lang, lambda pad: pad.renamed(old, new_name))


@app.command()
def rounds(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The total number of rounds.")],
    file: File = None,
    pad: PadName = None,
    lang: Language = None,
) -> None:
    """Change the number of rounds, to play on or to stop earlier."""
    _change_and_show(context, file, pad, lang, lambda pad: pad.with_rounds(number))


@app.command()
def show(
    context: typer.Context, file: File = None, pad: PadName = None, lang: Language = None
) -> None:
    """Print the pad: every game, the totals, and who leads."""
    with choosing(context, file, pad, lang) as choice:
        path = choice.path()
        choice.show(path, padfile.read_pad(path))


@app.command()
def export(
    context: typer.Context,
    as_csv: Annotated[bool, typer.Option("--csv", help="A table for a spreadsheet.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The complete pad, for a program.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="PATH",
            readable=False,
            help="Write to this file. Default: standard output.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Allow --output to replace an existing file.")
    ] = False,
    file: File = None,
    pad: PadName = None,
    lang: Language = None,
) -> None:
    """Print the pad for other programs, as CSV or JSON.

    Examples:

      tilerummy score export --csv

      tilerummy score export --json --output friday-scores.json
    """
    with choosing(context, file, pad, lang) as choice:
        if as_csv == as_json:
            raise PadError("csv-or-json")
        path = choice.path()
        chosen = padfile.read_pad(path)
        sheet = ScoreQuestion(chosen).answer().to_json()
        document = json.dumps(sheet, indent=2, ensure_ascii=False) + "\n"
        text = sheet_csv(chosen) if as_csv else document
        if output is None:
            typer.echo(text, nl=False)
        else:
            padfile.export_file(output.expanduser(), text, pad_path=path, force=force)
            typer.echo(choice.words("exported", path=padfile.shown(output)))


@app.command(name="list")
def list_all(context: typer.Context, lang: Language = None) -> None:
    """List your pads. Commands use the first one: the pad changed last."""
    from tilerummy.cli.pad.screen import pads_table

    with choosing(context, None, None, lang) as choice:
        folder = padfile.pads_dir()
        pads = padfile.list_pads(folder)
        if not pads:
            typer.echo(choice.words.error(PadError("no-pad")))
            return
        screen().print(pads_table(choice.words, pads))
        typer.echo(choice.words("list-hint", folder=padfile.shown(folder)))


def _form(
    values: list[str] | None,
    out: str | None,
    blocked: bool,
    scores: bool,
    first: str | None,
    unopened: list[str] | None,
    winner: list[str] | None,
) -> GameForm:
    names = tuple(unopened or ()), tuple(winner or ())
    return GameForm(tuple(values or ()), out, blocked, scores, first, *names)


def _change_and_show(
    context: typer.Context,
    file: Path | None,
    pad: str | None,
    lang: str | None,
    change: Callable[[ScorePad], ScorePad],
) -> None:
    with choosing(context, file, pad, lang) as choice:
        path = choice.path()
        choice.show(path, padfile.change_pad(path, change)[1])
