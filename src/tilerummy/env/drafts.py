"""Drafts: a turn that is built tile by tile. A state machine of sub-actions.

A draft only moves tiles. Whether it is a turn, the judge decides: `verdict` asks it, and
`end` is possible only if it agrees. Every turn ends, as a draft has a budget of steps. Once it is
spent, the player can only end the turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilerummy.bots.declaring import most_valuable_declarations
from tilerummy.env.layout import Layout
from tilerummy.rules.declarations import Declared
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import FACE_OF, FACES, Face, Row, Table, Tile
from tilerummy.rules.turns import TurnVerdict, judge_turn

IDLE = 0
"""Give up the draft, and draw or pass."""
END = 1
"""Play the draft."""
UNDO = 2
"""Take everything back that this draft has moved."""
TAKE = 3
"""The first of `FACES` actions: take a tile with this face from the source."""
RIGHT = TAKE + FACES
"""The first of `rows` actions: put the tile in hand on the right of a row; without a tile in hand,
make this row the source."""

JUDGE_STEPS = 20_000
"""Steps after which the judge gives up. Only rows with many jokers in disorder need more."""


class TooManyStepsError(Exception):
    """The judge needs too many steps for a draft."""


class Steps:
    """A tick that counts down, so that the judge ends in time on every machine."""

    def __init__(self, left: int) -> None:
        self._left = left

    def __call__(self) -> None:
        """Count one step. Raises TooManyStepsError if none is left."""
        self._left -= 1
        if self._left < 0:
            raise TooManyStepsError


class Move(NamedTuple):
    """A turn as the judge accepts it: the table and its declarations."""

    table: Table
    declared: Declared


@dataclass(frozen=True, slots=True)
class Draft:
    """The table and the rack as the player to move has them, between two sub-actions."""

    position: Position
    layout: Layout
    slots: Table
    """The rows. An empty slot stays where it is, so that rows keep their numbers."""
    rack: Row
    hand: Tile | None
    source: int | None
    """The row to take from; None for the rack."""
    steps_left: int
    _own: frozenset[Tile] = field(repr=False)

    @classmethod
    def of(cls, position: Position, layout: Layout) -> Draft:
        """The draft at the beginning of a turn."""
        own = frozenset(position.rack)
        return cls(position, layout, position.table, position.rack, None, None, layout.steps, own)

    @property
    def table(self) -> Table:
        """The rows that have tiles."""
        return tuple([row for row in self.slots if row])

    @property
    def laid(self) -> list[Tile]:
        """The tiles of the rack that lie in rows."""
        return [tile for row in self.slots for tile in row if tile in self._own]

    @property
    def is_untouched(self) -> bool:
        """Whether there is nothing to undo."""
        return self.hand is None and self.source is None and self.slots == self.position.table

    # Sub-actions

    def mask(self) -> NDArray[np.int8]:
        """Which actions are possible."""
        mask = np.zeros(action_count(self.layout), np.int8)
        mask[IDLE] = 1
        mask[END] = self.move() is not None
        if not self.steps_left:
            return mask
        mask[UNDO] = not self.is_untouched
        if self.hand is not None:
            self._mask_places(mask)
            return mask
        source = self.rack if self.source is None else self.slots[self.source]
        mask[[TAKE + FACE_OF[tile] for tile in source]] = 1
        mask[[RIGHT + number for number, row in enumerate(self.slots) if row]] = 1
        return mask

    def _mask_places(self, mask: NDArray[np.int8]) -> None:
        """Allow the rows that have room, and one new row."""
        rows, length = self.layout.rows, self.layout.length
        open_rows = [number for number, row in enumerate(self.slots) if 0 < len(row) < length]
        mask[[RIGHT + number for number in open_rows]] = 1
        if self._order_counts:
            mask[[RIGHT + rows + number for number in open_rows]] = 1
        new = self._new_row()
        if new < rows:
            mask[RIGHT + new] = 1

    @property
    def _order_counts(self) -> bool:
        """Whether it matters on which side of a row a tile is put."""
        return self.position.edition.set_order == "as_laid"

    def _new_row(self) -> int:
        return next((n for n, row in enumerate(self.slots) if not row), len(self.slots))

    def after(self, action: int) -> Draft:
        """The draft after a sub-action that the mask allows, other than IDLE and END."""
        rows = self.layout.rows
        left = self.steps_left - 1
        if action == UNDO:
            return replace(Draft.of(self.position, self.layout), steps_left=left)
        if action < RIGHT:
            return replace(self._take(Face(action - TAKE)), steps_left=left)
        number = (action - RIGHT) % rows
        if self.hand is None:
            chosen = None if self.source == number else number
            return replace(self, source=chosen, steps_left=left)
        return replace(self._put(number, on_left=action >= RIGHT + rows), steps_left=left)

    def _take(self, face: Face) -> Draft:
        """Take a tile into the hand: the first one with this face."""
        source = self.rack if self.source is None else self.slots[self.source]
        place = [FACE_OF[tile] for tile in source].index(face)
        rest = source[:place] + source[place + 1 :]
        if self.source is None:
            return replace(self, rack=rest, hand=source[place])
        slots = self._with_row(self.source, rest)
        return replace(self, slots=slots, source=None, hand=source[place])

    def _put(self, number: int, *, on_left: bool) -> Draft:
        assert self.hand is not None
        row = self.slots[number] if number < len(self.slots) else ()
        longer = (self.hand, *row) if on_left else (*row, self.hand)
        return replace(self, slots=self._with_row(number, longer), hand=None)

    def _with_row(self, number: int, row: Row) -> Table:
        return (*self.slots[:number], row, *self.slots[number + 1 :])

    # The judge

    def move(self) -> Move | None:
        """The draft as a turn, in the order and with the declarations that the judge accepts.

        None if it is not a legal turn. Where jokers have to be declared, the most valuable
        declaration of each row is taken.
        """
        if self.hand is not None or len(self.rack) == len(self.position.rack):
            return None
        try:
            verdict = self._verdict({})
            declared = most_valuable_declarations(self.position.edition, verdict)
            if declared:
                verdict = self._verdict(declared)
        except TooManyStepsError:
            return None
        return Move(verdict.table, verdict.declared) if verdict.legal else None

    def _verdict(self, declared: Declared) -> TurnVerdict:
        return judge_turn(self.position, self.table, declared, Steps(JUDGE_STEPS))


def action_count(layout: Layout) -> int:
    """How many actions there are: idle, end and undo, one for each face, two for each row."""
    return RIGHT + 2 * layout.rows
