"""Remarks: what a bot says of its turn is true of the turn, and gives no tile away."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.play.states import arranged, started
from tilerummy.bots.remarks import Remark, Seen, Thought, last_remark, remark
from tilerummy.bots.roster import BOTS
from tilerummy.bots.spec import Style
from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.play.commands import Draw, TimeOut
from tilerummy.play.events import Event, Played
from tilerummy.play.game import Game
from tilerummy.play.views import view
from tilerummy.solver.turns.best_turn import can_play

FILLER = "r1 r1 b1 b1 k13 k13"
ALL_ORANGE = " ".join(f"o{number}" for number in range(1, 14))


def earlier(game: Game) -> tuple[Event, ...]:
    """The play that led to this table; by seat 0, if it has opened."""
    return (Played(0, 0 if game.opened[0] else 1, (), game.table),) if game.table else ()


def said(
    bot: str, rack: str, table: str, *, opened: bool = True, pool: int | None = None
) -> Remark | None:
    """What a bot of the roster says of its own turn."""
    game = arranged(racks=[rack, "r2"], table=table, opened=opened, pool=pool, filler=1)
    after, events = game.apply(BOTS[bot].make().choose(view(game, 0)), 1, can_play)
    return last_remark(bot, after, (*earlier(game), *events))


@pytest.mark.parametrize(
    ("bot", "rack", "table", "expected"),
    [
        ("beaver", "b7", "b4 b5 b6", Remark("goes-out")),
        ("beaver", f"b7 {FILLER}", "b4 b5 b6", Remark("adds")),
        ("beaver", f"r9 r10 r11 {FILLER}", "b4 b5 b6", Remark("lays")),
        ("hare", f"b6 {FILLER}", "b4 b5 b6 b7 b8", Remark("rearranges", 1)),
        ("beaver", f"b6 {FILLER}", "b4 b5 b6 b7 b8", Remark("sees-nothing")),
        ("magpie", f"r9 r10 J {FILLER}", "b4 b5 b6", Remark("keeps-joker")),
        ("squirrel", f"r8 b8 k8 o8 {FILLER}", "b4 b5 b6", Remark("keeps-fourth", 8)),
        ("squirrel", f"r8 b8 k8 {FILLER}", "b4 b5 b6", Remark("keeps-fourth", 8)),
        ("squirrel", f"o8 b7 {FILLER}", "b4 b5 b6 / r8 b8 k8", Remark("adds")),
        ("squirrel", f"b6 {FILLER}", "b4 b5 b6 b7 b8 / k1 k2 k3", Remark("rearranges", 1)),
        ("heron", f"r9 r10 r11 {FILLER}", "b4 b5 b6", Remark("waits")),
        ("heron", f"{ALL_ORANGE} {FILLER}", "b4 b5 b6", Remark("has-waited", 15)),
    ],
)
def test_a_bot_says_why(bot: str, rack: str, table: str, expected: Remark) -> None:
    assert said(bot, rack, table) == expected


def test_openings_are_counted_in_tiles() -> None:
    assert said("hare", f"r11 r12 r13 {FILLER}", "", opened=False) == Remark("opens", 3)
    assert said("hare", FILLER, "", opened=False) == Remark("sees-no-opening")


@pytest.mark.parametrize("style", Style)
def test_nobody_waits_on_an_empty_pool(style: Style) -> None:
    passed = Seen((), (), (), opened=True, rack_size=9, has_pool=False)
    assert remark(style, passed) == Remark("sees-nothing")


@pytest.mark.parametrize("bot", BOTS)
def test_a_draw_says_the_same_whatever_is_on_the_rack(bot: str) -> None:
    remarks = set()
    for rack in (f"r9 r10 J {FILLER}", f"r9 r10 k3 {FILLER}"):
        game = arranged(racks=[rack, "r2"], table="b4 b5 b6", filler=1)
        after, events = game.apply(Draw(0), 1, can_play)
        remarks.add(last_remark(bot, after, (*earlier(game), *events)))
    assert len(remarks) == 1
    assert None not in remarks


def test_a_person_and_the_clock_say_nothing() -> None:
    game, log = started(starter=0)
    assert last_remark("hare", game, log) is None, "no turn yet"
    assert game.deadline is not None
    after, events = game.apply(TimeOut(game.turn), game.deadline, can_play)
    assert last_remark("hare", after, (*log, *events)) is None
    assert last_remark(None, after, (*log, *events)) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_thought_has_words(language: str) -> None:
    words = catalogue(language)
    for thought in get_args(Thought):
        assert words.text(Remark(thought, 8).key, count=8)
