"""`tilerummy replay` and `tilerummy verify`: look at a recorded match, and check it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, assert_never

import typer
from rich.text import Text

from tilerummy.cli import draw
from tilerummy.cli.botnames import with_shown_names
from tilerummy.cli.endtext import end_text
from tilerummy.cli.options import Language, bad_input_exits, chosen_language
from tilerummy.cli.output import Output
from tilerummy.cli.tables import score_sheet, standing_text
from tilerummy.locales import Catalogue, catalogue
from tilerummy.play.deal_report import DealReport
from tilerummy.play.events import (
    Cancelled,
    Committed,
    Created,
    Dealt,
    Drew,
    Ended,
    Event,
    Fixed,
    Passed,
    Played,
    Revealed,
    Seeded,
    StarterDrawn,
)
from tilerummy.play.game import Game
from tilerummy.play.notation import load
from tilerummy.play.record import Record, RecordError
from tilerummy.play.verification import Problem
from tilerummy.queries import Frame, ReplayQuestion, VerifyQuestion

LARGEST_RECORD = 256 << 20

RecordPath = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="The record, as text or JSON Lines; - for standard input."),
]


def read_record(path: Path) -> Record:
    """Load a record file. Raises RecordError that says what is wrong with it."""
    try:
        with sys.stdin.buffer if str(path) == "-" else path.open("rb") as file:
            data = file.read(LARGEST_RECORD + 1)
    except OSError as error:
        raise RecordError(
            "cannot read {path}: {reason}",
            key="error.file.unreadable",
            path=path,
            reason=error,
        ) from error
    if len(data) > LARGEST_RECORD:
        raise RecordError(
            "{path} is larger than any match: over {most} bytes",
            key="error.record.large",
            path=path,
            most=LARGEST_RECORD,
        )
    try:
        return load(data.decode())
    except UnicodeDecodeError as error:
        raise RecordError(
            "{path} is not a record: it is not UTF-8 text", key="error.record.utf8", path=path
        ) from error


def verify_command(file: RecordPath, lang: Language = None) -> None:
    """Verify a record: rules, tiles, clock, scores, shuffle. Exit code: 0 valid, 1 invalid.

    The referee judges every turn again, and the deal is computed again from the
    secret and the seeds of the seats. Where a rule depends on whether a player
    could play, the solver decides.

    Example:

        tilerummy verify match.txt
    """
    with bad_input_exits(lang):
        words, record = catalogue(chosen_language(lang)), read_record(file)
        answer = VerifyQuestion(record).answer()
        if not answer.holds:
            typer.echo(words.text("verify.no", path=file))
            for problem in answer.report.problems:
                typer.echo(f"  {_problem_text(problem, words)}")
                typer.echo(f"    {problem.message}")
            raise typer.Exit(1)
        games = len(record.games)
        typer.echo(words.text("verify.yes", path=file, games=games, turns=answer.turns))
        for deal in answer.deals:
            for line in _deal_lines(deal, with_shown_names(record, words).players, words):
                typer.echo(line)
        for item in answer.report.unproven:
            key = "verify.unproven-holds" if item.holds else "verify.unproven-differs"
            typer.echo(words.text(key, game=item.game, turn=item.turn))
        match = record.match()
        if not match.is_over:
            played, agreed = len(match.results), match.games_agreed
            typer.echo(words.text("verify.unfinished", played=played, agreed=agreed))


def _deal_lines(deal: DealReport, players: Sequence[str], words: Catalogue) -> Iterator[str]:
    """What is worth knowing about the seeds of a deal: nothing if every seat had its own."""
    if deal.shuffle_version == 1:
        yield words.text("verify.old-shuffle", game=deal.game)
    noted = [("verify.cancelled", seats) for seats in deal.withheld]
    noted.append(("verify.seeds-default", deal.seats_with("default")))
    noted.append(("verify.seeds-dealer", deal.seats_with("dealer")))
    for key, seats in noted:
        if seats:
            yield words.text(key, game=deal.game, names=_names(players, seats, words))


def _names(players: Sequence[str], seats: Sequence[int], words: Catalogue) -> str:
    return words.text("list.comma").join(players[seat] for seat in seats)


def _problem_text(problem: Problem, words: Catalogue) -> str:
    what = words.text(f"problem.{problem.breach}")
    where = "problem.in-game" if problem.turn is None else "problem.in-turn"
    return words.text(where, game=problem.game, turn=problem.turn, what=what)


def replay_command(
    file: RecordPath,
    game: Annotated[
        int | None,
        typer.Option(
            "--game", "-g", metavar="N", min=1, help="Show only this game; the first is 1."
        ),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            "--turn", "-t", metavar="N", min=1, help="Show only this turn, with all racks."
        ),
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="Wait for Enter after every turn; q quits.")
    ] = False,
    lang: Language = None,
) -> None:
    """Show a recorded match turn by turn.

    Examples:

        tilerummy replay match.txt --game 2

        tilerummy replay match.txt --game 1 --turn 12

        tilerummy replay match.txt --step
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        record = with_shown_names(read_record(file), catalogue(language))
        numbers = range(1, len(record.games) + 1) if game is None else (game,)
        questions = [ReplayQuestion(record, number) for number in numbers]
        screen = _Screen(record, language)
        if step:
            typer.echo(catalogue(language).text("replay.step"))
        for question in questions:
            shown = 0
            for _ in screen.show_game(question, turn):
                shown += 1
                if step and not _go_on():
                    return
            if turn is not None and not shown:
                raise RecordError(
                    "game {game} has no turn {turn}",
                    key="error.record.no-turn",
                    game=question.game,
                    turn=turn,
                )
        if turn is None:
            screen.show_standing()


