"""The compiled kernels and their twins in Python cost the same, on random problems of any kind.

`make soak` compares a million; SOAK_FUZZ says how many.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.tiles import ALL_FACES, FACE_OF, JOKER, NUMBER
from tilerummy.solver.cover.kernels import cover_in_python, find_cover
from tilerummy.solver.cover.problem import CoverProblem, Grammar

SOAK_FUZZ = int(os.environ.get("SOAK_FUZZ", "1000000"))
CHUNKS = 64
HARD = 400
"""Beyond so many states the twin would take too long; the compiled kernel counts them first."""


def random_problem(rng: random.Random) -> CoverProblem:
    edition = EDITIONS[rng.choice(["taiwan", "taiwan", "sixplayer", "twist"])]
    first = rng.randint(1, 11)
    numbers = range(first, first + rng.choice([2, 3, 5, 8, 13]))
    tiles = [FACE_OF[tile] for tile in edition.box().tiles()]
    pool = [face for face in tiles if face < JOKER and NUMBER[face] in numbers]
    jokers = [face for face in tiles if face >= JOKER]
    rng.shuffle(pool)
    picked = pool[: rng.randint(0, 16)] + rng.sample(jokers, rng.choice([0, 0, 1, 1, 2, 2]))
    on_table = rng.choice([0, 0, 3, 4, 6, 9])
    rng.shuffle(picked)
    must, may = Counter(picked[:on_table]), Counter(picked[on_table:])
    weights = tuple([rng.choice([0, 1, 5, (1 << 20) + NUMBER[face]]) for face in ALL_FACES])
    opening = not must and rng.random() < 0.2
    return CoverProblem(
        Grammar.of(edition),
        bytes([must[face] for face in ALL_FACES]),
        bytes([may[face] for face in ALL_FACES]),
        weights,
        rng.choice([0, 1]) if opening else 0,
        30 if opening else 0,
    )


def compare(rng: random.Random, count: int) -> None:
    for _ in range(count):
        problem = random_problem(rng)
        quick = find_cover(problem)
        if quick is not None and quick.nodes > HARD:
            continue
        slow = cover_in_python(problem)
        assert (quick is None) == (slow is None), problem
        assert quick is None or slow is None or quick.loss == slow.loss, problem
        if quick is not None:
            _compare_below(problem, quick.loss)


def _compare_below(problem: CoverProblem, loss: int) -> None:
    """A bound leaves an answer that costs less as it is, and cuts off one that does not."""
    for kernel in (find_cover, cover_in_python):
        for below in (loss + 1, loss + (3 << 20)):
            found = kernel(replace(problem, below=below))
            assert found is not None, (problem, below)
            assert (found.loss, found.exact) == (loss, True), (problem, below)
        for below in (loss, loss // 2):
            assert kernel(replace(problem, below=below)) is None, (problem, below)


def test_the_twins_cost_the_same() -> None:
    compare(random.Random(17), 250)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_soak_the_twins_cost_the_same(chunk: int) -> None:
    compare(random.Random(1000 + chunk), SOAK_FUZZ // CHUNKS)
