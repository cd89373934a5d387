"""A turn as the solver returns it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, Table

NOTHING_DECLARED: Mapping[Row, Kind] = MappingProxyType({})


class Solution(NamedTuple):
    """The best turn: `tiles` = 0 means that it is best to draw.

    `table` is the new table as it would lie, `value` the points that leave the rack (for an
    opening: those of the rows laid). `exact` tells that nothing is better, `rows_kept` how many
    old rows were left alone, and `tidiest` that no equally good turn leaves more of them alone.
    """

    tiles: int
    value: int
    played: Row
    table: Table
    rows_kept: int
    exact: bool = True
    tidiest: bool = False
    nodes: int = 0
    declared: Mapping[Row, Kind] = NOTHING_DECLARED

    @property
    def plays(self) -> bool:
        return bool(self.tiles)
