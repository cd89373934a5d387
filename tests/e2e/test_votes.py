"""What the players of a match decide together about one of them."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.rooms import sit_together
from tests.e2e.seats import Seat, in_turn
from tests.e2e.visitors import DESKTOP, PHONE, Visitors, axe


def open_votes(seat: Seat) -> None:
    seat.page.locator("#open-menu").click()
    seat.page.locator("#open-votes").click()


def test_the_others_remove_a_player_together(visitors: Visitors) -> None:
    ann, ben, cleo = sit_together(visitors, 3, screens=[DESKTOP, PHONE])
    open_votes(ann)
    assert axe(ann.page) == []
    ann.page.get_by_role("button", name="Vote to remove Ben").click()
    expect(ann.page.locator("dialog")).to_have_count(0)
    expect(cleo.page.get_by_test_id("vote")).to_contain_text("In favour: Ann")
    expect(ben.page.get_by_test_id("vote")).to_have_text(
        "Players who want to remove you from the match: Ann."
    )
    expect(ben.page.get_by_role("button", name="Agree")).to_have_count(0)
    ann.page.get_by_role("button", name="Withdraw my vote").click()
    expect(cleo.page.get_by_test_id("vote")).to_have_count(0)
    open_votes(ann)
    ann.page.get_by_role("button", name="Vote to remove Ben").click()
    cleo.page.get_by_role("button", name="Agree").tap()
    for seat in (ann, cleo):
        expect(seat.page.get_by_test_id("vote")).to_have_count(0)
        expect(seat.page.locator(".player", has_text="Ben")).to_contain_text("bot plays")
    expect(ben.page.locator("#play, #draw")).to_have_count(0)
    expect(ben.page.get_by_test_id("removed")).to_contain_text("You were removed from the match.")


def test_a_player_has_time_to_think_before_a_bot_stands_in(visitors: Visitors) -> None:
    people = sit_together(visitors, 2)
    _, waiting = in_turn(people)
    open_votes(waiting)
    expect(waiting.page.get_by_role("button", name="Vote to remove")).to_have_count(0)
    waiting.page.get_by_role("button", name="Vote for a bot to play for").click()
    expect(waiting.page.locator("dialog").get_by_role("alert")).to_contain_text("two minutes")
