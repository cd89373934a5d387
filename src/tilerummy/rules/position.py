"""The position: the table, the rack of the player to move, and what the player may do."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import Row, Table, row_text, table_text


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The table, the player's rack, and what the player may do with them.

    Tiles are physical, or unidentified where it is not known which copy is which. `declared` has
    the declarations of the rows on the table; `manipulation=False` forbids taking rows apart.
    """

    edition: Edition
    table: Table
    rack: Row
    opened: bool
    manipulation: bool = True
    declared: Declared = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        opened = "opened" if self.opened else "not opened"
        table = table_text(self.table) or "empty"
        rack = row_text(self.rack) or "empty"
        return f"<Position: {self.edition.name}, {opened}, table {table}, rack {rack}>"
