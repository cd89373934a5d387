"""Screenshots of every screen of the page, in each language and theme, on a desktop and on a phone,
and a contact sheet that shows them side by side: python -m tools.pagelooks FOLDER
"""

from __future__ import annotations

import argparse
import html
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from tests.e2e.tour import walk
from tests.e2e.visitors import DESKTOP, PHONE, Screen, Visitors, launch
from tests.server.harness import ServerProcess, sqlite_url
from tools import page as tools_page

SCREENS: dict[str, Screen] = {"desktop": DESKTOP, "phone": PHONE}
LOCALES = ("en-GB", "zh-CN", "zh-TW")
THEMES = ("light", "dark", "contrast")
SET_THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"


class Look(NamedTuple):
    screen: str
    locale: str
    name: str
    """The name of the screen, such as "own turn"."""
    theme: str

    @property
    def path(self) -> Path:
        return Path(self.screen, self.locale, f"{self.name}-{self.theme}.png".replace(" ", "-"))


def take_all(folder: Path) -> Iterator[Look]:
    """Build the page, visit every screen, and write the screenshots to the folder."""
    tools_page.build()
    # Ended games stay long enough for the screenshots.
    settings = {"TILERUMMY_PACE_LOOK": "600s"}
    with (
        tempfile.TemporaryDirectory() as store,
        ServerProcess(sqlite_url(Path(store)), settings=settings) as server,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        for screen, size in SCREENS.items():
            for locale in LOCALES:
                visitors = Visitors(browser, server.url, folder)
                for name, page in walk(visitors, size, locale):
                    for theme in THEMES:
                        look = Look(screen, locale, name, theme)
                        page.evaluate(SET_THEME, theme)
                        page.screenshot(path=folder / look.path, full_page=True)
                        yield look
                    page.evaluate(SET_THEME, "light")
                visitors.leave()


def write_sheet(folder: Path, looks: list[Look]) -> Path:
    """All screenshots on one page: one line per screen, one image per theme."""
    lines = []
    for name in dict.fromkeys((look.screen, look.name) for look in looks):
        pictures = "".join(
            f'<a href="{look.path}"><img src="{look.path}" alt="{look.locale}, {look.theme}"></a>'
            for look in looks
            if (look.screen, look.name) == name
        )
        lines.append(f"<h2>{html.escape(', '.join(name))}</h2><div>{pictures}</div>")
    path = folder / "index.html"
    style = "<style>div { display: flex; gap: 8px } img { height: 320px }</style>"
    path.write_text(f"<!doctype html><title>Looks</title>{style}{''.join(lines)}", "utf-8")
    return path


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.pagelooks", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the pictures go")
    folder: Path = parser.parse_args(arguments).folder
    looks = []
    for look in take_all(folder):
        looks.append(look)
        if sys.stderr.isatty():
            print(f"\r{len(looks)} pictures", end="", file=sys.stderr, flush=True)
    print(f"{len(looks)} pictures on {write_sheet(folder, looks)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
