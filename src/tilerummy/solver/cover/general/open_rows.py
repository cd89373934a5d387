"""Open rows: runs and mirror runs that may still grow; and the states made of them."""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    HIGHEST,
    Face,
)

Four = tuple[int, int, int, int]
"""One number for each colour, or for each of J D C M."""

COLOURS = range(4)
NOTHING: Four = (0, 0, 0, 0)
LED_TO = HIGHEST - 1
"""A run that a joker begins goes on at least to here: else the joker could go to its end."""

ONE, TWO, THREE, BRIDGE, BEYOND, DONE = range(1, 7)
"""How far a run is. Beyond THREE only in lean mode, where a joker after a complete run must be a
bridge to one or two more tiles."""
TILE_FOLLOWS, CHANGE_FOLLOWS = 1, 2
"""C goes last among jokers that lie together: what follows it."""


class Run(NamedTuple):
    """A run that may still grow."""

    colour: int
    stage: int = 0
    covered: bool = False
    change: int = 0
    naturals: int = 0
    jokers: int = 0
    led: bool = False


class Half(NamedTuple):
    """One half of a mirror run."""

    colour: int
    covered: bool = False
    tiles: int = 0
    natural: bool = False
    after_change: bool = False


class Pair(NamedTuple):
    """The halves of a mirror run, which grow together."""

    one: Half
    two: Half
    slots: int = 0
    naturals: int = 0
    jokers: int = 0
    ends: bool = False


Open = Run | Pair


class Grown(NamedTuple):
    """What became of a row at one number: from which row, and what each side took."""

    row: Open
    source: int | None
    tile: Face | None
    other: Face | None = None
    turned: bool = False


class Way(NamedTuple):
    """One way to deal with a number, as far as it is decided."""

    used: Four
    extra: int
    value: int
    quota: Four = NOTHING
    busy: Four = NOTHING
    taken: Four = NOTHING
    closed: Four = NOTHING
    short_stood: Four = NOTHING
    out: tuple[Grown, ...] = ()
    groups: tuple[Faces, ...] = ()


class State(NamedTuple):
    """The open rows before a number, with what led to them."""

    number: int
    rows: tuple[Open, ...]
    used: Four
    loss: int
    value: int
    parent: State | None
    way: Way | None
    kept: tuple[int, ...]
    """Which of the rows of `way` are the open rows, in their order."""


def plus(four: Four, index: int, amount: int = 1) -> Four:
    """Return the four numbers with one of them changed."""
    changed = list(four)
    changed[index] += amount
    return (changed[0], changed[1], changed[2], changed[3])


def order(row: Open) -> tuple[bool, Open]:
    """Return a sort key: pairs before runs."""
    return isinstance(row, Run), row
