"""Whether a player can play at all."""

from __future__ import annotations

from time import monotonic

from tilerummy.rules.position import Position
from tilerummy.solver.turns.best_turn import solve

NODES = 2_000
"""States after which any play will do: the best one may take a thousand times as long to prove."""


def can_play(position: Position) -> bool:
    """Whether any legal turn plays a tile. Yes and no are both proven."""
    found = solve(position, tidy=False, node_limit=NODES)
    if not found.plays and not found.exact:
        found = solve(position, tidy=False)
    return found.plays


class TimedProof:
    """As `can_play`, with one deadline for all questions; None where it came first."""

    def __init__(self, seconds: float) -> None:
        self._deadline = monotonic() + seconds

    def __call__(self, position: Position) -> bool | None:
        for nodes in (NODES, None):
            left = self._deadline - monotonic()
            if left <= 0:
                return None
            found = solve(position, tidy=False, node_limit=nodes, time_limit=left)
            if found.plays:
                return True  # a legal turn is a proof, the best one or not
            if found.exact:
                return False
        return None
