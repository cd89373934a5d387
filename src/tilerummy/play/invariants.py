"""Invariants of a game: each tile of the box is in one place, and each row is a set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from tilerummy.rules.box import Box
from tilerummy.rules.orders import settled
from tilerummy.rules.tiles import Row, Tile

if TYPE_CHECKING:
    from tilerummy.play.game import Game

SCATTERED = "the tiles of the box are not all in one place each"


class InvariantError(AssertionError):
    """A tile is missing or exists twice, or a row is not a set: a bug, never a player's fault."""


def check(game: Game, before: Game | None = None) -> None:
    """Raise InvariantError if the game is broken.

    `before` is an earlier game that holds: then only what differs from it is checked.
    """
    if before is None or before.is_waiting:
        _check_box(game)
        rows: Sequence[Row] = game.table
    else:
        rows = _check_moved(before, game)
    for row in rows:
        if settled(game.edition, row) is None:
            raise InvariantError(f"a row of the table is not a set: {row}")


def _check_box(game: Game) -> None:
    tiles = [*game.pool]
    for part in (*game.racks, *game.table):
        tiles += part
    box = game.edition.box(len(game.players))
    if len(tiles) != len(box) or {*tiles} != _all_tiles(box):
        raise InvariantError(SCATTERED)


def _check_moved(before: Game, game: Game) -> Sequence[Row]:
    """Compare the parts that changed, and return the new rows.

    Each tile was in one place before. So the game holds if the changed parts have the same tiles
    as before, once each.
    """
    old: list[Tile] = []
    new: list[Tile] = []
    rows: list[Row] = []
    for one, other in zip(before.racks, game.racks, strict=True):
        if one is not other:
            old += one
            new += other
    if game.pool is not before.pool:
        left = len(game.pool)
        if before.pool[:left] == game.pool:  # tiles are drawn from the end
            old += before.pool[left:]
        else:
            old += before.pool
            new += game.pool
    if game.table is not before.table:
        was, now = {*before.table}, {*game.table}
        if len(now) < len(game.table):
            raise InvariantError("a row is on the table twice")
        for row in before.table:
            if row not in now:
                old += row
        for row in game.table:
            if row not in was:
                new += row
                rows.append(row)
    if len(old) != len(new) or {*old} != {*new}:
        raise InvariantError(SCATTERED)
    return rows


@cache
def _all_tiles(box: Box) -> set[Tile]:
    return {*box.tiles()}
