"""The bots as people meet them: choosing a level, their remarks, their pace, and stand-ins."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from tests.e2e.rooms import sit_together
from tests.e2e.visitors import DESKTOP, PHONE, Visitors, axe
from tilerummy.bots.roster import BOTS, LADDER
from tilerummy.locales import catalogue

WORDS = catalogue("en")


def names_at(page: Page) -> list[str]:
    """The names of the bots at a table."""
    return page.locator(".player:not(.you):not(.pool) .name").all_inner_texts()


def settings_of(page: Page) -> Mapping[str, object]:
    """The settings of the room that is open."""
    page.wait_for_url("**/r/*")
    code = page.url.rpartition("/")[2]
    settings: Mapping[str, object] = page.request.get(f"/api/rooms/{code}").json()["settings"]
    return settings


def test_a_level_is_chosen_for_play_now_and_remembered(visitors: Visitors) -> None:
    page = visitors.come("/", PHONE, reduced_motion="reduce")
    spec = LADDER[6]
    page.select_option("#level", str(spec.level))
    about = page.locator("#opponent")
    expect(about).to_contain_text(WORDS.text(spec.character_key))
    expect(about).to_contain_text(re.compile(r"Wins \d+% of 2-player games against Squirrel\."))
    page.select_option("#edition", "sabra")
    expect(about).to_contain_text(re.compile(r"Wins|Not measured yet\."))
    page.get_by_text("Bot options").click()
    page.get_by_label("Follow my results").check()
    page.get_by_label("At once").check()
    assert axe(page) == []
    page.reload()
    expect(page.locator("#level")).to_have_value(str(spec.level))
    page.get_by_text("Bot options").click()
    expect(page.get_by_label("Follow my results")).to_be_checked()
    expect(page.get_by_label("At once")).to_be_checked()
    page.click("#play-now")
    page.wait_for_selector(".stage [data-tile]")
    neighbours = [WORDS.text(LADDER[number].name_key) for number in (5, 6, 7)]
    assert sorted(names_at(page)) == sorted(neighbours), "without numbers"
    assert settings_of(page)["bot_pace"] == "at-once"


def test_the_pace_of_the_bots_is_set_for_a_room(visitors: Visitors) -> None:
    page = visitors.come("/create", DESKTOP, reduced_motion="reduce")
    pace = page.get_by_role("group", name="Bot speed")
    expect(pace.get_by_label("Normal")).to_be_checked()
    pace.get_by_label("Slow").check()
    page.click("#create")
    expect(page.get_by_test_id("code")).to_be_visible()
    assert settings_of(page)["bot_pace"] == "slow"
    page.goto("/create")
    expect(pace.get_by_label("Slow")).to_be_checked()


def test_a_bot_says_why_after_its_turn(visitors: Visitors) -> None:
    cannot_open = {"initial.min": 200}
    (seat,) = sit_together(visitors, 1, bots=["hare"], options=cannot_open, screens=[PHONE])
    page = seat.page
    words = "Sees no opening yet."
    spoken = page.locator(".player[data-seat='1'] > [aria-live]")
    seat.await_turn()
    turn = seat.turn
    seat.draw.dispatch_event("click")
    expect(page.get_by_test_id("remark")).to_have_text(words)
    seat.await_end_of_turn(turn)
    seat.await_turn()
    expect(spoken).to_have_text(f"Hare: {words}")
    # A reload gives the same: it is part of what the server says of the latest turn.
    page.reload()
    seat.await_turn()
    expect(spoken).to_have_text(f"Hare: {words}")
    page.click("#open-menu")
    page.click("#open-story")
    expect(page.locator(".story")).to_contain_text(words)
    page.keyboard.press("Escape")
    page.click("#open-menu")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Bots explain their turns").uncheck()
    page.keyboard.press("Escape")
    expect(spoken).to_have_text("")
    expect(page.get_by_test_id("remark")).to_have_count(0)


def test_a_bot_that_stands_in_says_which_one_it_is(visitors: Visitors) -> None:
    ann, ben = sit_together(visitors, 2, bots=["owl"], options={"timer.seconds": 0})
    ben.page.click("#open-menu")
    ben.page.locator("dialog .danger").click()
    ben.page.click("#leave-yes")
    name = WORDS.text(BOTS["owl"].name_key)
    expect(ann.page.locator(".player[data-seat='2']")).to_contain_text(f"bot plays · {name}")
