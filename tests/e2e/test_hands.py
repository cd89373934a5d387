"""Opening and rearranging by mouse, by touch and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import Fingers, Hands, Keys, Mouse, end_turn, lay_out
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.seats import Seat
from tests.e2e.turns import draw_until, small_opening, small_turn
from tests.e2e.visitors import DESKTOP, PHONE, Screen, Visitors


@pytest.mark.parametrize(
    ("take", "screen"),
    [(Mouse, DESKTOP), (Fingers, PHONE), (Keys, DESKTOP)],
    ids=["mouse", "touch", "keyboard"],
)
def test_open_with_thirty_points_and_rearrange(
    visitors: Visitors, take: Callable[[Seat], Hands], screen: Screen
) -> None:
    seat = sit_with_bot(visitors, options=RICH, screens=[screen])
    hands = take(seat)
    for find in (small_opening, small_turn):
        table = draw_until(seat, find)
        before = seat.rack
        lay_out(hands, table)
        played = set(before) - set(seat.rack)
        count = "1 tile" if len(played) == 1 else f"{len(played)} tiles"
        expect(seat.play).to_have_text(f"Play {count}")
        end_turn(hands)
        assert seat.await_turn()
        assert not played & set(seat.rack)
        assert played <= {tile for row in seat.rows for tile in row}
    assert seat.has_opened
