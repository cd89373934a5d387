"""One who always plays the solver's best turn."""

from __future__ import annotations

from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.protocol import Turn, idle_turn
from tilerummy.play.commands import Play
from tilerummy.play.views import View
from tilerummy.solver.turns.best_turn import solve

SECONDS = 2.0
"""No turn takes longer; what is best by then is played."""


class SolverBot:
    """Lays as many tiles as it can, most points first among those."""

    name = "solver"

    def choose(self, view: View) -> Turn:
        found = solve(view.position, tidy=False, time_limit=SECONDS)
        if not found.plays:
            return idle_turn(view) if found.exact else last_resort(view)
        return Play(view.current, found.table, dict(found.declared))
