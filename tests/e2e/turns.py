"""Turn finder: computes the turns that tests need from the rack and table of a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, islice

from tests.e2e.seats import Rows, Seat, texts_of, tiles_of
from tilerummy.rules.tiles import COLOURS, HIGHEST
from tilerummy.solver import solve

MANY = 25
"""Turns within which anything comes up."""


def sets_in(tiles: list[str], size: int) -> Iterator[list[str]]:
    """Runs and groups of so many numbered tiles, the dearest first."""
    one = {tile.partition(".")[0]: tile for tile in tiles}
    for number in range(HIGHEST, 0, -1):
        for colours in combinations(COLOURS, size):
            group = [f"{colour}{number}" for colour in colours]
            if all(face in one for face in group):
                yield [one[face] for face in group]
        for colour in COLOURS:
            run = [f"{colour}{each}" for each in range(number - size + 1, number + 1)]
            if all(face in one for face in run):
                yield [one[face] for face in run]


def small_opening(seat: Seat) -> Rows | None:
    """The table after an opening with few tiles."""
    position, seen = seat.position(), seat.look()
    found = [*sets_in(seen.rack, 3), *sets_in(seen.rack, 4)]
    for rows in (*((row,) for row in found), *combinations(found, 2)):
        table = [*seen.rows, *rows]
        if not _repeats(table) and seat.allows(position, table):
            return table
    return None


def small_turn(seat: Seat) -> Rows | None:
    """The table after a turn with a few tiles that takes a row apart."""
    position, seen = seat.position(), seat.look()
    for size in (1, 2, 3):
        for some in islice(combinations(seen.rack, size), 4000):
            found = solve(replace(position, rack=tiles_of(some)))
            table = [texts_of(row) for row in found.table]
            if found.tiles == size and not all(_stays(row, table) for row in seen.rows):
                return table
    return None


def best_turn(seat: Seat) -> Rows | None:
    """The table after the turn that plays most tiles; None where nothing can be played."""
    found = solve(seat.position())
    return [texts_of(row) for row in found.table] if found.tiles else None


def find_within(seat: Seat, find: Callable[[Seat], Rows | None], turns: int) -> Rows | None:
    """The turn in question, in this turn or a later one; draws until it is possible."""
    for turn in range(turns):
        if turn:
            seat.quick_draw()
        if not seat.await_turn():
            return None
        found = find(seat)
        if found is not None:
            return found
    return None


def draw_until(seat: Seat, find: Callable[[Seat], Rows | None], turns: int = MANY) -> Rows:
    """A turn that always becomes possible after some draws."""
    found = find_within(seat, find, turns)
    assert found is not None, f"{turns} turns, and {find.__name__} finds nothing"
    return found


def draw_both_until(seat: Seat, other: Seat, find: Callable[[Seat], Rows | None]) -> Rows:
    """A turn that becomes possible for the current player while both draw."""
    while (found := find(seat)) is None:
        for each in (seat, other):
            assert each.await_turn()
            each.quick_draw()
        assert seat.await_turn()
    return found


def _repeats(table: Rows) -> bool:
    tiles = [tile for row in table for tile in row]
    return len(set(tiles)) < len(tiles)


def _stays(row: list[str], table: Rows) -> bool:
    """Whether the tiles of a row are still together."""
    return any(set(row) <= set(other) for other in table)
