"""The table stays where it is: nothing moves under the hand when something is said."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Fingers
from tests.e2e.rooms import RICH, sit_together
from tests.e2e.visitors import PHONE, Visitors
from tests.server.harness import ServerProcess


def test_stage_stays_where_it_is(visitors: Visitors, server: ServerProcess) -> None:
    visitors.allow("WebSocket|ERR_CONNECTION_REFUSED")
    people = sit_together(visitors, 2, options=RICH, screens=[PHONE])
    stages = [seat.page.locator(".stage") for seat in people]
    where = stages[0].bounding_box()
    people[0].page.wait_for_selector(".player.turn")
    mine = bool(people[0].page.locator(".player.turn.you").count())
    seat, other = people if mine else reversed(people)
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
