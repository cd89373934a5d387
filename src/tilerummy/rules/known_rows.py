"""Known rows: the rows of few jokers or none, which need no search.

Numbered tiles and one or two J form less than two thousand rows that cannot be cut. They are
listed once: to choose those that a stock has the tiles for is much quicker than to build them tile
by tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    COLOURS,
    HIGHEST,
    IS_JOKER,
    JOKER,
    JOKER_FACES,
    RUN_FROM,
    Face,
    numbered,
)

MOST_JOKERS = 2
MOST_NATURAL = 2
"""With so many J, where a row needs so many numbered tiles, the list is short."""


def is_short_list(edition: Edition, stock: Counter[Face]) -> bool:
    """Return whether all rows with the jokers of a stock are few enough to keep."""
    return (
        edition.set_min_natural <= MOST_NATURAL
        and stock[JOKER] <= MOST_JOKERS
        and not any(stock[face] > 0 for face in JOKER_FACES if face != JOKER)
    )


class KnownRows:
    """Rows of J and numbered tiles, no numbered tile twice."""

    def __init__(self, rows: Sequence[Faces]) -> None:
        self._rows = [(sum({1 << f for f in row if not IS_JOKER[f]}), row) for row in rows]

    def among(self, stock: Counter[Face]) -> list[Faces]:
        """Return the rows for which a stock has the numbered tiles, in the order of the list."""
        lacking = ~sum([1 << face for face, count in stock.items() if count > 0])
        return [row for needs, row in self._rows if not needs & lacking]


def plain_rows(stock: Counter[Face], minimum: int) -> Iterator[Faces]:
    """Yield the rows of a stock without jokers, in the order in which `candidates` lists rows.

    Those are left out that can be cut into two rows with so many numbered tiles.
    """
    for number in range(1, HIGHEST + 1):
        shown = [f for c in range(len(COLOURS)) if stock[f := numbered(c, number)]]
        for size in range(3, len(shown) + 1):
            yield from combinations(shown, size)
    for number in range(1, HIGHEST + 1):
        for colour in range(len(COLOURS)):
            longest = RUN_FROM[numbered(colour, number)]
            for length, face in enumerate(longest, 1):
                if not stock[face] or length // 2 >= max(3, minimum):  # it can be cut in two
                    break
                if length >= 3:
                    yield longest[:length]
