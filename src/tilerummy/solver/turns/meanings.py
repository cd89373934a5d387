"""Meanings: what the player may declare of the rows of a new table.

Where jokers have to be named, or bring a name along from their old row, the solver chooses what the
player declares. Of a row's many namings one stands for all that the joker rules cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from tilerummy.rules.declarations import (
    Declaration,
    Way,
    distinct,
    readings_of,
    several_jokers,
    split,
    stands_of,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.namings import ways
from tilerummy.rules.rows import Faces, Reading, is_ambiguous, reader
from tilerummy.rules.ticks import Tick, ticking
from tilerummy.rules.tiles import IS_JOKER, NUMBER, Row, faces_of, has_joker


class Meaning(NamedTuple):
    """A row as it is read, and what has to be declared for that."""

    readings: tuple[Reading, ...]
    said: Declaration | None = None


def asks(edition: Edition, before: Sequence[LaidRow]) -> bool:
    """Return whether what is declared of rows can matter at all."""
    return edition.joker_declare != "position" or any(row.named for row in before)


def choices(edition: Edition, row: Faces, before: Sequence[LaidRow]) -> list[Meaning]:
    """Return what a row of the new table may be, after a table with these rows."""
    readings = reader(edition).readings(row)
    if not has_joker(row):
        return [Meaning(readings)]
    named = [named_as(row, way) for way in _telling(edition, row, before)]
    if edition.joker_declare == "explicit" and several_jokers(row):
        return named
    if edition.joker_declare == "kind" and is_ambiguous(row, readings):
        kinds = [Meaning((reading,), reading.kind) for reading in readings]
        return kinds + (named if any(old.named for old in before) else [])
    singled = {old.stands(index) for old in before for index in old.named}
    keeps = [way for way in named if any(faces in singled for _, faces in way.readings[0].stands)]
    return [Meaning(readings), *keeps]


def named_as(row: Faces, way: Way) -> Meaning:
    """Return the row with its jokers named in one way."""
    return Meaning(readings_of(row, [way]), way.names)


def all_meanings(
    edition: Edition,
    rows: Sequence[Faces],
    before: Sequence[LaidRow],
    tick: Tick | None = None,
) -> Iterator[tuple[Meaning, ...]]:
    """Yield every combination of what the rows may be."""
    return product(*(choices(edition, row, before) for row in ticking(rows, tick)))


def statements(
    edition: Edition, rows: Sequence[Row], tick: Tick | None = None
) -> Iterator[dict[Row, Declaration]]:
    """Yield everything that may be declared of a table: first nothing, then every combination."""
    yield {}
    said: list[list[tuple[Row, Declaration | None]]] = []
    for row in ticking(dict.fromkeys(rows), tick):
        faces = faces_of(row)
        if not has_joker(faces):
            continue
        options: list[Declaration] = []
        if edition.joker_declare == "kind":
            readings = reader(edition).readings(faces)
            options += [r.kind for r in readings] if is_ambiguous(faces, readings) else []
        elif several_jokers(faces) or edition.joker_locked_sets:
            options += [way.names for way in distinct(faces, ways(edition, faces))]
        said.append([(row, None), *((row, option) for option in options)])
    for chosen in product(*said):
        declared = {row: option for row, option in chosen if option is not None}
        if declared:
            yield declared


def _telling(edition: Edition, row: Faces, before: Sequence[LaidRow]) -> list[Way]:
    """One naming of all that the joker rules cannot tell apart, the most valuable first."""
    jokers = [(old.faces[index], old.stands(index)) for old in before for index in old.jokers()]

    def mark(way: Way) -> tuple[object, ...]:
        marks: list[object] = [way.kind]
        for face, name in zip(row, split(row, way.names), strict=True):
            if IS_JOKER[face]:
                stands = stands_of(face, name)
                marks.append(
                    (
                        frozenset(NUMBER[item] for item in stands),
                        tuple(
                            [
                                (bool(stands & was), stands <= was)
                                for other, was in jokers
                                if other == face
                            ]
                        ),
                    )
                )
        return tuple(marks)

    found: dict[tuple[object, ...], Way] = {}
    for way in distinct(row, ways(edition, row)):
        found.setdefault(mark(way), way)
    return list(found.values())
