"""What a screen reader says by itself: whose turn it is, what was laid, why not, and the clock."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.hands import Keys
from tests.e2e.rooms import RICH, open_room, request, sit_together
from tests.e2e.seats import Seat, in_turn
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


def test_turn_row_and_reason_are_said(visitors: Visitors) -> None:
    options = {**RICH, "timer.seconds": 600}
    people = dict(zip(("Ann", "Ben"), sit_together(visitors, 2, options=options), strict=True))
    first = people["Ann"]
    first.page.wait_for_selector(".player.turn")
    if not first.page.locator(".stage.mine").count():
        people = dict(reversed(people.items()))
    (name, first), (other_name, other) = people.items()
    expect(live(first, "news", "polite")).to_contain_text("It's your turn.")
    expect(live(other, "news", "polite")).to_contain_text(f"It's {name}'s turn.")
    said = live(first, "said", "assertive")
    keys = Keys(first)
    keys.come_to_the_table()
    keys.type("ArrowRight")
    expect(said).to_contain_text("rack place 2")
    keys.type("Space")
    expect(said).to_contain_text("Selected: ")
    keys.type("t")
    expect(said).to_contain_text("Not a set.")
    expect(said).to_contain_text("A set needs at least three tiles")
    keys.type("u")
    expect(said).to_contain_text("Undone.")
    keys.type("w")
    expect(said).to_contain_text("The table is empty.")
    # Buttons say what keys say.
    for button, words in {
        "redo": "Redone.",
        "undo": "Undone.",
        "sort-number": "Your rack: ",
    }.items():
        first.page.click(f"#{button}")
        expect(said).to_contain_text(words)
    rack = set(first.rack)
    first.page.focus(".stage")
    keys.type("d")
    news = live(first, "news", "polite")
    expect(news).to_contain_text(f"You draw a tile. It's {other_name}'s turn. New on your rack: ")
    (drawn,) = set(first.rack) - rack
    expect(news).to_contain_text(f" {drawn[1:].partition('.')[0]}.")
    expect(live(other, "news", "polite")).to_contain_text(f"{name} draws a tile. It's your turn.")


def test_the_clock_is_said(visitors: Visitors) -> None:
    # If the first turn is over too soon on a busy machine, the clock of the next is heard.
    people = sit_together(visitors, 2, options={**RICH, "timer.seconds": 12})
    for seat in people:
        expect(seat.page.locator(".clock [aria-live=polite]")).to_be_attached()
        seat.page.evaluate(LISTEN)
    for seat in people:
        await_words(seat, "10 seconds left")


def test_hint_talk_and_whose_turn_it_is_are_announced(visitors: Visitors) -> None:
    ann, ben = sit_together(visitors, 2, options={**RICH, "timer.seconds": 600}, hints=True)
    first, _ = in_turn([ann, ben])
    for seat in (ann, ben):
        current = seat.page.locator(".players [aria-current=true]")
        expect(current).to_have_count(1)
        expect(current).to_contain_text("You" if seat is first else ("Ann", "Ben")[first is ben])
        expect(current.get_by_role("timer")).to_contain_text("seconds left")
    news = live(first, "news", "polite")
    first.page.click("#hint")
    hint = first.page.get_by_test_id("hint").locator("p").inner_text()
    expect(news).to_have_text(hint)
    # Asked for again, it is announced again.
    before = news.inner_text()
    first.page.click("#hint-close")
    first.page.click("#hint")
    first.wait_until(lambda: news.inner_text() != before)
    assert news.inner_text() != before
    expect(news).to_have_text(hint)

    ann.page.click("#open-chat")
    ann.page.get_by_role("button", name="Hello").click()
    expect(live(ben, "news", "polite")).to_have_text("Ann: Hello")
    expect(live(ann, "news", "polite")).not_to_have_text("Ann: Hello")


def test_keys_say_what_they_did_and_what_they_could_not_do(visitors: Visitors) -> None:
    first, other = in_turn(sit_together(visitors, 2, options=RICH))
    keys = Keys(first)
    keys.come_to_the_table()
    for key in ("u", "x", "t"):
        keys.type("Home", key)
        expect(keys.said).to_have_text("You can't do that here.")
    keys.type("p")
    expect(keys.said).to_contain_text("at least one tile")
    keys.type("Space", "Escape")
    expect(keys.said).to_have_text("Nothing selected.")
    # A turn that is certainly illegal is reported and not sent.
    turn = first.turn
    keys.type("Space", "t", "p")
    expect(keys.said).to_contain_text("A set needs at least three tiles")
    expect(first.page.get_by_test_id("refused")).to_have_count(0)
    assert first.turn == turn
    keys.type("u", "u")
    expect(keys.said).to_have_text("You can't do that here.")
    waiting = Keys(other)
    waiting.come_to_the_table()
    for key in ("d", "p"):
        waiting.type("Home", key)
        expect(waiting.said).to_have_text("You can't do that here.")


def test_who_comes_and_goes_is_announced(visitors: Visitors) -> None:
    ann = visitors.come("/")
    code = open_room(ann, "Ann", {"seats": 3}, [])
    ann.goto(f"/r/{code}")
    status = ann.get_by_test_id("lobby-status")
    expect(status).to_have_role("status")
    ben = visitors.come("/")
    request(ben, "POST", "/api/guests", {"name": "Ben"})
    request(ben, "POST", f"/api/rooms/{code}/seats", {})
    expect(status).to_have_text("Ben joined.")
    ann.get_by_role("button", name="Remove Ben").click()
    expect(status).to_have_text("Ben left.")


def test_mistakes_are_announced_at_their_field(visitors: Visitors) -> None:
    visitors.allow("409")
    ann = visitors.come("/")
    code = open_room(ann, "Ann", {"seats": 3}, [])
    ben = visitors.come("/join")
    field = ben.get_by_label("Room code or link")
    field.fill("!?")
    ben.keyboard.press("Enter")
    expect(field).to_have_accessible_description(
        "That's not a room code. A code has only letters and digits."
    )
    expect(field).to_be_focused()
    field.fill(code)
    expect(field).to_have_accessible_description("")
    ben.keyboard.press("Enter")
    name = ben.get_by_label("Your name")
    name.fill("Ann")
    ben.click("#sit-down")
    expect(name).to_have_accessible_description(
        "Someone here has that name, or one that looks like it. Choose another one."
    )
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    expect(ben.get_by_role("alert").filter(has_text="Someone")).to_have_count(1)


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