def _go_on() -> bool:
    try:
        return not input().strip().lower().startswith("q")
    except EOFError:
        return True


class _Screen:
    """Draws a record on the terminal, in colour where there is colour."""

    def __init__(self, record: Record, language: str) -> None:
        self.record = record
        self.language = language
        self.words = catalogue(language)
        self.console = Output(highlight=False, markup=False, emoji=False)
        self.colour = draw.has_colour(self.console)

    def show_game(self, question: ReplayQuestion, only: int | None) -> Iterator[None]:
        """Print a game; yields after every turn shown."""
        frames = question.frames()
        self.console.rule(self.words.text("replay.game", number=question.game))
        for frame in frames:
            if frame.is_turn:
                if only in (None, frame.turn):
                    self._show_turn(frame, whole=only is not None)
                    yield
            elif only is None:
                self._show_other(frame.event, frame.game)

    def show_standing(self) -> None:
        match = self.record.match()
        if match.results:
            self.console.print(score_sheet(match, self.language))
            self.console.print(standing_text(match, self.language))

    def _name(self, seat: int) -> str:
        return self.record.players[seat]

    def _show_turn(self, frame: Frame, *, whole: bool) -> None:
        event, game = frame.event, frame.game
        line = Text(f"{frame.turn:>4}  ")
        match event:
            case Played():
                line.append(self.words.text("replay.plays", name=self._name(event.seat)) + " ")
                line.append_text(draw.row(event.tiles, colour=self.colour))
            case Drew():
                key = "replay.draws" if event.why == "choice" else f"replay.draws-{event.why}"
                line.append(self.words.text(key, name=self._name(event.seat)) + " ")
                line.append_text(draw.row(event.tiles, colour=self.colour))
            case Passed():
                line.append(self.words.text("replay.passes", name=self._name(event.seat)))
        self.console.print(line)
        if isinstance(event, Played) or whole:
            drawn = draw.table(game.table, colour=self.colour, width=self.console.width - 8)
            for part in drawn.split("\n"):
                self.console.print(Text("        ") + part)
        if whole:
            for seat, rack in enumerate(game.racks):
                label = self.words.text("replay.rack", name=self._name(seat))
                self.console.print(Text(f"  {label} ") + draw.row(rack, colour=self.colour))
            self.console.print("  " + self.words.text("replay.pool", count=len(game.pool)))

    def _show_other(self, event: Event, game: Game) -> None:
        match event:
            case StarterDrawn():
                for seat, tile in event.draws:
                    label = self.words.text("replay.start-tile", name=self._name(seat))
                    self.console.print(
                        Text(f"      {label} ") + draw.row([tile], colour=self.colour)
                    )
            case Dealt():
                self.console.print(
                    "      " + self.words.text("replay.begins", name=self._name(event.starter))
                )
                for seat, rack in enumerate(event.racks):
                    label = self.words.text("replay.rack", name=self._name(seat))
                    self.console.print(Text(f"      {label} ") + draw.row(rack, colour=self.colour))
            case Ended():
                self.console.print(Text("      " + end_text(game, self.language)))
                scores = [
                    f"{name} {score:+d}"
                    for name, score in zip(self.record.players, event.scores, strict=True)
                ]
                self.console.print(Text("      " + " · ".join(scores)))
            case Cancelled():
                names = _names(self.record.players, event.withheld, self.words)
                self.console.print(
                    Text("      " + self.words.text("replay.cancelled", names=names))
                )
            case Created() | Seeded() | Committed() | Fixed() | Revealed():
                pass
            case Played() | Drew() | Passed():
                pass
            case _:
                assert_never(event)
