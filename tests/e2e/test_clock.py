"""When time is up the rules decide, and the page says what they did."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, lay_out
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.seats import Seat
from tests.e2e.turns import sets_in
from tests.e2e.visitors import Visitors

SECONDS = 3


def begin_turn(seat: Seat) -> list[str]:
    """The rack, with all the time of the turn ahead."""
    assert seat.await_turn()
    clock = seat.page.locator(".player.you .clock")
    expect(clock).to_be_visible()
    return seat.rack


def test_time_out_shows_what_the_rules_did(visitors: Visitors) -> None:
    options = {**RICH, "timer.seconds": SECONDS, "initial.min": 0}
    seat = sit_with_bot(visitors, options=options)
    mouse = Mouse(seat)
    told = seat.page.get_by_test_id("last")

    rack = begin_turn(seat)
    before = seat.rows
    mouse.new_row(rack[:1])
    expect(told).to_contain_text("Time is up and the table was not finished")
    expect(told).to_contain_text("you draw 3 tiles as a penalty")
    assert set(rack) < set(seat.rack)
    assert len(seat.rack) == len(rack) + 3
    assert rack[0] in seat.rack
    assert {tile for row in before for tile in row} <= {tile for row in seat.rows for tile in row}

    rack = begin_turn(seat)
    expect(told).to_have_text("Time is up: you draw a tile.")
    assert len(seat.rack) == len(rack) + 1

    rack = begin_turn(seat)
    row = next(sets_in(rack, 3))
    lay_out(mouse, [*seat.rows, row])
    expect(told).to_contain_text("what you had laid was legal, so it counts")
    assert not set(row) & set(seat.rack)
    assert seat.has_opened
