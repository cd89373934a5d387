"""Help in three stages: how many tiles, which, and how."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, end_turn
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.turns import best_turn, draw_until
from tests.e2e.visitors import Visitors


def test_hint_says_how_many_which_and_how(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "initial.min": 0}, hints=True)
    mouse = Mouse(seat)
    table = draw_until(seat, best_turn)
    count = sum(map(len, table)) - sum(map(len, seat.rows))
    mouse.press("hint")
    hint = seat.page.get_by_test_id("hint")
    expect(hint).to_contain_text(f"You can play {count} tiles.")
    assert seat.page.locator(".tile.hinted").count() == 0
    mouse.press("hint-more")
    expect(seat.page.locator(".tile.hinted")).to_have_count(count)
    mouse.press("hint-more")
    # It goes on by itself; a quicker player presses on, and may look at a step again.
    expect(hint).to_contain_text("Step ")
    mouse.press("hint-back")
    while int(hint.get_attribute("data-left") or 0) > 0:
        mouse.press("hint-next")
    mouse.press("hint-back")
    expect(hint).to_have_attribute("data-left", "1")
    mouse.press("hint-next")
    expect(seat.page.locator("#hint-again")).to_be_visible()
    expect(seat.play).to_have_text(f"Play {count} tiles")
    expect(seat.play).to_be_enabled()
    end_turn(mouse)
    expect(hint).to_be_hidden()
    assert seat.has_opened


def test_no_hints_where_nobody_wants_them(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH)
    assert seat.await_turn()
    expect(seat.page.locator("#hint")).to_have_count(0)
