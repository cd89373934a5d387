"""The solver and two exact references answer alike.

`make test` takes a fixed sample of every family; `make soak` some thousands, as many more as
SOAK_CASES says (100 is the default and gives about seven thousand).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from tests import oracle
from tests.faces import DOUBLE, MIRROR
from tests.solver import reference
from tests.solver.positions import FAMILIES, Item, draw, read
from tests.solver.reference import Best, Goal, TooBigError
from tests.solver.templates import Grammar, orders, rows, whole_rows
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import (
    COLOUR,
    FACE_TEXT,
    FACES,
    JOKER_FACES,
    NUMBER,
    NUMBERED_FACES,
    Face,
    Faces,
    faces_of,
    row_text,
)
from tilerummy.rules.turns import judge_turn
from tilerummy.solver import Solution, solve
from tilerummy.solver.turns.objectives import Wanted

SOAK_CASES = int(os.environ.get("SOAK_CASES", "100"))
CHUNKS = 8
# How many times SOAK_CASES positions of each family: small ones, large ones.
SHARES = {
    "free": (3, 1),
    "dense": (3, 1),
    "six": (4, 1),
    "jokers": (4, 1),
    "reuse": (8, 2),
    "twist": (8, 1),
    "exchange": (7, 1),
    "locked": (6, 1),
    "opening": (6, 2),
    "sabra-opening": (5, 1),
    "mixed": (6, 1),
    "adversarial": (4, 1),
    "played": (1, 2),
}
NOTHING: tuple[int, ...] = (0,)


def goal_of(seed: int) -> Goal:
    rng = random.Random(f"goal {seed}")
    kind = rng.random()
    if kind < 0.2:
        return tuple(rng.choice([0, 1, 5, rng.randint(0, 99)]) for _ in range(FACES))
    return "tiles" if kind < 0.55 else "value" if kind < 0.85 else "out"


def solved(position: Position, goal: Goal) -> Solution:
    """The solver's turn, after the referee has looked at it."""
    where = reference.describe(position, goal)
    wanted: Wanted = goal if isinstance(goal, str) else dict(enumerate(goal))
    found = solve(position, wanted)
    assert found.exact, where
    if not found.tiles:
        assert not found.played, where
        return found
    verdict = judge_turn(position, found.table)
    assert verdict.legal, f"{verdict.reasons} {found.table} {where}"
    assert sorted(verdict.played) == sorted(found.played), where
    assert found.tiles == len(found.played), where
    assert found.value == verdict.value or not position.opened, where
    return found


def compare(position: Position, goal: Goal, best: Best | None) -> None:
    found = solved(position, goal)
    played = Counter(faces_of(found.played))
    key = reference.key_of(goal, played, found.value) if found.tiles else NOTHING
    expected = best.key if best is not None else NOTHING
    if key != expected and not (set(key) == set(expected) == {0}):
        proof = [row_text(row) for row in best.rows] if best is not None else "no turn"
        pytest.fail(
            f"solver {key} {[row_text(row) for row in found.table]}, "
            f"reference {expected} {proof}: {reference.describe(position, goal)}"
        )


def agree(item: Item, goal: Goal, *, small: bool) -> Best | None:
    """Compare with `brute` on small positions and with `model` on others."""
    position = read(item)
    method = reference.brute if small else reference.model
    best = method(position, goal)
    compare(position, goal, best)
    return best


FOUND: tuple[tuple[Item, Goal], ...] = (
    (
        {
            "edition": "sabra",
            "options": {"joker.reuse": "new_set_rack2"},
            "opened": False,
            "rack": ["b6", "b7", "b8", "b9", "b10"],
            "table": [["J", "b8", "b9"]],
        },
        "out",
    ),
)
"""Positions that once were answered wrongly."""


@pytest.mark.parametrize("number", range(len(FOUND)))
def test_old_mistakes_stay_away(number: int) -> None:
    item, goal = FOUND[number]
    agree(item, goal, small=True)


SLOW_SMALL = {"twist": 8, "exchange": 10, "mixed": 12, "played": 6}
LARGE = {"twist": 2, "exchange": 2, "mixed": 2, "played": 2, "opening": 6}


@pytest.mark.parametrize("family", FAMILIES)
def test_small_positions_agree_with_every_table(family: str) -> None:
    for seed in range(SLOW_SMALL.get(family, 40)):
        item = draw(family, seed, small=True)
        try:
            agree(item, goal_of(seed), small=True)
        except TooBigError:
            continue


