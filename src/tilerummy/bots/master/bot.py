"""Master: searches with a model of its opponents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from tilerummy.bots.character import chance
from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.master.belief import GREEDY, HOLDER, Belief
from tilerummy.bots.master.candidates import Candidate, Candidates
from tilerummy.bots.master.race import Race
from tilerummy.bots.master.worlds import World, Worlds
from tilerummy.bots.protocol import NO_LIMIT, Budget, idle_turn
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.playouts import Start, play_out
from tilerummy.rules.editions import Edition
from tilerummy.solver.cover.deadline import Deadline
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution

SECONDS = 1.0
SAMPLES = 400
MOST_PLAYS = 6
MOST_FORCED = 14
MOST_COPIES = 3
MOST_JOKERS = 4
POINT = 0.0004
"""What a point of the score is worth in games won."""


class Arm(NamedTuple):
    """A turn, and the policy by which the bot plays on after it."""

    turn: Candidate
    least: int


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
        if best.tiles == len(view.rack) or not is_searchable(view.edition):
            return self._plain_turn(view, best)
        search = Search(view, self._known(view), self.seed)
        arms = search.arms(Candidates(position, budget.nodes, deadline), best)
        samples = SAMPLES if budget.samples is None else budget.samples
        race = Race(arms, search.value, samples, deadline)
        chosen = (race.winner_in_one_world() if search.is_certain else race.winner()).turn
        if not chosen.played:
            return idle_turn(view)
        return Play(view.current, chosen.table, dict(chosen.declared))

    def _plain_turn(self, view: View, best: Solution) -> Turn:
        """Open or go out, and otherwise wait while there is a pool."""
        if view.position.opened and view.pool_size and best.tiles < len(view.rack):
            return idle_turn(view)
        return Play(view.current, best.table, dict(best.declared))

    def _known(self, view: View) -> Belief:
        belief = self._belief
        if belief is None or (belief.game, belief.turn) != (view.game, view.turn):
            return Belief.begin(view)
        return belief


class Search:
    """The playouts of one decision."""

    def __init__(self, view: View, belief: Belief, seed: int) -> None:
        assert view.seat is not None
        self._view = view
        self._seat: int = view.seat
        self._edition = playout_edition(view.edition)
        self._worlds = Worlds(view, belief, self._edition, chance(view, seed))

    def arms(self, candidates: Candidates, best: Solution) -> list[Arm]:
        """The choices, the default first: to hold, or to open, or the best turn if forced."""
        view = self._view
        forced = not view.pool_size and view.edition.empty_pool_pass == "forced_if_able"
        plays = candidates.plays(best, MOST_FORCED if not view.pool_size else MOST_PLAYS)
        best_turn = plays[0]
        if not view.position.opened and len(view.players) > 2:
            plays.sort(key=lambda turn: len(turn.played))
        arms = [Arm(turn, HOLDER) for turn in plays]
        if view.pool_size:
            arms.append(Arm(best_turn, GREEDY))
        if not forced:
            idle = Arm(candidates.idle, HOLDER)
            if view.pool_size and view.position.opened:
                arms.insert(0, idle)
            else:
                arms.append(idle)
        return arms

    @property
    def is_certain(self) -> bool:
        """Whether one playout of each arm says all."""
        return self._worlds.is_certain

    def value(self, arm: Arm, world: int) -> float:
        """What a game is worth that begins with this turn in this world."""
        sample = self._worlds[world]
        least = [*sample.least]
        least[self._seat] = arm.least
        end = play_out(self._edition, self._after(arm.turn, sample), least)
        share = (self._seat in end.winners) / max(1, len(end.winners))
        return share + POINT * end.scores[self._seat]

    def _after(self, turn: Candidate, world: World) -> Start:
        """The state after the turn."""
        view, seat = self._view, self._seat
        racks, pool, opened, passes = [*world.racks], world.pool, [*view.opened], 0
        if turn.played:
            laid = {*turn.played}
            racks[seat] = tuple([tile for tile in view.rack if tile not in laid])
            opened[seat] = True
        elif pool:
            racks[seat] = (*view.rack, pool[-1])
            pool = pool[:-1]
        else:
            passes = view.passes + 1
        players = len(racks)
        step = 1 if view.edition.direction == "cw" else -1
        final = view.final_turns
        if final is not None:
            final -= 1
        elif not pool and view.edition.empty_pool_end == "final_round":
            final = players
        return Start(
            turn.table,
            tuple(racks),
            pool,
            tuple(opened),
            (seat + step) % players,
            passes,
            final,
            view.starter or 0,
        )


def is_searchable(edition: Edition) -> bool:
    """Whether playouts follow the rules of an edition closely enough, and each of them is quick.

    A playout has no time limit, and special jokers or a large box make some turns slow.
    """
    return (
        edition.draw_mode == "one"
        and edition.joker_declare == "position"
        and edition.joker_max_per_set is None
        and edition.set_min_natural == 1
        and edition.copies <= MOST_COPIES
        and sum(edition.jokers) <= MOST_JOKERS
        and not edition.has_specials
    )


@lru_cache(64)
def playout_edition(edition: Edition) -> Edition:
    """The edition without the rules that bind jokers or openings: the kernel answers alone."""
    return replace(
        edition,
        joker_reuse="any",
        joker_locked_sets=False,
        initial_same_turn_manipulation=False,
        initial_single_set=False,
        final_round_manipulation=True,
    )
