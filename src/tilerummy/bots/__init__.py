"""Computer players: the bot protocol, the roster as data, and one module per bot.

    from tilerummy.bots import BOTS

    bot = BOTS["hare"].make()
    turn = bot.choose(view)

A bot gets a `View` of its own seat and returns a turn.
"""

from tilerummy.bots.missed import missed_plays
from tilerummy.bots.protocol import NO_LIMIT, Bot, Budget, StatelessBot, idle_turn
from tilerummy.bots.remarks import Remark, last_remark
from tilerummy.bots.roster import (
    BOTS,
    DEFAULT_LEVEL,
    LADDER,
    OFFERED,
    ROSTER,
    STAND_IN,
    stand_in,
)
from tilerummy.bots.seats import BotSeats, play_match
from tilerummy.bots.spec import BotSpec, Offer, Style
from tilerummy.bots.strengths import Strength, strength_of

__all__ = [
    "BOTS",
    "DEFAULT_LEVEL",
    "LADDER",
    "NO_LIMIT",
    "OFFERED",
    "ROSTER",
    "STAND_IN",
    "Bot",
    "BotSeats",
    "BotSpec",
    "Budget",
    "Offer",
    "Remark",
    "StatelessBot",
    "Strength",
    "Style",
    "idle_turn",
    "last_remark",
    "missed_plays",
    "play_match",
    "stand_in",
    "strength_of",
]
