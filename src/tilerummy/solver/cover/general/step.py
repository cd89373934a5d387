"""A step: all ways to deal with the tiles of one number, for a given additional loss."""

from __future__ import annotations

from tilerummy.rules.tiles import (
    COLOUR,
    HIGHEST,
    IS_JOKER,
    JOKER,
    SLOTS,
    Face,
)
from tilerummy.solver.cover.general.open_rows import (
    Pair,
    Run,
    State,
    Way,
    plus,
)
from tilerummy.solver.cover.general.search import Search


class Step:
    """What all parts of a step share: the state, its open rows, and what a tile costs.

    Ways of at most the additional loss `level` are made; those of at most `made` were made before.
    `next` is the least additional loss seen beyond.
    """

    def __init__(self, search: Search, state: State, level: int, made: int) -> None:
        self.search = search
        self.problem = search.problem
        self.state = state
        self.number = state.number
        self.level = level
        self.made = made
        self.next: int | None = None
        self.pairs = [row for row in state.rows if isinstance(row, Pair)]
        self.runs = [row for row in state.rows if isinstance(row, Run)]

    def _left(self, way: Way, kind: int) -> int:
        return self.search.jokers[kind] - way.used[kind]

    def _singles(self, way: Way) -> int:
        return sum(self.search.jokers[:3]) - sum(way.used[:3])

    def _too_dear(self, extra: int) -> bool:
        if extra <= self.level:
            return False
        if self.next is None or extra < self.next:
            self.next = extra
        return True

    def _take(self, way: Way, tile: Face | None, last: int = HIGHEST) -> Way | None:
        """With one more tile in a row; None if there is none, or it costs too much."""
        if tile is None:
            return way
        if not IS_JOKER[tile]:
            colour = COLOUR[tile]
            if way.taken[colour] >= way.quota[colour]:
                return None
            return way._replace(taken=plus(way.taken, colour), value=way.value + tile % HIGHEST + 1)
        slots = SLOTS[tile]
        if not self._left(way, tile - JOKER) or self.number + slots - 1 > last:
            return None
        points = sum(range(self.number, self.number + slots))
        extra = way.extra + self.problem.stand * (HIGHEST * slots - points)
        if self._too_dear(extra):
            return None
        return way._replace(
            used=plus(way.used, tile - JOKER), extra=extra, value=way.value + points
        )
