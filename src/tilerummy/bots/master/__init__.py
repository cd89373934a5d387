"""Master: a player that searches with a model of its opponents."""

from tilerummy.bots.master.bot import MasterBot

__all__ = ["MasterBot"]
