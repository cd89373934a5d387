"""The clock at the table: what becomes of a turn when time runs out."""

from __future__ import annotations

from tests.cli.table.tools import FakeTime, begin, plan, run, shown, table_app
from tilerummy.play.events import Played

OPENING = "r9 r10 r11 r12 b1 b1 b2 b2 b3 b3 b4 b4 b5 b5"


@run
async def test_time_out_over_an_untouched_table_draws() -> None:
    time = FakeTime()
    app = table_app(time=time)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        assert "1:00" in shown(screen, "head")
        time.seconds += 55
        screen.tick()
        assert "0:05" in shown(screen, "head")
        time.seconds += 5
        screen.tick()
        assert len(screen.game.racks[0]) == 15
        assert "because time ran out" in shown(screen, "status")
        await pilot.pause()


@run
async def test_time_out_over_an_unfinished_table_costs_the_penalty() -> None:
    time = FakeTime()
    app = table_app(time=time)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("n")
        time.seconds += 60
        screen.tick()
        assert len(screen.game.racks[0]) == 17
        assert screen.game.table == ()
        assert "penalty" in shown(screen, "status")


@run
async def test_time_out_over_a_legal_draft_plays_it() -> None:
    time = FakeTime()
    app = table_app(time=time)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("space", "right", "space", "right", "space", "enter")
        time.seconds += 60
        screen.tick()
        event = screen.session.turns()[-1]
        assert isinstance(event, Played)
        assert event.by_clock
        assert "as time ran out" in shown(screen, "status")


@run
async def test_without_a_clock_time_does_not_matter() -> None:
    time = FakeTime()
    app = table_app(plan(timer__seconds=0), time=time)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        time.seconds += 100_000
        screen.tick()
        assert screen.editor is not None
        assert ":" not in shown(screen, "head")
