"""The covering problem that every kernel answers, and its answer.

Some tiles lie on the table, others on a rack. Lay all tiles of the table and any of the rack in
valid rows so that what stays on the rack costs least. `kernel/problem.h` says the same in C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import HIGHEST, JOKER

NO_LIMIT = 1 << 20
"""More jokers than any row holds."""
HEAVIEST = 1 << 40
"""No weight is larger, so that no sum of weights overflows 64 bits."""


class Grammar(NamedTuple):
    """What a row is: the options of an edition that decide it."""

    min_natural: int = 1
    max_jokers: int = NO_LIMIT
    mirror_min_side: int = 1
    mirror_last: int = HIGHEST
    mirror_c_needs_c: bool = False
    adjacent_c: bool = True

    @staticmethod
    def of(edition: Edition) -> Grammar:
        """Return the grammar of an edition."""
        limit = edition.joker_max_per_set
        return Grammar(
            edition.set_min_natural,
            NO_LIMIT if limit is None else limit,
            edition.twist_mirror_min_side,
            HIGHEST - 1 if edition.twist_mirror_number == "next" else HIGHEST,
            edition.twist_mirror_c_needs_c,
            edition.twist_adjacent_c,
        )


@dataclass(frozen=True, slots=True)
class CoverProblem:
    """Counts by face: `must` lies on the table, `may` on the rack.

    `weights` has for each face the cost of one tile that stays on the rack, never less than 0.
    `stand` and `floor` serve openings: the cost of each point by which a joker stands for less
    than 13 a slot (M stands for nothing and costs nothing), and the least value of all rows.
    Only answers that cost less than `below` count (None: all), which saves the search for others.
    After `node_limit` expanded states (0 = never), or at the `deadline` on the monotonic clock, the
    search hurries and returns the first answer that it finds.
    """

    grammar: Grammar
    must: bytes
    may: bytes
    weights: tuple[int, ...]
    stand: int = 0
    floor: int = 0
    node_limit: int = 0
    deadline: float | None = None
    below: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the plain kernel can answer: numbered tiles and J under the usual options."""
        grammar, must, may = self.grammar, self.must, self.may
        return (
            grammar.min_natural == 1
            and grammar.max_jokers >= NO_LIMIT
            and not self.stand
            and not self.floor
            and not any(must[JOKER + 1 :])
            and not any(may[JOKER + 1 :])
        )


class Cover(NamedTuple):
    """The answer to a cover problem: the rows of the table; `exact` unless a limit was reached."""

    loss: int
    rows: tuple[Faces, ...]
    nodes: int
    exact: bool


def without(must: bytes, may: bytes, row: Faces) -> tuple[bytes, bytes] | None:
    """Return what is left of table and rack when a row is laid, or None if a tile is missing.

    The tiles of the table go first.
    """
    table, rack = bytearray(must), bytearray(may)
    for face in row:
        if table[face]:
            table[face] -= 1
        elif rack[face]:
            rack[face] -= 1
        else:
            return None
    return bytes(table), bytes(rack)
