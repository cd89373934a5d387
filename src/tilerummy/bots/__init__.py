"""Computer players: the bot protocol, the roster as data, and one module per bot.

    from tilerummy.bots import BOTS

    bot = BOTS["solver"].make()
    turn = bot.choose(view)

A bot gets a `View` of its own seat and returns a turn.
"""

from tilerummy.bots.missed import missed_plays
from tilerummy.bots.protocol import NO_LIMIT, Bot, Budget, StatelessBot, idle_turn
from tilerummy.bots.roster import BOTS, OPPONENTS, ROSTER, STAND_IN
from tilerummy.bots.seats import BotSeats, play_match
from tilerummy.bots.spec import BotSpec, Level, Style

__all__ = [
    "BOTS",
    "NO_LIMIT",
    "OPPONENTS",
    "ROSTER",
    "STAND_IN",
    "Bot",
    "BotSeats",
    "BotSpec",
    "Budget",
    "Level",
    "StatelessBot",
    "Style",
    "idle_turn",
    "missed_plays",
    "play_match",
]
