"""The roster: all bots as data.

A new bot is its own module, one row here, and its words in the catalogues.
"""

from __future__ import annotations

from tilerummy.bots.simple import SimpleBot
from tilerummy.bots.solver import SolverBot
from tilerummy.bots.spec import BotSpec, Level, Style

ROSTER = (
    BotSpec("simple", Level.BEGINNER, Style.SIMPLE, SimpleBot),
    BotSpec("solver", Level.EXPERT, Style.GREEDY, SolverBot, {"seconds": 2.0}),
)
"""From weak to strong."""

BOTS = {spec.id: spec for spec in ROSTER}
"""The roster by id."""

STAND_IN = "simple"
"""The bot that plays for a person who is away, and any bot that is not named more closely."""

OPPONENTS = ("simple", "simple", "solver")
"""The bots of a game that one person starts against bots."""
