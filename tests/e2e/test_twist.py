"""A game of Twist in which a mirror joker finds its place."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, end_turn, lay_out
from tests.e2e.rooms import sit_with_bot
from tests.e2e.seats import Rows, Seat
from tests.e2e.turns import find_within
from tests.e2e.visitors import Visitors

# Many tiles and all the mirrors that a box may hold.
OPTIONS = {"jokers": "J2 D2 C2 M4", "hand_size": 36, "players.max": 2, "initial.min": 0}


def mirror_set(seat: Seat) -> Rows | None:
    """The table after a turn in which a pair lies around a mirror joker."""
    seen = seat.look()
    mirror = next((tile for tile in seen.rack if tile[0] == "M"), None)
    numbered = Counter(tile.partition(".")[0] for tile in seen.rack if tile[0] in "rbko")
    for face, count in numbered.items():
        if count == 2 and mirror is not None:
            one, other = (tile for tile in seen.rack if tile.partition(".")[0] == face)
            return [*seen.rows, [one, mirror, other]]
    return None


def test_mirror_set_is_laid_and_played(visitors: Visitors) -> None:
    for _ in range(12):
        seat = sit_with_bot(visitors, edition="twist", options=OPTIONS)
        table = find_within(seat, mirror_set, turns=4)
        if table is not None:
            break
        visitors.leave()
    assert table is not None, "twelve games, and nobody could lay a mirror"
    position = seat.position()
    assert seat.allows(position, table)
    row = table[-1]
    mouse = Mouse(seat)
    # Half a mirror is none: it says so, and cannot be played.
    mouse.new_row(row[:2])
    expect(seat.page.locator(".row-box .fault")).to_be_visible()
    expect(seat.play).to_be_disabled()
    lay_out(mouse, table)
    expect(seat.page.locator(".row-box.ok")).to_be_visible()
    number = int(row[0][1:].partition(".")[0])
    said = seat.page.get_by_test_id("said")
    expect(said).to_contain_text(f"mirror pair, {2 * number} points")
    end_turn(mouse)
    assert seat.await_turn()
    assert any(row[1] in laid for laid in seat.rows)
    assert row[1] not in seat.rack
