"""The search of one decision: its arms, and what a playout of each is worth."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tilerummy.bots.character import chance
from tilerummy.bots.master.belief import HOLDER, Belief
from tilerummy.bots.master.candidates import Candidate, Candidates
from tilerummy.bots.master.worlds import World, Worlds
from tilerummy.play.views import View
from tilerummy.playouts import Limits, Start, play_out
from tilerummy.rules.editions import Edition
from tilerummy.solver.cover.deadline import Deadline
from tilerummy.solver.turns.solution import Solution

MOST_PLAYS = 6
"""Turns that lay tiles, of those that are compared."""
MOST_FORCED = 14
"""The same on an empty pool, where one tile more or less decides the game."""
POINT = 0.0001
"""What a point of the score is worth in games won: it decides between equal chances."""
TURN_NODES = 1_000
"""States of a search in a playout: more than nearly every turn needs, and far fewer than some take
that hold special jokers."""


class Search:
    """The playouts of one decision."""

    def __init__(self, view: View, belief: Belief, seed: int, deadline: Deadline | None) -> None:
        assert view.seat is not None
        self._view = view
        self._seat: int = view.seat
        self._edition = playout_edition(view.edition)
        # Among many players the opening is small, as all of them build on it.
        self._is_crowded = len(view.players) > 2
        self._least = -HOLDER if self._is_crowded else HOLDER
        self._worlds = Worlds(view, belief, self._edition, chance(view, seed), deadline)
        self._limits = Limits(TURN_NODES, deadline)

    def arms(self, candidates: Candidates, best: Solution) -> list[Candidate]:
        """The choices, the default first: hold; or open, with few tiles where many players would
        build on them; or the best turn, where one is forced."""
        view = self._view
        forced = not view.pool_size and view.edition.empty_pool_pass == "forced_if_able"
        plays = candidates.plays(best, MOST_FORCED if not view.pool_size else MOST_PLAYS)
        if not view.position.opened and self._is_crowded:
            plays.sort(key=lambda turn: len(turn.played))
        if forced:
            return plays
        if view.pool_size and view.position.opened:
            return [candidates.idle, *plays]
        return [*plays, candidates.idle]

    @property
    def is_certain(self) -> bool:
        """Whether one playout of each arm says all."""
        return self._worlds.is_certain

    def value(self, turn: Candidate, world: int) -> float:
        """What a game is worth that begins with this turn in this world.

        Raises TimeOverError at the deadline.
        """
        sample = self._worlds[world]
        least = [*sample.least]
        least[self._seat] = self._least
        start = self._after(turn, sample)
        end = play_out(self._edition, start, least, limits=self._limits)
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
            (seat + view.edition.step) % players,
            passes,
            final,
            view.starter or 0,
        )


def is_searchable(edition: Edition, players: int) -> bool:
    """Whether playouts follow the rules of an edition closely enough, and are quick enough.

    With special jokers and two players they are long: a second is enough for so few that the
    search was not seen to beat the style that it falls back on.
    """
    if edition.has_specials and players == 2:
        return False
    return edition.draw_mode == "one" and edition.joker_declare == "position"


@lru_cache(64)
def playout_edition(edition: Edition) -> Edition:
    """The edition without the rules that bind jokers or openings: the kernel answers alone."""
    return replace(
        edition,
        joker_reuse="any",
        joker_locked_sets=False,
        twist_special_exchange_ban=edition.twist_special_exchange_ban and not edition.has_specials,
        initial_same_turn_manipulation=False,
        initial_single_set=False,
        final_round_manipulation=True,
    )
