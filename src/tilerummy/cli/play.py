"""`tilerummy play`: a game in the terminal, with people at one keyboard and bots."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from tilerummy.bots.protocol import Bot
from tilerummy.bots.roster import BOTS
from tilerummy.bots.seats import play_match
from tilerummy.cli.options import (
    EDITION_NAMES,
    Language,
    OptionTexts,
    bad_input_exits,
    chosen_edition,
    chosen_language,
)
from tilerummy.cli.output import Output
from tilerummy.cli.plan import Plan, PlanError, dealer, parse_seats
from tilerummy.cli.recordfile import RecordFile
from tilerummy.cli.session import Session, StopClock
from tilerummy.cli.signals import Stopped, stoppable
from tilerummy.locales import catalogue
from tilerummy.play.driver import MatchDriver
from tilerummy.queries.parsing import DEFAULT_EDITION
from tilerummy.rules.editions import Edition, parse_option
from tilerummy.rules.errors import quoted

OFF = ("off", "0")
AUTO_TURN = 100
"""Milliseconds of a turn in the record of a match without people."""


def play(
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition",
            "-e",
            metavar="NAME",
            help=f"The edition: {EDITION_NAMES}. Default: {DEFAULT_EDITION}.",
        ),
    ] = None,
    option: OptionTexts = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            metavar="NAMES",
            help='The players in seating order: "Ann,Ben,bot,bot". A name that starts with bot '
            "is a bot; bot:ID chooses its level (bot:? lists them). Default: you and three bots.",
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help="The number of rounds. Default: 1.")
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(
            "--clock",
            metavar="SECONDS|off",
            help="The time for a turn. Default: as the edition says.",
        ),
    ] = None,
    lang: Language = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Save the match to a file: JSON Lines if the name ends in .jsonl, otherwise text.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Allow --record to replace an existing file.")
    ] = False,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="HEX",
            help="The same seed deals the same tiles. Default: a random seed.",
        ),
    ] = None,
    pause: Annotated[
        float,
        typer.Option(
            "--pause",
            min=0,
            max=60,
            metavar="SECONDS",
            help="The pause before each turn of a bot.",
        ),
    ] = 0.8,
    auto: Annotated[
        bool,
        typer.Option(
            "--auto", help="Let bots play all seats at full speed, then print the scores."
        ),
    ] = False,
) -> None:
    """Play in the terminal, alone against bots or together at one keyboard.

    Without options, a screen asks for the edition and the players. At the table, ? shows the keys.

    Examples:

      tilerummy play

      tilerummy play --edition twist --players Ann,Ben,bot --clock off

      tilerummy play --auto --record match.jsonl
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        rules = _with_clock(chosen_edition(edition or DEFAULT_EDITION, option), clock)
        plan = _plan(rules, players, rounds, language, auto=auto)
        secrets = dealer(seed)
        file = None if record is None else RecordFile(record, force=force)
        if auto:
            _play_alone(Session(plan, StopClock(lambda: 0.0), secrets, file), language)
            return
    words = catalogue(language)
    if find_spec("textual") is None:
        _complain(words.text("play.no-textual", command='pip install "tilerummy[tui]"'))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _complain(words.text("play.no-terminal", flag="--auto"))
    from tilerummy.cli.table.app import TableApp

    asked = all(given is None for given in (edition, option, players, rounds, clock))
    app = TableApp(plan, language, secrets, ask=asked, file=file, pause=pause)
    with bad_input_exits(lang):
        try:
            app.run()
        finally:
            if app.session is not None:
                app.session.save()
    if app.return_code:  # it failed, or a signal stopped it and the terminal may be gone
        raise typer.Exit(app.return_code)
    if app.session is not None:
        _print_scores(app.session, language)
        if app.session.file is None and not app.session.driver.match.is_over:
            typer.echo(words.text("play.keep-record", flag="--record match.txt"))


def _plan(
    rules: Edition, players: str | None, rounds: int | None, lang: str, *, auto: bool
) -> Plan:
    words = catalogue(lang)

    def bot_name(number: int) -> str:
        return words.text("play.bot-name", number=number)

    if players is None:
        first = "bot" if auto else words.text("play.player-name", number=1)
        names = [first, *["bot"] * 3]
        seats = parse_seats(names[: rules.players_max], bot_name)
    else:
        seats = parse_seats(players.split(","), bot_name)
    plan = Plan(rules, seats, 1 if rounds is None else rounds)
    plan.match()
    return plan


def _with_clock(rules: Edition, clock: str | None) -> Edition:
    if clock is None:
        return rules
    if clock.lower() in OFF:
        return rules.with_options({"timer.seconds": 0})
    if not (clock.isascii() and clock.isdigit()):
        raise PlanError(
            "--clock takes a number of seconds or off, not '{clock}'",
            key="error.plan.clock",
            clock=quoted(clock),
        )
    return rules.with_options(dict([parse_option(f"timer.seconds={clock}")]))


def _play_alone(session: Session, lang: str) -> None:
    """Let bots play every seat; a match that is broken off is recorded as far as it went."""
    bots: list[Bot] = [BOTS[seat.bot].make() for seat in session.plan.seats]
    words, driver = catalogue(lang), session.driver

    def progress() -> str:
        played, agreed = len(driver.match.results), driver.match.games_agreed
        return words.text("play.games-played", number=played, count=agreed)

    try:
        with stoppable(), Console(stderr=True).status(progress()) as status:

            def after_game(_: MatchDriver) -> None:
                session.save()
                status.update(progress())

            play_match(driver, bots, session.secrets, turn_time=AUTO_TURN, on_game=after_game)
    except (KeyboardInterrupt, Stopped) as stopped:
        session.save()
        code = stopped.exit_code if isinstance(stopped, Stopped) else 130
        raise typer.Exit(code) from None
    _print_scores(session, lang)


def _print_scores(session: Session, lang: str) -> None:
    from tilerummy.cli.endtext import endings_text
    from tilerummy.cli.tables import score_sheet, standing_text

    match, console = session.driver.match, Output(highlight=False)
    if match.results:
        console.print(score_sheet(match, lang))
        console.print(standing_text(match, lang), markup=False)
        console.print(endings_text(match.results, lang), markup=False)
    if session.file is not None:
        text = catalogue(lang).text("play.recorded", file=session.file.path)
        console.print(text, markup=False, soft_wrap=True)


def _complain(text: str) -> NoReturn:
    typer.echo(f"tilerummy: {text}", err=True)
    raise typer.Exit(2)