@pytest.mark.parametrize("family", FAMILIES)
def test_large_positions_agree_with_the_model(family: str) -> None:
    for seed in range(LARGE.get(family, 4)):
        agree(draw(family, seed, small=False), goal_of(seed + 1), small=False)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_references_agree(family: str) -> None:
    for seed in range(100, 106):
        position, goal = read(draw(family, seed, small=True)), goal_of(seed)
        try:
            one = reference.brute(position, goal)
        except TooBigError:
            continue
        other = reference.model(position, goal)
        assert (one and one.key) == (other and other.key), reference.describe(position, goal)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_slow_judge_agrees(family: str) -> None:
    """Every table, judged by the transcription of the rules instead of the referee."""
    compared = agree_slowly(family, range(200, 208), most=12)
    assert compared or family in ("jokers",)


def agree_slowly(family: str, seeds: range, most: int = 60) -> int:
    compared = 0
    for seed in seeds:
        position, goal = read(draw(family, seed, small=True)), goal_of(seed)
        if not reference.knows(position):
            continue
        try:
            best = reference.brute(position, goal, verdicts=most, referee=reference.is_legal_slowly)
        except TooBigError:
            continue
        compare(position, goal, best)
        compared += 1
    return compared


ROW_OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"joker.max_per_set": 1},
    {"set.min_natural": 0},
    {"set.min_natural": 2},
    {"twist.mirror_min_side": 2},
    {"twist.mirror_c_needs_c": True},
    {"twist.adjacent_c": False},
    {"twist.mirror_number": "next"},
)


@pytest.mark.parametrize("options", ROW_OPTIONS, ids=str)
def test_templates_are_the_valid_rows(options: dict[str, object]) -> None:
    """All orders of all tiles of a small stock, judged by the slow reader."""
    rng = random.Random(str(options))
    rules = edition("twist", options)
    grammar = Grammar.of(rules)
    for _ in range(3):
        low, colours = rng.randint(1, 11), rng.choice([1, 2, 4])
        pool = [f for f in NUMBERED_FACES if low <= NUMBER[f] <= low + 2 and COLOUR[f] < colours]
        pool += JOKER_FACES
        stock = Counter(rng.sample([face for face in pool for _ in range(2)], 6))
        expected = dict(_valid_orders(stock, options))
        found = rows(grammar, stock)
        assert found.items() <= expected.items()
        for row in expected.keys() - found.keys():  # another order of a group that is listed
            assert DOUBLE not in row
            assert MIRROR not in row
            assert tuple(sorted(row)) in found
        assert whole_rows(grammar, stock).items() <= expected.items()


def _valid_orders(stock: Counter[Face], options: dict[str, object]) -> Iterator[tuple[Faces, int]]:
    faces = sorted(stock)
    for counts in product(*(range(stock[face] + 1) for face in faces)):
        if sum(counts) < 3:
            continue
        tiles = Counter(dict(zip(faces, counts, strict=True)))
        for order in orders(tuple(tiles.elements())):
            if "twist.mirror_number" in options:  # unknown to the slow reader
                readings = reader(edition("twist", options)).readings(order)
                value = max((reading.value for reading in readings), default=0)
            else:
                text = [FACE_TEXT[face] for face in order]
                value = oracle.set_verdict("twist", text, options).value or 0
            if value:
                yield order, value


# --- the long run


def _share(chunk: int, count: int) -> range:
    return range(1000 + chunk, 1000 + count, CHUNKS)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("family", FAMILIES)
def test_soak_small(family: str, chunk: int) -> None:
    compared = 0
    for seed in _share(chunk, SHARES[family][0] * SOAK_CASES):
        try:
            agree(draw(family, seed, small=True), goal_of(seed), small=True)
        except TooBigError:
            continue
        compared += 1
    assert compared * 10 >= len(_share(chunk, SHARES[family][0] * SOAK_CASES)) * 9


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("family", FAMILIES)
def test_soak_large(family: str, chunk: int) -> None:
    compared = 0
    for seed in _share(chunk, SHARES[family][1] * SOAK_CASES):
        try:
            agree(draw(family, seed, small=False), goal_of(seed), small=False)
        except TooBigError:
            continue
        compared += 1
    assert compared * 10 >= len(_share(chunk, SHARES[family][1] * SOAK_CASES)) * 9


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_soak_the_slow_judge_agrees(family: str) -> None:
    assert agree_slowly(family, range(50_000, 50_000 + SOAK_CASES)) or family == "jokers"


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("family", ["reuse", "locked", "exchange", "sabra-opening"])
def test_soak_where_joker_rules_bite(family: str, chunk: int) -> None:
    """Only positions in which the best table, jokers left aside, is refused."""
    bitten, seed = 0, 100_000 + chunk
    while bitten < 6 * SOAK_CASES // CHUNKS:
        position, goal = read(draw(family, seed, small=True)), goal_of(seed)
        if reference.bites(position, goal):
            bitten += 1
            compare(position, goal, reference.model(position, goal))
        seed += CHUNKS
