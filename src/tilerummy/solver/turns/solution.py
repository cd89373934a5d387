"""A turn as the solver returns it."""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.tiles import Row, Table
from tilerummy.solver.cover.abi import TURN_FIELDS


class Solution(NamedTuple):
    """The best turn: `tiles` = 0 means that it is best to draw.

    `table` is the new table as it would lie, `value` the points that leave the rack (for an
    opening: those of the rows laid). `exact` tells that nothing is better, `rows_kept` how many
    old rows were left alone, and `tidiest` that no equally good turn leaves more of them alone.
    `declared` is what the player has to say of the new table, where jokers are declared.
    """

    tiles: int
    value: int
    played: Row
    table: Table
    rows_kept: int
    exact: bool = True
    tidiest: bool = False
    nodes: int = 0
    declared: Declared = NOTHING_DECLARED

    @property
    def plays(self) -> bool:
        return bool(self.tiles)


if Solution._fields != TURN_FIELDS:  # the compiled kernel fills them in this order
    raise ImportError(f"Solution has the fields {Solution._fields}, the kernel {TURN_FIELDS}")
