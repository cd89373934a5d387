"""A branch of the search: part of all turns, with some rows of the new table settled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilerummy.rules.openings import Opening
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import FACES, Face
from tilerummy.solver.cover.problem import without
from tilerummy.solver.turns.counts import Counts
from tilerummy.solver.turns.objectives import Prices


class Branch(NamedTuple):
    """Some rows of the new table are settled, the rest is open.

    `must` and `may` count what is left of table and rack. `lost` is the price of rack tiles that
    are not to be played. `locks` are locked rows whose treatment is open, by their place among
    the old rows. `extended` are rows that have to survive in a way that is still open. `opening`
    are rows that were laid first in this turn, None while that is open. `given` counts tiles that
    must leave the rack and have not been used to open or to replace a joker. `last` is the face
    that was settled last, with its row.
    """

    must: Counts
    may: Counts
    settled: tuple[Faces, ...] = ()
    lost: int = 0
    locks: tuple[int, ...] = ()
    extended: tuple[int, ...] = ()
    opening: Opening | None = ()
    last: tuple[Face, Faces] | None = None
    given: Counts = bytes(FACES)

    def with_row(self, row: Faces, around: Face | None = None) -> Branch | None:
        """Return the branch with one more row settled, or None if a tile of it is missing.

        `around` is the face whose rows are being settled, if that is why.
        """
        rest = without(self.must, self.may, row)
        if rest is None:
            return None
        _, _, settled, lost, locks, extended, opening, last, given = self
        if around is not None:
            last = around, row
        return Branch(*rest, (*settled, row), lost, locks, extended, opening, last, given)

    def with_tiles(self, faces: Sequence[Face]) -> Branch:
        """Return the branch in which the rack gives these tiles, each for a purpose of its own."""
        must, may = bytearray(self.must), bytearray(self.may)
        given = bytearray(self.given)
        for face in faces:
            if given[face]:
                given[face] -= 1
            else:
                may[face] -= 1
                must[face] += 1
        return self._replace(must=bytes(must), may=bytes(may), given=bytes(given))

    def with_copy(self, face: Face) -> Branch:
        """Return the branch in which one more copy of a face leaves the rack."""
        must, may = bytearray(self.must), bytearray(self.may)
        may[face] -= 1
        must[face] += 1
        return self._replace(must=bytes(must), may=bytes(may))

    def without_face(self, face: Face, prices: Prices) -> Branch:
        """Return the branch in which no more copies of a face leave the rack."""
        may = bytearray(self.may)
        lost = self.lost + may[face] * prices.weights[face]
        may[face] = 0
        return self._replace(may=bytes(may), lost=lost)


class Parts(NamedTuple):
    """Parts of a branch: one of these rows is settled, all of them around one face.

    `tried` means that none of them keeps what the branch promises.
    """

    branch: Branch
    face: Face
    rows: list[Faces]
    tried: bool = False

    @property
    def lost(self) -> int:
        """The price of rack tiles that are not to be played, the same for all parts."""
        return self.branch.lost

    def part(self, number: int) -> Branch:
        """Return a part by the number of its row. The branch has the tiles for that row."""
        part = self.branch.with_row(self.rows[number], self.face)
        assert part is not None, "its cover has been found"
        return part
