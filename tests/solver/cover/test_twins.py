"""The compiled kernels and their twins in Python cost the same, on random problems of any kind.

`make soak` compares a million; SOAK_FUZZ says how many.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from tilerummy.rules.candidates import all_rows
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import ALL_FACES, FACE_OF, JOKER, NUMBER
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.kernels import cover_in_python, find_cover, find_parts
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar, without

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


def test_parts_are_answered_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, edition = random.Random(3), EDITIONS["classic"]
    stops = 0
    for _ in range(40):
        problem = random_problem(rng)
        if problem.floor:
            continue
        stock = Counter(dict(zip(ALL_FACES, problem.must, strict=True)))
        stock += Counter(dict(zip(ALL_FACES, problem.may, strict=True)))
        rows = [*all_rows(edition, stock), tuple(rng.sample(ALL_FACES, 3))]
        each = [(at, cover) for at, row in enumerate(rows) if (cover := _settled(problem, row))]
        each.reverse()
        assert find_parts(problem, rows, -1) == (0, each)
        promised = min([cover.loss for _, cover in each], default=0)
        left, found = find_parts(problem, rows, promised)
        assert found == each[: len(found)]
        assert left == (found[-1][0] if found and found[-1][1].loss == promised else 0)
        stops += left > 0
        assert find_parts(replace(problem, below=-1), rows, -1) == (0, [])
        with monkeypatch.context() as patch:
            patch.setattr(kernels, "compiled", None)
            twin = find_parts(problem, rows, promised)
        assert [(at, cover.loss) for at, cover in twin[1]] == [(at, c.loss) for at, c in found]
        assert twin[0] == left
    assert stops


def _settled(problem: CoverProblem, row: Faces) -> Cover | None:
    left = without(problem.must, problem.may, row)
    return None if left is None else find_cover(replace(problem, must=left[0], may=left[1]))


def test_the_twins_cost_the_same() -> None:
    compare(random.Random(17), 250)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_soak_the_twins_cost_the_same(chunk: int) -> None:
    compare(random.Random(1000 + chunk), SOAK_FUZZ // CHUNKS)
