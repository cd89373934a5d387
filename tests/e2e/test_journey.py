"""From opening a table to the first turn: others come by its link and by its code."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.hands import Mouse, end_turn, lay_out
from tests.e2e.seats import Seat
from tests.e2e.turns import MANY, small_opening
from tests.e2e.visitors import DESKTOP, PHONE, Visitors
from tilerummy.rules.editions import edition


def sit_down(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.click("#sit-down")
    expect(page.locator(".seats")).to_contain_text(f"{name} (you)")


def test_create_join_fill_up_with_bots_begin_and_open(visitors: Visitors) -> None:
    ann = visitors.come("/", DESKTOP, reduced_motion="reduce")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.get_by_label("Your name").fill("Ann")
    ann.click("#with-friends")
    ann.get_by_role("group", name="Time per turn").get_by_label("No clock").check()
    ann.get_by_text("All options").click()
    ann.get_by_label("Starting tiles per player").fill("22")
    ann.click("#create")
    code = ann.get_by_test_id("code").inner_text()
    assert re.fullmatch("[A-Z0-9]{8}", code)
    expect(ann.locator("#begin")).to_be_disabled()

    ann.click("#copy-link")
    link = ann.evaluate("navigator.clipboard.readText()")
    ben = visitors.come(link, PHONE, reduced_motion="reduce")
    # Before one sits down: what is played, and with whom.
    expect(ben.get_by_text("Classic · ")).to_be_visible()
    expect(ben.locator(".seats li").first).to_contain_text("Ann (host)")
    sit_down(ben, "Ben")

    cleo = visitors.come("/join", DESKTOP, reduced_motion="reduce")
    cleo.get_by_label("Room code or link").fill(f" {code.lower()} ")
    cleo.get_by_role("button", name="Join", exact=True).click()
    sit_down(cleo, "Cleo")

    seats = ann.locator(".seats li")
    expect(seats).to_have_count(4)
    expect(seats.nth(1)).to_contain_text("Ben")
    expect(seats.nth(2)).to_contain_text("Cleo")
    seats.nth(3).get_by_role("button", name="Add Hare").click()
    expect(seats.nth(3)).to_contain_text("Hare")
    expect(ben.get_by_text("Waiting for the host")).to_be_visible()
    ann.click("#begin")

    rules = edition("classic", {"hand_size": 22})
    people = [Seat(page, rules) for page in (ann, ben, cleo)]
    for seat in people:
        seat.page.wait_for_selector(".stage [data-tile]")
        assert len(seat.rack) == 22
    racks = [tile for seat in people for tile in seat.rack]
    assert len(set(racks)) == 66, "nobody sees a tile of others"

    opener, laid = opens(people)
    for seat in people:
        for tile in laid:
            expect(seat.page.locator(f".stage > .table[data-tile='{tile}']")).to_be_visible()
        player = seat.page.locator(f".player[data-seat='{people.index(opener)}']")
        expect(player.locator(".opened")).to_be_visible()


def opens(people: list[Seat]) -> tuple[Seat, list[str]]:
    """The first of these players who can open does so."""
    for _ in range(MANY * len(people)):
        seat = mover(people)
        before, table = seat.rows, small_opening(seat)
        if table is None:
            seat.quick_draw()
            continue
        hands = Mouse(seat)
        lay_out(hands, table)
        expect(seat.play).to_be_enabled()
        points = seat.page.get_by_test_id("opening")
        have, least = map(int, points.inner_text().split(" / "))
        assert have >= least == 30
        end_turn(hands)
        assert seat.has_opened
        return seat, [tile for row in table[len(before) :] for tile in row]
    raise AssertionError("nobody could open")


def mover(people: list[Seat]) -> Seat:
    """The current player of these, once the bot has moved."""

    def to_move() -> list[Seat]:
        return [seat for seat in people if seat.page.locator(".stage.mine").count()]

    people[0].wait_until(lambda: bool(to_move()))
    (seat,) = to_move()
    return seat


def test_jokers_of_the_box_are_chosen_and_what_is_emptied_is_usual_again(
    visitors: Visitors,
) -> None:
    page = visitors.come("/create", DESKTOP)
    page.get_by_text("All options").click()
    page.get_by_role("combobox", name="joker", exact=True).select_option("0")
    page.get_by_role("combobox", name="mirror joker").select_option("1")
    size = page.get_by_label("Starting tiles per player")
    size.fill("99")
    size.blur()
    expect(size).to_have_value("40")
    size.fill("")
    size.blur()
    expect(size).to_have_value("14")
    expect(page.locator(".options .count")).to_have_text("1")
    page.click("#create")
    expect(page.locator(".facts")).to_contain_text("1 house rule")
    code = page.get_by_test_id("code").inner_text()
    room = page.evaluate("(code) => fetch(`/api/rooms/${code}`).then((it) => it.json())", code)
    assert room["settings"]["options"]["jokers"] == "M1"
    assert "hand_size" not in room["settings"]["options"]


@pytest.mark.parametrize(
    ("locale", "minimum", "goes_on"),
    [
        ("en-GB", "Points needed to open", "Use the table in the same turn, once open"),
        ("zh-CN", "破冰所需点数", "破冰后同一回合可以接着动桌上的牌"),
        ("zh-TW", "破冰所需點數", "破冰後同一回合可以繼續動桌上的牌"),
    ],
)
def test_options_that_cost_too_much_say_what_to_change(
    visitors: Visitors, locale: str, minimum: str, goes_on: str
) -> None:
    visitors.allow("status of 422")
    page = visitors.come("/create", PHONE, locale=locale)
    page.locator(".options summary").tap()
    page.get_by_label(minimum).fill("60")
    page.get_by_label(goes_on).check()
    page.locator("#create").tap()
    error = page.locator("main > .error")
    expect(error).to_contain_text("50")
    expect(error).to_contain_text(minimum)
    expect(error).to_contain_text(goes_on)
    page.get_by_label(minimum).fill("50")
    page.locator("#create").tap()
    expect(page.get_by_test_id("code")).to_be_visible()


def test_rules_on_the_page_draw_tiles_and_do_not_spell_them(visitors: Visitors) -> None:
    page = visitors.come("/rules", DESKTOP)
    page.wait_for_selector(".rulebook .tile")
    expect(page.locator(".rulebook")).not_to_contain_text("In examples")
    expect(page.locator(".rulebook")).not_to_contain_text("Jokers are written")


def test_rules_on_the_page_have_a_score_sheet_and_variations(visitors: Visitors) -> None:
    page = visitors.come("/rules", DESKTOP)
    sheet = page.locator(".rulebook table")
    expect(sheet.get_by_role("row")).to_have_count(7)
    expect(sheet.get_by_role("row", name="Total")).to_have_text("Total−24−54+45+33")
    expect(sheet.get_by_role("row", name="Games won")).to_have_text("Games won1021")
    expect(sheet.locator("tfoot .winner")).to_have_text("2")
    page.get_by_role("radio", name="Sabra").check()
    options = page.locator(".rulebook .variations code")
    expect(options.first).to_have_text("direction=ccw")
    expect(options).to_have_count(6)
