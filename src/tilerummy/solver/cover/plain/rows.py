"""Rows: laid along the way to the goal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import HIGHEST, JOKER
from tilerummy.solver.cover.plain.choices import (
    COLOURS,
    Choice,
    Take,
    face_down,
)


@dataclass(frozen=True, slots=True)
class Row:
    """A run or a group while it is laid."""

    is_run: bool
    colours: tuple[int, ...]
    first: int
    length: int
    jokers: frozenset[int] = frozenset()  # places

    def faces(self) -> Faces:
        """Return the row as it lies."""
        if self.is_run:
            return tuple(
                JOKER if place in self.jokers else face_down(self.colours[0], self.first + place)
                for place in reversed(range(self.length))
            )
        tiles = tuple(face_down(colour, self.first) for colour in self.colours)
        return tiles + (JOKER,) * (self.length - len(tiles))


def extended(
    going: list[Row], colour: int, number: int, choice: Choice
) -> tuple[list[Row], list[Row]]:
    """The runs that end before a number, and those that go on or start."""
    going = sorted(going, key=lambda run: min(run.length, 3))
    tiles = choice.tiles - choice.starts
    fed = tiles + (0 if choice.starts else choice.jokers)
    on = []
    for index, run in enumerate(going[:fed]):
        jokers = run.jokers if index < tiles else run.jokers | {run.length}
        on.append(replace(run, length=run.length + 1, jokers=jokers))
    before = max(0, number - HIGHEST + 3)
    start = Row(True, (colour,), number - before, before + 1, frozenset(range(before)))
    return going[fed:], on + [start] * choice.starts


def deal_groups(number: int, take: Take, groups: int, jokers: int) -> list[Row]:
    """Tiles of one number dealt round to so many groups, jokers first to those that lack most."""
    colours: list[list[int]] = [[] for _ in range(groups)]
    tiles = [colour for colour in COLOURS for _ in range(take[colour])]
    for place, colour in enumerate(tiles):
        colours[place % groups].append(colour)
    lengths = [len(group) for group in colours]
    for size in range(1, 4):
        for group in range(groups):
            if jokers and lengths[group] == size:
                lengths[group] += 1
                jokers -= 1
    return [
        Row(False, tuple(group), number, length)
        for group, length in zip(colours, lengths, strict=True)
    ]
