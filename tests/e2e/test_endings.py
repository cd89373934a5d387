"""Each ending of a game is shown on the end screen, announced, and listed in the last turns."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import Mouse, end_turn, lay_out
from tests.e2e.rooms import DEALT_OUT, NO_POOL, PEOPLE, STUCK, sit_together
from tests.e2e.seats import Seat, in_turn
from tests.e2e.turns import best_turn, sets_in
from tests.e2e.visitors import DESKTOP, PHONE, Visitors, axe

LOWEST = " The lowest rack wins."
UNABLE = r"({}|You) can't play, {}\."


def why(page: Page) -> str:
    """What the end screen says of the end."""
    page.get_by_test_id("ending").wait_for()
    return page.get_by_test_id("why").inner_text()


def expect_announced(page: Page, words: str | re.Pattern[str]) -> None:
    """It is read aloud, and it is the latest of what happened."""
    expect(page.get_by_test_id("news")).to_contain_text(words)
    page.locator("#open-menu").dispatch_event("click")
    page.locator("#open-story").dispatch_event("click")
    expect(page.locator(".story li").first).to_have_text(words)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_going_out_is_called(visitors: Visitors) -> None:
    # With many tiles on the racks somebody is out after two turns each.
    options = {"hand_size": 22, "initial.min": 0, "joker.reuse": "any"}
    (seat,) = sit_together(visitors, 1, options=options, bots=["solver", "solver"])
    page = seat.page
    code = page.url.rsplit("/", 1)[1]
    spectator = visitors.come(f"/r/{code}", PHONE, reduced_motion="reduce")
    spectator.get_by_role("button", name="Watch").click()
    spectator.wait_for_selector(".player.turn, [data-testid=ending]")
    while seat.await_turn():
        play_best(seat)
    for each in (page, spectator):
        name = why(each).removesuffix(" went out.")
        assert re.fullmatch(r"Expert|You" if each is page else r"Expert|Ann", name)
        expect(each.get_by_test_id("call")).to_have_text(f"{name}: I'm out!")
        expect_announced(each, f"{name}: I'm out!")
        expect(each.get_by_test_id("missed")).to_have_count(0)
        # One game is won, by the player who called.
        won = each.locator(".scores tfoot tr").filter(has_text="Games won").locator("td")
        heads = each.locator(".scores thead th").all_inner_texts()[1:]
        assert won.all_inner_texts() == [str(int(head == name)) for head in heads]


def test_the_end_where_nobody_can_play(visitors: Visitors) -> None:
    (seat,) = sit_together(visitors, 1, options=STUCK, bots=["simple"] * 3)
    assert why(seat.page) == "Nobody can play any more." + LOWEST
    expect_announced(seat.page, "Nobody can play any more.")
    expect(seat.page.get_by_test_id("missed")).to_have_count(0)


def test_the_end_at_the_first_player_who_cannot_play(visitors: Visitors) -> None:
    options = {**STUCK, "empty_pool.end": "first_unable"}
    (seat,) = sit_together(visitors, 1, options=options, bots=["simple"] * 3)
    reason = UNABLE.format(r"Rookie(?: \d)?", "so the game is over")
    assert re.fullmatch(reason + re.escape(LOWEST), why(seat.page))
    expect_announced(seat.page, re.compile(reason))


def test_a_final_round_that_a_player_who_cannot_play_ends(visitors: Visitors) -> None:
    (seat,) = sit_together(visitors, 1, options=STUCK, bots=["simple"] * 3, edition="taiwan")
    reason = UNABLE.format(r"Rookie(?: \d)?", "so the final round is over")
    assert re.fullmatch(reason + re.escape(LOWEST), why(seat.page))
    expect_announced(seat.page, re.compile(reason))


def test_a_final_round_that_all_have_played(visitors: Visitors) -> None:
    options = {**NO_POOL, "initial.min": 0}
    people = sit_together(visitors, 2, options=options, edition="taiwan")
    turns = 0
    for seat in in_turn(people):
        if not seat.await_turn():
            break  # this player cannot play
        assert best_turn(seat) is not None, "who cannot play has no turn"
        row = next(sets_in(seat.rack, 3), None)
        if row is None:
            seat.page.locator("#hint").click()
            follow(seat)
        else:
            Mouse(seat).new_row(row)
        end_turn(Mouse(seat))
        turns += 1
    for seat in people:
        reason = "The final round is over." if turns == 2 else "can't play"
        assert reason in why(seat.page)
        expect_announced(seat.page, re.compile(re.escape(reason)))


def play_best(seat: Seat) -> None:
    """Play as many tiles as possible, or draw."""
    table = best_turn(seat)
    if table is None:
        seat.quick_draw()
        return
    turn = seat.turn
    lay_out(Mouse(seat), table)
    expect(seat.play).to_be_enabled()
    seat.play.dispatch_event("click")
    seat.await_end_of_turn(turn)


def follow(seat: Seat) -> None:
    """Go through all steps of a hint."""
    hint = seat.page.get_by_test_id("hint")
    hint.wait_for()
    while int(hint.get_attribute("data-left") or 0) > 0:
        seat.page.locator("#hint-next").dispatch_event("click")


def test_a_round_without_a_play_tells_what_could_still_have_been_played(
    visitors: Visitors,
) -> None:
    options = {**DEALT_OUT, "initial.min": 0}
    people = sit_together(visitors, 2, options=options, screens=[DESKTOP, PHONE])
    able = {}
    for seat in in_turn(people):
        assert seat.await_turn()
        table = best_turn(seat)
        laid = 0 if table is None else sum(map(len, table))
        able[PEOPLE[people.index(seat)]] = laid
        seat.quick_draw()
    for number, seat in enumerate(people):
        page = seat.page
        assert why(page) == "Nobody played for a whole round." + LOWEST
        expect_announced(page, "Nobody played for a whole round.")
        missed = page.get_by_test_id("missed")
        expect(missed).to_have_count(sum(map(bool, able.values())))
        for place, name in enumerate(PEOPLE[:2]):
            rack = page.locator(".racks > li").nth(place)
            shown = "You" if place == number else name
            expect(rack.locator(".name")).to_have_text(shown)
            tiles = rack.get_by_test_id("missed").locator("summary .tile")
            expect(tiles).to_have_count(able[name])
            own = [tile.get_attribute("aria-label") for tile in rack.locator(".tiles .tile").all()]
            assert {tile.get_attribute("aria-label") for tile in tiles.all()} <= {*own}
            if able[name]:
                # And how: the table that it makes.
                rack.locator("summary").click()
                expect(rack.locator(".rows .tile").first).to_be_visible()
                expect(rack.locator(".rows .tile")).to_have_count(able[name])
        assert axe(page) == []
