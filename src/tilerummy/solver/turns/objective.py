"""What the best turn is: the price of every tile that stays on the rack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError, quoted
from tilerummy.rules.tiles import ALL_FACES, FACES, HIGHEST, NUMBER, SLOTS, parse_face
from tilerummy.solver.cover.problem import HEAVIEST

MAJOR = 1 << 20
"""One unit of what counts first, in units of what counts second: more than any rack is worth."""

Wanted: TypeAlias = "str | Mapping[int | str, int]"
"""`tiles`, `value`, `out`, or a weight for each face (a face not named weighs nothing)."""


class ObjectiveError(TileRummyError):
    """An objective that does not exist."""

    code = "bad-objective"


@dataclass(frozen=True, slots=True)
class Objective:
    """`name` is `tiles`, `value`, `out` or `weights`; only the last has weights of its own."""

    name: str
    weights: tuple[int, ...] = ()


OBJECTIVES = {name: Objective(name) for name in ("tiles", "value", "out")}


@dataclass(frozen=True, slots=True)
class Prices:
    """An objective in an edition: what each face costs that stays, for the kernels.

    `stand` is what each point costs by which a joker stands for less than it could.
    """

    weights: tuple[int, ...]
    stand: int = 0


def objective(wanted: Wanted | Objective) -> Objective:
    """Read an objective. Raises ObjectiveError that says what there is."""
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
    return Objective("weights", tuple(weights))


@lru_cache(256)
def turn_prices(edition: Edition, wanted: Objective) -> Prices:
    """For an opened player: points are those that leave the rack."""
    points = [NUMBER[face] or edition.joker_rack_penalty for face in ALL_FACES]
    return _prices(wanted, points, 0)


@lru_cache(256)
def opening_prices(edition: Edition, wanted: Objective) -> Prices:
    """For an opening: points are those of the rows, where a joker counts what it stands for."""
    points = [NUMBER[face] or HIGHEST * SLOTS[face] for face in ALL_FACES]
    return _prices(wanted, points, 1)


def _prices(wanted: Objective, points: list[int], stand: int) -> Prices:
    if wanted.name == "weights":
        weights, stand = wanted.weights, 0
    elif wanted.name == "value":
        weights, stand = tuple([MAJOR * worth + 1 for worth in points]), stand * MAJOR
    else:
        weights = tuple([MAJOR + worth for worth in points])
    return Prices(weights, stand)
