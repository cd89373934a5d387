"""A bot has one name, under which it is seated and under which it thinks."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.server.rooms.desk import OTHER, SECRET, Desk
from tilerummy.bots.protocol import NO_LIMIT, Budget, idle_turn
from tilerummy.bots.roster import BOTS, STAND_IN
from tilerummy.bots.spec import BotSpec, Offer, Style
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View, view
from tilerummy.server.jobs import bot_pool as bot_pool
from tilerummy.server.jobs.process_pool import PoolBusyError
from tilerummy.server.rooms import matches, seating


def turn_of_a(name: str) -> tuple[Desk, View]:
    """A game in which a bot is to move, or the one person."""
    desk = Desk()
    desk.seats("Ann")
    desk.does(seating.AddBot(0, name))
    desk.does(matches.Begin(0, SECRET))
    desk.does(matches.Deal(100, OTHER))
    game = desk.room.game
    assert game is not None
    return desk, view(game, game.current)


@pytest.mark.parametrize("name", BOTS)
def test_whoever_can_be_seated_can_think(name: str) -> None:
    desk, seen = turn_of_a(name)
    desk.does(matches.TakeTurn(bot_pool._choose(name, seen).turn, seen.turn))


class Answers:
    """Stands for a process pool: what it answers, one after the other."""

    def __init__(self, *answers: bot_pool.Choice | Exception) -> None:
        self._answers: Iterator[bot_pool.Choice | Exception] = iter(answers)

    async def run(self, *_: object, **__: object) -> bot_pool.Choice:
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.anyio
async def test_a_bot_plays_what_it_has_found_where_there_is_no_time_for_more() -> None:
    _, seen = turn_of_a("solver")
    first, better = Play(seen.current, ()), Play(seen.current, ((),))
    cases: tuple[tuple[Answers, Answers, Turn], ...] = (
        (Answers(bot_pool.Choice(first, is_cut_short=False)), Answers(), first),
        (
            Answers(bot_pool.Choice(first, is_cut_short=True)),
            Answers(bot_pool.Choice(better, is_cut_short=True)),
            better,
        ),
        (Answers(bot_pool.Choice(first, is_cut_short=True)), Answers(PoolBusyError()), first),
        (Answers(bot_pool.Choice(first, is_cut_short=True)), Answers(TimeoutError()), first),
        (Answers(PoolBusyError()), Answers(), idle_turn(seen)),
    )
    for quick, thorough, expected in cases:
        pool = bot_pool.BotPool()
        pools: Any = quick, thorough
        pool._quick, pool._thorough = pools
        assert await pool.choose("solver", seen) == expected


class Diary:
    """A bot that notes which turns it has seen."""

    def __init__(self) -> None:
        self.turns: list[int] = []

    def start(self, view: View) -> None:
        self.turns = [view.turn]

    def see(self, view: View) -> None:
        if view.turn > self.turns[-1]:
            self.turns.append(view.turn)

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        return idle_turn(view)


class Here:
    """Stands for a process pool: what crosses it is a copy."""

    async def run(self, _: float, work: Callable[..., Any], *given: object, **__: object) -> Any:
        return pickle.loads(pickle.dumps(work(*pickle.loads(pickle.dumps(given)))))


@pytest.mark.anyio
async def test_a_bot_that_learns_keeps_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = BotSpec("diary", Offer.LAB, 0, Style.WAITS, Diary, learns=True)
    monkeypatch.setitem(BOTS, "diary", spec)
    monkeypatch.setattr(bot_pool, "PLAYERS_KEPT", 1)
    pool = bot_pool.BotPool()
    pools: Any = Here(), Here()
    pool._quick, pool._thorough = pools
    _, first = turn_of_a("diary")
    views = [replace(first, turn=turn) for turn in (1, 2, 3, 4, 5)]

    def notes() -> list[list[int]]:
        return [player.turns for player in pool._players.values() if isinstance(player, Diary)]

    await pool.choose("diary", views[2], seen=views[:3])
    assert notes() == [[1, 2, 3]]
    await pool.choose("diary", views[4], seen=views[1:])
    assert notes() == [[1, 2, 3, 4, 5]]
    await pool.choose("diary", replace(views[4], commitment="another game"), seen=views[4:])
    assert notes() == [[5]]
    await pool.choose("club", first)
    assert notes() == [[5]]


def test_whoever_stands_in_is_a_bot_that_there_is() -> None:
    assert STAND_IN in BOTS
