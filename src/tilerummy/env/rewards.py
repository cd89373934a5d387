"""Rewards: what the result of a game is worth to each seat."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from tilerummy.rules.scores import Result

Rewards: TypeAlias = Literal["win", "score"]
"""`win`: 1 for a winner and -1 for everyone else. `score`: the points of the game."""


def rewards_of(result: Result, kind: Rewards) -> list[float]:
    """The reward of each seat. A game without a winner is worth 0 with `win`."""
    match kind:
        case "win":
            if not result.winners:
                return [0.0] * len(result.scores)
            return [1.0 if seat in result.winners else -1.0 for seat in range(len(result.scores))]
        case "score":
            return [float(score) for score in result.scores]
        case _:
            assert_never(kind)
