"""Hands that go out, the slow way: built from sets, or taken apart tile by tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

COLOURS = 4
FIELD = 3  # bits, so that a count and one bit above it fit

Tile = tuple[int, int]
"""Number and colour, both from 0."""


def short_sets(numbers: int) -> list[tuple[Tile, ...]]:
    """All sets of three to five tiles; every longer run is made of such."""
    groups = [
        tuple((number, colour) for colour in colours)
        for number in range(numbers)
        for size in (3, 4)
        for colours in combinations(range(COLOURS), size)
    ]
    runs = [
        tuple((start + step, colour) for step in range(size))
        for colour in range(COLOURS)
        for size in (3, 4, 5)
        for start in range(numbers - size + 1)
    ]
    return groups + runs


class Hands:
    """Hands as integers: a field for each face holds how many of it there are, up to two."""

    def __init__(self, numbers: int, copies: int) -> None:
        self.copies = copies
        self.singles = sum(1 << FIELD * face for face in range(COLOURS * numbers))
        self.spare, self.overflow = (3 - copies) * self.singles, 4 * self.singles
        self.sets = [
            (len(tiles), sum(1 << FIELD * (COLOURS * n + c) for n, c in tiles))
            for tiles in short_sets(numbers)
        ]
        self.by_size: dict[int, set[int]] = {0: {0}}

    def of_size(self, size: int) -> set[int]:
        """All hands of so many tiles that are made of sets."""
        if size not in self.by_size:
            self.by_size[size] = set(self.built(size))
        return self.by_size[size]

    def built(self, size: int) -> Iterator[int]:
        """The same, many of them more than once."""
        spare, overflow = self.spare, self.overflow
        for tiles, added in self.sets:
            if tiles <= size:
                for hand in self.of_size(size - tiles):
                    if not (hand + added + spare) & overflow:
                        yield hand + added

    def weight(self, hand: int) -> int:
        """In how many ways the tiles of the box make it: only a single face of two is a choice."""
        return 1 << (self.copies - 1) * (hand & self.singles).bit_count()


def goes_out(hand: Counter[Tile]) -> bool:
    """Can all tiles be laid in sets? Tries every set that the lowest tile may lie in."""
    return _goes_out(tuple(sorted(hand.elements())))


@cache
def _goes_out(hand: tuple[Tile, ...]) -> bool:
    if not hand:
        return True
    (number, colour), held = hand[0], set(hand)
    others = [c for c in range(COLOURS) if c != colour and (number, c) in held]
    tries = [
        [(number, colour), *((number, c) for c in chosen)]
        for size in (2, 3)
        for chosen in combinations(others, size)
    ]
    tries += [[(number + step, colour) for step in range(size)] for size in (3, 4, 5)]
    return any(_goes_out(_without(hand, tiles)) for tiles in tries if held.issuperset(tiles))


def _without(hand: tuple[Tile, ...], tiles: list[Tile]) -> tuple[Tile, ...]:
    left = list(hand)
    for tile in tiles:
        left.remove(tile)
    return tuple(left)
