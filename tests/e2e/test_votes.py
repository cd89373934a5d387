"""What the players of a match decide together about one of them."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.rooms import PEOPLE, sit_together
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
    expect(ben.page.get_by_test_id("vote")).to_contain_text(
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


def test_every_open_vote_has_its_own_place_above_the_table(visitors: Visitors) -> None:
    people = sit_together(visitors, 4, screens=[PHONE])
    first, asker, *_ = in_turn(people)
    names = dict(zip(PEOPLE, people, strict=True))
    voted = [name for name, seat in names.items() if seat not in (first, asker)]
    for name in voted:
        open_votes(asker)
        asker.page.get_by_role("button", name=f"Vote to remove {name}").click()
    votes = first.page.get_by_test_id("vote")
    expect(votes).to_have_count(2)
    for number, name in enumerate(voted):
        expect(votes.nth(number)).to_contain_text(f"Remove {name} from the match?")
        expect(votes.nth(number)).to_contain_text("Open until the next game.")
    # They cover neither the table nor whose turn it is.
    expect(first.page.locator(".banner .now")).to_be_visible()
    boxes = [first.page.locator(each).bounding_box() for each in (".telling", ".notices", ".stage")]
    edges = [(box["y"], box["y"] + box["height"]) for box in boxes if box is not None]
    assert len(edges) == 3
    assert [bottom for _, bottom in edges[:2]] == [top for top, _ in edges[1:]]
    assert axe(first.page) == []
    # One that is withdrawn is gone, the other stays.
    asker.page.get_by_role("button", name="Withdraw my vote").first.tap()
    expect(votes).to_have_count(1)
    expect(votes).to_contain_text(f"Remove {voted[1]} from the match?")
    votes.get_by_role("button", name="Agree").tap()
    expect(votes.get_by_role("button", name="Withdraw my vote")).to_be_visible()
