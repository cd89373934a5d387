"""What may become of locked rows, packed for the compiled kernel.

The kernel searches as `search` does where locked rows are all that binds the jokers of a table. It
knows no rule: what it needs of a row, and what may become of one, it looks up here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from tilerummy.rules.editions import Edition
from tilerummy.rules.quick_jokers import face_set, freeing, only_locks_bind
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import ALL_FACES, Row, faces_of
from tilerummy.solver.cover.kernels import LockData
from tilerummy.solver.turns.locks import (
    MOST_KNOWN,
    Lock,
    known_treatments,
    near_tiles,
    stand_ins_of,
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MARK = b"\xff"
"""Stands between the parts of a question; no face."""


class _Kept(dict[K, V]):
    """Answers that are kept. When there are too many, all are forgotten."""

    def __init__(self, answer: Callable[[K], V]) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, key: K) -> V:
        if len(self) >= MOST_KNOWN:
            self.clear()
        found = self[key] = self._answer(key)
        return found


def lock_data(edition: Edition) -> LockData | None:
    """Return two mappings, or None where more than locked rows binds the jokers of a table.

    The first has for each row of the table: the tiles that may be added to it, and those that may
    take the place of one of its jokers, one bit for each face; then the ways to free it, each as
    the number of tiles that the rack gives and these tiles.

    The second answers a question about a row: its faces; the tiles that may be added to it, in the
    order in which they are tried, each with their number; the tiles of the rack that may replace
    its jokers. The answer has for each treatment the number of tiles that the rack gives, these
    tiles, the length of the new row (0 where the old one is free), and its faces.
    """
    if not fits(edition):
        return None
    rows = reader(edition)

    def row_data(row: Row) -> tuple[int, int, bytes]:
        faces = faces_of(row)
        stand_ins = stand_ins_of(Lock(rows, faces))
        ways = [bytes([len(way), *way]) for way in freeing(rows, faces)]
        return face_set(near_tiles(faces)), face_set(stand_ins), b"".join(ways)

    def treatments(question: bytes) -> bytes:
        row, close, given = [tuple([ALL_FACES[at] for at in part]) for part in question.split(MARK)]
        pairs = tuple(zip(close[::2], close[1::2], strict=True))
        found = known_treatments(Lock(rows, row), (pairs, given), None)
        packed = bytearray()
        for way in found:
            longer = way.row or ()
            packed += bytes([len(way.from_rack), *way.from_rack, len(longer), *longer])
        return bytes(packed)

    return _Kept(row_data), _Kept(treatments)


def fits(edition: Edition) -> bool:
    """Return whether only locked rows bind the jokers of a table, in a box with no joker but J, and
    their treatments are those that are kept."""
    return (
        only_locks_bind(edition)
        and edition.joker_replace_from == "rack"
        and not edition.has_specials
        and edition.set_min_natural <= 1
    )
