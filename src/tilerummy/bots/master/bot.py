"""Master: searches with a model of its opponents, within a budget of playouts or of time."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.master.belief import Belief
from tilerummy.bots.master.candidates import Candidates
from tilerummy.bots.master.race import Race
from tilerummy.bots.master.search import Search, is_searchable
from tilerummy.bots.protocol import NO_LIMIT, Budget, idle_turn
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.solver.cover.deadline import Deadline
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution

SECONDS = 1.0
"""The time limit of a turn."""
SAMPLES = 400
"""Playouts of a turn without another budget: most turns take a fraction of the time limit."""


class MasterBot:
    """Deterministic: the same calls with the same seed and a budget of samples give one turn."""

    def __init__(
        self, seconds: float = SECONDS, seed: int = 0, clock: Callable[[], float] = monotonic
    ) -> None:
        self.seconds = seconds
        self.seed = seed
        self._clock = clock
        self._belief: Belief | None = None

    def start(self, view: View) -> None:
        """Begin a game, perhaps in its middle."""
        self._belief = Belief.begin(view)

    def see(self, view: View) -> None:
        """Learn from a turn."""
        belief = self._belief
        self._belief = Belief.begin(view) if belief is None else belief.after(view)

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        """Return the turn with the best playouts."""
        limit = budget.seconds_within(self.seconds)
        deadline = None if limit is None else Deadline(self._clock() + limit, self._clock)
        position = view.position
        best = solve(position, tidy=False, node_limit=budget.nodes, time_limit=deadline)
        if not best.plays:
            return idle_turn(view) if best.exact else last_resort(view, budget)
        can_search = is_searchable(view.edition, len(view.players))
        if best.tiles == len(view.rack) or not can_search:
            return self._plain_turn(view, best)
        search = Search(view, self._known(view), self.seed, deadline)
        arms = search.arms(Candidates(position, budget.nodes, deadline), best)
        samples = SAMPLES if budget.samples is None else budget.samples
        race = Race(arms, search.value, samples, deadline)
        chosen = race.winner_in_one_world() if search.is_certain else race.winner()
        if not chosen.played:
            return idle_turn(view)
        return Play(view.current, chosen.table, dict(chosen.declared))

    @staticmethod
    def _plain_turn(view: View, best: Solution) -> Turn:
        """Open or go out, and otherwise wait while there is a pool."""
        if view.position.opened and view.pool_size and best.tiles < len(view.rack):
            return idle_turn(view)
        return Play(view.current, best.table, dict(best.declared))

    def _known(self, view: View) -> Belief:
        belief = self._belief
        if belief is None or (belief.game, belief.turn) != (view.game, view.turn):
            return Belief.begin(view)
        return belief
