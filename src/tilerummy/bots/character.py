"""The character of a natural player as data: what it notices, and what it likes to keep."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tilerummy.play.views import View
from tilerummy.rules.tiles import Row

ANY_ROWS = 100
"""More rows than any table has: `reach` of a player who sees every rearrangement."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a level sees. Weaker levels see less; none of them plays a bad move on purpose."""

    overlooks: float = 0.0
    """The share of its rack that it does not notice, drawn anew for every turn."""
    ends: bool = True
    """Whether it adds tiles to the ends of rows."""
    reach: int = 0
    """How many rows of the table it rearranges at once."""
    misses: float = 0.0
    """The share of its rack for which it does not look for a rearrangement in a turn."""
    jokers: bool = False
    """Whether it rearranges rows with jokers."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What a player likes to keep for later. Near the end of a game it keeps nothing."""

    keeps_jokers: bool = False
    """Lays a joker only to open."""
    keeps_fourths: bool = False
    """Keeps the fourth tile of a group until it has nothing else to play."""


NO_HABITS = Habits()


def chance(view: View, seed: int) -> Random:
    """The luck of a seat in this turn, the same for the same seed."""
    return Random(f"{seed}/{view.game}/{view.turn}/{view.seat}")


def without(tiles: Row, share: float, luck: Random) -> Row:
    """These tiles without about this share of them."""
    if not share:
        return tiles
    return tuple([tile for tile in sorted(tiles) if luck.random() >= share])
