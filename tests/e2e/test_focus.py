"""The keyboard is never lost: not when a button has done its work, not when a screen goes."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.rooms import DEALT_OUT, RICH, open_room, sit_together, sit_with_bot
from tests.e2e.seats import in_turn
from tests.e2e.visitors import Visitors

FOCUS = """() => {
  const { id, tagName, className } = document.activeElement;
  return id || String(className).split(" ")[0] || tagName;
}"""


def focus(page: Page) -> str:
    """On what the keyboard is."""
    return str(page.evaluate(FOCUS))


def expect_focus(page: Page, selector: str) -> None:
    expect(page.locator(selector)).to_be_focused()


def press(page: Page, selector: str) -> None:
    """With the keyboard."""
    page.focus(selector)
    page.keyboard.press("Enter")


def test_every_screen_has_a_title_and_is_begun_at_its_heading(visitors: Visitors) -> None:
    page = visitors.come("/", reduced_motion="reduce")
    expect(page).to_have_title("Tile Rummy")
    assert focus(page) == "BODY", "the first screen is read from its top"
    titles = {"rules": "Rules", "join": "Join a room", "with-friends": "Play with friends"}
    for button, title in titles.items():
        press(page, f"#{button}")
        expect(page).to_have_title(f"{title} · Tile Rummy")
        expect_focus(page, "h1")
        page.go_back()
        expect(page).to_have_title("Tile Rummy")
        expect_focus(page, "h1")
    press(page, "#settings")
    expect(page.locator("dialog [lang=zh-Hant]")).to_have_text("繁體中文")
    page.keyboard.press("Escape")
    expect_focus(page, "#settings")


def test_lobby_keeps_the_keyboard(visitors: Visitors) -> None:
    page = visitors.come("/", reduced_motion="reduce")
    code = open_room(page, "Ann", {"seats": 3, "options": {"timer.seconds": 0}}, [])
    page.goto(f"/r/{code}")
    second = page.locator(".seats li").nth(1)
    second.get_by_role("button", name="Add Hare").press("Enter")
    remove = second.get_by_role("button", name="Remove Hare")
    expect(remove).to_be_focused()
    remove.press("Enter")
    expect(second.get_by_role("button", name="Add Hare")).to_be_focused()
    page.keyboard.press("Enter")
    expect(remove).to_be_focused()
    press(page, "#begin")
    expect(page).to_have_title("Table · Tile Rummy")
    expect_focus(page, ".stage")


def test_buttons_of_a_turn_keep_the_keyboard(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options={**RICH, "initial.min": 0}, hints=True)
    assert seat.await_turn()
    page = seat.page
    page.focus(".stage")
    page.keyboard.press("Home")
    for key in ("Space", "t"):
        page.keyboard.press(key)
    for button in ("#undo", "#redo", "#reset"):
        expect(page.locator(button)).to_be_enabled()
        press(page, button)
        expect(page.locator(button)).to_be_disabled()
        expect_focus(page, button)

    press(page, "#hint")
    page.get_by_test_id("hint").wait_for()
    expect_focus(page, "#hint")
    if page.locator("#hint-more").count():
        press(page, "#hint-more")
        expect_focus(page, "#hint-more")
        page.keyboard.press("Enter")
        expect_focus(page, "#hint-next, #hint-again")
    press(page, "#hint-close")
    expect_focus(page, ".stage")

    for dialog in ("open-chat", "open-menu"):
        press(page, f"#{dialog}")
        page.wait_for_selector("dialog")
        page.keyboard.press("Escape")
        expect_focus(page, f"#{dialog}")
    press(page, "#open-menu")
    press(page, "#open-help")
    page.wait_for_selector("dialog .hands")
    page.keyboard.press("Escape")
    expect_focus(page, "#open-menu")


def test_the_end_of_a_game_is_announced_and_takes_the_keyboard(visitors: Visitors) -> None:
    people = in_turn(sit_together(visitors, 2, options=DEALT_OUT))
    for seat in people:
        seat.await_turn()
        press(seat.page, "#draw")
        if seat is people[0]:
            # A player who reads something else meanwhile comes to the end from there.
            seat.page.focus(".stage")
            seat.page.keyboard.press("?")
            seat.page.wait_for_selector("dialog .keys")
    people[0].page.get_by_test_id("ending").wait_for()
    people[0].page.keyboard.press("Escape")
    for seat in people:
        page = seat.page
        page.get_by_test_id("ending").wait_for()
        expect_focus(page, ".ending")
        news = page.get_by_test_id("news")
        expect(news).to_contain_text("pass")
        expect(news).not_to_contain_text("turn")
        # What lies under it is out of reach until it is folded.
        for _ in range(12):
            page.keyboard.press("Tab")
            assert focus(page) != "stage"
        press(page, "#fold")
        page.focus(".stage")
        expect_focus(page, ".stage")
        press(page, "#fold")
        press(page, "#more")
    for seat in people:
        seat.page.get_by_test_id("ending").wait_for(state="detached")
        expect_focus(seat.page, ".stage")


def test_what_gets_the_keyboard_by_itself_is_framed_only_for_the_keyboard(
    visitors: Visitors,
) -> None:
    page = visitors.come("/", reduced_motion="reduce")
    page.click("#play-now")
    expect_focus(page, ".stage")
    expect(page.locator(".cursor")).to_have_count(0)
    page.go_back()
    press(page, "#play-now")
    expect_focus(page, ".stage")
    expect(page.locator(".cursor")).to_have_count(1)


def test_a_dialog_over_a_screen_that_goes_leaves_the_keyboard_on_the_next(
    visitors: Visitors,
) -> None:
    page = visitors.come("/", reduced_motion="reduce")
    page.click("#play-now")
    page.wait_for_selector(".stage")
    press(page, "#open-menu")
    page.locator("dialog").get_by_role("button", name="Settings").press("Enter")
    page.wait_for_selector("dialog .segments")
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect_focus(page, "h1")


def test_a_dialog_stays_while_text_in_it_is_selected(visitors: Visitors) -> None:
    page = visitors.come("/", reduced_motion="reduce")
    page.click("#play-now")
    page.click("#open-chat")
    field = page.locator("dialog input")
    field.fill("Good evening")
    box = field.bounding_box()
    outside = page.locator("dialog").bounding_box()
    assert box is not None
    assert outside is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(outside["x"] - 40, box["y"], steps=3)
    page.mouse.up()
    expect(field).to_have_value("Good evening")
    page.mouse.click(outside["x"] - 40, box["y"])
    expect(page.locator("dialog")).to_have_count(0)
