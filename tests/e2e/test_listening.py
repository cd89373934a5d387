"""What a screen reader says by itself: whose turn it is, what was laid, why not, and the clock."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.hands import Keys
from tests.e2e.rooms import RICH, sit_together
from tests.e2e.seats import Seat
from tests.e2e.visitors import Visitors

# What is said is there for a second only.
LISTEN = """() => {
  window.heard = new Set();
  const listen = () => {
    for (const live of document.querySelectorAll("[aria-live]")) heard.add(live.textContent);
  };
  new MutationObserver(listen).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
}"""


def live(seat: Seat, name: str, how: str) -> Locator:
    found = seat.page.get_by_test_id(name)
    expect(found).to_have_attribute("aria-live", how)
    return found


def await_words(seat: Seat, words: str) -> None:
    """Until they have been said since `LISTEN`."""
    seat.wait_until(lambda: words in seat.page.evaluate("[...heard]"))
    assert words in seat.page.evaluate("[...heard]")


def test_turn_row_reason_and_clock_are_said(visitors: Visitors) -> None:
    options = {**RICH, "timer.seconds": 16}
    people = dict(zip(("Ann", "Ben"), sit_together(visitors, 2, options=options), strict=True))
    first = people["Ann"]
    first.page.wait_for_selector(".player.turn")
    if not first.page.locator(".stage.mine").count():
        people = dict(reversed(people.items()))
    (name, first), (other_name, other) = people.items()
    expect(live(first, "news", "polite")).to_contain_text("It is your turn.")
    expect(live(other, "news", "polite")).to_contain_text(f"It is {name}'s turn.")
    said = live(first, "said", "assertive")
    keys = Keys(first)
    keys.come_to_the_table()
    keys.type("ArrowRight")
    expect(said).to_contain_text("rack place 2")
    keys.type("Space")
    expect(said).to_contain_text("Chosen: ")
    keys.type("t")
    expect(said).to_contain_text("Not a set.")
    expect(said).to_contain_text("a set needs at least three tiles")
    keys.type("u")
    expect(said).to_contain_text("Undone.")
    keys.type("w")
    expect(said).to_contain_text("The table is still empty.")
    keys.type("d")
    expect(live(first, "news", "polite")).to_contain_text(f"It is {other_name}'s turn.")
    expect(live(other, "news", "polite")).to_contain_text(f"{name} draws a tile. It is your turn.")

    for seat in (first, other):
        expect(seat.page.locator(".clock [aria-live=polite]")).to_be_attached()
        seat.page.evaluate(LISTEN)
    for seat in (first, other):
        await_words(seat, "10 seconds left")


def test_the_table_can_be_read_as_text(visitors: Visitors) -> None:
    seat = sit_together(visitors, 1, options=RICH, bots=["simple"])[0]
    assert seat.await_turn()
    text = seat.page.get_by_role("region", name="The table in words")
    expect(text).to_contain_text("Your rack")
    names = {"r": "red", "b": "blue", "k": "black", "o": "orange"}
    words = [f"{names[tile[0]]} {tile[1:].partition('.')[0]}" for tile in seat.rack]
    expect(text).to_contain_text(", ".join(words))
    worth = sum(int(tile[1:].partition(".")[0]) for tile in seat.rack)
    expect(text).to_contain_text(f"Worth {worth} points.")
    tree = seat.page.locator(".stage").aria_snapshot()
    assert "application" in tree
