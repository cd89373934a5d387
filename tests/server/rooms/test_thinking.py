"""Thinking times of bots: they follow from the state and the turn, at the pace of the room."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.server.rooms.desk import OTHER, SECRET, Desk
from tilerummy.play.change import changed
from tilerummy.play.commands import Draw, Play, Turn
from tilerummy.rules.tiles import Table, parse_table
from tilerummy.server.rooms import matches, seating
from tilerummy.server.rooms.room import Room
from tilerummy.server.rooms.settings import BotPace, Settings
from tilerummy.server.rooms.thinking import PART_OF_CLOCK, laid_at
from tilerummy.server.rooms.timers import Pace, timers_of

UNIT = Pace().bot


def playing(pace: BotPace = "normal", seconds: int = 0) -> Room:
    """A game of Ann and a bot has just been dealt."""
    desk = Desk(Settings(seats=2, options={"timer.seconds": seconds}, bot_pace=pace))
    desk.seats("Ann")
    desk.does(seating.AddBot(0, "hare"))
    desk.does(matches.Begin(0, SECRET))
    desk.does(matches.Deal(100, OTHER))
    return desk.room


def thinks(room: Room, turn: Turn, table: Table = ()) -> int:
    """Milliseconds from the beginning of the turn, over this table."""
    assert room.game is not None
    game = changed(room.game, table=table)
    return laid_at(room, game, turn, UNIT) - game.turn_began - room.lost


def test_a_turn_that_rearranges_much_takes_longest() -> None:
    room = playing()
    table = parse_table("r1 r2 r3 / b4 b5 b6 / k7 k8 k9")
    apart = parse_table("r1 b4 k7 / r2 b5 k8 / r3 b6 k9")
    times = [
        thinks(room, Draw(0), table),
        thinks(room, Play(0, table), table),
        thinks(room, Play(0, (*apart[:1], *table[1:])), table),
        thinks(room, Play(0, apart), table),
    ]
    assert times == sorted({*times})
    assert times[0] == UNIT


def test_a_pace_scales_every_turn() -> None:
    for turn in (Draw(0), Play(0, parse_table("r1 r2 r3"))):
        found = [thinks(playing(pace), turn) for pace in ("at-once", "fast", "normal", "slow")]
        assert found[0] == 0
        assert found == sorted({*found})


@pytest.mark.parametrize("pace", get_args(BotPace))
def test_no_bot_thinks_for_long_against_the_clock(pace: BotPace) -> None:
    turn = Play(0, parse_table("r1 r2 r3"))
    assert thinks(playing(pace, seconds=1), turn) <= 1000 // PART_OF_CLOCK


def test_the_timer_of_a_bot_follows_the_pace_of_the_room() -> None:
    assert _due("at-once") == 0
    assert _due("normal") == UNIT


def _due(pace: BotPace) -> int:
    """When the timer of a bot is due, from the beginning of its turn."""
    room = playing(pace)
    assert room.game is not None
    began = room.game.turn_began
    if room.bot_to_move is None:
        room = changed(room, seats=(room.seats[1], room.seats[0]))
    at = next(timer.at for timer in timers_of(room, Pace()) if timer.kind == "bot")
    return at - began
