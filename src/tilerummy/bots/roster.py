"""Which bots there are, by the names under which they are seated."""

from __future__ import annotations

from tilerummy.bots.protocol import Bot
from tilerummy.bots.simple import SimpleBot
from tilerummy.bots.solver import SolverBot

BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in (SimpleBot, SolverBot)}
"""A new one is added here and nowhere else."""
