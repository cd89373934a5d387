"""Eyes that need another picture: colours of the system, a page that is much enlarged."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.hands import Keys
from tests.e2e.rooms import DEALT_OUT, RICH, open_room, request, sit_together, sit_with_bot
from tests.e2e.visitors import Screen, Visitors

ENLARGED: Screen = {"viewport": {"width": 320, "height": 256}}
"""1280 by 1024, enlarged to 400 %."""
STYLE = (
    "([selector, pseudo, name]) => getComputedStyle(document.querySelector(selector), pseudo)[name]"
)


def style(page: Page, selector: str, name: str, pseudo: str | None = None) -> Any:
    return page.evaluate(STYLE, [selector, pseudo, name])


def test_nothing_is_shown_by_our_colours_alone(visitors: Visitors) -> None:
    # So many that every colour is among them, but once in a million deals.
    options = {**RICH, "hand_size": 40, "players.max": 2}
    seat = sit_with_bot(visitors, options=options, forced_colors="active")
    assert seat.await_turn()
    page = seat.page
    numbers = {style(page, f".tile.{colour}", "color") for colour in "rbko"}
    assert len(numbers) == 4, "tiles have the colours of tiles"
    others = style(page, ".player:not(.turn, .pool)", "borderTopColor")
    assert style(page, ".player.turn", "borderTopColor") != others
    page.goto("/create")
    page.wait_for_selector(".switch")
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

    # The wheel moves the table as far as it goes, and then the page.
    page.mouse.move((left + right) / 2, (top + bottom) / 2)

    def turn_wheel() -> bool:
        page.mouse.wheel(0, 120)
        return bool(page.evaluate("scrollY > 60"))

    seat.wait_until(turn_wheel)
    assert page.evaluate("scrollY > 60")
    # The keyboard brings along what it is on.
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


def test_the_cursor_stays_in_sight_on_a_table_that_is_larger_than_its_window(
    visitors: Visitors,
) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "hand_size": 26}, screens=[ENLARGED])
    assert seat.await_turn()
    keys = Keys(seat)
    for tile in seat.rack:
        keys.new_row([tile])
    expect(seat.page.locator(".row-box")).to_have_count(26)
    places = set()
    for _ in range(26):
        keys.type("ArrowUp")
        left, top, right, bottom = seat.look().table
        box = seat.page.locator(".cursor").bounding_box()
        assert box is not None
        assert left <= box["x"] <= right + 1 - box["width"]
        assert top <= box["y"] <= bottom + 4 - box["height"]
        places.add(seat.look().tiles[seat.rows[0][0]].y)
    assert len(places) > 1, "the table has moved"


def test_two_readings_are_chosen_from_by_keyboard(visitors: Visitors) -> None:
    people = sit_together(visitors, 2, options={**DEALT_OUT, "jokers": "J4", "hand_size": 28})
    jokers = {seat: [tile for tile in seat.rack if tile[0] == "J"] for seat in people}
    seat, other = sorted(people, key=lambda seat: -len(jokers[seat]))
    other.page.wait_for_selector(".player.turn")
    if other.page.locator(".stage.mine").count():
        other.quick_draw()
    assert seat.await_turn()
    number = next(tile for tile in seat.rack if tile[1:].partition(".")[0] in "3456789")
    Keys(seat).new_row([number, *jokers[seat][:2]])
    choices = seat.page.locator(".choices button")
    expect(choices).to_have_count(2)
    for choice in choices.all():
        choice.focus()
        for key in ("Enter", "Space"):
            seat.page.keyboard.press(key)
            expect(choice).to_have_attribute("aria-pressed", "true")
            expect(choice).to_be_focused()
    name = choices.first.get_attribute("aria-label") or ""
    assert name.endswith(choices.first.inner_text())


def test_the_longest_names_fit_on_the_smallest_screen(visitors: Visitors) -> None:
    page = visitors.come("/", ENLARGED)
    code = open_room(page, "W" * 24, {"seats": 3}, [])
    other = visitors.come("/")
    request(other, "POST", "/api/guests", {"name": "山" * 24})
    request(other, "POST", f"/api/rooms/{code}/seats", {})
    page.goto(f"/r/{code}")
    expect(page.locator(".seats li.person")).to_have_count(2)
    sheet = page.locator("main").bounding_box()
    assert sheet is not None
    for seat in page.locator(".seats li").all():
        box = seat.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= sheet["width"] - 18


def test_the_page_follows_a_system_that_wants_more_contrast_or_the_dark(visitors: Visitors) -> None:
    page = visitors.come("/", contrast="more")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "contrast")
    page.emulate_media(contrast="no-preference")
    expect(root).to_have_attribute("data-theme", "light")
    page.emulate_media(contrast="more", color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "dark")
