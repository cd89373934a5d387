"""Where a set with several jokers has to be declared, each of them is named by its player."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, end_turn
from tests.e2e.rooms import sit_together
from tests.e2e.seats import Seat, in_turn
from tests.e2e.visitors import Visitors, axe
from tilerummy.rules.tiles import COLOURS

ALL_DEALT = {
    "copies": 1,
    "jokers": "J4",
    "hand_size": 28,
    "players.max": 2,
    "initial.min": 0,
    "joker.declare": "explicit",
}
"""Two people have all four jokers, so one of them has at least two."""
NAMES = {"r": "red", "b": "blue", "k": "black", "o": "orange"}


def jokers(seat: Seat) -> list[str]:
    return [tile for tile in seat.rack if tile.startswith("J")]


def test_two_jokers_are_named_and_stay_what_they_were_named(visitors: Visitors) -> None:
    first, second = in_turn(sit_together(visitors, edition="sabra", options=ALL_DEALT))
    seat, other = (first, second) if len(jokers(first)) > 1 else (second, first)
    if seat is second:
        first.quick_draw()
    assert seat.await_turn()
    shown = next(tile for tile in seat.rack if tile[0] != "J" and 2 <= int(tile[1:-2]) <= 10)
    colour, number = shown[0], int(shown[1:-2])
    one, two = [each for each in COLOURS if each != colour][:2]
    row = [shown, *jokers(seat)[:2]]
    mouse = Mouse(seat)
    mouse.new_row(row)

    # The most valuable meaning is offered: the run that begins with the tile.
    choices = seat.page.locator(".row-box .choices select")
    expect(choices).to_have_count(2)
    expect(choices.nth(0)).to_have_value(f"{colour}{number + 1}")
    expect(choices.nth(1)).to_have_value(f"{colour}{number + 2}")
    expect(seat.page.locator(".row-box .worth")).to_have_text(str(3 * number + 3))
    assert axe(seat.page) == []
    choices.nth(0).select_option(f"{two}{number}")
    choices.nth(1).select_option(f"{one}{number}")
    expect(choices.nth(0)).to_have_value(f"{two}{number}")
    expect(seat.page.locator(".row-box .worth")).to_have_text(str(3 * number))
    end_turn(mouse)

    seat.page.reload()
    for each in (seat, other):
        each.page.wait_for_selector(".stage [data-tile]")
        each.expect_rows([row])
        for joker, named in zip(row[1:], (two, one), strict=True):
            label = each.page.locator(f'.stage [data-tile="{joker}"] .stands.{named}')
            expect(label).to_have_text(str(number))
            words = each.page.get_by_label("The table in words")
            expect(words).to_contain_text(f"joker as {NAMES[named]} {number}")
