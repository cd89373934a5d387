"""Choices: how tiles of one number may lie in groups, and how one colour settles the rest."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from tilerummy.rules.tiles import HIGHEST, Face, numbered

COLOURS = range(4)
NUMBERS = range(HIGHEST)
"""Numbers are counted from 0 here, and from 13 down: high tiles mostly weigh most."""
PATIENCE = 80
"""Nodes that are looked at before bounds are worth their time."""

Open: TypeAlias = tuple[int, int, int]
"""How many runs of a colour are open with one tile, with two, with three or more."""
NOTHING_OPEN: Open = (0, 0, 0)
Take: TypeAlias = tuple[int, int, int, int]


class Deal(NamedTuple):
    """How many tiles of each colour lie in groups of one number."""

    take: Take
    groups: int
    jokers: int


NO_DEAL = Deal((0, 0, 0, 0), 0, 0)


class Choice(NamedTuple):
    """One way in which a colour settles its tiles of one number, those in groups aside."""

    loss: int
    next: Open
    jokers: int
    tiles: int  # in runs
    left: int  # on the rack
    starts: int  # runs begun


def face_down(colour: int, number: int) -> Face:
    """Return the face at a number counted from 0 and from 13 down."""
    return numbered(colour, HIGHEST - number)


def takes(least: Take, most: Take) -> Iterator[Take]:
    """Return every vector between two others."""
    a, b, c, d = (range(low, high + 1) for low, high in zip(least, most, strict=True))
    return itertools.product(a, b, c, d)
