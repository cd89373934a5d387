"""Remarks: one line of why a bot has played as it did, as a message key with its numbers.

A remark follows from the style of the bot, its view before the turn and the turn. Some give away a
little of what is on its rack: that is how people learn from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from tilerummy.bots.spec import Style
from tilerummy.play.commands import Draw, Pass, Play, Turn
from tilerummy.play.views import View
from tilerummy.rules.tiles import (
    COLOUR,
    NUMBER,
    Row,
    Table,
    faces_of,
    has_joker,
)

Thought: TypeAlias = Literal[
    "goes-out",
    "opens",
    "cannot-open",
    "keeps-joker",
    "keeps-fourth",
    "waits",
    "rearranges",
    "adds",
    "lays",
    "sees-nothing",
]
"""What a bot says of its turn; its text is `remark.<thought>`."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A thought and its number: of tiles for `opens`, of rows for `rearranges`, and the number on
    the tile for `keeps-fourth`."""

    thought: Thought
    count: int = 0

    @property
    def key(self) -> str:
        """The key of its text; it takes `count`."""
        return f"remark.{self.thought}"


def remark(style: Style, view: View, turn: Turn) -> Remark:
    """Why a bot of this style has chosen this turn in this position, which is its own."""
    match turn:
        case Play():
            return _played(style, view, turn.table)
        case Draw() | Pass():
            return _idle(style, view)
        case _:
            assert_never(turn)


def _idle(style: Style, view: View) -> Remark:
    if not view.position.opened:
        return Remark("cannot-open")
    if view.pool_size and style is Style.WAITS:
        return Remark("waits")
    if view.pool_size and style is Style.KEEPS_JOKERS and has_joker(faces_of(view.rack)):
        return Remark("keeps-joker")
    return Remark("sees-nothing")


def _played(style: Style, view: View, table: Table) -> Remark:
    laid = {tile for row in table for tile in row}
    left = tuple([tile for tile in view.rack if tile not in laid])
    if not left:
        return Remark("goes-out")
    if not view.position.opened:
        return Remark("opens", len(view.rack) - len(left))
    if style is Style.KEEPS_JOKERS and has_joker(faces_of(left)):
        return Remark("keeps-joker")
    if style is Style.KEEPS_FOURTHS and (number := _fourth(left, table)):
        return Remark("keeps-fourth", number)
    return _described(view.table, table)


def _fourth(left: Row, table: Table) -> int:
    """The number of a tile that would be the fourth of a group on the table; 0 if there is none."""
    held = {*faces_of(left)}
    for row in map(faces_of, table):
        number = NUMBER[row[0]]
        if len(row) != 3 or has_joker(row) or number != NUMBER[row[1]]:
            continue
        colours = {COLOUR[face] for face in row}
        if any(NUMBER[face] == number and COLOUR[face] not in colours for face in held):
            return number
    return 0


def _described(before: Table, after: Table) -> Remark:
    """What became of the rows that lay on the table."""
    standing = {*after}
    changed = [row for row in before if row not in standing]
    taken_apart = [row for row in changed if not _is_part(row, after)]
    if taken_apart:
        return Remark("rearranges", len(taken_apart))
    return Remark("adds" if changed else "lays")


def _is_part(row: Row, rows: Iterable[Row]) -> bool:
    """Whether the row is still together, with or without more tiles."""
    tiles = {*row}
    return any(tiles <= {*other} for other in rows)
