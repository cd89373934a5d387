"""Whether a player can play at all."""

from __future__ import annotations

from time import monotonic

from tilerummy.rules.position import Position
from tilerummy.solver.solve import solve


def can_play(position: Position) -> bool:
    """Whether any legal turn plays a tile. Yes and no are both proven."""
    return solve(position, tidy=False).plays


class TimedProof:
    """As `can_play`, with one deadline for all questions; None where it came first."""

    def __init__(self, seconds: float) -> None:
        self._deadline = monotonic() + seconds

    def __call__(self, position: Position) -> bool | None:
        left = self._deadline - monotonic()
        if left <= 0:
            return None
        found = solve(position, tidy=False, time_limit=left)
        if found.plays:
            return True  # a legal turn is a proof, the best one or not
        return False if found.exact else None
