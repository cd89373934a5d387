"""When time is up the rules decide, and the page says what they did."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.hands import Mouse
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.seats import Seat
from tests.e2e.turns import MANY, sets_in
from tests.e2e.visitors import Visitors

SECONDS = 4
LEFT = 2
"""Seconds in which what was laid comes to the server for certain."""


def lay(seat: Seat, find: Callable[[list[str]], list[str] | None]) -> tuple[list[str], list[str]]:
    """Lay some tiles of the rack in good time: the rack before, and the row. Where the clock is
    quicker than hands, or there is nothing to lay, another turn comes."""
    mouse = Mouse(seat)
    for _ in range(MANY):
        assert seat.await_turn()
        turn, rack = seat.turn, seat.rack
        row = find(rack)
        if row is not None:
            mouse.new_row(row)
            left = int(seat.page.locator(".player.turn .clock").inner_text().split()[0])
            if left >= LEFT and row in seat.rows and seat.turn == turn:
                return rack, row
        seat.await_end_of_turn(turn)
    raise AssertionError(f"{MANY} turns, and nothing was laid in time")


def test_time_out_shows_what_the_rules_did(visitors: Visitors) -> None:
    options = {**RICH, "timer.seconds": SECONDS, "initial.min": 0}
    seat = sit_with_bot(visitors, options=options)
    news = seat.page.get_by_test_id("last")
    before = {tile for row in seat.rows for tile in row}

    rack, _ = lay(seat, lambda rack: rack[:1])
    expect(news).to_contain_text("Time's up. Your unfinished move is undone")
    expect(news).to_contain_text("you draw 3 penalty tiles")
    assert set(rack) < set(seat.rack)
    assert len(seat.rack) == len(rack) + 3
    assert before <= {tile for row in seat.rows for tile in row}

    assert seat.await_turn()
    turn, rack = seat.turn, seat.rack
    expect(seat.page.get_by_test_id("hurry")).to_have_text(re.compile("[1-4]"))
    seat.await_end_of_turn(turn)
    expect(news).to_contain_text("Time's up. You draw a tile.")
    assert len(seat.rack) == len(rack) + 1

    _, row = lay(seat, lambda rack: next(sets_in(rack, 3), None))
    expect(news).to_contain_text("Your move is valid, so it counts")
    assert not set(row) & set(seat.rack)
    assert seat.has_opened
