"""A bot has one name, under which it is seated and under which it thinks."""

from __future__ import annotations

import pytest

from tests.server.rooms.desk import OTHER, SECRET, Desk
from tilerummy.bots.roster import BOTS, STAND_IN
from tilerummy.play.views import view
from tilerummy.server.jobs import bot_pool as bot_pool
from tilerummy.server.rooms import matches, seating


@pytest.mark.parametrize("name", BOTS)
def test_whoever_can_be_seated_can_think(name: str) -> None:
    desk = Desk()
    desk.seats("Ann")
    desk.does(seating.AddBot(0, name))
    desk.does(matches.Begin(0, SECRET))
    desk.does(matches.Deal(100, OTHER))
    game = desk.room.game
    assert game is not None
    desk.does(matches.TakeTurn(bot_pool._choose(name, view(game, game.current)), game.turn))


def test_whoever_stands_in_is_a_bot_that_there_is() -> None:
    assert STAND_IN in BOTS
