"""Bots at a table get views of their own seat, and a budget."""

from __future__ import annotations

import pytest

from tests.play.states import dealt
from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot, idle_turn
from tilerummy.bots.seats import BotSeats
from tilerummy.play.commands import Turn
from tilerummy.play.views import View, view


class Watcher(StatelessBot):
    def __init__(self) -> None:
        self.shown: list[View] = []
        self.budgets: list[Budget] = []

    def start(self, view: View) -> None:
        self.shown.append(view)

    def see(self, view: View) -> None:
        self.shown.append(view)

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        self.shown.append(view)
        self.budgets.append(budget)
        return idle_turn(view)


def test_a_bot_sees_its_own_seat_only() -> None:
    game = dealt(players=2)
    bot, budget = Watcher(), Budget(seconds=1.0)
    seats = BotSeats({game.current: bot}, budget)
    seats.start(game)
    turn = seats.choose(game)
    after, _ = game.apply(turn, 1)
    seats.see(after)
    seat = game.current
    assert bot.shown == [view(game, seat), view(game, seat), view(after, seat)]
    assert bot.budgets == [budget]


def test_a_seat_without_a_bot_has_no_turn_to_choose() -> None:
    game = dealt(players=2)
    with pytest.raises(KeyError):
        BotSeats({1 - game.current: Watcher()}).choose(game)
