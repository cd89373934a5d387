"""What is laid out survives: a reload, another tab, a server that dies."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, end_turn, lay_out
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.seats import Seat
from tests.e2e.turns import draw_until, small_opening
from tests.e2e.visitors import Sent, Visitors, axe
from tests.server.harness import ServerProcess


def begin_turn(visitors: Visitors) -> tuple[Seat, Mouse, list[list[str]]]:
    """The current player, and the table after their opening."""
    seat = sit_with_bot(visitors, options=RICH)
    return seat, Mouse(seat), draw_until(seat, small_opening)


def second_tab(seat: Seat) -> tuple[Seat, Sent]:
    """Another tab of the same browser, behind the first, and what it sends."""
    page = seat.page.context.new_page()
    sent = Sent(page)
    page.goto(seat.page.url)
    other = Seat(page, seat.edition)
    assert other.await_turn()
    seat.page.bring_to_front()
    return other, sent


def reload(seat: Seat) -> Sent:
    """Reload the page, and listen to what it sends from then on."""
    sent = Sent(seat.page)
    seat.page.reload()
    seat.page.wait_for_selector(".stage [data-tile]")
    return sent


def test_reload_in_mid_turn_comes_back_to_the_draft_and_the_order_of_the_rack(
    visitors: Visitors,
) -> None:
    seat, mouse, table = begin_turn(visitors)
    mouse.press("sort-number")
    seen = seat.look()
    first, last = seen.rack[0], seen.rack[-1]
    mouse.drag(seat.reach(last), seen.tiles[first].middle)
    assert seat.rack[0] == last
    lay_out(mouse, table)
    # Not where the page would put it by itself.
    row = table[-1]
    seat.page.keyboard.down("Control")
    for tile in row:
        mouse.mouse.click(*seat.reach(tile))
    seat.page.keyboard.up("Control")
    mouse.drag(seat.reach(row[0]), seat.look().middle)
    rack, lying = seat.rack, seat.look().tiles[row[0]]
    # At once: a draft that has not reached the server yet must survive too.
    reload(seat)
    seat.expect_rows(table)
    seat.expect_rack(rack)
    assert seat.look().tiles[row[0]] == lying
    end_turn(mouse)


def test_second_tab_mirrors_the_draft_both_ways(visitors: Visitors) -> None:
    seat, mouse, table = begin_turn(visitors)
    before = seat.rows
    other, _ = second_tab(seat)
    lay_out(mouse, table)
    other.expect_rows(table)
    assert sorted(other.rack) == sorted(seat.rack)
    other.page.click("#reset")
    seat.expect_rows(before)
    other.play.wait_for(state="detached")


def test_a_tab_that_looks_on_takes_nothing_back(visitors: Visitors) -> None:
    """Another tab receives each step, and must not send it back after the next one."""
    seat, mouse, _ = begin_turn(visitors)
    before = seat.rows
    other, sent = second_tab(seat)
    # The next step comes before the other tab has this one, just when it has it, or when the
    # first tab is about to send.
    for seen in (False, True, False, False, True, True):
        tiles = seat.rack
        mouse.new_row(tiles[:1])
        laid = seat.rows
        assert any(row == tiles[:1] for row in laid)
        if seen:
            other.expect_rows(laid)
        assert sorted(seat.rows) == sorted(laid)
    assert sent.of("draft") == []
    # The first draft that the other tab sends is its own.
    other.page.click("#reset")
    seat.expect_rows(before)
    other.wait_until(lambda: bool(sent.of("draft")))
    assert sent.of("draft")[0]["table"] == before


def test_server_dies_in_mid_turn_and_nothing_is_lost(
    visitors: Visitors, server: ServerProcess
) -> None:
    visitors.allow("WebSocket|ERR_CONNECTION_|ERR_EMPTY_RESPONSE")
    seat, mouse, table = begin_turn(visitors)
    sent = reload(seat)
    mouse.new_row(table[-1][:1])
    seat.wait_until(lambda: bool(sent.of("draft")))
    server.kill()
    lost = seat.page.get_by_test_id("lost")
    expect(lost).to_be_visible()
    assert axe(seat.page) == []
    # One can go on laying without a line.
    lay_out(mouse, table)
    rack = seat.rack
    server.start()
    seat.hurry()
    expect(lost).to_be_hidden()
    seat.wait_until(lambda: len(sent.of("draft")) > 1)
    assert sent.of("draft")[-1]["table"] == table, "the server gets what was laid meanwhile"
    seat.expect_rows(table)
    seat.expect_rack(rack)
    reload(seat)
    seat.expect_rows(table)
    end_turn(mouse)


def test_turn_that_is_played_while_the_line_is_down_counts_once(
    visitors: Visitors, server: ServerProcess
) -> None:
    visitors.allow("WebSocket|ERR_CONNECTION_|ERR_EMPTY_RESPONSE")
    seat, mouse, table = begin_turn(visitors)
    lay_out(mouse, table)
    played = set(table[-1])
    server.kill()
    expect(seat.page.get_by_test_id("lost")).to_be_visible()
    turn = seat.turn
    mouse.press("play")
    server.start()
    seat.hurry()
    seat.await_end_of_turn(turn)
    assert seat.await_turn()
    assert not played & set(seat.rack)
    assert seat.has_opened
