"""Whether a player can play at all."""

from __future__ import annotations

from tilerummy.rules.position import Position
from tilerummy.solver.solve import solve


def can_play(position: Position) -> bool:
    """Whether any legal turn plays a tile. Yes and no are both certain."""
    return solve(position, tidy=False).plays
