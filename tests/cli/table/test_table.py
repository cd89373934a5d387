"""The table as a player meets it: keys in, texts and tiles out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.table.tools import (
    at_table,
    begin,
    plan,
    rack_shown,
    rows_shown,
    run,
    screen_of,
    shown,
    table_app,
    until,
)
from tilerummy.cli.recordfile import RecordFile
from tilerummy.cli.table.app import background_is_light
from tilerummy.cli.table.dialogs import Question, Sheet
from tilerummy.cli.table.screen import GameScreen
from tilerummy.cli.table.setup import SetupScreen
from tilerummy.cli.table.views import TableView
from tilerummy.play.events import Drew
from tilerummy.play.game import Phase
from tilerummy.play.notation import load
from tilerummy.play.verification import verify
from tilerummy.rules.declarations import declaration_text
from tilerummy.rules.tiles import row_text

OPENING = "r9 r10 r11 r12 b1 b1 b2 b2 b3 b3 b4 b4 b5 b5"


@run
async def test_enter_on_the_set_up_screen_starts_one_person_and_three_bots() -> None:
    app = table_app(plan("Player 1,bot,bot,bot"), ask=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        assert isinstance(app.screen, GameScreen)
        await pilot.pause()
        assert app.screen.game.players == ("Player 1", "Bot 1", "Bot 2", "Bot 3")
        assert app.screen.session.humans == (0,)


@run
async def test_opening_by_keyboard() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("space", "right", "space", "right", "space")
        assert "3 selected" in shown(screen, "status")
        await pilot.press("enter")
        assert rows_shown(screen) == ["r9 r10 r11"]
        assert "Opening: 30 of 30" in shown(screen, "status")
        assert "valid" in shown(screen, "status")
        await pilot.press("c")
        assert row_text(screen.game.table[0]) == "r9 r10 r11"
        assert screen.game.opened[0]
        assert screen.editor is None
        assert "You played r9 r10 r11." in shown(screen, "status")


@run
async def test_opening_points_count_up() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("end", "left", "left", "left", "left", "left", "left", "left")
        assert screen.editor is not None
        await pilot.press("s", "home")  # by number: b1 b1 b2 b2 b3 b3 …
        await pilot.press("space", "right", "right", "space", "right", "right", "space", "n")
        assert rows_shown(screen) == ["b1 b2 b3"]
        assert "Opening: 6 of 30" in shown(screen, "status")
        assert "Your opening is worth 6 points. You need at least 30." in shown(screen, "status")


@run
async def test_a_row_that_is_not_a_set_says_why() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("space", "right", "space", "enter")
        assert rows_shown(screen) == ["r9 r10"]
        assert "✗ r9 r10: A set needs at least three tiles." in shown(screen, "status")
        scene = screen.query_one(TableView).scene
        assert not scene.notes[0].good
        assert scene.caption(0).startswith("✗ A set needs at least three")


@run
async def test_a_refused_turn_keeps_the_draft_and_tells_every_reason() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("space", "end", "space", "enter", "c")
        status = shown(screen, "status")
        assert "Not played: r9 b5: A set needs at least three tiles." in status
        assert "Neither a group" in " ".join(status.split())
        assert rows_shown(screen) == ["r9 b5"]
        assert screen.game.table == ()


@run
async def test_undo_redo_reset() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING, "k7 k8 k9", opened=True)
        before = rack_shown(screen)
        await pilot.press("space", "n", "space", "n")
        assert rows_shown(screen) == ["k7 k8 k9", "r9", "r10"]
        await pilot.press("u")
        assert rows_shown(screen) == ["k7 k8 k9", "r9"]
        await pilot.press("y")
        assert rows_shown(screen) == ["k7 k8 k9", "r9", "r10"]
        await pilot.press("tab", "x")
        assert rows_shown(screen) == ["k7 k8 k9"]
        assert rack_shown(screen) == before
        assert screen.editor is not None
        assert screen.editor.on_rack
        await pilot.press("u", "u", "u")
        assert rows_shown(screen) == ["k7 k8 k9"]
        await pilot.press("u")
        assert "nothing to undo" in shown(screen, "status")


@run
async def test_a_tile_goes_into_a_row_of_the_table_and_back() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r4 r10 b1", "r1 r2 r3 / k1 b1 o1", opened=True)
        await pilot.press("space", "up", "enter")
        assert rows_shown(screen) == ["r1 r2 r3 r4", "k1 b1 o1"]
        await pilot.press("left", "backspace")
        assert rows_shown(screen) == ["r1 r2 r3", "k1 b1 o1"]
        await pilot.press("left", "backspace")
        assert "stay there" in shown(screen, "status")


@run
async def test_enter_inside_a_row_cuts_it_and_rows_can_be_joined() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "k13", "r1 r2 r3 r4 r5 r6", opened=True)
        await pilot.press("up", "home", "right", "right", "right", "enter")
        assert rows_shown(screen) == ["r1 r2 r3", "r4 r5 r6"]
        await pilot.press("a", "left", "enter")
        assert rows_shown(screen) == ["r1 r2 r3 r4 r5 r6"]


@run
async def test_draw_takes_a_tile_and_ends_the_turn() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("d")
        assert len(screen.game.racks[0]) == 15
        assert screen.game.current == 1
        event = screen.session.turns()[-1]
        assert isinstance(event, Drew)
        assert f"You drew {row_text(event.tiles)}." in shown(screen, "status")


@run
async def test_draw_over_a_draft_asks_for_a_second_press() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("n", "d")
        assert screen.game.current == 0
        assert "d again" in shown(screen, "status")
        await pilot.press("d")
        assert screen.game.current == 1


@run
async def test_pass_when_the_pool_is_empty() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r1 k5 o9")
        empty_pool(screen)
        assert "pass" in shown(screen, "keys")
        await pilot.press("m")
        assert "You can't play" in shown(screen, "status")
        await pilot.press("d")
        assert screen.game.passes == 1


@run
async def test_a_player_who_must_play_is_shown_a_play() -> None:
    app = table_app()
    async with app.run_test(size=(100, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("m")
        assert "only when the pool is empty" in shown(screen, "status")
        empty_pool(screen)
        assert "show me" in shown(screen, "keys")
        await pilot.press("d")
        assert "Press m to see a play" in shown(screen, "status")
        assert screen.game.passes == 0
        await pilot.press("m")
        assert "Press c to play it" in shown(screen, "status")
        laid = rows_shown(screen)
        assert laid
        await pilot.press("u")
        assert rows_shown(screen) == []
        await pilot.press("y")
        assert rows_shown(screen) == laid
        await pilot.press("c")
        assert screen.game.table


def empty_pool(screen: GameScreen) -> None:
    """Give all tiles of the pool to the opponent."""
    game = screen.game
    racks = (game.racks[0], (*game.racks[1], *game.pool))
    screen.session.driver.game = replace(game, pool=(), racks=racks)
    screen.start_turn()


@run
async def test_twist_mirror_row_lies_in_the_order_chosen() -> None:
    app = table_app(plan(name="twist"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r8 r9 r8 r9 M k1")
        # Sorted by colour: r8 r8 r9 r9 k1 M
        assert rack_shown(screen) == "r8 r8 r9 r9 k1 M"
        await pilot.press("space", "right", "right", "space", "end", "space")
        await pilot.press("left", "left", "space", "left", "left", "space", "enter")
        assert rows_shown(screen) == ["r8 r9 M r9 r8"]
        assert screen.query_one(TableView).scene.notes[0].caption == "✓ mirrored run 34"
        await pilot.press("c")
        assert row_text(screen.game.table[0]) == "r8 r9 M r9 r8"


@run
async def test_an_ambiguous_row_is_asked_for_where_the_rules_say_so() -> None:
    app = table_app(plan(joker__declare="kind"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r11 J J b1")
        await pilot.press("space", "end", "space", "left", "space", "enter")
        assert screen.query_one(TableView).scene.notes[0].caption == "? run or group"
        await pilot.press("c")
        assert isinstance(app.screen, Question)
        await pilot.press("escape")
        assert screen.game.table == ()
        await pilot.press("c", "2")
        assert list(screen.game.declared.values()) == ["group"]


@run
async def test_the_jokers_of_a_row_are_named_where_the_rules_say_so() -> None:
    app = table_app(plan(joker__declare="explicit"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r11 J J b1")
        await pilot.press("space", "end", "space", "left", "space", "enter")
        notes = screen.query_one(TableView).scene.notes
        assert notes[0].caption == "? name the jokers"
        await pilot.press("j", "enter")  # the most valuable meaning is offered first
        notes = screen.query_one(TableView).scene.notes
        assert notes[0].caption == "✓ run 36 (r11 r12 r13)"
        assert screen.game.table == ()
        await pilot.press("j", "3")
        assert screen.query_one(TableView).scene.notes[0].caption == "✓ group 33 (r11 b11 o11)"
        await pilot.press("c")
        said = [declaration_text(said) for said in screen.game.declared.values()]
        assert said == ["r11 b11 o11"]


@run
async def test_an_unnamed_row_is_asked_for_when_it_is_handed_in() -> None:
    app = table_app(plan(joker__declare="explicit"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r11 J J b1")
        await pilot.press("j")
        assert "nothing to name" in shown(screen, "status")
        await pilot.press("space", "end", "space", "left", "space", "enter", "c")
        assert isinstance(app.screen, Question)
        await pilot.press("2")
        said = [declaration_text(said) for said in screen.game.declared.values()]
        assert said == ["r11 b11 k11"]


@run
async def test_strict_tables_warn_before_an_illegal_turn_costs_a_penalty() -> None:
    app = table_app(plan(strict_submit=True))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        await pilot.press("n", "c")
        assert screen.game.current == 0
        assert "c again" in shown(screen, "status")
        await pilot.press("c")
        assert len(screen.game.racks[0]) == 17
        assert "invalid move" in shown(screen, "status")


@run
async def test_tiles_of_others_are_marked_until_the_next_turn() -> None:
    app = table_app(plan("Ann,bot"), pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        for _ in range(60):
            if screen.session.fresh_tiles(0):
                break
            await pilot.press("d", "d")
            await pilot.pause()
        fresh = screen.session.fresh_tiles(0)
        marks = screen.query_one(TableView).scene.marks
        assert fresh
        assert all(marks[tile].name == "FRESH" for tile in fresh)
        assert "played" in shown(screen, "players")


@run
async def test_rack_can_be_sorted_and_arranged_by_hand() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r7 b7 r8")
        assert rack_shown(screen) == "r7 r8 b7"
        await pilot.press("s")
        assert rack_shown(screen) == "r7 b7 r8"
        assert "777" in shown(screen, "title")
        await pilot.press("greater_than_sign")
        assert rack_shown(screen) == "b7 r7 r8"
        assert "own order" in shown(screen, "title")
        await pilot.press("s")
        assert rack_shown(screen) == "r7 r8 b7"


@run
async def test_mouse_selects_and_places() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r4 k13 b9", "r1 r2 r3 / k1 b1 o1", opened=True)
        await pilot.click("#rack", offset=(2, 0))
        assert screen.editor is not None
        assert row_text(screen.editor.selected) == "r4"
        await pilot.click("#table", offset=(2, 1))  # the caption of the first row
        assert rows_shown(screen) == ["r1 r2 r3 r4", "k1 b1 o1"]
        await pilot.click("#table", offset=(14, 0))
        assert row_text(screen.editor.selected) == "r4"
        await pilot.click("#rack", offset=(60, 0))
        assert rows_shown(screen) == ["r1 r2 r3", "k1 b1 o1"]
        await pilot.click("#rack", offset=(2, 0))
        await pilot.click("#table", offset=(50, 8))
        assert rows_shown(screen) == ["r1 r2 r3", "k1 b1 o1", "r4"]


@run
async def test_help_shows_keys_and_the_rules_and_scores_the_sheet() -> None:
    app = table_app(plan(name="sabra"), lang="zh-Hant")
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot, OPENING)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Sheet)
        assert len(app.screen.parts) > 20
        await pilot.press("down", "pagedown", "space", "escape", "p")
        assert isinstance(app.screen, Sheet)
        await pilot.press("enter")
        assert isinstance(app.screen, GameScreen)


@pytest.mark.parametrize("name", ["taiwan", "twist"])
def test_bots_play_a_whole_match_without_a_pause(name: str, tmp_path: Path) -> None:
    @run
    async def whole() -> None:
        path = tmp_path / "match.jsonl"
        options = {"match__games_per_round": 1}
        app = table_app(plan("bot,bot", name, 2, **options), pause=0, file=RecordFile(path))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Sheet), seconds=300)
            screen = screen_of(pilot)
            assert screen.session.driver.match.is_over
            assert screen.game.phase is Phase.OVER
            await pilot.press("enter")
        record = load(path.read_text("utf-8"))
        assert len(record.games) == 2
        assert not verify(record)

    whole()


@run
async def test_the_next_game_follows_the_end_of_a_game() -> None:
    app = table_app(plan("Ann,bot"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r10 r11 r12")
        await pilot.press("space", "right", "space", "right", "space", "enter", "c")
        assert isinstance(app.screen, Sheet)
        assert "Game 1 is over" in app.screen.heading
        await pilot.press("enter")
        assert screen.game.number == 2
        assert screen.game.phase is Phase.PLAYING


@run
async def test_a_crowded_table_scrolls_to_the_cursor_at_80_by_24() -> None:
    app = table_app(plan("Ann,bot", "sixplayer", reduced_box=False))
    rows = " / ".join(
        f"{colour}{first} {colour}{first + 1} {colour}{first + 2}"
        for colour in "rbko"
        for first in (1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10)
    )
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r13 b13 k13", rows, opened=True)
        table = screen.query_one(TableView)
        assert table.flow.height > table.size.height
        assert screen.query_one("#keys").region.bottom == 24
        await pilot.press("tab")
        assert table.scroll_offset.y > 0
        for _ in range(16):
            await pilot.press("up")
        assert table.scroll_offset.y == 0
        await pilot.resize_terminal(140, 50)
        await pilot.pause()
        assert table.size.width == 140
        assert max(block.x + block.width for block in table.flow.blocks) <= 140


@run
async def test_the_final_round_is_announced() -> None:
    app = table_app(plan(name="taiwan"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        screen.session.driver.game = replace(screen.game, final_turns=2)
        screen.start_turn()
        assert "final round: 2 turns left" in shown(screen, "head")
        assert shown(screen, "head").endswith("1:00 ")


@run
async def test_drawing_until_something_can_be_played() -> None:
    app = table_app(plan(draw__mode="until_playable"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r1 b3 k5")
        await pilot.press("d")
        assert len(screen.game.racks[0]) > 4
        assert "You drew" in shown(screen, "status")


@run
async def test_the_lights_can_be_turned() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, OPENING)
        dark = screen.query_one(TableView).scene.palette
        await pilot.press("t")
        assert screen.query_one(TableView).scene.palette != dark
        await pilot.press("t")
        assert screen.query_one(TableView).scene.palette == dark


@pytest.mark.parametrize(("says", "light"), [("15;0", False), ("0;15", True), ("", False)])
def test_a_light_terminal_gets_a_light_table(says: str, light: bool) -> None:
    assert background_is_light(says) is light


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_every_line_fits_the_screen_in_every_language(lang: str, theme: str) -> None:
    @run
    async def fits() -> None:
        app = table_app(plan("Ann,Ben,bot"), lang=lang)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            app.theme = theme
            await pilot.press("enter")
            screen = await begin(pilot, OPENING, "r1 r2 r3")
            await pilot.press("space", "enter", "c")
            for part in ("head", "players", "title", "keys"):
                text = shown(screen, part)
                assert max(map(cell_len, text.split("\n"))) <= 80
            assert app.export_screenshot()

    fits()
