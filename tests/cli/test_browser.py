"""The page is shown where there is a browser with windows."""

from __future__ import annotations

import threading

import pytest

from tilerummy.cli import browser


@pytest.mark.parametrize(
    ("environ", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_browser_needs_a_screen(environ: dict[str, str], platform: str, there: bool) -> None:
    assert browser.has_screen(environ, platform) == there


def test_an_address_is_shown_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, may_go_on = threading.Event(), threading.Event()

    def slow(address: str) -> None:
        assert address == "http://127.0.0.1:1"
        may_go_on.wait(30)
        shown.set()

    monkeypatch.setattr("webbrowser.open", slow)
    monkeypatch.setattr(browser, "has_screen", lambda: False)
    browser.show("http://127.0.0.1:1")
    monkeypatch.setattr(browser, "has_screen", lambda: True)
    browser.show("http://127.0.0.1:1")
    assert not shown.is_set()
    may_go_on.set()
    assert shown.wait(30)
