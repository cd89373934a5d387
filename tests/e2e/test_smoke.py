"""The page comes up."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.visitors import DESKTOP, PHONE, Screen, Visitors, axe


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_says_something(visitors: Visitors, screen: Screen) -> None:
    page = visitors.come("/", screen)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.inner_text("body").strip()


def test_axe_finds_nothing(desktop: Page) -> None:
    expect(desktop.get_by_role("heading", level=1)).to_be_visible()
    assert axe(desktop) == []


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_address_of_nothing_is_a_404_page(visitors: Visitors, screen: Screen) -> None:
    visitors.allow("404")
    page = visitors.come("/", screen)
    answer = page.goto("/nowhere")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    assert axe(page) == []
    page.get_by_role("button").first.click()
    expect(page).to_have_url(re.compile(r":\d+/$"))
    expect(page.locator("#with-friends")).to_be_visible()
