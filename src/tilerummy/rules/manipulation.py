"""The manipulation ban: turns in which the old rows may only be added to."""

from __future__ import annotations

from itertools import combinations

from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import GROUP_KINDS, stands_for
from tilerummy.rules.ticks import Tick, spend
from tilerummy.rules.tiles import IS_JOKER, face_of
from tilerummy.rules.turn_rows import ReadRow

PAIRS_A_STEP = 16
"""Rows that are compared in one step of a tick."""


def manipulation_reasons(
    before: list[ReadRow], after: list[ReadRow], tick: Tick | None = None
) -> list[Reason]:
    """Return a reason for each old row that is not contained in a new row of its own.

    Bipartite matching of old rows with the new rows that continue them, by augmenting paths.
    """
    holder: dict[int, int] = {}  # new row → old row

    def place(number: int, seen: set[int]) -> bool:
        spend(tick, 1 + len(after) // PAIRS_A_STEP)
        for home, new in enumerate(after):
            if home in seen or not _continues(before[number], new):
                continue
            seen.add(home)
            if home not in holder or place(holder[home], seen):
                holder[home] = number
                return True
        return False

    return [
        Reason("no-manipulation", row.tiles)
        for number, row in enumerate(before)
        if not place(number, set())
    ]


def _continues(old: ReadRow, new: ReadRow) -> bool:
    """Whether the new row contains the old tiles in order, each joker with the same meaning."""
    own = set(old.tiles)
    is_group = any(reading.kind in GROUP_KINDS for reading in old.readings)
    places = [place for place, tile in enumerate(new.tiles) if tile in own]
    # Only without ids are there more places than tiles, and then few.
    return any(
        _lies_at(old, new, chosen, is_group) for chosen in combinations(places, len(old.tiles))
    )


def _lies_at(old: ReadRow, new: ReadRow, places: tuple[int, ...], is_group: bool) -> bool:
    found = tuple(new.tiles[place] for place in places)
    if found == old.tiles:
        pairs = list(zip(places, range(len(found)), strict=True))
    elif found == old.tiles[::-1]:
        pairs = list(zip(reversed(places), range(len(found)), strict=True))
    elif is_group and sorted(found) == sorted(old.tiles):
        pairs = [(place, old.tiles.index(new.tiles[place])) for place in places]
    else:
        return False
    return all(
        stands_for(new.readings, place) <= stands_for(old.readings, index)
        for place, index in pairs
        if IS_JOKER[face_of(new.tiles[place])]
    )
