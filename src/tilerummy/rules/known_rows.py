"""Known rows: the rows of a box with few jokers, listed once and then filtered.

Numbered tiles and one or two J form less than two thousand rows that cannot be cut. To choose those
that a stock has the tiles for is much quicker than to build them tile by tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import IS_JOKER, JOKER, JOKER_FACES, Face

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
