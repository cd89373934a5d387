"""Eyes that need another picture: colours of the system, a page that is much enlarged."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.hands import Keys
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.visitors import Screen, Visitors

ENLARGED: Screen = {"viewport": {"width": 320, "height": 256}}
"""1280 by 1024, enlarged to 400 %."""
STYLE = (
    "([selector, pseudo, name]) => getComputedStyle(document.querySelector(selector), pseudo)[name]"
)


def style(page: Page, selector: str, name: str, pseudo: str | None = None) -> Any:
    return page.evaluate(STYLE, [selector, pseudo, name])


def test_nothing_is_told_by_our_colours_alone(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH, forced_colors="active")
    assert seat.await_turn()
    page = seat.page
    numbers = {style(page, f".tile.{colour} .number", "color") for colour in "rbko"}
    assert len(numbers) == 4, "tiles have the colours of tiles"
    others = style(page, ".player:not(.turn, .pool)", "borderTopColor")
    assert style(page, ".player.turn", "borderTopColor") != others
    page.goto("/create")
    chosen = style(page, ".segments label.on", "backgroundColor")
    assert chosen != style(page, ".segments label:not(.on)", "backgroundColor")
    assert style(page, ".switch input", "backgroundColor", "::after") != style(
        page, ".switch input", "backgroundColor"
    )
    page.locator(".switch input").nth(1).check()
    on, off = (f".switch:nth-of-type({number}) input" for number in (3, 2))
    assert style(page, on, "backgroundColor") != style(page, off, "backgroundColor")


def test_a_page_enlarged_four_times_can_be_played(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH, screens=[ENLARGED])
    assert seat.await_turn()
    page = seat.page
    seen = seat.look()
    left, top, right, bottom = seen.table
    assert bottom - top > 120, "there is a table to lay tiles on"
    assert all(spot.y > bottom for spot in seen.tiles.values() if spot.zone == "rack")
    assert page.evaluate("document.documentElement.scrollWidth") <= right - left + 1

    # The wheel scrolls the page, and the keyboard brings along what it is on.
    page.mouse.move((left + right) / 2, (top + bottom) / 2)
    page.mouse.wheel(0, 120)
    seat.wait_until(lambda: page.evaluate("scrollY") > 60)
    assert page.evaluate("scrollY") > 60
    page.evaluate("scrollTo(0, 0)")
    keys = Keys(seat)
    keys.come_to_the_table()
    keys.type("End")
    cursor = page.locator(".cursor")
    expect(cursor).to_be_in_viewport(ratio=0.99)
    keys.type("Space", "t", "ArrowUp", "ArrowUp")
    expect(cursor).to_be_in_viewport(ratio=0.99)
    page.locator("#draw, #play").focus()
    expect(page.locator("#draw, #play")).to_be_in_viewport(ratio=0.99)
