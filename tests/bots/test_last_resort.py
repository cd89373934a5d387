"""On an empty pool every bot plays if it can."""

from __future__ import annotations

import pytest

from tests.play.states import arranged
from tilerummy.bots.roster import BOTS
from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.play.views import view
from tilerummy.rules.editions import EDITIONS
from tilerummy.solver.turns.best_turn import can_play

TABLE = "r5 r6 r7 / o5 o6 o7 / k5 k6 k7 k8 k9 k10"
"""Blue 5 fits only once three runs have become three groups and the run 8 9 10."""


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_a_bot_plays_what_it_would_not_see(name: str, bot: str) -> None:
    game = arranged(EDITIONS[name], racks=["k1 b13", "r2"], table="", pool=0, filler=1)
    assert not can_play(game.position(0))
    assert BOTS[bot].make().choose(view(game, 0)) == Pass(0)
    able = arranged(EDITIONS[name], racks=["b5 k13", "r2"], table=TABLE, pool=0, filler=1)
    turn = BOTS[bot].make().choose(view(able, 0))
    assert isinstance(turn, Play)
    assert able.judge(turn.table, turn.declared).legal


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_with_a_pool_draws_where_it_sees_nothing(bot: str) -> None:
    game = arranged(racks=["r1", "r2"], table="b4 b5 b6")
    assert BOTS[bot].make().choose(view(game, 0)) == Draw(0)
