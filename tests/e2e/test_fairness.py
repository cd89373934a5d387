"""The page verifies deals by itself, offline, and shows who kept a seed back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.e2e.rooms import DEALT_OUT, open_room, request
from tests.e2e.seats import Seat, wait_until
from tests.e2e.test_match import pass_all
from tests.e2e.visitors import PHONE, Visitors
from tests.server.harness import ServerProcess, sqlite_url
from tilerummy.rules.editions import edition

OPTIONS = {"timer.seconds": 0, **DEALT_OUT}
WITHHOLDS = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (JSON.parse(text).type !== "reveal") send.call(this, text);
};
"""
"""A player who looks at the deal first, and does not like it."""


@pytest.fixture(scope="module")
def hasty_server(
    built_page: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    settings = {"TILERUMMY_PACE_SEEDS": "60s", "TILERUMMY_PACE_REVEAL": "3s"}
    settings["TILERUMMY_PACE_LOOK"] = "60s"
    store = sqlite_url(tmp_path_factory.mktemp("hasty"))
    with ServerProcess(store, settings=settings, seed="fairness") as server:
        yield server


@pytest.fixture
def visitors(browser: Browser, hasty_server: ServerProcess, tmp_path: Path) -> Iterator[Visitors]:
    visitors = Visitors(browser, hasty_server.url, tmp_path)
    yield visitors
    try:
        assert visitors.unexpected() == []
    finally:
        visitors.leave()


def seated(visitors: Visitors, *, ben_withholds: bool, locale: str = "en-GB") -> list[Page]:
    pages = [visitors.come("/"), visitors.come("/", locale=locale)]
    if ben_withholds:
        pages[1].add_init_script(WITHHOLDS)
    begin(pages)
    return pages


def begin(pages: list[Page]) -> None:
    gather(pages)
    pages[0].locator("#begin").dispatch_event("click")
    for page in pages:
        page.wait_for_selector(".stage [data-tile]")


def gather(pages: list[Page], inspect: str = "") -> None:
    """Ann and Ben in a lobby, ready to begin."""
    ann, ben = pages
    settings = {"options": OPTIONS, "seats": 2}
    code = open_room(ann, "Ann", settings, [])
    request(ben, "POST", "/api/guests", {"name": "Ben"})
    request(ben, "POST", f"/api/rooms/{code}/seats", {})
    for page in pages:
        page.goto(f"/r/{code}{inspect}")
    expect(ann.locator("#begin")).to_be_enabled()
    expect(ben.locator(".seats")).to_contain_text("Ben")


def play_out(pages: list[Page]) -> None:
    rules = edition("classic", OPTIONS)
    pass_all([Seat(page, rules) for page in pages])


def test_the_page_verifies_the_deal_offline(visitors: Visitors) -> None:
    visitors.allow("ERR_INTERNET_DISCONNECTED")
    ann, ben = seated(visitors, ben_withholds=False)
    play_out([ann, ben])
    asked: list[Request] = []
    ann.context.set_offline(True)
    ann.on("request", lambda each: asked.append(each))
    ann.click("#check-shuffle")
    expect(ann.get_by_test_id("proof")).to_contain_text("All good: this page computed")
    assert [each.url for each in asked if each.resource_type != "websocket"] == []
    ann.context.set_offline(False)
    # What the tab saw outlives a reload.
    ben.reload()
    ben.click("#check-shuffle")
    expect(ben.get_by_test_id("proof")).to_contain_text("All good: this page computed")


def test_the_page_shows_who_kept_a_seed_back(visitors: Visitors) -> None:
    ann, ben = seated(visitors, ben_withholds=True)
    play_out([ann, ben])
    for page in (ann, ben):
        notes = page.get_by_test_id("deal-note")
        expect(notes.first).to_contain_text("deal 1 was cancelled")
        expect(notes.first).to_contain_text("Ben")
        expect(notes.last).to_contain_text("no random number of their own: Ben")
        page.click("#check-shuffle")
        expect(page.get_by_test_id("proof")).to_contain_text("All good")
        page.click("#check-turns")
        count = page.get_by_text("deals of this match were cancelled")
        expect(count).to_have_text("On record: 2 deals of this match were cancelled.")


LANGUAGES = {
    "en-GB": "The deal was cancelled: Ben didn't show their random number in time.",
    "zh-CN": "发牌取消了：Ben 没有及时公开随机数。",
    "zh-TW": "發牌取消了：Ben 沒有及時公開亂數。",
}


def test_a_cancelled_deal_is_said_at_the_table(visitors: Visitors) -> None:
    ann, ben = seated(visitors, ben_withholds=True, locale="zh-TW")
    watchers = {locale: visitors.come(ann.url, PHONE, locale=locale) for locale in LANGUAGES}
    for locale, page in watchers.items():
        page.locator("main > .button").last.tap()
        expect(page.get_by_test_id("cancelled")).to_contain_text(LANGUAGES[locale])
    expect(ann.get_by_test_id("cancelled")).to_contain_text(LANGUAGES["en-GB"])
    expect(ben.get_by_test_id("cancelled")).to_contain_text("你的亂數沒有及時送到")
    # It is there until somebody has played.
    play_out([ann, ben])
    expect(ann.get_by_test_id("cancelled")).to_have_count(0)


def test_a_tab_that_is_closed_after_the_commitment_cancels_the_deal(visitors: Visitors) -> None:
    ann, ben = visitors.come("/"), visitors.come("/")
    ben.add_init_script(WITHHOLDS)
    gather([ann, ben], "#inspect")
    ann.locator("#begin").dispatch_event("click")
    wait_until(ben, lambda: ben.evaluate("seat.game.value?.sources?.length > 0"))
    ben.close()
    ann.wait_for_selector(".stage [data-tile]")
    expect(ann.get_by_test_id("cancelled")).to_contain_text(LANGUAGES["en-GB"])
    assert ann.evaluate("seat.game.value.cancelled.length") == 1
    assert [*ann.evaluate("seat.game.value.sources")].count("own") == 1


def test_a_seed_is_sent_though_the_hash_function_came_late(visitors: Visitors) -> None:
    visitors.allow("ERR_FAILED")
    ann, ben = visitors.come("/"), visitors.come("/")
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        if len(lost) < 4:
            route.abort()
        else:
            route.continue_()

    ann.route("**/assets/commitments-*", lose)
    begin([ann, ben])
    # The server would wait for a minute: both have sent their seeds.
    assert len(lost) >= 4
    play_out([ann, ben])
    ann.click("#check-shuffle")
    expect(ann.get_by_test_id("proof")).to_contain_text("All good: this page computed")
    expect(ann.get_by_test_id("deal-note")).to_have_count(0)
