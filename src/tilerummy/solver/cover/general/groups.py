"""Groups of one number: whether tiles and jokers can be laid in groups, memoised."""

from __future__ import annotations

from functools import cache

from tilerummy.solver.cover.general.open_rows import (
    COLOURS,
    NOTHING,
    Four,
    plus,
)


@cache
def group_ways_of(min_natural: int, max_jokers: int) -> GroupWays:
    """Return the memo for these two options, shared by all searches."""
    return GroupWays(min_natural, max_jokers)


GroupParts = tuple[tuple[tuple[int, ...], int, int], ...]


class GroupWays:
    """How exactly these tiles are laid in groups: colours, J and D of each; None if not at all."""

    def __init__(self, min_natural: int, max_jokers: int) -> None:
        self.min_natural = min_natural
        self.max_jokers = max_jokers
        self.memo: dict[tuple[Four, int, int], GroupParts | None] = {(NOTHING, 0, 0): ()}

    def __call__(self, tiles: Four, jokers: int, doubles: int) -> GroupParts | None:
        key = (tiles, jokers, doubles)
        if key not in self.memo:
            self.memo[key] = self._find(tiles, jokers, doubles)
        return self.memo[key]

    def _find(self, tiles: Four, jokers: int, doubles: int) -> GroupParts | None:
        if sum(tiles) + jokers + doubles < 3:
            return None
        first = tiles.index(max(tiles))  # some group holds a tile of this colour
        for mask in range(15, -1, -1):
            colours = tuple(colour for colour in COLOURS if mask >> colour & 1)
            naturals = len(colours)
            if (tiles[first] and first not in colours) or naturals < self.min_natural:
                continue
            if not all(tiles[colour] for colour in colours):
                continue
            rest = tiles
            for colour in colours:
                rest = plus(rest, colour, -1)
            for d in range(min(doubles, 1) + 1):
                for j in range(max(0, 3 - naturals - d), min(jokers, 4 - naturals - 2 * d) + 1):
                    if j + d <= self.max_jokers:
                        others = self(rest, jokers - j, doubles - d)
                        if others is not None:
                            return ((colours, j, d), *others)
        return None
