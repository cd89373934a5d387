"""Rows are judged while they are laid, and every step can be taken back."""

from __future__ import annotations

from itertools import combinations

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, end_turn, lay_out
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.seats import Rows, Seat
from tests.e2e.turns import draw_until, sets_in, small_opening
from tests.e2e.visitors import Visitors


def no_set(seat: Seat) -> list[str]:
    """Three tiles of the rack that are not a set in this order, for every deal."""
    return next(list(some) for some in combinations(seat.rack, 3) if not seat.is_set(some))


def a_set(seat: Seat) -> Rows | None:
    """The table with any set of three besides what lies there."""
    found = next(iter(sets_in(seat.rack, 3)), None)
    return None if found is None else [*seat.rows, found]


def test_illegal_row_says_why_and_cannot_be_played(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "initial.min": 0})
    assert seat.await_turn()
    mouse = Mouse(seat)
    tiles = no_set(seat)
    fault = seat.page.locator(".row-box .fault")
    mouse.new_row(tiles[:2])
    expect(fault).to_have_text("A set needs at least three tiles.")
    expect(seat.play).to_be_disabled()
    mouse.put(tiles[2], tiles[:2], 2)
    expect(fault).not_to_have_text("A set needs at least three tiles.")
    assert len(fault.inner_text().split()) > 6, "it is said in words"
    expect(seat.page.get_by_test_id("said")).to_contain_text(fault.inner_text()[1:])
    expect(seat.play).to_be_disabled()


def test_a_button_that_cannot_be_pressed_says_why(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "initial.min": 90})
    table = draw_until(seat, a_set)
    mouse = Mouse(seat)
    lay_out(mouse, table)
    expect(seat.play).to_be_disabled()
    seat.play.click(force=True)
    objection = seat.page.get_by_test_id("objection")
    expect(objection).to_contain_text("You need at least 90")
    expect(seat.page.get_by_test_id("said")).to_have_text(objection.inner_text())
    mouse.press("undo")
    expect(objection).to_have_count(0)


def test_the_table_says_what_can_be_done(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "initial.min": 40})
    advice = seat.page.locator(".advice")
    assert seat.await_turn()
    if not seat.rows:
        expect(advice).to_contain_text("Drag tiles here")
        table = draw_until(seat, a_set)
        lay_out(Mouse(seat), table)
        expect(advice).to_have_count(0)
        seat.page.click("#reset")
        while not seat.rows:
            seat.quick_draw()
            assert seat.await_turn()
    expect(advice).to_contain_text("worth at least 40 points")


def test_undo_redo_and_reset(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH)
    table = draw_until(seat, small_opening)
    mouse = Mouse(seat)
    undo, redo, reset = (seat.page.locator(f"#{name}") for name in ("undo", "redo", "reset"))
    before, rack = sorted(seat.rows), seat.rack
    for button in (undo, redo, reset):
        expect(button).to_be_disabled()
    lay_out(mouse, table)
    laid = sorted(seat.rows)
    expect(undo).to_be_enabled()
    steps = 0
    while (sorted(seat.rows), seat.rack) != (before, rack):
        mouse.press("undo")
        steps += 1
    expect(undo).to_be_disabled()
    expect(seat.draw).to_be_visible()
    for _ in range(steps):
        mouse.press("redo")
    assert sorted(seat.rows) == laid
    expect(redo).to_be_disabled()
    mouse.press("reset")
    assert sorted(seat.rows) == before
    assert sorted(seat.rack) == sorted(rack)
    mouse.press("undo")
    assert sorted(seat.rows) == laid
    end_turn(mouse)
