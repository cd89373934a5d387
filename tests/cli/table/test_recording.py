"""The record of a game at the table: written at once, so that it survives a crash."""

from __future__ import annotations

from pathlib import Path

from tests.cli.table.tools import at_table, begin, on_top, plan, run, screen_of, table_app, until
from tilerummy.cli.recordfile import RecordFile
from tilerummy.cli.table.dialogs import Sheet
from tilerummy.cli.table.screen import GameScreen
from tilerummy.play.notation import load
from tilerummy.play.verification import verify


@run
async def test_leaving_in_mid_match_asks_and_saves_the_record(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    app = table_app(plan("Ann,bot"), pause=0, file=RecordFile(path))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        await until(pilot, lambda: screen.editor is not None)
        await pilot.press("d")
        await until(pilot, lambda: screen.editor is not None)
        await pilot.press("q", "enter")
        assert isinstance(app.screen, GameScreen)
        await pilot.press("ctrl+q", "y")
        await until(pilot, lambda: not app.is_running)
    record = load(path.read_text("utf-8"))
    assert record.players == ("Ann", "Bot 1")
    assert not verify(record)


@run
async def test_a_record_that_cannot_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    app = table_app(file=RecordFile(folder / "match.txt"))
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot, "r10 r11 r12")
        folder.rmdir()
        await pilot.press("space", "right", "space", "right", "space", "enter", "c")
        assert on_top(pilot, Sheet).heading == "Game 1 is over"
        await pilot.press("enter")
        assert screen_of(pilot).game.number == 2


@run
async def test_every_turn_is_written_down_at_once(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    app = table_app(plan("Ann,Ben"), file=RecordFile(path))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        for turn in range(1, 4):
            await pilot.press("enter")
            await until(pilot, lambda: screen.editor is not None)
            await pilot.press("d")
            await pilot.press("enter")
            record = load(path.read_text("utf-8"))
            assert record == screen.session.driver.record
            assert len(screen.session.turns()) == turn
            assert not verify(record)


@run
async def test_a_record_that_cannot_be_written_is_mentioned_once(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    app = table_app(plan("Ann,Ben"), file=RecordFile(folder / "match.txt"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        folder.rmdir()
        for _ in range(3):
            await pilot.press("enter")
            await until(pilot, lambda: screen.editor is not None)
            await pilot.press("d", "enter")
        assert len(app._notifications) == 1
        folder.mkdir()
        await pilot.press("enter")
        await until(pilot, lambda: screen.editor is not None)
        await pilot.press("d")
        assert load((folder / "match.txt").read_text("utf-8")) == screen.session.driver.record


@run
async def test_stopped_by_a_signal_the_table_saves_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    app = table_app(file=RecordFile(path))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        app.stop(143)
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 143
    assert load(path.read_text("utf-8")).players == ("Ann", "Bot 1")
