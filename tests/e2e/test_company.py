"""Those around the table: who watches, who talks, who wants a pause."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.hands import Mouse, end_turn, lay_out
from tests.e2e.rooms import RICH, open_room, sit_together, sit_with_bot
from tests.e2e.seats import in_turn
from tests.e2e.turns import draw_both_until, small_opening
from tests.e2e.visitors import DESKTOP, PHONE, Visitors

BUBBLE = """() => {
  const bubble = document.createElement("span");
  bubble.className = "bubble";
  document.body.append(bubble);
  const touched = getComputedStyle(bubble).pointerEvents;
  bubble.remove();
  return touched;
}"""


LEFTMOST = """(element) => {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const signs = [...text.data].map((found, at) => {
    const range = new Range();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return { found, left: range.getBoundingClientRect().left };
  });
  return signs.filter(({ found }) => /[^\\u2068\\u2069]/.test(found))
    .reduce((one, other) => (other.left < one.left ? other : one)).found;
}"""
"""The sign of a text that is seen at its left end."""


def test_watching_talking_and_a_pause(visitors: Visitors) -> None:
    ann, ben = sit_together(visitors, 2, options=RICH, screens=[DESKTOP, PHONE])
    room = ann.page.url

    cleo = visitors.come(room, DESKTOP, reduced_motion="reduce")
    expect(cleo.get_by_text("The match has already started")).to_be_visible()
    cleo.get_by_role("button", name="Watch").click()
    expect(cleo.locator(".players")).to_contain_text("Ann")
    expect(cleo.locator(".stage > .tile")).to_have_count(0)
    expect(cleo.locator("#play, #draw, #sort-colour")).to_have_count(0)

    ann.page.click("#open-chat")
    field = ann.page.get_by_label("Write a message")
    send = ann.page.get_by_role("button", name="Send", exact=True)
    field.fill("\u202enot like this")
    send.click()
    expect(ann.page.get_by_role("alert")).to_contain_text("1 to 200")
    expect(field).to_have_value("\u202enot like this")
    field.fill("Good luck <b>you</b>!")
    send.click()
    # What is said lies over the table for a while, and keeps nobody from playing.
    assert ben.page.evaluate(BUBBLE) == "none"
    expect(ben.page.locator(".unread")).to_have_count(1)
    ben.page.tap("#open-chat")
    expect(ben.page.locator(".unread")).to_have_count(0)
    expect(ben.page.locator(".chat")).to_contain_text("Ann Good luck <b>you</b>!")
    ben.page.get_by_role("button", name="Well played").tap()
    expect(ann.page.locator(".chat")).to_contain_text("Ben")
    expect(ann.page.locator(".chat")).to_contain_text("Well played")
    ben.page.get_by_text("Mute a player").tap()
    ben.page.get_by_role("button", name="Ann").tap()
    expect(ben.page.locator(".chat")).not_to_contain_text("Good luck")
    for seat in (ann, ben):
        seat.page.keyboard.press("Escape")
        expect(seat.page.locator("dialog")).to_have_count(0)

    ann.page.locator("#open-menu").click()
    ann.page.get_by_role("button", name="Ask for a pause").click()
    expect(ann.page.get_by_test_id("pause")).to_contain_text("Waiting for Ben")
    expect(ben.page.get_by_test_id("pause")).to_contain_text("Ann asked for a pause.")
    expect(cleo.get_by_role("button", name="Agree")).to_have_count(0)
    ben.page.get_by_role("button", name="Agree").tap()
    for page in (ann.page, ben.page, cleo):
        expect(page.locator(".notice", has_text="The game is paused.")).to_be_visible()
        expect(page.get_by_test_id("news")).to_have_text("The game is paused.")
    for seat in (ann, ben):
        expect(seat.page.locator(".stage.mine")).to_have_count(0)
        expect(seat.draw).to_be_disabled()
    ann.page.get_by_role("button", name="Resume").click()
    expect(ben.page.get_by_text("The game is paused.")).to_have_count(0)
    expect(ann.page.locator(".player.turn")).to_have_count(1)


def test_a_name_in_hebrew_ends_on_the_left(visitors: Visitors) -> None:
    ann = visitors.come("/", DESKTOP)
    code = open_room(ann, "Ann", {"seats": 2}, [])
    ann.goto(f"/r/{code}")
    sarah = visitors.come(f"/r/{code}", PHONE)
    sarah.get_by_label("Your name").fill("שרה!")
    sarah.tap("#sit-down")
    for page in (ann, sarah):
        seat = page.locator(".seats > li", has_text="שרה").locator("> span").first
        assert seat.evaluate(LEFTMOST) == "!"
    expect(ann.get_by_role("button", name="Remove \u2068שרה!\u2069")).to_be_visible()


def test_a_spectator_learns_that_all_players_have_left(visitors: Visitors) -> None:
    ann = sit_with_bot(visitors)
    ben = visitors.come(ann.page.url, PHONE, locale="zh-TW")
    ben.get_by_role("button", name="觀戰").tap()
    expect(ben.locator(".players")).to_contain_text("Ann")
    ann.page.click("#open-menu")
    ann.page.get_by_role("button", name="Leave room").click()
    ann.page.click("#leave-yes")
    expect(ben.get_by_role("heading", name="這個房間已關閉")).to_be_visible()
    expect(ben.get_by_text("玩家都離開了。")).to_be_visible()


def test_a_removed_player_is_informed_and_does_not_sit_down_again(visitors: Visitors) -> None:
    ann = visitors.come("/", DESKTOP)
    code = open_room(ann, "Ann", {"seats": 2}, [])
    ann.goto(f"/r/{code}")
    ben = visitors.come(f"/r/{code}", PHONE)
    ben.get_by_label("Your name").fill("Ben")
    ben.tap("#sit-down")
    expect(ben.locator(".seats")).to_contain_text("Ben (you)")
    ann.get_by_role("button", name="Remove Ben").click()
    removed = "You were removed from this room."
    expect(ben.get_by_role("alert").first).to_contain_text(removed)
    expect(ben.locator("#sit-down")).to_have_count(0)
    # Nor when they come again: at the door, or watching.
    ben.reload()
    expect(ben.get_by_text(removed)).to_be_visible()
    expect(ben.locator("#sit-down")).to_have_count(0)
    ben.get_by_role("button", name="Watch").tap()
    expect(ben.get_by_text(removed)).to_be_visible()
    expect(ben.locator("#sit-down")).to_have_count(0)
    expect(ann.locator(".seats")).not_to_contain_text("Ben")


def test_a_table_that_cannot_be_reached_is_asked_for_again(visitors: Visitors) -> None:
    visitors.allow("ERR_FAILED")
    ann = visitors.come("/", DESKTOP)
    code = open_room(ann, "Ann", {"seats": 2}, [])
    room = f"**/api/rooms/{code}"
    ann.route(room, lambda route: route.abort())
    ann.goto(f"/r/{code}")
    expect(ann.get_by_role("alert")).to_contain_text("Check your connection")
    with ann.expect_request(room):
        ann.click("#retry")
    ann.unroute(room)
    # It comes back without being asked for, too.
    expect(ann.locator(".seats")).to_contain_text("Ann (you)")


def test_six_on_a_phone_can_be_told_apart(visitors: Visitors) -> None:
    bots = ["simple", "simple", "simple", "solver", "solver"]
    (seat,) = sit_together(visitors, 1, bots=bots, edition="sixplayer", screens=[PHONE])
    assert seat.await_turn()
    cut = seat.page.locator(".player .name").evaluate_all(
        "(names) => names.filter((it) => it.scrollWidth > it.clientWidth + 1).length"
    )
    assert cut == 0
    # The current player is in sight, and so is the pool.
    for who in (".player.turn", ".player.pool"):
        box = seat.page.locator(who).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_what_happened_can_be_looked_at_again(visitors: Visitors) -> None:
    people = sit_together(visitors, 2, options={**RICH, "initial.min": 0})
    first, second = in_turn(people)
    first.quick_draw()
    assert second.await_turn()
    table = draw_both_until(second, first, small_opening)
    lay_out(Mouse(second), table)
    end_turn(Mouse(second))
    first.page.click("#open-menu")
    first.page.click("#open-story")
    turns = first.page.locator(".story li")
    laid = [tile for row in table for tile in row]
    expect(turns.first).to_contain_text(f"plays {len(laid)} tiles.")
    expect(turns.first.locator(".tile")).to_have_count(len(laid))
    expect(turns.last).to_contain_text("You draw a tile.")
    # Also after a reload.
    texts = turns.all_text_contents()
    first.page.reload()
    first.page.click("#open-menu")
    first.page.click("#open-story")
    expect(turns).to_have_text(texts)
    # What others have drawn nobody sees.
    second.page.click("#open-menu")
    second.page.click("#open-story")
    expect(second.page.locator(".story li").last).to_contain_text("draws a tile.")
    expect(second.page.locator(".story li").last.locator(".tile")).to_have_count(0)
