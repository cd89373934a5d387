"""What a bot does that has found nothing to play."""

from __future__ import annotations

from tilerummy.bots.protocol import Turn, idle_turn
from tilerummy.play.commands import Play
from tilerummy.play.views import View
from tilerummy.solver.turns.best_turn import solve

SECONDS = 5.0
"""For the best play; then any play will do. A search without an end would stop the match."""


def last_resort(view: View) -> Turn:
    """Draw; on an empty pool play whatever the solver finds, and pass only if that is nothing.

    Every bot plays on an empty pool if it can: passing is refused to those who are able, and a
    beginner who does not see the play would hold up the table.
    """
    if view.pool_size:
        return idle_turn(view)
    found = solve(view.position, time_limit=SECONDS)
    if not found.plays and not found.exact:
        found = solve(view.position, tidy=False)
    if not found.plays:
        return idle_turn(view)
    return Play(view.current, found.table, dict(found.declared))
