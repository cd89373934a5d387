"""Where a playout begins, and how it ended."""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import Row, Table


class Start(NamedTuple):
    """The state of a game that a playout begins with; the fields are those of `Game`."""

    table: Table
    racks: tuple[Row, ...]
    """Of all seats."""
    pool: Row
    """The next tile drawn is the last one."""
    opened: tuple[bool, ...]
    current: int
    passes: int = 0
    final_turns: int | None = None
    starter: int = 0
    declared: Declared = NOTHING_DECLARED


class Outcome(NamedTuple):
    """The end of a playout.

    A playout that reached its `most_turns` has no `end`, no winners, and scores of 0.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    turns: int
    racks: tuple[Row, ...]
    """What is left on them."""
    table: Table
    end: Ending | None
