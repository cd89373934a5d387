"""The fallback of every bot that has found nothing to play."""

from __future__ import annotations

from tilerummy.bots.protocol import NO_LIMIT, Budget, idle_turn
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.solver.turns.best_turn import solve

SECONDS = 5.0
"""The time limit for the best play. After it, any play will do."""


def last_resort(view: View, budget: Budget = NO_LIMIT) -> Turn:
    """Draw; on an empty pool play what the solver finds, and pass only if nothing can be played.

    The rules may forbid a pass to a player who can play. So a bot that overlooks a play would
    block the game. Without a limit in seconds a legal turn is worth more than the budget: if the
    search finds nothing within it, a second search runs without a limit. With one, the limit is
    kept, and the pass counts as unproven.
    """
    if view.pool_size:
        return idle_turn(view)
    limit = budget.seconds_within(SECONDS)
    found = solve(view.position, node_limit=budget.nodes, time_limit=limit)
    if not found.plays and not found.exact and budget.seconds is None:
        found = solve(view.position, tidy=False)
    if not found.plays:
        return idle_turn(view)
    return Play(view.current, found.table, dict(found.declared))
