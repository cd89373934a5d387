"""One step of a turn, as a person does it with their hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from tilerummy.rules.tiles import (
    FACE_OF,
    IS_JOKER,
    Row,
    Table,
    faces_of,
    has_mirror,
    row_text,
    table_text,
)
from tilerummy.solver.turns.row_matching import is_group


class StepKind(StrEnum):
    """The kinds of steps."""

    TAKE = "take"  # tiles from a row into the hand
    LAY = "lay"  # a new row
    ADD = "add"  # tiles from rack and hand to a row
    MOVE = "move"  # tiles from one row to another, or to another place of their row
    JOIN = "join"  # a whole row to another
    SWAP = "swap"  # tiles from rack and hand into the places of others, which go into the hand
    SPLIT = "split"  # a row into two, perhaps with tiles from rack and hand at the cut


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """One step of a turn: a single movement of tiles.

    `tiles` are those that move, as they come to lie, and `played` those of them that come from the
    rack. They leave the row `source`, of which `left` remains, and arrive at `target`, which
    becomes `result`; each is empty where the step has no such row. `freed` are the tiles that a
    swap takes up.
    """

    kind: StepKind
    tiles: Row
    source: Row = ()
    left: Table = ()
    target: Row = ()
    result: Table = ()
    played: Row = ()
    freed: Row = ()

    def __repr__(self) -> str:
        rows = [
            f"{row_text(old) or 'new row'} -> {table_text(new) or 'nothing'}"
            for old, new in ((self.source, self.left), (self.target, self.result))
            if old or new
        ]
        freed = f", frees {row_text(self.freed)}" if self.freed else ""
        return f"<Step: {self.kind} {row_text(self.tiles)} ({'; '.join(rows)}){freed}>"

    def on(self, table: Table) -> Table:
        """Return the table after this step, a new row at its end.

        Raises ValueError if the table lacks a row that the step takes from or adds to.
        """
        rows = list(table)
        for old, new in ((self.source, self.left), (self.target, self.result)):
            number = rows.index(old) if old else len(rows)
            rows[number : number + bool(old)] = new
        return tuple(rows)

    def loosens(self) -> bool:
        """Return whether tiles leave a row with a joker, or change places in it."""
        rows = [row for row in (self.source, self.target) if _has_joker(row)]
        return any(len(self.result) != 1 or not holds(self.result[0], row) for row in rows)


def _has_joker(row: Row) -> bool:
    return any(IS_JOKER[FACE_OF[tile]] for tile in row)


def holds(row: Row, part: Row) -> bool:
    """Return whether a part lies in a row as it is; in a mirror row it may be turned round."""
    if is_group(row):
        return Counter(part) <= Counter(row)
    starts = range(len(row) - len(part) + 1)
    turned = [part, part[::-1]] if has_mirror(faces_of(row)) else [part]
    return any(row[start : start + len(part)] in turned for start in starts)
