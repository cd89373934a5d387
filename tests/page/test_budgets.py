"""The page keeps its size budgets; times need a quiet machine and are not tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tilerummy.locales import LANGUAGES
from tools import budgets, pagefiles
from tools import page as tools_page


@pytest.mark.parametrize("screen", [None, budgets.TABLE])
def test_what_is_fetched_at_first_is_small_enough(screen: str | None) -> None:
    tools_page.build()
    found = budgets.initial(screen=screen)
    kinds = {name.rsplit(".", 1)[1] for name in found}
    assert kinds == {"js", "css"}
    assert any(language in name for name in found for language in LANGUAGES)
    assert any("/room-" in name for name in found) == (screen is not None)
    assert sum(found.values()) <= budgets.INITIAL, found


def test_what_is_fetched_at_first_says_nothing_that_comes_later() -> None:
    tools_page.build()
    later = re.compile(rf"""["'`](?:{"|".join(pagefiles.LATER)})\.[a-z$]""")
    said = {
        name: later.findall((tools_page.PAGE / name).read_text("utf-8"))
        for name in budgets.initial(screen=budgets.TABLE)
        if name.endswith(".js")
    }
    assert not any(said.values()), said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text(
        '<script src="/assets/index-1.js"></script><link rel="stylesheet" href="/assets/a-2.css">'
        '<link rel="icon" href="/favicon.svg">'
    )
    (assets / "index-1.js").write_text('import{a}from"./part-3.js";import("./later-4.js")')
    (assets / "part-3.js").write_text('import{b}from"./index-1.js";')
    (assets / "later-4.js").write_text("1")
    (assets / "a-2.css").write_text("a{}")
    for number, name in enumerate(("en", "zh-Hans", "zh-Hant"), 1):
        (assets / f"{name}-5.js").write_text("x" * number)
    return tmp_path


def test_all_that_is_needed_at_first_is_counted_and_nothing_else(folder: Path) -> None:
    (folder / "assets" / "index-1.js.gz").write_bytes(b"12345")
    found = budgets.initial(folder)
    names = ["index-1.js", "a-2.css", "part-3.js", "zh-Hant-5.js"]
    assert [*found] == [f"assets/{name}" for name in names]
    assert found["assets/index-1.js"] == 5
    assert {*budgets.initial(folder, "later")} == {*found, "assets/later-4.js"}


def test_a_budget_that_is_exceeded_is_seen() -> None:
    lines = [
        budgets.Line("small", 10, None, 70, "B"),
        budgets.Line("slow", 120, 180.4, 100, "ms"),
        budgets.Line("told", 0.0031, None, None, ""),
    ]
    assert [line.holds for line in lines] == [True, False, True]
    assert budgets.shown(lines).splitlines() == [
        "       median   worst  budget",
        "small    10 B            70 B  ok",
        "slow   120 ms  180 ms  100 ms  TOO MUCH",
        "told    0.003",
    ]
