"""The layout of the arrays: how large each one must be for an edition and a number of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tilerummy.rules.editions import Edition
from tilerummy.rules.rows import LONGEST_ROW
from tilerummy.rules.tiles import HIGHEST, IS_MIRROR

Actions: TypeAlias = Literal["candidates", "tiles"]
"""What an action is: the choice of a whole turn, or one step of a draft."""

SMALLEST_SET = 3


@dataclass(frozen=True, slots=True)
class Layout:
    """The numbers on which the shapes and bounds of all arrays depend."""

    actions: Actions
    players: int
    tiles: int
    """The tiles in the box."""
    rows: int
    """As many rows as the box can form. A draft of loose tiles has no more."""
    length: int
    """The tiles of the longest row."""
    candidates: int
    steps: int
    """The sub-actions of one turn."""

    @classmethod
    def of(
        cls, edition: Edition, players: int, actions: Actions, *, candidates: int, steps: int
    ) -> Layout:
        """The layout of an edition. Raises ValueError for a number or a mode that is not valid."""
        low, high = edition.players_min, edition.players_max
        if not low <= players <= high:
            raise ValueError(f"{edition.name} is for {low} to {high} players, not {players}")
        if actions not in get_args(Actions):
            raise ValueError(f"actions={actions!r}: choose from {get_args(Actions)}")
        if candidates < 2 or steps < 2:
            raise ValueError("candidates and steps are at least 2")
        tiles = len(edition.box(players))
        has_mirrors = any(edition.jokers_where(IS_MIRROR))
        length = LONGEST_ROW if has_mirrors else HIGHEST
        return cls(actions, players, tiles, tiles // SMALLEST_SET, length, candidates, steps)
