"""Line-ups and seatings: which bots meet at a table, and in which orders they sit.

A deal is played in every seating of a line-up. So each bot holds each hand of the deal, and the
luck of the tiles cancels out of the comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import TypeAlias

from tilerummy.bots.roster import BOTS
from tilerummy.lab.errors import LabError
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import quoted

LineUp: TypeAlias = tuple[str, ...]
"""The ids of the bots at a table; a bot may sit there several times."""

MOST_SEATINGS = 24
"""All orders of four different bots. A line-up with more is played in its rotations."""


def check_line_up(edition: Edition, line_up: Sequence[str]) -> None:
    """Raise LabError for an unknown bot, or for more or fewer players than the edition allows."""
    for name in line_up:
        if name not in BOTS:
            raise LabError(
                "there is no bot '{bot}': choose from {known}",
                key="error.lab.bot",
                bot=quoted(name),
                known=tuple(BOTS),
            )
    low, high = edition.players_min, edition.players_max
    if not low <= len(line_up) <= high:
        raise LabError(
            "{edition} is for {low} to {high} players, not {count}: name as many bots",
            key="error.lab.players",
            edition=edition.name,
            low=low,
            high=high,
            count=len(line_up),
        )


@lru_cache(256)
def seatings(line_up: LineUp) -> tuple[LineUp, ...]:
    """The distinct orders in which a line-up sits: all of them, or all rotations if that is many.

    In either case every bot sits equally often in each seat. With all orders, every bot also sits
    equally often behind each other one.
    """
    found: dict[LineUp, None] = {}
    for order in permutations(line_up):
        found[order] = None
        if len(found) > MOST_SEATINGS:
            rotations = [line_up[turn:] + line_up[:turn] for turn in range(len(line_up))]
            return tuple(dict.fromkeys(rotations))
    return tuple(found)


def pair_line_ups(bots: Sequence[str], players: int) -> tuple[LineUp, ...]:
    """The line-ups of a cross table: each bot alone against each other one.

    With more than two players, the other bot has all other seats. Raises LabError unless there are
    two different bots.
    """
    distinct = tuple(dict.fromkeys(bots))
    if len(distinct) < 2:
        raise LabError(
            "a cross table needs two different bots: choose from {known}",
            key="error.lab.pairs",
            known=tuple(BOTS),
        )
    if players == 2:
        return tuple(combinations(distinct, 2))
    return tuple(
        (one, *[other] * (players - 1)) for one in distinct for other in distinct if other != one
    )
