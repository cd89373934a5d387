"""Bonds: tiles that the exchange ban keeps with the joker that lay with them.

The list of candidate rows leaves out rows that can be cut in two, except where a cut would separate
what a bond keeps together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tilerummy.rules.tiles import IS_JOKER, MIRRORS, NUMBER, SPECIAL_WILDS, Face


class Coming(NamedTuple):
    """Tiles that may still be added, numbered ones within a range."""

    stock: Counter[Face]
    numbers: range


NOTHING = Coming(Counter(), range(0))


class Part(NamedTuple):
    """A part of a row that could be cut, and the tiles that it may still be given."""

    tiles: Sequence[Face]
    coming: Coming

    def most(self, face: Face) -> int:
        """How many tiles of a face the part may hold."""
        stock, numbers = self.coming
        comes = IS_JOKER[face] or NUMBER[face] in numbers
        return self.tiles.count(face) + (stock.get(face, 0) if comes else 0)


class Bond(NamedTuple):
    """Tiles that may not lie with a special joker, unless with the joker that lay with them.

    `tiles` are the rest of a row of the table, `joker` was in it (`twist.special_exchange_ban`).
    """

    tiles: Counter[Face]
    joker: Face

    def fits_in_run(self) -> bool:
        numbers = [NUMBER[face] for face in self.tiles.elements() if not IS_JOKER[face]]
        return len(set(numbers)) == len(numbers) and not any(self.tiles[m] for m in MIRRORS)

    def may_bind(self, part: Part) -> bool:
        """Whether the part, perhaps with tiles to come, is forbidden without the joker."""
        tiles = part.tiles
        if self.joker in tiles:
            return False
        for face, count in self.tiles.items():
            if tiles.count(face) < count and part.most(face) < count:
                return False
        return any(part.most(face) for face in SPECIAL_WILDS if face != self.joker)


def is_bound(bonds: Sequence[Bond], parts: Sequence[Part]) -> bool:
    """Whether a cut would separate a joker from tiles that need it, now or after more tiles."""
    for bond in bonds:
        for part in parts:
            if bond.may_bind(part):
                others = [other for other in parts if other is not part]
                if any(other.most(bond.joker) for other in others):
                    return True
    return False
