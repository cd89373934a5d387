"""The policies of a playout: when a seat plays its best turn, and when it draws.

A policy is one number, `least`. A seat opens as soon as it can, then draws until it can lay that
many tiles at once, or its whole rack. On an empty pool it plays what it can. That is what
`bots.solver.SolverBot` does with `least` and no time limit.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilerummy.play.commands import Draw, Pass, Play, Turn
from tilerummy.play.game import Game
from tilerummy.rules.position import Position
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution


def enough(least: int, rack: int, *, opened: bool, pool: int) -> int:
    """Return how many tiles a turn has to lay so that the seat plays it."""
    return min(least, rack) if opened and pool else 1


class Policies:
    """The seats of one game, and the proofs that its rules ask for."""

    def __init__(self, least: Sequence[int]) -> None:
        self._least = least
        self._solved: dict[Position, Solution] = {}
        """Solutions that a proof needed; the next turn needs most of them again."""

    def choose(self, game: Game) -> Turn:
        """Return the turn of the seat that is to move."""
        seat, pool = game.current, len(game.pool)
        position = game.position(seat)
        # Proofs are needed on an empty pool alone, and hashing a position takes time.
        known = None if pool else self._solved.get(position)
        found = known or solve(position, tidy=False)
        wanted = enough(self._least[seat], len(position.rack), opened=position.opened, pool=pool)
        if found.plays and found.tiles >= wanted:
            return Play(seat, found.table, found.declared)
        return Draw(seat) if pool else Pass(seat)

    def can_play(self, position: Position) -> bool:
        """Return whether the seat of a position can play any tile."""
        found = self._solved[position] = solve(position, tidy=False)
        return found.plays
