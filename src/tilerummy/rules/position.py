"""What lies before a player who is to move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, Table


@dataclass(frozen=True, slots=True)
class Position:
    """The table, the player's rack, and what the player may do with them.

    Tiles are physical, or faces where nobody knows which copy is which. `declared` names the
    reading of ambiguous rows of the table; `manipulation=False` forbids taking rows apart.
    """

    edition: Edition
    table: Table
    rack: tuple[int, ...]
    opened: bool
    manipulation: bool = True
    declared: Mapping[Row, Kind] = field(default_factory=dict, hash=False)
