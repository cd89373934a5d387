"""The draft of a turn: tiles move freely until it is submitted, with undo and redo.

Only the rows are state. The rack is those of its tiles that lie in no row, in the order in which
the player likes to see it, so no step can lose a tile or double one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tilerummy.rules.editions import Edition
from tilerummy.rules.orders import normalise
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import (
    FACE_OF,
    IS_JOKER,
    NUMBER,
    Row,
    Table,
    Tile,
    faces_of,
    sorted_tiles,
)


class DraftError(ValueError):
    """A step that the tiles do not allow; the draft has not changed."""


@dataclass(frozen=True, slots=True)
class Draft:
    edition: Edition
    start: Table
    """The table when the turn began."""
    order: tuple[Tile, ...]
    """The whole rack when the turn began, arranged as the player likes it."""
    rows: Table
    past: tuple[Table, ...] = field(default=(), repr=False)
    future: tuple[Table, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, edition: Edition, table: Table, rack: Sequence[Tile]) -> Draft:
        return cls(edition, table, tuple(rack), table)

    # What there is

    @property
    def laid(self) -> frozenset[Tile]:
        """Every tile that lies on the table now."""
        return frozenset(tile for row in self.rows for tile in row)

    @property
    def rack(self) -> tuple[Tile, ...]:
        laid = self.laid
        return tuple(tile for tile in self.order if tile not in laid)

    @property
    def placed(self) -> tuple[Tile, ...]:
        """The tiles of the rack that lie on the table now; they may be taken back."""
        laid = self.laid
        return tuple(tile for tile in self.order if tile in laid)

    @property
    def changed(self) -> bool:
        """Whether the table is another one than at the start of the turn."""
        return sorted(self.rows) != sorted(self.start)

    def row_of(self, tile: Tile) -> int | None:
        """The row in which a tile lies, or None while it is on the rack."""
        return next((number for number, row in enumerate(self.rows) if tile in row), None)

    # Steps

    def place(self, tiles: Sequence[Tile], row: int, index: int) -> Draft:
        """Move tiles from wherever they are into a row, before the tile at `index`.

        The row after the last one is a new row. Where the tiles are a set in another order, they
        are put in that order.
        """
        if not tiles:
            return self
        self._check_known(tiles)
        if not 0 <= row <= len(self.rows):
            raise DraftError(f"there is no row {row}")
        target = self.rows[row] if row < len(self.rows) else ()
        if not 0 <= index <= len(target):
            raise DraftError(f"row {row} has no place {index}")
        moving = frozenset(tiles)
        head = [tile for tile in target[:index] if tile not in moving]
        tail = [tile for tile in target[index:] if tile not in moving]
        rows = [self._without(one, moving) for one in self.rows]
        filled = self._tidy((*head, *tiles, *tail))
        if row < len(rows):
            rows[row] = filled
        else:
            rows.append(filled)
        return self._step(rows)

    def lay(self, tiles: Sequence[Tile]) -> Draft:
        """Move tiles into a new row."""
        return self.place(tiles, len(self.rows), 0)

    def take_back(self, tiles: Iterable[Tile]) -> Draft:
        """Return tiles to the rack they came from."""
        moving = frozenset(tiles)
        self._check_known(moving)
        strangers = moving.difference(self.order)
        if strangers:
            raise DraftError(f"{len(strangers)} tiles are not from this rack")
        return self._step([self._without(row, moving) for row in self.rows])

    def show(self, table: Table) -> Draft:
        """The table as a legal turn leaves it."""
        self._check_known(tile for row in table for tile in row)
        return self._step(table)

    def split(self, row: int, index: int) -> Draft:
        """Cut a row in two before the tile at `index`."""
        if not 0 <= row < len(self.rows):
            raise DraftError(f"there is no row {row}")
        tiles = self.rows[row]
        if not 0 < index < len(tiles):
            raise DraftError(f"row {row} cannot be cut at {index}")
        halves = (tiles[:index], tiles[index:])
        return self._step([*self.rows[:row], *halves, *self.rows[row + 1 :]])

    def join(self, row: int, other: int) -> Draft:
        """Append the tiles of another row to a row."""
        known = range(len(self.rows))
        if row not in known or other not in known or row == other:
            raise DraftError(f"rows {row} and {other} cannot be joined")
        return self.place(self.rows[other], row, len(self.rows[row]))

    # History

    def undo(self) -> Draft:
        if not self.past:
            return self
        *past, rows = self.past
        return replace(self, rows=rows, past=tuple(past), future=(*self.future, self.rows))

    def redo(self) -> Draft:
        if not self.future:
            return self
        *future, rows = self.future
        return replace(self, rows=rows, past=(*self.past, self.rows), future=tuple(future))

    def reset(self) -> Draft:
        """The table as it was; this, too, can be undone."""
        return self._step(list(self.start))

    # The rack

    def by_colour(self) -> Draft:
        """Runs side by side: 7 8 9."""
        return replace(self, order=by_colour(self.order))

    def by_number(self) -> Draft:
        """Groups side by side: 7 7 7."""
        return replace(self, order=by_number(self.order))

    def shift(self, tiles: Iterable[Tile], step: int) -> Draft:
        """Move tiles of the rack one place to the left (-1) or right (1), as far as there is."""
        moving, rack = frozenset(tiles), list(self.rack)
        places = [place for place, tile in enumerate(rack) if tile in moving]
        if not places or not 0 <= (places[0] if step < 0 else places[-1]) + step < len(rack):
            return self
        for place in places if step < 0 else reversed(places):
            rack[place], rack[place + step] = rack[place + step], rack[place]
        return replace(self, order=(*rack, *self.placed))

    # Inside

    def _check_known(self, tiles: Iterable[Tile]) -> None:
        tiles = list(tiles)
        if len(set(tiles)) < len(tiles):
            raise DraftError("a tile is moved twice at once")
        unknown = set(tiles).difference(self.laid, self.order)
        if unknown:
            raise DraftError(f"{len(unknown)} tiles are neither on the rack nor on the table")

    def _without(self, row: Row, moving: frozenset[Tile]) -> Row:
        return tuple(tile for tile in row if tile not in moving)

    def _tidy(self, row: Row) -> Row:
        if reader(self.edition).readings(faces_of(row)):
            return row
        return normalise(self.edition, row) or row

    def _step(self, rows: Iterable[Row]) -> Draft:
        kept = tuple(row for row in rows if row)
        if kept == self.rows:
            return self
        return replace(self, rows=kept, past=(*self.past, self.rows), future=())


Arrange = Callable[[Iterable[Tile]], tuple[Tile, ...]]


def by_colour(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    return sorted_tiles(tiles)


def by_number(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=_number_key))


def _number_key(tile: Tile) -> tuple[bool, int, int, int]:
    face = FACE_OF[tile]
    return IS_JOKER[face], NUMBER[face], face, tile
