"""Page speed in the system's Chromium: load times, interaction latency, and frame times of drags.

The page comes from a real server. This tool fakes the socket, so that the table is full of tiles
and always the same.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, WebSocketRoute, sync_playwright

from tests.e2e.visitors import DESKTOP, PHONE, Screen, launch
from tests.server.harness import ServerProcess, sqlite_url

THROTTLING = 4
CODE = "ABCDEF"
PATIENCE = 60_000
COLOURS = "rbko"
SCREENS: dict[str, Screen] = {"desktop": DESKTOP, "phone": PHONE}

OBSERVE = """
(() => {
  const seen = { lcp: 0, cls: 0, long: [], events: [] };
  const watch = (type, note, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note))
      .observe({ type, buffered: true, ...more });
  watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch("longtask", (entry) => { seen.long.push([entry.startTime, entry.duration]); });
  watch("event", (entry) => {
    if (entry.interactionId) seen.events.push([entry.name, entry.duration]);
  }, { durationThreshold: 16 });
  const frames = [];
  let last = 0;
  const tick = (now) => {
    if (last) frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  window.measured = {
    seen,
    watchFrames() { requestAnimationFrame(tick); },
    frames,
  };
})();
"""


class Loading(NamedTuple):
    """Of one load, in milliseconds; `shift` has no unit."""

    first_paint: float
    largest_paint: float
    blocked: float
    shift: float


class Measured(NamedTuple):
    loading: dict[str, list[Loading]]
    """Of the start page and of a full table, on each screen."""
    interactions: dict[str, list[float]]
    """Interaction latency in milliseconds, by interaction and screen."""
    frames: dict[str, list[list[float]]]
    """Frame times of every drag, by what was dragged."""
    chromium: str


def measure(runs: int) -> Measured:
    loading: dict[str, list[Loading]] = {}
    interactions: dict[str, list[float]] = {}
    frames: dict[str, list[list[float]]] = {}
    with _server() as url, sync_playwright() as playwright, launch(playwright) as browser:
        for _ in range(runs):
            for name, screen in SCREENS.items():
                for place in ("start page", "full table"):
                    with _visit(browser, url, screen, place, THROTTLING) as page:
                        loading.setdefault(f"{place}, {name}", []).append(_loading(page))
                        if place == "full table":
                            for what, length in _play(page):
                                interactions.setdefault(f"{what}, {name}", []).append(length)
            for rate in (1, THROTTLING):
                with _visit(browser, url, DESKTOP, "full table", rate) as page:
                    for what, found in _drag(page):
                        frames.setdefault(f"{what}, {rate}x", []).append(found)
        return Measured(loading, interactions, frames, browser.version)


@contextmanager
def _server() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(sqlite_url(Path(folder))) as server,
    ):
        yield server.url


@contextmanager
def _visit(browser: Browser, url: str, screen: Screen, place: str, rate: int) -> Iterator[Page]:
    """A first visit with an empty cache, the processor throttled by this factor."""
    context = browser.new_context(base_url=url, locale="en-GB", **screen)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    context.add_init_script(OBSERVE)
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    if place == "full table":
        page.route(f"**/api/rooms/{CODE}", lambda route: route.fulfill(json=_room()))
        page.route_web_socket("**/socket", _serve)
        page.goto(f"/r/{CODE}")
        page.wait_for_selector(".tile")
    else:
        page.goto("/")
        page.wait_for_selector("#play-now")
    page.wait_for_timeout(2_000)
    yield page
    context.close()


def _loading(page: Page) -> Loading:
    found = page.evaluate(
        """() => ({
          paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
          ...measured.seen,
        })"""
    )
    first = found["paint"]
    blocked = sum(max(0, length - 50) for start, length in found["long"] if start + length > first)
    return Loading(first, found["lcp"], blocked, found["cls"])


# Interactions


def _play(page: Page) -> Iterator[tuple[str, float]]:
    """Frequent interactions; each has a visible effect."""
    touch = page.evaluate("navigator.maxTouchPoints > 0")

    def press(selector: str) -> None:
        found = page.locator(selector).first
        found.tap() if touch else found.click()

    def put() -> None:
        box = page.locator(".tile.table").nth(3).bounding_box()
        assert box is not None
        at = box["x"] + 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(*at) if touch else page.mouse.click(*at)

    steps: list[tuple[str, Callable[[], None]]] = [
        ("choose a tile", lambda: press(".tile.rack")),
        ("put it into a row", put),
        ("undo", lambda: press("#undo")),
        ("redo", lambda: press("#redo")),
        ("lay all back", lambda: press("#reset")),
        ("sort", lambda: press("#sort-number")),
        ("open the menu", lambda: press("#open-menu")),
    ]
    if not touch:
        steps += [
            ("close it by key", lambda: page.keyboard.press("Escape")),
            ("go to the table", lambda: page.locator(".stage").focus()),
            ("move the cursor", lambda: page.keyboard.press("ArrowRight")),
            ("choose by key", lambda: page.keyboard.press(" ")),
        ]
    for what, step in steps:
        before = page.evaluate("measured.seen.events.length")
        step()
        page.wait_for_timeout(700)
        events = page.evaluate("(first) => measured.seen.events.slice(first)", before)
        if events:
            yield what, max(length for _, length in events)


def _drag(page: Page) -> Iterator[tuple[str, list[float]]]:
    """Carry one tile, then the rest of a row, to and fro across the whole table."""
    page.evaluate("measured.watchFrames()")
    page.wait_for_timeout(500)
    for what, selector, hold in (("one tile", ".tile.rack", 0), ("a row", ".tile.table", 450)):
        box = page.locator(selector).first.bounding_box()
        table = page.locator(".stage").bounding_box()
        assert box is not None
        assert table is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.evaluate("measured.frames.length = 0")
        page.mouse.down()
        page.wait_for_timeout(hold)
        for turn in range(6):
            x = table["x"] + table["width"] * (0.9 if turn % 2 == 0 else 0.1)
            y = table["y"] + table["height"] * (0.1 + 0.1 * turn)
            page.mouse.move(x, y, steps=40)
        page.mouse.up()
        page.wait_for_timeout(400)
        yield what, page.evaluate("measured.frames.slice()")


# A full table


def _serve(socket: WebSocketRoute) -> None:
    def answer(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "hello":
            socket.send(json.dumps(_snapshot()))
        elif message["type"] == "ping":
            socket.send(json.dumps({"type": "pong", "re": message["id"], "now": 1_000}))

    socket.on_message(answer)


def _seats() -> list[dict[str, Any]]:
    people: list[dict[str, Any]] = [{"kind": "person", "name": "Ann"}]
    return people + [{"kind": "bot", "name": f"Bot {n}", "bot": "simple"} for n in range(1, 4)]


def _room() -> dict[str, Any]:
    seats, settings = _seats(), {"edition": "sixplayer"}
    return {
        "code": CODE, "you": 0, "phase": "playing", "settings": settings, "seats": seats, "host": 0
    }  # fmt: skip


def _snapshot() -> dict[str, Any]:
    """A snapshot with 106 tiles on the table, a rack of third copies, and the own turn."""
    runs = [
        [f"{colour}{number}.1" for number in range(first, last + 1)]
        for colour in COLOURS
        for first, last in ((1, 4), (5, 8), (9, 13))
    ]
    groups = [[f"{colour}{number}.2" for colour in COLOURS] for number in range(1, 14)]
    runs[0].append("J.1")
    runs[3].append("J.2")
    rack = [f"{colour}{number}.3" for colour in "rb" for number in range(1, 8)]
    game = {
        "number": 1,
        "phase": "playing",
        "commitment": "00" * 32,
        "seeds": [None] * 4,
        "starter": 0,
        "rack": rack,
        "rack_sizes": [14, 9, 11, 13],
        "pool": 7,
        "table": runs + groups,
        "opened": [True] * 4,
        "current": 0,
        "turn": 30,
        "turn_began": 0,
    }
    match = {"rounds": 1, "games": 4, "results": [], "totals": [0] * 4, "leaders": []}
    room = {
        "room": "r",
        "code": CODE,
        "settings": {"edition": "sixplayer"},
        "phase": "playing",
        "since": 0,
        "seats": _seats(),
        "host": 0,
        "match": match,
        "game": game,
    }
    return {"type": "snapshot", "version": 90, "now": 1_000, "you": 0, "room": room}
