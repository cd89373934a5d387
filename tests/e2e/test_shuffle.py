"""Reloads and tabs in the middle of a shuffle: whoever comes back reveals what they committed to.

The deal waits for a minute, so none of this is a matter of time.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.rooms import open_room, request
from tests.e2e.seats import wait_until
from tests.e2e.visitors import SEEDED, Visitors

HOLDS = """
if (sessionStorage.getItem("released") === null) {
  const send = WebSocket.prototype.send;
  const waiting = [];
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).type !== "%s") return send.call(this, text);
    waiting.push(() => send.call(this, text));
  };
  window.release = () => waiting.forEach((each) => each());
}
"""
"""This page keeps a message back, until it is released or reloaded by `reload`."""


def gathered(visitors: Visitors, *, ann_holds: str = "", ben_holds: str = "") -> list[Page]:
    """Ann and Ben in the lobby of a room, who will keep back messages of these types."""
    ann, ben = visitors.come("/"), visitors.come("/")
    code = open_room(ann, "Ann", {"options": {"timer.seconds": 0}, "seats": 2}, [])
    request(ben, "POST", "/api/guests", {"name": "Ben"})
    request(ben, "POST", f"/api/rooms/{code}/seats", {})
    for page, holds in ((ann, ann_holds), (ben, ben_holds)):
        if holds:
            page.add_init_script(HOLDS % holds)
        page.goto(f"/r/{code}#inspect")
    return [ann, ben]


def begin(page: Page) -> None:
    button = page.locator("#begin")
    expect(button).to_be_enabled()
    button.dispatch_event("click")


def wait_for(page: Page, what: str) -> None:
    """Wait until something holds of the game that the page sees."""
    wait_until(page, lambda: page.evaluate(f"window.seat?.game.value?{what}"))


def reload(page: Page) -> None:
    page.evaluate("sessionStorage.setItem('released', 'yes')")
    page.reload()


def another_tab(page: Page) -> Page:
    """Another tab of the same browser, with random numbers of its own."""
    other = page.context.new_page()
    other.add_init_script(SEEDED % 99)
    other.goto(page.url)
    return other


def expect_dealt(*pages: Page) -> None:
    """The first deal holds: none was cancelled, and both seats gave seeds of their own."""
    for page in pages:
        page.wait_for_selector(".stage [data-tile]")
        assert page.evaluate("seat.game.value.sources") == ["own", "own"]
        assert page.evaluate("seat.game.value.cancelled?.length ?? 0") == 0


def test_reload_after_the_commitment(visitors: Visitors) -> None:
    ann, ben = gathered(visitors, ben_holds="commit")
    begin(ann)
    wait_for(ann, ".commitments?.some((each) => each !== null)")
    reload(ann)
    wait_for(ann, ".commitments?.some((each) => each !== null)")
    ben.evaluate("release()")
    expect_dealt(ann, ben)


def test_reload_before_the_seed_is_revealed(visitors: Visitors) -> None:
    ann, ben = gathered(visitors, ann_holds="reveal")
    begin(ann)
    wait_for(ann, ".sources?.length > 0")
    reload(ann)
    expect_dealt(ann, ben)


def test_two_tabs_of_one_seat(visitors: Visitors) -> None:
    ann, ben = gathered(visitors)
    other = another_tab(ann)
    expect(other.locator(".seats")).to_contain_text("Ann (you)")
    begin(ann)
    expect_dealt(ann, other, ben)


def test_the_other_tab_reveals_for_one_that_was_closed(visitors: Visitors) -> None:
    ann, ben = gathered(visitors, ann_holds="reveal")
    other = another_tab(ann)
    expect(other.locator(".seats")).to_contain_text("Ann (you)")
    begin(ann)
    wait_for(ann, ".sources?.length > 0")
    ann.close()
    expect_dealt(other, ben)


def test_somebody_who_closed_the_tab_comes_back_in_another_one(visitors: Visitors) -> None:
    ann, ben = gathered(visitors, ann_holds="reveal")
    begin(ann)
    wait_for(ann, ".sources?.length > 0")
    other = ann.context.new_page()
    ann.close()
    other.goto(ben.url)
    expect_dealt(other, ben)
