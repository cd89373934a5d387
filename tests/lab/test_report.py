"""The HTML report: complete, in every language, and without anything from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.lab.results import game
from tilerummy.lab.line_ups import pair_line_ups
from tilerummy.lab.report import report_page
from tilerummy.lab.scoreboard import Scoreboard, scoreboard_of
from tilerummy.lab.tournament import DealResult, Tournament
from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.rules.editions import edition

VOID = {"meta", "line", "circle", "rect", "polyline"}


class Reader(HTMLParser):
    """Checks that elements are closed, and lists them with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def board(*, pairs: bool = False, players: int = 2) -> Scoreboard:
    line_ups = pair_line_ups(("solver", "simple"), players) if pairs else (("solver", "simple"),)
    plan = Tournament(edition("classic", {"hand_size": 10}), line_ups, pairs)
    results = []
    for task in plan.tasks(3):
        names = plan.line_ups[task.table]
        scores = (2 * len(names) - 2, *[-2] * (len(names) - 1))
        one = game("x" * len(names), scores, turns=20 + task.deal)._replace(players=names)
        results.append(DealResult(task.deal, task.table, (one,)))
    return scoreboard_of(plan, results)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("pairs", "players"), [(False, 2), (True, 2), (True, 4)])
def test_the_page_is_complete_and_needs_nothing_else(
    language: str, pairs: bool, players: int
) -> None:
    text = report_page(board(pairs=pairs, players=players), language)
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    tags = {tag for tag, _ in reader.found}
    assert {"svg", "table", "style"} <= tags
    assert not {"script", "link", "img", "iframe"} & tags
    assert not re.search(r"https?:|url\(|@import|src=|href=", text)
    assert ("html", {"lang": catalogue(language).language}) in reader.found
    assert any(attributes.get("name") == "viewport" for _, attributes in reader.found)
    assert "prefers-color-scheme: dark" in text
    assert "hand_size=10" in text
    assert [tag for tag, attrs in reader.found if tag == "svg" and not attrs.keys() & LABELS] == []


LABELS = {"aria-label", "aria-hidden"}


def test_the_same_scoreboard_gives_the_same_page() -> None:
    assert report_page(board(), "en") == report_page(board(), "en")


def test_the_worst_case_is_marked() -> None:
    assert report_page(board(pairs=True), "en").count('class="worst"') == 2


def test_names_are_escaped() -> None:
    found = board()
    row = found.standings[0]._replace(bot="<b>&")
    object.__setattr__(found, "standings", (row, *found.standings[1:]))
    text = report_page(found, "en")
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;" in text
