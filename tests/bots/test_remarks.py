"""Remarks: what a bot says of its turn is true of the turn."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.play.states import arranged
from tilerummy.bots.remarks import Remark, Thought, remark
from tilerummy.bots.roster import BOTS
from tilerummy.bots.spec import Style
from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.play.commands import Pass
from tilerummy.play.views import view

FILLER = "r1 r1 b1 b1 k13 k13"


def said(
    bot: str, rack: str, table: str, *, opened: bool = True, pool: int | None = None
) -> Remark:
    """What a bot of the roster says of its own turn."""
    game = arranged(racks=[rack, "r2"], table=table, opened=opened, pool=pool, filler=1)
    shown, spec = view(game, 0), BOTS[bot]
    return remark(spec.style, shown, spec.make().choose(shown))


@pytest.mark.parametrize(
    ("bot", "rack", "table", "expected"),
    [
        ("beaver", "b7", "b4 b5 b6", Remark("goes-out")),
        ("beaver", f"b7 {FILLER}", "b4 b5 b6", Remark("adds")),
        ("beaver", f"r9 r10 r11 {FILLER}", "b4 b5 b6", Remark("lays")),
        ("hare", f"b6 {FILLER}", "b4 b5 b6 b7 b8", Remark("rearranges", 1)),
        ("beaver", f"b6 {FILLER}", "b4 b5 b6 b7 b8", Remark("sees-nothing")),
        ("magpie", f"r9 r10 J {FILLER}", "b4 b5 b6", Remark("keeps-joker")),
        ("magpie", f"b7 J {FILLER}", "b4 b5 b6", Remark("keeps-joker")),
        ("squirrel", f"r8 b8 k8 o8 {FILLER}", "b4 b5 b6", Remark("keeps-fourth", 8)),
        ("squirrel", f"o8 b7 {FILLER}", "b4 b5 b6 / r8 b8 k8", Remark("keeps-fourth", 8)),
        ("heron", f"r9 r10 r11 {FILLER}", "b4 b5 b6", Remark("waits")),
    ],
)
def test_a_bot_says_why(bot: str, rack: str, table: str, expected: Remark) -> None:
    assert said(bot, rack, table) == expected


def test_openings_are_counted_in_tiles() -> None:
    assert said("hare", f"r11 r12 r13 {FILLER}", "", opened=False) == Remark("opens", 3)
    assert said("hare", FILLER, "", opened=False) == Remark("cannot-open")


@pytest.mark.parametrize("style", Style)
def test_nobody_waits_on_an_empty_pool(style: Style) -> None:
    game = arranged(racks=["k1 J", "r2"], table="b4 b5 b6", pool=0, filler=1)
    shown = view(game, 0)
    assert remark(style, shown, Pass(0)) == Remark("sees-nothing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_thought_has_words(language: str) -> None:
    words = catalogue(language)
    for thought in get_args(Thought):
        assert words.text(Remark(thought, 8).key, count=8)
