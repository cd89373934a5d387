"""A solution: one turn as the solver returns it."""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.tiles import Row, Table, row_text
from tilerummy.solver.cover.abi import TURN_FIELDS


class Solution(NamedTuple):
    """One turn; `tiles` = 0 means that it is best to draw.

    `table` is the new table as it would lie, `played` the tiles that leave the rack, `value` the
    points that leave the rack (for an opening: those of the rows laid). `exact` means that no turn
    is better, `rows_kept` counts the old rows left alone, and `tidiest` means that no equally good
    turn leaves more of them alone. `nodes` counts the states that the kernels expanded. `declared`
    is what the player has to say of the new table, where jokers are declared.
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
        """Whether any tile is played."""
        return bool(self.tiles)

    def __repr__(self) -> str:
        proof = "exact" if self.exact else "not exact"
        if not self.tiles:
            return f"<Solution: draw ({proof})>"
        return f"<Solution: play {row_text(self.played)} ({self.value} points, {proof})>"


if Solution._fields != TURN_FIELDS:  # the compiled kernel fills them in this order
    raise ImportError(f"Solution has the fields {Solution._fields}, the kernel {TURN_FIELDS}")
