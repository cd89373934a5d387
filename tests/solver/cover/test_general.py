"""The general kernel, compiled and in Python, against every table that brute force can lay."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from tests.faces import MIRROR
from tilerummy.rules import EDITIONS
from tilerummy.rules.editions import Edition
from tilerummy.rules.openings import rows_from
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_OF,
    FACES,
    HIGHEST,
    JOKER,
    JOKER_FACES,
    NUMBER,
    SLOTS,
    Face,
    faces_of,
    numbered,
    parse_row,
    row_text,
)
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.general import general_cover
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar

Kernel = Callable[[CoverProblem], Cover | None]

LONG_AGO = 1.0
ANY_BOX: dict[str, object] = {"copies": 4, "jokers": "J4 D4 C4 M4"}
OPTIONS: dict[str, list[object]] = {
    "set.min_natural": [0, 2, 3],
    "joker.max_per_set": [0, 1, 2],
    "twist.mirror_min_side": [2, 3],
    "twist.mirror_number": ["next"],
    "twist.mirror_c_needs_c": [True],
    "twist.adjacent_c": [False],
}
SHAPES = ["table", "rack", "opening", "stand", *OPTIONS, "mixed"]


def compiled_cover(problem: CoverProblem) -> Cover | None:
    assert kernels.compiled is not None
    found = kernels.compiled.cover(
        False,
        problem.must,
        problem.may,
        kernels._packed(problem.weights),
        problem.grammar,
        problem.stand,
        problem.floor,
        problem.below or 0,
        problem.node_limit,
        kernels.nanoseconds_left(problem.deadline),
    )
    return None if found is None else Cover(*found)


KERNELS = [
    pytest.param(general_cover, id="python"),
    pytest.param(
        compiled_cover,
        id="compiled",
        marks=pytest.mark.skipif(kernels.compiled is None, reason="no compiled kernel"),
    ),
]


def problem_of(
    edition: Edition,
    must: Counter[Face],
    may: Counter[Face],
    weights: tuple[int, ...] = (1,) * FACES,
    **asked: int,
) -> CoverProblem:
    counts = [bytes(tiles[face] for face in ALL_FACES) for tiles in (must, may)]
    return CoverProblem(Grammar.of(edition), counts[0], counts[1], weights, **asked)


def draw(rng: random.Random, shape: str) -> tuple[Edition, CoverProblem]:
    """A few tiles that lie close together, with up to four jokers."""
    options = dict(ANY_BOX)
    for key, values in OPTIONS.items():
        if shape == key or (shape == "mixed" and rng.random() < 0.4):
            options[key] = rng.choice(values)
    low, colours = rng.randint(1, 11), rng.sample(range(4), rng.randint(1, 4))
    numbers = range(low, min(HIGHEST, low + rng.randint(0, 4)) + 1)
    box = [numbered(colour, number) for colour in colours for number in numbers]
    box *= rng.choice([1, 2, 2, 3])
    jokers = list(JOKER_FACES) * 2
    tiles = rng.sample(box, min(rng.randint(1, 8), len(box)))
    tiles += rng.sample(jokers, rng.randint(0, 4))
    opening = shape in ("opening", "stand")
    on_table = 0.0 if opening else 0.8 if shape == "table" else rng.choice([0.0, 0.2, 0.5, 0.9])
    must, may = Counter[Face](), Counter[Face]()
    for face in tiles:
        (must if rng.random() < on_table else may)[face] += 1
    weights = tuple(
        rng.choice([1, 3, 1000 + NUMBER[face], rng.randint(0, 10**12)]) for face in ALL_FACES
    )
    edition = EDITIONS["twist"].with_options(options)
    stand = rng.choice([1, 3, 1000]) if shape == "stand" else 0
    floor = rng.choice([20, 30, 45]) if opening else 0
    return edition, problem_of(edition, must, may, weights, stand=stand, floor=floor)


def below_thirteen(row: Faces, value: int) -> int:
    """How many points the jokers of a row stand below 13 for each slot."""
    jokers = sum(SLOTS[face] for face in row if face >= JOKER)
    return HIGHEST * jokers - value + sum(NUMBER[face] for face in row)


def brute_force(edition: Edition, problem: CoverProblem) -> int | None:
    """The least loss: the lowest tile that is left stays on the rack, or lies in some row."""
    total = tuple(a + b for a, b in zip(problem.must, problem.may, strict=True))
    values: dict[Faces, int] = {}
    for value, row in rows_from(edition, Counter(dict(zip(ALL_FACES, total, strict=True)))):
        key = tuple(sorted(row))
        values[key] = max(value, values.get(key, 0))
    holding: list[list[tuple[Counter[Face], int, int]]] = [[] for _ in ALL_FACES]
    for row, value in values.items():
        cost = problem.stand * below_thirteen(row, value)
        holding[row[0]].append((Counter(row), value, cost))

    @cache
    def best(left: tuple[int, ...], may: tuple[int, ...]) -> dict[int, int]:
        """The least loss for each value up to the floor."""
        face = next((face for face in ALL_FACES if left[face]), None)
        if face is None:
            return {0: 0}
        found: dict[int, int] = {}

        def note(value: int, loss: int) -> None:
            value = min(value, problem.floor)
            found[value] = min(loss, found.get(value, loss))

        if may[face]:
            rest = best(_less(left, Counter({face: 1})), _less(may, Counter({face: 1})))
            for value, loss in rest.items():
                note(value, loss + problem.weights[face])
        for row, points, cost in holding[face]:
            if all(left[other] >= count for other, count in row.items()):
                for value, loss in best(_less(left, row), may).items():
                    note(value + points, loss + cost)
        return found

    return best(total, tuple(problem.may)).get(problem.floor)


def _less(counts: tuple[int, ...], taken: Counter[Face]) -> tuple[int, ...]:
    return tuple(count - taken[face] for face, count in zip(ALL_FACES, counts, strict=True))


def check(edition: Edition, problem: CoverProblem, cover: Cover) -> None:
    """The rows are rows, hold what they must, and cost what the kernel says."""
    used, loss, total = Counter[Face](), 0, 0
    for row in cover.rows:
        readings = reader(edition).readings(row)
        assert readings, row_text(row)
        total += readings[0].value
        loss += problem.stand * below_thirteen(row, readings[0].value)
        used.update(row)
    for face, must, may in zip(ALL_FACES, problem.must, problem.may, strict=True):
        assert must <= used[face] <= must + may
        loss += problem.weights[face] * (must + may - used[face])
    assert loss == cover.loss
    assert total >= problem.floor


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kernel", KERNELS)
def test_nothing_costs_less(kernel: Kernel, shape: str) -> None:
    rng = random.Random(f"general {shape}")
    for _ in range(12):
        edition, problem = draw(rng, shape)
        if problem.grammar.min_natural == 0 and kernel is general_cover:
            continue  # rows of jokers only: right in Python too, but slow
        cover, least = kernel(problem), brute_force(edition, problem)
        assert (cover and cover.loss) == least
        if cover is not None:
            assert cover.exact
            check(edition, problem, cover)


ROWS = [
    "b3 r3 D",
    "r3 D D r8",
    "r10 r11 D",
    "D r12 r13",
    "r5 C b7",
    "r6 C C r9",
    "r2 D C b6",
    "r5 C b7 C r9",
    "C r8 C",
    "C C r13",
    "r7 M r7",
    "r7 M J",
    "r6 r7 M D",
    "r13 J M J r13",
    "r4 C M r5 r4",
    "r5 C b7 M b7 C r5",
    "b3 D M r3 k3 b3",
    "r6 r7 r8 r9 M D D",
    "r2 D r5 M r5 r4 r3 r2",
    "b7 r7 M J J",
]


@pytest.mark.parametrize("text", ROWS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_rows_of_the_rules_are_found(kernel: Kernel, text: str) -> None:
    edition = EDITIONS["twist"]
    problem = problem_of(edition, Counter(faces_of(parse_row(text))), Counter())
    cover = kernel(problem)
    assert cover is not None
    assert cover.loss == 0
    check(edition, problem, cover)


@pytest.mark.parametrize(
    "text", ["r5 C r7", "r7 D", "r7 b7 C", "r7 b7 k7 o7 J", "r7 M D", "J J M", "r12 r13 b1 M"]
)
@pytest.mark.parametrize("kernel", KERNELS)
def test_what_cannot_be_laid_is_refused(kernel: Kernel, text: str) -> None:
    assert (
        kernel(problem_of(EDITIONS["twist"], Counter(faces_of(parse_row(text))), Counter())) is None
    )


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_joker_serves_two_pieces(kernel: Kernel) -> None:
    """`b6 C k8 k9`: of what C links, b6 and k9 need it, and k8 between them does not."""
    table = "r2 r4 r8 r10 r11 r12 r13 b4 b6 b8 b8 b9 b10 k8 k9 o1 o2 o3 o4 o8 J C M"
    weights = tuple(1000 + NUMBER[face] for face in ALL_FACES)
    must = Counter(faces_of(parse_row(table)))
    may = Counter(faces_of(parse_row("r11 o13 J")))
    cover = kernel(problem_of(EDITIONS["twist"], must, may, weights))
    assert cover is not None
    assert cover.loss == weights[parse_row("r11")[0]]


def lay_at_random(rng: random.Random) -> tuple[Counter[Face], Counter[Face]]:
    """Rows on a table, with jokers for some of their tiles, and a rack of what fits badly."""
    left = Counter({numbered(colour, number): 2 for colour in range(4) for number in range(1, 14)})
    jokers = [face for face in JOKER_FACES if face != MIRROR]
    rng.shuffle(jokers)
    table = Counter[Face]()
    while table.total() < 18:
        colour, number = rng.randrange(4), rng.randint(1, 11)
        if rng.random() < 0.5:
            row = [numbered(colour, number + step) for step in range(3)]
        else:
            row = [numbered((colour + step) % 4, number) for step in range(3)]
        if any(not left[face] for face in row):
            continue
        if jokers and rng.random() < 0.3:
            row[-1] = jokers.pop()
        left.subtract(face for face in row if face < JOKER)
        table.update(row)
    rack = Counter(rng.sample(sorted(left.elements()), 6))
    (table if rng.random() < 0.5 else rack)[MIRROR] += 1
    return table, rack


@pytest.mark.skipif(kernels.compiled is None, reason="no compiled kernel")
def test_prices_change_no_answer() -> None:
    """Searches that last: the compiled kernel bounds them by prices, Python has none."""
    edition, rng, lasted = EDITIONS["twist"], random.Random("prices"), 0
    points = tuple((1 << 20) + NUMBER[face] for face in ALL_FACES)
    for round_ in range(40):
        must, may = lay_at_random(rng)
        small = tuple(rng.choice([0, 1, 2, 5]) for _ in ALL_FACES)
        problem = problem_of(edition, must, may, small if round_ % 3 == 0 else points)
        cover, slow = compiled_cover(problem), general_cover(problem)
        assert (cover and cover.loss) == (slow and slow.loss)
        if cover is not None:
            check(edition, problem, cover)
        lasted += slow is not None and slow.nodes > 50
    assert lasted > 10


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_limit_makes_the_kernel_hurry(kernel: Kernel) -> None:
    edition, rng = EDITIONS["twist"].with_options(ANY_BOX), random.Random(7)
    box = [FACE_OF[tile] for tile in edition.box().tiles()]
    hurried = 0
    for _ in range(12):
        rack = Counter(rng.sample(box, 20 if kernel is general_cover else 40))
        problem = problem_of(edition, Counter(), rack)
        whole = kernel(problem)
        assert whole is not None
        for limit, deadline in ((1, None), (10, None), (0, LONG_AGO)):
            problem = replace(problem, node_limit=limit, deadline=deadline)
            cover = kernel(problem)
            assert cover is not None
            assert cover.loss >= whole.loss
            assert not cover.exact or cover.loss == whole.loss
            check(edition, problem, cover)
            hurried += not cover.exact
    assert hurried


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_hurry_may_lead_nowhere(kernel: Kernel) -> None:
    tiles = "r1 r2 r4 r5 r7 r8 b1 b2 b4 b5 b7 b8 k1 k3 k5 k7 J J D C"
    must = Counter(faces_of(parse_row(tiles)))
    problem = problem_of(EDITIONS["twist"], must, Counter(), node_limit=1)
    cover = kernel(problem)
    assert cover is None or (cover.loss, cover.rows, cover.exact) == (-1, (), False)


@pytest.mark.parametrize("kernel", KERNELS)
def test_nothing_to_lay(kernel: Kernel) -> None:
    cover = kernel(problem_of(EDITIONS["twist"], Counter(), Counter()))
    assert cover is not None
    assert (cover.loss, cover.rows, cover.exact) == (0, (), True)
