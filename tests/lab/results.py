"""Results of tournaments that nobody has played."""

from __future__ import annotations

from tilerummy.lab.game_summary import GameSummary
from tilerummy.rules.scores import Ending


def game(
    players: str,
    scores: tuple[int, ...],
    winners: tuple[int, ...] | None = None,
    *,
    end: Ending = Ending.OUT,
    turns: int = 20,
    opened: tuple[int | None, ...] | None = None,
) -> GameSummary:
    """A game of players with names of one letter; who scores most has won."""
    best = max(scores)
    won = tuple(place for place, score in enumerate(scores) if score == best)
    return GameSummary(
        tuple(players),
        scores,
        won if winners is None else winners,
        end,
        turns,
        (1,) * len(players) if opened is None else opened,
    )
