"""A whole match on a phone, by taps and drags alone.

    pytest tests/e2e/test_phone.py --film FOLDER

plays it at a pace at which one can watch, and leaves all that was seen there, picture by picture.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.hands import Fingers, end_turn, lay_out
from tests.e2e.rooms import PEOPLE, open_room
from tests.e2e.seats import Seat
from tests.e2e.turns import best_turn
from tests.e2e.visitors import PHONE, Visitors
from tilerummy.rules.editions import edition

# Games that end after a few turns, as most tiles are dealt at once. With one joker there is no row
# of which somebody has to say what it is.
SHORT = {
    "copies": 1,
    "jokers": "J1",
    "hand_size": 24,
    "players.max": 2,
    "initial.min": 20,
    "timer.seconds": 0,
}
MANY = 60


def test_whole_match_by_touch(visitors: Visitors, film: Path | None) -> None:
    motion = "no-preference" if film else "reduce"
    page = visitors.come("/", PHONE, reduced_motion=motion)
    code = open_room(page, PEOPLE[0], {"options": SHORT, "seats": 2}, ["simple"])
    page.goto(f"/r/{code}")
    seat = Seat(page, edition("classic", SHORT))
    fingers = Fingers(seat, pause=500 if film else 0)

    def picture(name: str) -> None:
        if film is not None:
            page.wait_for_timeout(700)  # for people who watch the film
            page.screenshot(path=film / f"{name}.png")

    picture("lobby")
    fingers.press("begin")
    played = 0
    for game in ("first", "second"):
        page.wait_for_selector(".stage [data-tile]")
        fingers.press("sort-colour")
        for turn in range(MANY):
            if not seat.await_turn():
                break
            table = best_turn(seat)
            if table is None:
                before = seat.turn
                fingers.press("draw")
                seat.await_end_of_turn(before)
                continue
            lay_out(fingers, table)
            picture(f"{game}-{turn}")
            end_turn(fingers)
            played += 1
        assert seat.is_over, f"{MANY} turns, and the game goes on"
        picture(f"{game}-end")
        rows = page.locator(".ending .scores tbody tr")
        expect(rows).to_have_count(1 if game == "first" else 2)
        more = page.locator("#more")
        expect(more).to_have_text("Next game" if game == "first" else "Rematch")
        fingers.press("more")
        page.wait_for_selector("[data-testid=ending]", state="detached")
    assert played
    expect(page.locator("#begin")).to_be_enabled()
    picture("rematch")
