"""Visitors: isolated browser contexts with their own cookies, on a desktop or a phone."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

from tests.services import ServiceError
from tools.page import MODULES

# The first is Chromium without a window, which costs little more than half as much.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000
"""Timeout in milliseconds, long enough for a busy machine."""


class Screen(TypedDict, total=False):
    viewport: dict[str, int]
    device_scale_factor: float
    has_touch: bool
    is_mobile: bool


DESKTOP: Screen = {"viewport": {"width": 1440, "height": 900}}
PHONE: Screen = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}

TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI}`);
});
"""

SEEDED = """
{
  let state = %d;
  crypto.getRandomValues = (array) => {
    for (let at = 0; at < array.length; at++) {
      state = (Math.imul(state, 1103515245) + 12345) | 0;
      array[at] = state >>> 16;
    }
    return array;
  };
}
"""
"""The seeds that a visitor gives for the shuffle are the same in every run."""


def launch(playwright: Playwright) -> Browser:
    """The system's Chromium. Its sandbox does not work for root."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        raise ServiceError("Chromium is not in PATH; run tools/services")
    root = os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=found, args=["--no-sandbox"] if root else [], chromium_sandbox=not root
    )


class Visitors:
    """All visitors of a server in one test, and the errors of their browsers."""

    def __init__(self, browser: Browser, url: str, folder: Path, film: Path | None = None) -> None:
        self.url = url
        self.folder = folder
        """Where evidence is kept."""
        self.film = film
        """Where films go, if any are made."""
        self.problems: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._allowed: list[str] = []

    def come(self, path: str = "/", screen: Screen = DESKTOP, **options: Any) -> Page:
        """A new visitor opens the page at a path. Options are those of Playwright's `new_context`,
        such as `locale="zh-TW"` or `color_scheme="dark"`."""
        context: Any = self._browser.new_context(base_url=self.url, **{**screen, **options})
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TELL_VIOLATIONS)
        context.add_init_script(SEEDED % len(self._contexts))
        context.tracing.start(screenshots=False, snapshots=False)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._note(f"error: {error.error}"))
        page: Page = context.new_page()
        if self.film is not None:
            _film(page, self.film / f"visitor{len(self._contexts)}")
        page.goto(path)
        return page

    def allow(self, pattern: str) -> None:
        """Allow errors of this kind, in tests that provoke them."""
        self._allowed.append(pattern)

    def unexpected(self) -> list[str]:
        return [
            problem
            for problem in self.problems
            if not any(re.search(pattern, problem) for pattern in self._allowed)
        ]

    def keep_evidence(self) -> list[Path]:
        """Save screenshots and traces of all visitors: `playwright show-trace FILE`."""
        kept = []
        for number, context in enumerate(self._contexts, 1):
            for tab, page in enumerate(context.pages, 1):
                kept.append(self.folder / f"visitor{number}-tab{tab}.png")
                page.screenshot(path=kept[-1])
            kept.append(self.folder / f"visitor{number}-trace.zip")
            context.tracing.stop(path=kept[-1])
        return kept

    def leave(self) -> None:
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _note(self, problem: str) -> None:
        self.problems.append(problem)


class Sent:
    """The messages that a page sends to the server. Sockets of before are not heard: listen before
    the page connects."""

    def __init__(self, page: Page) -> None:
        self._messages: list[dict[str, Any]] = []
        page.on("websocket", lambda socket: socket.on("framesent", self._keep))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The messages of one type so far."""
        return [message for message in self._messages if message["type"] == kind]

    def _keep(self, frame: str | bytes) -> None:
        self._messages.append(json.loads(frame))


def _film(page: Page, folder: Path) -> None:
    """Save every frame of a page as a picture named by its time in seconds and milliseconds."""
    folder.mkdir(parents=True)
    line = page.context.new_cdp_session(page)
    began: list[float] = []

    def keep(frame: dict[str, Any]) -> None:
        at = frame["metadata"]["timestamp"]
        began.append(at)
        name = f"{at - began[0]:08.3f}.jpg"
        (folder / name).write_bytes(base64.b64decode(frame["data"]))
        line.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    line.on("Page.screencastFrame", keep)
    line.send("Page.startScreencast", {"format": "jpeg", "quality": 80, "everyNthFrame": 2})


AXE = MODULES / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe(page: Page, *, only: Sequence[str] = ()) -> list[str]:
    """Accessibility violations that axe-core finds on the current screen: rule and element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    run = {"type": "rule", "values": only} if only else {"type": "tag", "values": LEVELS}
    found = page.evaluate(
        "(options) => axe.run(document, options)", {"runOnly": run, "resultTypes": ["violations"]}
    )
    return [
        f"{violation['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
