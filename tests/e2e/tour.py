"""A tour of every screen of the page, for screenshots and checks."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.e2e.rooms import DEALT_OUT, open_room, request
from tests.e2e.seats import Seat
from tests.e2e.visitors import DESKTOP, Screen, Visitors
from tilerummy.rules.editions import edition

SETTINGS = {
    "options": {**DEALT_OUT, "timer.seconds": 600},
    "seats": 2,
    "hints": True,
    "rounds": 1,
}


def walk(
    visitors: Visitors, screen: Screen = DESKTOP, locale: str = "en-GB"
) -> Iterator[tuple[str, Page]]:
    """Screen after screen, with its name."""
    visitors.allow("404")
    ben = Seat(visitors.come("/", reduced_motion="reduce"), edition("classic", DEALT_OUT))
    other_room = open_room(ben.page, "Ben", {**SETTINGS, "public": True}, [])
    page = visitors.come("/", screen, locale=locale, reduced_motion="reduce")
    yield from _before(page, other_room)

    code = open_room(page, "Ann", SETTINGS, [])
    page.goto(f"/r/{code}")
    expect(page.get_by_test_id("code")).to_have_text(code)
    yield "lobby", page
    request(ben.page, "POST", f"/api/rooms/{code}/seats", {})
    ben.page.goto(f"/r/{code}")
    page.locator("#begin").click()
    ann = Seat(page, ben.edition)
    for seat in (ann, ben):
        seat.page.wait_for_selector(".stage [data-tile]")
    for game in (1, 2):
        yield from _game(ann, ben, is_first=game == 1)
        for seat in (ann, ben):
            seat.page.locator("#more").dispatch_event("click")
        for seat in (ann, ben):
            seat.page.get_by_test_id("ending").wait_for(state="detached")


def _before(page: Page, other_room: str) -> Iterator[tuple[str, Page]]:
    page.wait_for_selector("#play-now")
    yield "start", page
    page.click("#settings")
    page.wait_for_selector("dialog")
    yield "settings", page
    page.goto("/rules")
    page.wait_for_selector(".rulebook .tile")
    yield "rules", page
    page.goto("/create")
    page.locator("details.options > summary").click()
    yield "create", page
    page.goto("/join")
    page.wait_for_selector(".seats")
    yield "join", page
    page.goto("/r/NOROOM")
    page.wait_for_selector("[role=alert]")
    yield "room gone", page
    page.goto(f"/r/{other_room}")
    page.wait_for_selector("#sit-down")
    yield "room of others", page


def _game(ann: Seat, ben: Seat, *, is_first: bool) -> Iterator[tuple[str, Page]]:
    page = ann.page
    page.wait_for_selector(".player.turn")
    if not page.locator(".player.turn.you").count():
        ben.await_turn()
        if is_first:
            yield "turn of others", page
        ben.quick_draw()
    ann.await_turn()
    yield from _turn(ann) if is_first else _between(ann, ben)
    ann.draw.dispatch_event("click")
    page.wait_for_selector(".stage:not(.mine), [data-testid=ending]")
    if not ann.is_over:
        if is_first:
            yield "turn of others", page
        if ben.await_turn():
            ben.draw.dispatch_event("click")
    for seat in (ann, ben):
        seat.page.wait_for_selector("[data-testid=ending]")
    yield "end of a game" if is_first else "end of a match", page


def _between(ann: Seat, ben: Seat) -> Iterator[tuple[str, Page]]:
    page = ann.page
    page.locator("#open-menu").dispatch_event("click")
    page.locator("dialog .menu button").first.dispatch_event("click")
    page.wait_for_selector("dialog .scores")
    yield "scores", page
    page.locator("#check-shuffle").dispatch_event("click")
    page.get_by_test_id("proof").wait_for()
    yield "check of the shuffle", page
    _escape(page)
    page.locator("#open-menu").dispatch_event("click")
    page.locator("#open-story").dispatch_event("click")
    page.wait_for_selector("dialog:not(:has(.menu))")
    yield "last turns", page
    _escape(page)
    page.locator("#open-menu").dispatch_event("click")
    page.locator("dialog .danger").dispatch_event("click")
    page.wait_for_selector("#leave-yes")
    yield "leaving", page
    _escape(page)
    for seat in (ann, ben):
        _ask_for_pause(seat.page)
    page.wait_for_selector(".banner")
    yield "pause", page
    _ask_for_pause(page)
    ann.await_turn()


def _ask_for_pause(page: Page) -> None:
    page.locator("#open-menu").dispatch_event("click")
    page.locator("#ask-pause").dispatch_event("click")
    page.wait_for_selector("dialog", state="detached")


def _escape(page: Page) -> None:
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def _turn(ann: Seat) -> Iterator[tuple[str, Page]]:
    page = ann.page
    yield "own turn", page
    page.locator("#hint").dispatch_event("click")
    hint = page.get_by_test_id("hint")
    hint.wait_for()
    yield "hint", page
    if page.locator("#hint-more").count():
        page.locator("#hint-more").dispatch_event("click")
        page.locator("#hint-more").dispatch_event("click")
        page.wait_for_selector("#hint-back:not([aria-disabled])")
        yield "steps of a hint", page
    page.locator("#hint-close").dispatch_event("click")
    hint.wait_for(state="detached")
    if page.locator("#reset:not([aria-disabled])").count():
        page.locator("#reset").dispatch_event("click")

    page.focus(".stage")
    page.keyboard.press("Home")
    for key in ("Space", "ArrowRight", "Space", "t"):
        page.keyboard.press(key)
    page.wait_for_selector(".row-box.bad")
    yield "invalid row", page
    page.locator("#reset").dispatch_event("click")

    page.locator("#open-chat").dispatch_event("click")
    page.locator("dialog input").fill("Hallo")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chat li:not(.note)")
    page.locator(".emotes button").first.dispatch_event("click")
    yield "chat", page
    page.keyboard.press("Escape")
    page.locator("#open-menu").dispatch_event("click")
    page.wait_for_selector("dialog .menu")
    yield "menu", page
    page.locator("#open-help").dispatch_event("click")
    page.wait_for_selector("dialog .hands")
    yield "help", page
    _escape(page)
    page.focus(".stage")
    page.keyboard.press("?")
    page.wait_for_selector("dialog .keys")
    yield "keys", page
    _escape(page)
