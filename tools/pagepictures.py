"""Screenshots of the page for the README: real games in the system's Chromium, on a real server.

Bots play, and hints play the turns of the human seat. The deal differs every time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.visitors import DESKTOP, PHONE, Screen, launch
from tests.server.harness import ServerProcess, sqlite_url
from tools import page as tools_page

QUALITY = 84
TURNS = 9
"""Own turns until the table is worth a picture."""
LEAST_RACK, LEAST_TABLE = 4, 24
"""Tiles."""
PATIENCE = 60_000


class Picture(NamedTuple):
    name: str
    screen: Screen
    locale: str
    colours: str


PICTURES = (
    Picture("desktop", DESKTOP, "en-GB", "light"),
    Picture("desktop-dark", DESKTOP, "en-GB", "dark"),
    Picture("phone", PHONE, "en-GB", "light"),
    Picture("phone-chinese", PHONE, "zh-CN", "dark"),
)


def take_all(folder: Path) -> list[Path]:
    """Build the page, play a game for each picture, and write the pictures to the folder."""
    tools_page.build()
    taken = []
    with _server() as url, sync_playwright() as playwright, launch(playwright) as browser:
        for picture in PICTURES:
            path = folder / f"{picture.name}.jpg"
            _take(browser, url, picture, path)
            taken.append(path)
    return taken


@contextmanager
def _server() -> Iterator[str]:
    limits = {"TILERUMMY_LIMIT_HINTS": "50/s", "TILERUMMY_LIMIT_SOLVER_CPU": "2/s"}
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(sqlite_url(Path(folder)), settings=limits) as server,
    ):
        yield server.url


def _take(browser: Browser, url: str, picture: Picture, path: Path) -> None:
    context = browser.new_context(
        base_url=url,
        locale=picture.locale,
        color_scheme="dark" if picture.colours == "dark" else "light",
        **picture.screen,  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    while not _is_worth_showing(page):
        pass
    page.screenshot(path=path, type="jpeg", quality=QUALITY, scale="device")
    context.close()


def _is_worth_showing(page: Page) -> bool:
    """Play until the table is full and a turn is laid out; False if the game ended."""
    page.goto("/")
    page.click("#play-now")
    for turn in range(TURNS * 3):
        page.wait_for_selector("#draw:not([aria-disabled]), #more")
        if page.locator("#more").count():
            return False
        page.click("#hint")
        page.wait_for_selector("[data-testid=hint]")
        if page.locator("#hint-more").count() == 0:
            page.click("#draw")
            continue
        page.click("#hint-more")
        page.click("#hint-more")
        # By hand, which is quicker than watching.
        page.click("#hint-back")
        while page.locator("#hint-next").count():
            page.click("#hint-next")
        page.wait_for_timeout(400)
        rack, table = page.locator(".tile.rack").count(), page.locator(".tile.table").count()
        if turn >= TURNS and rack >= LEAST_RACK and table >= LEAST_TABLE:
            page.click("#hint-close")
            page.wait_for_timeout(600)
            return True
        page.click("#play")
    return False
