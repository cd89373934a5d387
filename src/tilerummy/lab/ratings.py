"""Ratings: the Plackett–Luce model of OpenSkill, over all games in their order.

A rating puts all bots on one line. Strength in this game goes in circles, so look at the cross
table as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from tilerummy.lab.game_summary import GameSummary


class Rating(NamedTuple):
    """What the model believes of a bot: its skill, and how uncertain that is."""

    mu: float
    sigma: float

    @property
    def cautious(self) -> float:
        """The skill that the bot has at least, as far as the model knows: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def rate(bots: Sequence[str], games: Iterable[GameSummary]) -> dict[str, Rating]:
    """The ratings of bots after these games, which are rated by their scores.

    A bot that sits at a table several times has one rating: the mean of what its seats would get.
    Raises ImportError without OpenSkill.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    found = {bot: model.rating() for bot in bots}
    for game in games:
        teams = [[model.create_rating([found[bot].mu, found[bot].sigma])] for bot in game.players]
        rated = model.rate(teams, scores=list(map(float, game.scores)))
        for bot in set(game.players):
            own = [team[0] for team, name in zip(rated, game.players, strict=True) if name == bot]
            found[bot].mu = fmean(rating.mu for rating in own)
            found[bot].sigma = fmean(rating.sigma for rating in own)
    return {bot: Rating(rating.mu, rating.sigma) for bot, rating in found.items()}
