"""The table stays where it is: nothing moves under the hand when something is said."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Fingers, Mouse, end_turn, lay_out
from tests.e2e.rooms import RICH, sit_together
from tests.e2e.seats import Rows, Seat, in_turn
from tests.e2e.turns import best_turn, draw_both_until
from tests.e2e.visitors import DESKTOP, PHONE, Visitors
from tests.server.harness import ServerProcess

SHORTENED = """(line) => {
  const { left, top, width, height } = line.getBoundingClientRect();
  const seen = (y) => document.elementFromPoint(left + width / 2, y).closest(".brief") !== null;
  const found = new Set([top + 5, top + height / 2, top + height - 1].map(seen));
  if (found.size > 1) throw new Error("both the whole line and the brief one are seen");
  return seen(top + height / 2);
}"""
"""Whether the last turn is shown in short form."""


def test_stage_stays_where_it_is(visitors: Visitors, server: ServerProcess) -> None:
    visitors.allow("WebSocket|ERR_CONNECTION_|ERR_EMPTY_RESPONSE")
    people = sit_together(visitors, 2, options=RICH, screens=[PHONE])
    stages = [seat.page.locator(".stage") for seat in people]
    where = stages[0].bounding_box()
    seat, other = in_turn(people)
    assert [stage.bounding_box() for stage in stages] == [where, where]

    fingers = Fingers(seat)
    tiles = seat.rack
    fingers.new_row(tiles[:1])
    fingers.new_row(tiles[1:3])
    expect(seat.page.locator(".row-box.bad")).to_have_count(2)
    # On a phone, one says why; and it is the one that was touched last.
    expect(seat.page.locator(".fault")).to_have_count(1)
    expect(seat.page.locator(".row-box.bad", has=seat.page.locator(".fault"))).to_have_count(1)
    assert [stage.bounding_box() for stage in stages] == [where, where]

    server.kill()
    for each in (seat, other):
        expect(each.page.get_by_test_id("lost")).to_be_visible()
    assert [stage.bounding_box() for stage in stages] == [where, where]
    server.start()
    for each in (seat, other):
        each.hurry()
    expect(seat.page.get_by_test_id("lost")).to_be_hidden()
    fingers.press("reset")
    seat.quick_draw()
    assert other.await_turn()
    expect(other.page.get_by_test_id("last")).to_be_visible()
    assert [stage.bounding_box() for stage in stages] == [where, where]


def long_turn(seat: Seat) -> Rows | None:
    """A turn that is too long for a narrow line."""
    table = best_turn(seat)
    return table if table is not None and sum(map(len, table)) >= 9 else None


def test_a_turn_of_many_tiles_is_described_whole_where_there_is_room(visitors: Visitors) -> None:
    options = {**RICH, "hand_size": 26, "initial.min": 0}
    people = sit_together(visitors, 2, options=options, screens=[DESKTOP])
    seat, other = in_turn(people)
    table = draw_both_until(seat, other, long_turn)
    mouse = Mouse(seat)
    lay_out(mouse, table)
    end_turn(mouse)

    last, count = other.page.get_by_test_id("last"), sum(map(len, table))
    expect(last).to_contain_text(f"plays {count} tiles: ")
    for width, is_brief in ((1280, False), (320, True), (1280, False)):
        other.page.set_viewport_size({"width": width, "height": 740})
        assert last.evaluate(SHORTENED) is is_brief
