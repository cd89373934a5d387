"""Several people at one keyboard: what lies over the table between their turns."""

from __future__ import annotations

import pytest

from tests.cli.table.tools import (
    FakeTime,
    at_table,
    on_top,
    plan,
    run,
    shown,
    table_app,
    until,
)
from tilerummy.cli.table.dialogs import Cover, Question, Sheet
from tilerummy.cli.table.screen import GameScreen
from tilerummy.cli.table.views import RackView
from tilerummy.play.commands import Play
from tilerummy.rules.tiles import row_text


@run
async def test_on_a_shared_keyboard_nobody_sees_the_rack_of_another() -> None:
    time = FakeTime()
    app = table_app(plan("Ann,Ben"), time=time)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        first = screen.game.current
        cover = on_top(pilot, Cover)
        assert screen.game.players[first] in cover.text
        assert screen.query_one(RackView).tiles == ()
        time.seconds += 500  # the clock stands still behind the cover
        screen.tick()
        assert screen.game.turn == 1
        await pilot.press("enter")
        assert set(screen.query_one(RackView).tiles) == set(screen.game.racks[first])
        await pilot.press("d")
        on_top(pilot, Question)  # what was drawn, for its player only
        await pilot.press("enter")
        on_top(pilot, Cover)
        assert screen.query_one(RackView).tiles == ()
        await pilot.press("enter")
        assert set(screen.query_one(RackView).tiles) == set(screen.game.racks[1 - first])
        assert "You drew" not in shown(screen, "status")
        assert "drew a tile" in shown(screen, "players")


def outcome_text(question: Question) -> str:
    return str(question.text)


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_the_cover_and_the_outcome_can_be_left(key: str) -> None:
    @run
    async def leave() -> None:
        app = table_app(plan("Ann,Ben"))
        async with app.run_test(size=(80, 24)) as pilot:
            await at_table(pilot)
            cover = on_top(pilot, Cover)
            await pilot.press(key)
            assert "Leave in the middle" in outcome_text(on_top(pilot, Question))
            await pilot.press(key)  # once is enough
            await pilot.press("n")
            await until(pilot, lambda: app.screen is cover)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, GameScreen))
            await pilot.press("d")
            outcome = on_top(pilot, Question)
            assert "You drew a tile." in outcome_text(outcome)
            await pilot.press(key)
            assert on_top(pilot, Question) is not outcome
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is outcome)
            await pilot.press(key, "y")
            await until(pilot, lambda: not app.is_running)
        assert app.return_code == 0

    leave()


@run
async def test_help_and_scores_open_over_the_cover_and_the_outcome() -> None:
    app = table_app(plan("Ann,Ben"))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        cover = on_top(pilot, Cover)
        assert "q quit" in cover.hint
        for key in ("?", "p"):
            await pilot.press(key)
            on_top(pilot, Sheet)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is cover)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        await pilot.press("d")
        outcome = on_top(pilot, Question)
        assert "q quit" in outcome.hint
        for key in ("?", "p"):
            await pilot.press(key)
            on_top(pilot, Sheet)
            await pilot.press("q")
            await until(pilot, lambda: app.screen is outcome)
        await pilot.press("x")  # means nothing here
        assert app.screen is outcome


@run
async def test_what_was_drawn_stays_between_its_player_and_the_screen() -> None:
    app = table_app(plan("Ann,Ben,bot"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        if not screen.session.is_human(screen.game.current):
            screen.bot_turn()
            await pilot.pause()
        seat = screen.game.current
        await pilot.press("enter")
        await until(pilot, lambda: screen.viewer == seat)
        await pilot.press("d")
        drawn = row_text(screen.session.own_draw(seat))
        assert drawn.rstrip("*") in outcome_text(on_top(pilot, Question)).replace(" ", "")
        await pilot.press("enter")
        await until(pilot, lambda: screen.viewer is None)
        assert drawn not in shown(screen, "players")
        assert screen.query_one(RackView).hidden > 0


@run
async def test_a_turn_that_is_refused_keeps_the_keyboard() -> None:
    app = table_app(plan("Ann,Ben"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        seat = screen.game.current
        await pilot.press("enter")
        await until(pilot, lambda: screen.editor is not None)
        screen.finish(Play(seat, (), {}))
        assert "Not played: Play at least one tile" in shown(screen, "status")
        assert screen.viewer == seat
        assert screen.game.current == seat
