"""What hands can do besides dragging one tile: hold, frame, shift, put back, split, zoom."""

from __future__ import annotations

from itertools import combinations

from playwright.sync_api import Page, expect

from tests.e2e.hands import Fingers, Mouse, lay_out
from tests.e2e.rooms import RICH, sit_with_bot
from tests.e2e.turns import draw_until, sets_in
from tests.e2e.visitors import PHONE, Visitors

TWICE = 400
"""Milliseconds between the taps of a double tap at most: `TWICE` in hands.ts."""


def let_double_tap_pass(page: Page) -> None:
    """Wait until the clock of the page says that a tap is the first of its own."""
    last = page.evaluate("performance.now()")
    page.wait_for_function("([last, limit]) => performance.now() - last > limit", arg=[last, TWICE])


def test_mouse_holds_frames_and_puts_back(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH)
    assert seat.await_turn()
    mouse = Mouse(seat)
    page = seat.page
    before = seat.rows
    row = seat.rack[:4]
    mouse.new_row(row)
    assert row in seat.rows

    # Held for a while, the rest of the row comes along.
    seen = seat.look()
    mouse.mouse.move(*seat.reach(row[1]))
    mouse.mouse.down()
    expect(page.locator(".tile.lifted")).to_have_count(3)
    mouse.mouse.move(*seen.free(3), steps=4)
    mouse.mouse.up()
    seat.expect_rows([*before, row[:1], row[1:]])

    # A frame around tiles chooses them, and whatever is chosen moves together.
    seen = seat.look()
    first, last = seen.tiles[row[1]], seen.tiles[row[3]]
    mouse.drag((first.x - 6, first.y - 6), (last.x + last.width + 6, last.y + last.height / 2))
    expect(page.locator(".tile.chosen")).to_have_count(3)
    mouse.drag(seat.reach(row[2]), seen.tiles[seat.rack[0]].middle)
    seat.expect_rows([*before, row[:1]])
    assert set(row[1:]) <= set(seat.rack)

    # Chosen with a click, put down with another one.
    page.mouse.click(*seat.reach(row[0]))
    expect(page.locator(".tile.chosen")).to_have_count(1)
    page.mouse.click(*seat.reach(seat.rack[-1]))
    seat.expect_rows(before)


def test_tiles_come_to_the_one_that_is_held(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH)
    assert seat.await_turn()
    page, mouse = seat.page, seat.page.mouse
    seen = seat.look()
    first, last = seen.rack[0], seen.rack[12]
    page.keyboard.down("Shift")
    for tile in (first, last):
        mouse.click(*seat.reach(tile))
    page.keyboard.up("Shift")
    expect(page.locator(".tile.chosen")).to_have_count(2)
    # A mouse needs no cursor, which would look like a tile that is chosen.
    expect(page.locator(".cursor")).to_have_count(0)
    x, y = seen.free(4)
    mouse.move(*seat.reach(last))
    mouse.down()
    mouse.move(x + 100, y, steps=4)
    carried = seat.look().tiles
    assert abs(carried[last].middle[0] - x - 100) < 10
    assert abs(carried[last].x - carried[first].x - carried[first].width) < 10
    mouse.up()
    assert [first, last] in seat.rows
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".cursor")).to_have_count(1)


def test_row_splits_where_a_tile_is_dropped(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "hand_size": 26, "initial.min": 0})
    mouse = Mouse(seat)

    def two(_: object) -> list[list[str]] | None:
        """Two sets that have no tile in common, and are not a row without the last of the first."""
        pairs = combinations(sets_in(seat.rack, 3), 2)
        apart = ([one, other] for one, other in pairs if not set(one) & set(other))
        return next((sets for sets in apart if not seat.is_set(sets[0][:2] + sets[1])), None)

    one, other = draw_until(seat, two)
    before = seat.rows
    laid = [*one[:2], *other]
    lay_out(mouse, [*before, laid])
    expect(seat.play).to_be_disabled()
    mouse.put(one[2], laid, 2)
    seat.expect_rows([*before, one, other])
    expect(seat.play).to_be_enabled()


def test_fingers_zoom_and_move_the_table(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH, screens=[PHONE])
    assert seat.await_turn()
    fingers = Fingers(seat)
    row = seat.rack[:3]
    fingers.new_row(row)
    before = seat.look()
    # Around the row, so that it is still to be seen.
    spot = before.tiles[row[1]]
    fingers.pinch((spot.x, spot.y), 40, 80)
    after = seat.look()
    assert after.tiles[row[0]].width > 1.5 * before.tiles[row[0]].width
    assert after.tiles[after.rack[0]] == before.tiles[before.rack[0]], "the rack stays"
    # What is dropped lands where it was seen, at any size.
    tile = after.rack[0]
    fingers.put(tile, row, 1)
    assert any(laid == [row[0], tile, *row[1:]] for laid in seat.rows)
    moved = seat.look()
    start = moved.bare()
    # To and fro, as it may lie at its edge already.
    fingers.drag(start, (start[0] - 40, start[1]))
    left = seat.look().tiles[row[0]].x
    fingers.drag(start, (start[0] + 40, start[1]))
    assert left < seat.look().tiles[row[0]].x


def test_one_finger_is_enough_to_zoom(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH, screens=[PHONE])
    assert seat.await_turn()
    fingers = Fingers(seat)
    tile = seat.rack[0]
    fingers.new_row([tile])
    width = seat.look().tiles[tile].width

    def tap_twice() -> float:
        """Until it was quick enough for the page to take both for one."""
        before = seat.look().tiles[tile].width
        for _ in range(5):
            for point in [seat.look().bare()] * 2:
                fingers.tap(point)
            if seat.look().tiles[tile].width != before:
                break
            let_double_tap_pass(seat.page)
        return seat.look().tiles[tile].width

    assert tap_twice() > 1.5 * width
    assert tap_twice() == width
    fingers.tap(seat.look().bare())
    let_double_tap_pass(seat.page)
    fingers.tap(seat.look().bare())
    assert seat.look().tiles[tile].width == width, "two taps, but not one after the other"
