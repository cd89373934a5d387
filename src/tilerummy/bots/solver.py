"""The greedy bot: always plays the solver's best turn."""

from __future__ import annotations

from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot, idle_turn
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.solver.turns.best_turn import solve


class SolverBot(StatelessBot):
    """Plays as many tiles as possible, and among those turns the one with most points."""

    def __init__(self, seconds: float = 2.0) -> None:
        """No turn takes longer than `seconds`: the best turn found by then is played."""
        self.seconds = seconds

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        """Return the best turn that the search finds within the budget."""
        limit = budget.seconds_within(self.seconds)
        found = solve(view.position, tidy=False, node_limit=budget.nodes, time_limit=limit)
        if not found.plays:
            return idle_turn(view) if found.exact else last_resort(view, budget)
        return Play(view.current, found.table, dict(found.declared))
