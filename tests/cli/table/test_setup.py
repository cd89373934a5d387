"""The set-up screen: defaults that start at once, and errors that say what to change."""

from __future__ import annotations

import re

from textual.widgets import Input, Select, Static

from tests.cli.table.tools import at_table, plan, run, table_app, until
from tilerummy.bots import STAND_IN
from tilerummy.cli.table.setup import SetupScreen, strength_text
from tilerummy.locales import catalogue


@run
async def test_another_edition_brings_its_own_defaults() -> None:
    app = table_app(plan("Player 1,bot,bot"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        screen = app.screen
        screen.query_one("#edition", Select).value = "sabra"
        await until(pilot, lambda: screen.query_one("#clock", Input).value == "120")
        assert screen.query_one("#reuse", Select).value == "any"
        await pilot.press("enter")
        game = (await at_table(pilot)).game
        assert game.edition.name == "sabra"
        assert game.edition.changed_options() == {}


@run
async def test_rounds_are_shown_as_games() -> None:
    app = table_app(plan("Player 1,bot,bot"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        screen = app.screen

        def games() -> str:
            return str(screen.query_one("#games", Static).visual)

        await until(pilot, lambda: games() == "= 3 games")
        screen.query_one("#rounds", Input).value = "2"
        await until(pilot, lambda: games() == "= 6 games")
        screen.query_one("#kind-3", Select).value = "bot"
        await until(pilot, lambda: games() == "= 8 games")
        screen.query_one("#more", Input).value = "match.games_per_round=1"
        await until(pilot, lambda: games() == "= 2 games")
        screen.query_one("#rounds", Input).value = ""
        await until(pilot, lambda: games() == "")


@run
async def test_f2_starts_from_any_field() -> None:
    app = table_app(plan("Player 1,bot"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        app.screen.query_one("#edition", Select).focus()
        await pilot.press("f2")
        await until(pilot, lambda: app.session is not None)


@run
async def test_fields_become_the_plan() -> None:
    app = table_app(plan("Player 1,bot"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        screen = app.screen
        screen.query_one("#name-0", Input).value = "  Ann  "
        screen.query_one("#kind-2", Select).value = "human"
        screen.query_one("#clock", Input).value = "0"
        screen.query_one("#minimum", Input).value = "50"
        screen.query_one("#rounds", Input).value = "2"
        screen.query_one("#more", Input).value = "joker.rack_penalty=25 strict_submit=yes"
        await until(pilot, lambda: bool(screen.query_one("#name-2", Input).value))
        await pilot.press("enter")
        session = (await at_table(pilot)).session
        assert session.driver.match.players == ("Ann", "Bot 1", "Player 1")
        assert session.humans == (0, 2)
        assert session.driver.match.rounds == 2
        assert session.game.edition.changed_options() == {
            "initial.min": 50,
            "timer.seconds": 0,
            "strict_submit": True,
            "joker.rack_penalty": 25,
        }


@run
async def test_what_cannot_be_is_said_and_can_be_changed() -> None:
    app = table_app(plan("Player 1,bot"), ask=True, lang="zh-Hans")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        screen = app.screen
        name = screen.query_one("#name-1", Input)

        def complains_of(text: str) -> bool:
            return text in str(screen.query_one("#error", Static).visual)

        screen.query_one("#kind-1", Select).value = "nobody"
        await until(pilot, lambda: not name.value)
        await pilot.press("enter")
        await until(pilot, lambda: complains_of("经典版适合 2 到 4 人，不能 1 人玩"))
        assert isinstance(app.screen, SetupScreen)
        screen.query_one("#kind-1", Select).value = "bot"
        screen.query_one("#more", Input).value = "no.such=1"
        await until(pilot, lambda: bool(name.value))
        await pilot.press("enter")
        await until(pilot, lambda: complains_of("no.such"))
        screen.query_one("#more", Input).value = ""
        screen.query_one("#clock", Input).value = ""
        await pilot.press("enter")
        await until(pilot, lambda: complains_of("timer.seconds"))
        screen.query_one("#clock", Input).value = "30"
        await pilot.press("enter")
        assert (await at_table(pilot)).game.edition.timer_seconds == 30


@run
async def test_escape_leaves_before_anything_begins() -> None:
    app = table_app(ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not app.is_running)
    assert app.session is None
    assert app.return_code == 0


@run
async def test_every_bot_of_the_roster_can_be_seated() -> None:
    app = table_app(plan("Player 1,bot:solver"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        screen = app.screen
        assert screen.query_one("#kind-1", Select).value == "bot:solver"
        screen.query_one("#kind-2", Select).value = "bot"
        await until(pilot, lambda: bool(screen.query_one("#name-2", Input).value))
        await pilot.press("enter")
        session = (await at_table(pilot)).session
        assert [seat.bot for seat in session.plan.seats[1:]] == ["solver", STAND_IN]
        assert session.driver.match.players == ("Player 1", "Bot 1", "Bot 2")


@run
async def test_a_bot_is_described_with_its_strength() -> None:
    app = table_app(plan("Player 1,bot"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        screen = app.screen
        screen.query_one("#kind-1", Select).value = "bot:owl"

        def about() -> str:
            return str(screen.query_one("#bot", Static).visual)

        await until(pilot, lambda: about().startswith("Owl: Overlooks nothing"))
        assert re.search(r"Wins \d+% of 2-player games against Fox\.$", about())
        screen.query_one("#kind-1", Select).value = "nobody"
        await until(pilot, lambda: about() == "")


def test_a_bot_without_a_measurement_says_so() -> None:
    words = catalogue("en")
    assert strength_text("chick", "another", words) == "Not measured yet."
    assert strength_text("chick", "classic", words).startswith("Wins ")
