"""The natural player: plays like a person, and is as strong as what it notices.

`Sight` and `Habits` say what that is; `draft` finds the turn.
"""

from __future__ import annotations

from dataclasses import replace

from tilerummy.bots.character import NO_HABITS, Habits, Sight, chance, without
from tilerummy.bots.draft import Draft, Found, Limits
from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import FACE_OF, IS_JOKER, faces_of, has_joker
from tilerummy.solver.cover.deadline import Deadline

FEW_TILES = 6
"""With at most this many tiles on the rack the end is near, and nothing is kept for later."""


class NaturalBot(StatelessBot):
    """Deterministic: the same view and the same seed give the same turn."""

    def __init__(
        self, sight: Sight, habits: Habits = NO_HABITS, seconds: float = 2.0, seed: int = 0
    ) -> None:
        """No turn takes longer than `seconds`."""
        self.sight = sight
        self.habits = habits
        self.seconds = seconds
        self.seed = seed

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        """Return the turn that this player finds; on an empty pool a search helps out."""
        limits = Limits(budget.nodes, Deadline.of(budget.seconds_within(self.seconds)))
        found = self._find_play(view, limits)
        if found is None and not view.pool_size:
            found = forced_play(view.position, limits)
        return last_resort(view, budget) if found is None else Play(view.current, *found)

    def _find_play(self, view: View, limits: Limits) -> Found | None:
        luck = chance(view, self.seed)
        tiles = without(view.rack, self.sight.overlooks, luck)
        missed = frozenset(tiles) - {*without(tiles, self.sight.misses, luck)}
        is_late = not view.pool_size or len(view.rack) <= FEW_TILES
        habits = NO_HABITS if is_late else self.habits
        attempts = [tiles]
        if habits.keeps_jokers and has_joker(faces_of(tiles)):
            numbered = tuple([tile for tile in tiles if not IS_JOKER[FACE_OF[tile]]])
            attempts = [numbered] if view.position.opened else [numbered, tiles]
        drafts = (
            Draft(view.position, self.sight, habits, left, missed, limits) for left in attempts
        )
        return next((found for draft in drafts if (found := draft.play()) is not None), None)


def forced_play(position: Position, limits: Limits) -> Found | None:
    """One tile that can be played, where the rules demand a play and the player saw none.

    None if a single tile does not do: then `last_resort` searches.
    """
    if not position.opened:
        return None
    for tile in position.rack:
        found = limits.solve(replace(position, rack=(tile,)))
        if found.plays:
            return found.table, found.declared
    return None
