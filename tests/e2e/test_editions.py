"""An edition that is chosen on the page brings its own rules, clock and seats."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.visitors import DESKTOP, PHONE, Screen, Visitors
from tilerummy.locales import catalogue
from tilerummy.rules.editions import EDITIONS, Edition, edition

ROOM = "(code) => fetch(`/api/rooms/${code}`).then((answer) => answer.json())"


def settings_of(page: Page) -> dict[str, Any]:
    """Those of the room that is shown, as the server has them."""
    page.wait_for_url("**/r/*")
    room = page.evaluate(ROOM, page.url.rsplit("/", 1)[1])
    settings: dict[str, Any] = room["settings"]
    return settings


def rules_of(settings: dict[str, Any]) -> Edition:
    return edition(settings["edition"], settings.get("options", {}))


def name_of(rules: Edition, language: str = "en") -> str:
    return catalogue(language).text(f"edition.{rules.name}.name")


def games_in_a_round(rules: Edition) -> str:
    if rules.match_games_per_round == "players":
        return "One round is one game per player."
    return f"One round is {rules.match_games_per_round} game."


def test_a_table_of_each_edition_has_its_rules(visitors: Visitors) -> None:
    page = visitors.come("/create", DESKTOP)
    clock = page.get_by_role("group", name="Time per turn")
    for rules in EDITIONS.values():
        page.goto("/create")
        # What was changed for another edition is not played in this one.
        page.get_by_label(name_of(EDITIONS["classic"]), exact=True).check()
        clock.get_by_label("30 s").check()
        page.get_by_label(name_of(rules), exact=True).check()
        if rules.name == "classic":
            clock.get_by_label(f"{rules.timer_seconds} s").check()
        expect(clock.get_by_label(f"{rules.timer_seconds} s")).to_be_checked()
        seats = page.get_by_role("group", name="Seats")
        expect(seats.get_by_role("radio")).to_have_count(rules.players_max - rules.players_min + 1)
        expect(seats.get_by_label(str(rules.players_max))).to_be_checked()
        expect(page.get_by_text(games_in_a_round(rules))).to_be_visible()
        page.click("#create")
        settings = settings_of(page)
        assert rules_of(settings) == rules
        assert settings["seats"] == rules.players_max
        expect(page.locator(".facts")).to_contain_text(f"{rules.timer_seconds} s per turn")
    assert EDITIONS["sabra"].timer_seconds == 120


@pytest.mark.parametrize(
    ("screen", "locale", "language"),
    [(DESKTOP, "en-GB", "en"), (PHONE, "zh-CN", "zh-Hans"), (PHONE, "zh-TW", "zh-Hant")],
    ids=["desktop", "phone", "phone in Taiwan"],
)
def test_play_now_repeats_the_edition_that_was_chosen(
    visitors: Visitors, screen: Screen, locale: str, language: str
) -> None:
    page = visitors.come("/", screen, locale=locale, reduced_motion="reduce")
    for name in ("classic", "twist", "twist"):
        rules = EDITIONS[name]
        field = page.locator("#edition")
        if field.input_value() != name:
            page.focus("#play-now")
            page.keyboard.press("Tab")
            expect(field).to_be_focused()
            for _ in range([*EDITIONS].index(name)):
                page.keyboard.press("ArrowDown")
        expect(field).to_have_value(name)
        expect(page.locator("#play-now")).to_contain_text(name_of(rules, language))
        if screen is PHONE:
            page.tap("#play-now")
        else:
            page.click("#play-now")
        page.wait_for_selector(".stage [data-tile]")
        settings = settings_of(page)
        assert rules_of(settings) == rules.with_options({"timer.seconds": 0})
        assert settings["hints"] is True
        page.goto("/")
    # The form for friends begins with it too.
    page.goto("/create")
    expect(page.locator(".segments input:checked").first).to_be_checked()
    chosen = page.locator(".segments label.on").first
    expect(chosen).to_have_text(name_of(EDITIONS["twist"], language))
