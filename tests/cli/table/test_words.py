"""What the table says, and that it fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console, Group

from tests.cli.table.tools import at_table, begin, plan, run, shown, table_app
from tilerummy.cli.table.sheets import end_parts, help_parts, score_parts
from tilerummy.locales import catalogue
from tilerummy.rules.editions import EDITIONS, SABRA
from tilerummy.rules.scores import Ending, Result

LANGUAGES = ["en", "zh-Hans", "zh-Hant"]


def printed(parts: list[object], width: int = 74) -> str:
    console = Console(width=width, file=None, force_terminal=False)
    with console.capture() as capture:
        console.print(Group(*parts))  # type: ignore[arg-type]
    return capture.get()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [50, 74, 94])
def test_help_is_never_cut(lang: str, width: int) -> None:
    words = catalogue(lang)
    for rules in EDITIONS.values():
        text = printed([*help_parts(rules, lang)], width)
        assert "…" not in text
        assert max(cell_len(line) for line in text.split("\n")) <= width
        assert not [line for line in text.split("\n") if line.strip()[:1] in tuple("，。；：、）")]
        bare = "".join(text.split())
        for key in ("play.key.enter", "play.key.ends", "play.order-help", "play.legend"):
            assert "".join(words.text(key).split()) in bare


def test_help_has_the_score_sheet_and_the_variations() -> None:
    lines = [" ".join(line.split()) for line in printed([*help_parts(SABRA, "en")]).split("\n")]
    assert "Game A B C D" in lines
    assert "Total −24 −54 +45 +33" in lines
    assert "Games won 1 0 2 1" in lines
    assert lines[lines.index("· Play goes counter-clockwise.") + 1] == "direction=ccw"


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_a_chinese_fault_fills_its_lines_and_keeps_the_row_together(lang: str) -> None:
    @run
    async def wraps() -> None:
        app = table_app(lang=lang)
        async with app.run_test(size=(60, 24)) as pilot:
            screen = await begin(pilot, "r9 r10 r11 r12 b1 b1 b2 b2 b3 b3 b4 b4 b5 b5")
            await pilot.press("space", "end", "space", "enter", "c")
            _, *lines = shown(screen, "status").split("\n")
            assert len(lines) > 1
            assert all(48 <= cell_len(line) <= 58 for line in lines[:-1])
            assert sum(line.count("r9 b5") for line in lines) == 2

    wraps()


@run
async def test_an_opening_without_a_minimum_counts_points_only() -> None:
    app = table_app(plan(initial__min=0))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begin(pilot, "r3 r4 r5 k1")
        await pilot.press("space", "right", "space", "right", "space", "enter")
        assert "Opening: 12 points" in shown(screen, "status")
        assert "of 0" not in shown(screen, "status")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_blocked_game_says_who_shares_it(lang: str) -> None:
    @run
    async def ends() -> None:
        app = table_app(plan("Ann,Ben,Cleo,Dan"), lang=lang)
        async with app.run_test(size=(80, 24)) as pilot:
            screen = await at_table(pilot)
            match, words = screen.session.driver.match, catalogue(lang)

            def end_text(*winners: int) -> str:
                result = Result((0, 0, 0, 0), winners, True, Ending.ALL_PASSED)
                text = printed([*end_parts(replace(screen.game, result=result), match, lang)])
                return " ".join(text.split())

            def part(key: str) -> str:
                return words.text(key, names="|").split("|")[-1].strip()

            assert part("ending.shared") in end_text(0, 1, 2, 3)
            assert part("ending.lowest") in end_text(2)
            assert words.text("ending.nobody-wins")[:8] in end_text()
            assert words.text("ending.all_passed")[:8] in end_text(2)

    ends()


@run
async def test_before_the_first_game_is_over_the_sheet_says_so() -> None:
    app = table_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        text = printed([*score_parts(screen.session.driver.match, "en")])
        assert "No finished games yet." in text
