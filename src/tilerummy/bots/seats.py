"""Bots at a table: shows each bot its own seat, and plays whole matches of bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tilerummy.bots.protocol import NO_LIMIT, Bot, Budget, StatelessBot
from tilerummy.play.commands import Turn
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Game
from tilerummy.play.views import view


class BotSeats:
    """The bots of a game by seat. Each one gets a `View` of its seat and nothing else."""

    def __init__(self, bots: Mapping[int, Bot], budget: Budget = NO_LIMIT) -> None:
        self.bots = dict(bots)
        self.budget = budget

    def start(self, game: Game) -> None:
        """Start every bot for a new game."""
        for seat, bot in self.bots.items():
            bot.start(view(game, seat))

    def see(self, game: Game) -> None:
        """Show the table after a turn to every bot that looks."""
        for seat, bot in self.bots.items():
            if _looks(bot):  # a view takes as long as an easy turn
                bot.see(view(game, seat))

    def choose(self, game: Game) -> Turn:
        """The turn of the bot that is to move. Raises KeyError if that seat has no bot."""
        return self.bots[game.current].choose(view(game, game.current), self.budget)


def _looks(bot: Bot) -> bool:
    """Whether a bot does anything with the table after a turn."""
    see: object = type(bot).see
    return see is not StatelessBot.see


def play_match(
    driver: MatchDriver,
    bots: Sequence[Bot],
    secrets: Callable[[], str],
    *,
    turn_time: int = 1000,
    on_game: Callable[[MatchDriver], None] | None = None,
) -> None:
    """Let one bot per seat play the match of a driver to its end, `turn_time` milliseconds a turn.

    `secrets` returns the dealer's secret of each game; `on_game` is called after each game.
    Raises Refused if a bot chooses a turn that is not allowed, and KeyError if a seat has no bot.
    """
    seats = BotSeats(dict(enumerate(bots)))
    now = 0
    while not driver.match.is_over:
        seats.start(driver.new_game(secrets(), now))
        for game in driver.turns(seats.choose, now=now, turn_time=turn_time):
            seats.see(game)
            now += turn_time
        if on_game is not None:
            on_game(driver)
