"""Every screen, on a large screen and on a phone, in every language: nothing is wrong with any."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.e2e.tour import walk
from tests.e2e.visitors import DESKTOP, PHONE, Screen, Visitors, axe

OTHER_THEMES = ("dark", "contrast")

# A key that nobody has put into words shows as itself, lobby.begin, or stands in a text.
KEYS = r"""() => {
  const found = [];
  const look = (text) => {
    if (text.includes("://")) return;
    const key = text.match(/(^\s*[a-z][a-z-]*(\.[a-z0-9_-]+)+\s*$)|[a-z]{3,}\.[a-z_]{3,}/);
    if (key !== null) found.push(key[0].trim());
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) look(walker.currentNode.data);
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-roledescription"]) {
      look(element.getAttribute(name) ?? "");
    }
  }
  return found;
}"""

OVERFLOW = """async ([width, height]) => {
  const look = () => {
    const found = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > width) found.push(`the page is ${wide} wide`);
    for (const button of document.querySelectorAll("button, a, input, select")) {
      const name = button.id || button.ariaLabel || button.textContent;
      const box = button.getBoundingClientRect();
      if (box.width === 0 || button.closest(".scores, .players")) continue;
      if (box.left < -0.5 || box.right > width + 0.5) {
        found.push(`${name} from ${box.left} to ${box.right}`);
      }
      const isFixed = button.closest(".actions, .top");
      if (isFixed && (box.top < 0 || box.bottom > height + 0.5)) {
        found.push(`${name} is below the screen`);
      }
    }
    return found;
  };
  // What has been resized takes a moment.
  for (let tries = 0; tries < 30; tries++) {
    if (matchMedia(`(width: ${width}px)`).matches && look().length === 0) return [];
    await new Promise(requestAnimationFrame);
  }
  return look();
}"""

CONTRAST = """() => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const [r, g, b] = style.getPropertyValue(name).match(/[0-9a-f]{2}/gi).map((part) => {
      const value = parseInt(part, 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  return Object.fromEntries(["--r", "--b", "--k", "--o"].map((colour) => [
    colour,
    ratio(light(colour), light("--tile")),
  ]));
}"""

LANGUAGES = {"en-GB": "en", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant"}


# As in a browser with a larger font; the policy allows no other way to add a style.
FONT_SIZE = """(size) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { font-size: ${size} }`);
  document.adoptedStyleSheets = [sheet];
}"""


def set_theme(page: Page, theme: str) -> None:
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)


def overflowing(page: Page, size: tuple[int, int] | None = None) -> list[str]:
    """What does not fit on the screen, or on one of another size."""
    usual = page.viewport_size
    assert usual is not None
    width, height = size or (usual["width"], usual["height"])
    if size is not None:
        page.set_viewport_size({"width": width, "height": height})
    found: list[str] = page.evaluate(OVERFLOW, [width, height])
    if size is not None:
        page.set_viewport_size(usual)
    return found


def unreadable_tiles(page: Page) -> list[str]:
    """Numbers of tiles that do not stand out; axe leaves out what is hidden from screen readers."""
    found = []
    for theme in ("light", *OTHER_THEMES):
        set_theme(page, theme)
        for colour, ratio in page.evaluate(CONTRAST).items():
            if ratio < 4.5:
                found.append(f"{theme}: {colour} has only {ratio:.1f}:1")
    set_theme(page, "light")
    return found


@pytest.mark.parametrize(
    ("screen", "locale", "has_axe", "other_sizes"),
    [
        (DESKTOP, "en-GB", True, [(667, 375)]),
        (PHONE, "zh-CN", True, [(320, 640), (844, 390)]),
        (DESKTOP, "zh-TW", False, [(3840, 2160)]),
    ],
    ids=["desktop", "phone", "largest"],
)
def test_every_screen(
    visitors: Visitors,
    screen: Screen,
    locale: str,
    has_axe: bool,
    other_sizes: list[tuple[int, int]],
) -> None:
    wrong = []
    seen = set()
    for name, page in walk(visitors, screen, locale):
        seen.add(name)
        assert page.evaluate("document.documentElement.lang") == LANGUAGES[locale]
        wrong += [f"{name}: no words for {key}" for key in page.evaluate(KEYS)]
        wrong += [f"{name}: {each}" for each in overflowing(page)]
        if has_axe:
            wrong += [f"{name}: {each}" for each in axe(page)]
            for theme in OTHER_THEMES:
                set_theme(page, theme)
                found = axe(page, only=["color-contrast"])
                wrong += [f"{name} in {theme}: {each}" for each in found]
            set_theme(page, "light")
        if screen is PHONE:
            page.evaluate(FONT_SIZE, "200%")
            wrong += [f"{name} in large letters: {each}" for each in overflowing(page)]
            page.evaluate(FONT_SIZE, "100%")
        for size in other_sizes:
            wrong += [f"{name} on {size}: {each}" for each in overflowing(page, size)]
        if name == "own turn":
            wrong += [f"tiles in {each}" for each in unreadable_tiles(page)]
    assert not wrong, "\n".join(wrong)
    assert len(seen - {"steps of a hint"}) == 23
