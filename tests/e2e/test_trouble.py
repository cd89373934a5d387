"""What goes wrong with people, browsers and nets, and must not spoil an evening."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.e2e.hands import Mouse
from tests.e2e.rooms import RICH, open_room, sit_together, sit_with_bot
from tests.e2e.seats import in_turn, wait_until
from tests.e2e.visitors import Sent, Visitors
from tests.server.harness import ServerProcess

NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}
"""
FULL_STORAGE = "Storage.prototype.setItem = () => { throw new DOMException('full'); };"


def test_browsers_that_remember_nothing_play_too(visitors: Visitors) -> None:
    for trouble in (NO_STORAGE, FULL_STORAGE):
        page = visitors.come("/", reduced_motion="reduce")
        page.context.add_init_script(trouble)
        page.goto("/")
        page.click("#play-now")
        page.wait_for_selector(".stage [data-tile]")
        page.reload()
        page.wait_for_selector(".stage > .rack")


def test_words_that_do_not_come_are_asked_for_again(visitors: Visitors) -> None:
    visitors.allow("ERR_FAILED")
    page = visitors.come("/rules")
    page.route("**/assets/en-*", lambda route: route.abort(), times=1)
    page.goto("/")
    expect(page.locator("#play-now")).to_be_visible()


def test_a_table_that_does_not_come_is_asked_for_again(visitors: Visitors) -> None:
    visitors.allow("ERR_FAILED|dynamically imported")
    page = visitors.come("/join")
    page.route("**/assets/room-*", lambda route: route.abort())
    page.goto("/")
    page.click("#play-now")
    expect(page.get_by_text("Just a moment")).to_be_visible()
    # While the server is away too, nothing that is shown is lost.
    tries: list[Route] = []

    def fail(route: Route) -> None:
        route.abort()
        tries.append(route)

    page.route("**/r/*", fail)
    wait_until(page, lambda: len(tries) > 1)
    expect(page.get_by_text("Just a moment")).to_be_visible()
    page.unroute_all()
    expect(page.locator(".seats")).to_contain_text("Guest (you)")


def test_a_seat_is_taken_once_and_can_be_taken_again(visitors: Visitors) -> None:
    ann = visitors.come("/", reduced_motion="reduce")
    code = open_room(ann, "Ann", {"seats": 3}, [])
    ann.goto(f"/r/{code}")
    ben = visitors.come(f"/r/{code}", reduced_motion="reduce")
    ben.get_by_label("Your name").fill("Ben")
    ben.dblclick("#sit-down")
    expect(ben.locator(".seats")).to_contain_text("Ben (you)")
    expect(ann.locator(".seats li.person")).to_have_count(2)

    # A player who left may come back.
    ben.get_by_role("button", name="Leave").click()
    expect(ben.locator("#play-now")).to_be_visible()
    expect(ann.locator(".seats li.person")).to_have_count(1)
    ben.goto(f"/r/{code}")
    ben.click("#sit-down")
    expect(ben.locator(".seats")).to_contain_text("Ben (you)")

    # A dialog does not stay when the screen below it goes.
    ben.get_by_role("button", name="Settings").click()
    expect(ben.locator("dialog")).to_be_visible()
    ben.evaluate("history.pushState(null, '', '/'); dispatchEvent(new Event('popstate'))")
    expect(ben.locator("#play-now")).to_be_visible()
    expect(ben.locator("dialog")).to_have_count(0)


def test_a_wish_to_play_at_once_is_not_kept_for_another_table(visitors: Visitors) -> None:
    visitors.allow("ERR_FAILED")
    page = visitors.come("/", reduced_motion="reduce")
    page.route("**/api/rooms", lambda route: route.abort())
    page.click("#play-now")
    expect(page.get_by_role("alert")).to_contain_text("Can't reach the server")
    page.unroute("**/api/rooms")
    page.goto(f"/r/{open_room(page, 'Ann', {'seats': 2}, ['simple'])}")
    expect(page.locator("#begin")).to_be_enabled()
    # A bot is removed in the lobby alone, and the server gets this after a wish to begin.
    page.locator(".seats li").nth(1).get_by_role("button").click()
    expect(page.locator(".seats")).to_contain_text("Free seat")
    expect(page.locator("#begin")).to_be_visible()


def test_while_the_server_is_away_the_page_says_so_and_one_may_leave(
    visitors: Visitors, server: ServerProcess
) -> None:
    visitors.allow("WebSocket|ERR_CONNECTION_|ERR_EMPTY_RESPONSE")
    seat = sit_with_bot(visitors, options=RICH)
    page = seat.page
    lobby = visitors.come("/", reduced_motion="reduce")
    lobby.goto(f"/r/{open_room(lobby, 'Cleo', {'seats': 2}, [])}")
    lobby.wait_for_selector("#begin")

    server.kill()
    for each in (page, lobby):
        expect(each.get_by_test_id("lost")).to_be_visible()
    leave(page)
    server.start()


def test_a_tile_in_hand_stays_there_when_the_turn_comes(visitors: Visitors) -> None:
    first, second = in_turn(sit_together(visitors, 2, options=RICH))
    seen = second.look()
    to, *_, tile = seen.rack
    hand = second.page.mouse
    hand.move(*second.reach(tile))
    hand.down()
    hand.move(*seen.tiles[seen.rack[2]].middle, steps=3)
    first.quick_draw()
    assert second.await_turn()
    hand.move(*seen.tiles[to].middle, steps=2)
    hand.up()
    assert second.rack[0] == tile


def test_a_key_that_is_held_draws_once(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH)
    sent = Sent(seat.page)
    seat.page.reload()
    keyboard = seat.page.keyboard
    assert seat.await_turn()
    turn = seat.turn
    seat.page.focus(".stage")
    keyboard.down("d")
    seat.await_end_of_turn(turn)
    # It is still held when the next turn begins.
    assert seat.await_turn()
    for _ in range(5):
        keyboard.down("d")
    keyboard.up("d")
    # Pressed anew, it draws again, and nothing was sent before that.
    turn = seat.turn
    keyboard.press("d")
    seat.await_end_of_turn(turn)
    assert len(sent.of("draw")) == 2


def test_a_tile_in_hand_stays_there_whatever_else_happens(visitors: Visitors) -> None:
    seat = sit_with_bot(visitors, options=RICH)
    assert seat.await_turn()
    mouse = Mouse(seat)
    laid, held, *_ = seat.rack
    mouse.new_row([laid])
    page = seat.page
    page.mouse.move(*seat.reach(held))
    page.mouse.down()
    left, top, right, bottom = seat.look().table
    page.mouse.move((left + right) / 2, (top + bottom) / 2, steps=4)
    tile = page.locator(f"[data-tile='{held}']")
    before = tile.bounding_box()
    page.focus(".stage")
    page.keyboard.press("u")
    page.keyboard.press("n")
    expect(page.locator(f".stage > .rack[data-tile='{laid}']")).to_be_visible()
    assert tile.bounding_box() == before
    expect(tile).to_contain_class("lifted")
    expect(page.locator(".stage")).to_contain_class("carrying")
    page.mouse.up()
    assert [held] in seat.rows
    expect(page.locator(".lifted, .carrying")).to_have_count(0)


def leave(page: Page) -> None:
    page.click("#open-menu")
    page.get_by_role("button", name="Leave room").click()
    page.click("#leave-yes")
    page.wait_for_selector("#play-now")
