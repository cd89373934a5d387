"""The box: how many tiles of each face there are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tilerummy.rules import tiles
from tilerummy.rules.options import Jokers
from tilerummy.rules.tiles import Face, Tile


@dataclass(frozen=True, slots=True)
class Box:
    """The tiles of an edition: how many copies of each face there are."""

    copies: int
    jokers: Jokers

    def count(self, face: Face) -> int:
        """How many tiles of a face the box has."""
        return self.jokers[face - tiles.JOKER] if tiles.IS_JOKER[face] else self.copies

    def holds(self, other: Box) -> bool:
        """Whether it has all tiles of another box."""
        return all(self.count(face) >= other.count(face) for face in tiles.ALL_FACES)

    def __len__(self) -> int:
        return tiles.JOKER * self.copies + sum(self.jokers)

    def tiles(self) -> tuple[Tile, ...]:
        """Every tile once, in a fixed order."""
        return _tiles_of(self)


@lru_cache(64)
def _tiles_of(box: Box) -> tuple[Tile, ...]:
    return tuple(
        tiles.tile(face, copy) for face in tiles.ALL_FACES for copy in range(1, box.count(face) + 1)
    )
