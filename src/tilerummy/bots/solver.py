"""The pure strategies: always the solver's best turn, or only a turn that lays many tiles."""

from __future__ import annotations

from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot, idle_turn
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.solver.turns.best_turn import solve

WHOLE_RACK = 1000
"""More tiles than any rack holds: `least` of a player who only goes out."""


class SolverBot(StatelessBot):
    """Plays as many tiles as possible, and among those turns the one with most points.

    It opens as soon as it can. With `least`, it then draws until it can lay that many tiles at
    once, or its whole rack. On an empty pool it plays whatever it can.
    """

    def __init__(self, seconds: float = 2.0, least: int = 1) -> None:
        """No turn takes longer than `seconds`: the best turn found by then is played."""
        self.seconds = seconds
        self.least = least

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        """Return the best turn that the search finds within the budget."""
        position = view.position
        limit = budget.seconds_within(self.seconds)
        found = solve(position, tidy=False, node_limit=budget.nodes, time_limit=limit)
        if not found.plays:
            return idle_turn(view) if found.exact else last_resort(view, budget)
        enough = min(self.least, len(view.rack)) if position.opened and view.pool_size else 1
        if found.tiles < enough:
            return idle_turn(view)
        return Play(view.current, found.table, dict(found.declared))
