"""Objectives: what the best turn is, as the price of every tile that stays on the rack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError, quoted
from tilerummy.rules.tiles import ALL_FACES, FACES, HIGHEST, NUMBER, SLOTS, parse_face
from tilerummy.solver.cover.problem import HEAVIEST

MAJOR = 1 << 20
"""One unit of what counts first, in units of what counts second: more than any rack is worth."""

ObjectiveName = Literal["tiles", "value", "out"]
"""`tiles`: most tiles, then most points. `value`: most points, then most tiles. `out`: as `tiles`,
but only a turn that plays the whole rack counts."""

Wanted: TypeAlias = "str | Mapping[int | str, int]"
"""An objective as a caller gives it: its name, or a weight for each face (0 if not named)."""


class ObjectiveError(TileRummyError):
    """An unknown objective, or weights that are not valid."""

    code = "bad-objective"


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of a search: what makes one turn better than another.

    `points_first` counts points before tiles. `forces_whole_rack` accepts only turns that play the
    whole rack. `weights`, one for each face, replace tiles and points where they are given.
    """

    name: ObjectiveName | Literal["weights"]
    points_first: bool = False
    forces_whole_rack: bool = False
    weights: tuple[int, ...] = ()


OBJECTIVES: Final[Mapping[str, Objective]] = {
    each.name: each
    for each in (
        Objective("tiles"),
        Objective("value", points_first=True),
        Objective("out", forces_whole_rack=True),
    )
}
"""The objectives that have a name. A new one is a row here, and words in `locales`."""


@dataclass(frozen=True, slots=True)
class Prices:
    """An objective in an edition: what each face costs that stays on the rack.

    `stand` is what each point costs by which a joker stands for less than it could.
    """

    weights: tuple[int, ...]
    stand: int = 0


def objective(wanted: Wanted | Objective) -> Objective:
    """Return the objective with a name, or with a weight for each face.

    Raises ObjectiveError if the name is unknown, a key is not a tile or a weight is out of range.
    """
    if isinstance(wanted, Objective):
        return wanted
    if isinstance(wanted, str):
        named = OBJECTIVES.get(wanted)
        if named is None:
            raise ObjectiveError(
                "unknown objective '{name}': there are {objectives}, and free weights by tile",
                key="error.objective.unknown",
                name=quoted(wanted),
                objectives=tuple(OBJECTIVES),
            )
        return named
    if not isinstance(wanted, Mapping):
        raise ObjectiveError(
            "an objective is a name or a weight for each tile", key="error.objective.kind"
        )
    weights = [0] * FACES
    for key, weight in wanted.items():
        face = parse_face(key) if isinstance(key, str) else key
        if type(face) is not int or not 0 <= face < FACES:
            raise ObjectiveError(
                "a weight belongs to a tile such as r7 or J, not to '{tile}'",
                key="error.objective.tile",
                tile=quoted(key),
            )
        if type(weight) is not int or not 0 <= weight <= HEAVIEST:
            raise ObjectiveError(
                "a weight is a whole number from 0 to {most}, not '{weight}'",
                key="error.objective.weight",
                most=HEAVIEST,
                weight=quoted(weight),
            )
        weights[face] = weight
    return Objective("weights", weights=tuple(weights))


@lru_cache(256)
def turn_prices(edition: Edition, wanted: Objective) -> Prices:
    """Return the prices for an opened player: points are those that leave the rack."""
    points = [NUMBER[face] or edition.joker_rack_penalty for face in ALL_FACES]
    return _prices(wanted, points, 0)


@lru_cache(256)
def opening_prices(edition: Edition, wanted: Objective) -> Prices:
    """Return the prices for an opening: points are those of the rows.

    A joker counts what it stands for.
    """
    points = [NUMBER[face] or HIGHEST * SLOTS[face] for face in ALL_FACES]
    return _prices(wanted, points, 1)


def _prices(wanted: Objective, points: list[int], stand: int) -> Prices:
    if wanted.weights:
        return Prices(wanted.weights)
    if wanted.points_first:
        return Prices(tuple([MAJOR * worth + 1 for worth in points]), stand * MAJOR)
    return Prices(tuple([MAJOR + worth for worth in points]), stand)
