"""The plain kernel: compiled, in Python, and against a search that tries everything."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

import pytest

from benchmarks.positions import draw
from tilerummy.rules.tiles import ALL_FACES, FACES, HIGHEST, JOKER, NUMBER, parse_row
from tilerummy.solver import solve
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.plain import plain_cover
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar

Counts = tuple[int, ...]
LONG_AGO = 1.0

BY_COUNT = tuple(2**20 + (NUMBER[face] or 30) for face in ALL_FACES)
BY_POINTS = tuple(1024 * (NUMBER[face] or 30) + 1 for face in ALL_FACES)


def compiled_cover(problem: CoverProblem) -> Cover | None:
    if kernels.compiled is None:
        pytest.skip("the kernel was not compiled")
    return kernels.find_cover(problem)


KERNELS = [
    pytest.param(compiled_cover, id="compiled"),
    pytest.param(plain_cover, id="python"),
]


def ask(
    table: str = "",
    rack: str = "",
    weights: Counts = BY_COUNT,
    min_natural: int = 1,
    node_limit: int = 0,
) -> CoverProblem:
    return question(
        Counter(parse_row(table)), Counter(parse_row(rack)), weights, min_natural, node_limit
    )


def question(
    must: Counter[int],
    may: Counter[int],
    weights: Counts = BY_COUNT,
    min_natural: int = 1,
    node_limit: int = 0,
) -> CoverProblem:
    return CoverProblem(
        Grammar(min_natural=min_natural),
        bytes(must[face] for face in ALL_FACES),
        bytes(may[face] for face in ALL_FACES),
        weights,
        node_limit=node_limit,
    )


# Trying everything


def is_row(row: tuple[int, ...], min_natural: int) -> bool:
    tiles = [face for face in row if face != JOKER]
    if not 3 <= len(row) <= HIGHEST or len(tiles) < min_natural:
        return False
    if not tiles:
        return True
    numbers = {face % HIGHEST for face in tiles}
    if len(row) <= 4 and len(numbers) == 1 and len(set(tiles)) == len(tiles):
        return True
    firsts = {face % HIGHEST - place for place, face in enumerate(row) if face != JOKER}
    return (
        len({face // HIGHEST for face in tiles}) == 1
        and len(firsts) == 1
        and 0 <= min(firsts) <= HIGHEST - len(row)
    )


def short_rows(min_natural: int) -> Iterator[tuple[int, ...]]:
    """Of three to five tiles: with up to four jokers the tiles of longer ones make two rows."""
    for number in range(HIGHEST):
        faces = range(number, JOKER, HIGHEST)
        for size, count in itertools.product((3, 4), range(1, 5)):
            for chosen in itertools.combinations(faces, min(size, count)):
                yield chosen + (JOKER,) * (size - len(chosen))
    for first, size in itertools.product(range(JOKER), (3, 4, 5)):
        if first % HIGHEST + size <= HIGHEST:
            run = range(first, first + size)
            for shown in itertools.product((False, True), repeat=size):
                if any(shown):
                    row = zip(run, shown, strict=True)
                    yield tuple(face if show else JOKER for face, show in row)
    if min_natural == 0:
        yield from ((JOKER,) * size for size in (3, 4))


@lru_cache(2)
def rows_by_first(min_natural: int) -> dict[int, list[Counter[int]]]:
    found: dict[int, set[tuple[int, ...]]] = {}
    for row in short_rows(min_natural):
        found.setdefault(min(row), set()).add(tuple(sorted(row)))
    return {first: [Counter(row) for row in sorted(rows)] for first, rows in found.items()}


def least_loss(problem: CoverProblem) -> int | None:
    """Takes the lowest face left: one tile of it opens a row, or all of it stay."""
    rows = rows_by_first(problem.grammar.min_natural)

    @lru_cache(None)
    def least(left: tuple[tuple[int, int], ...]) -> int | None:
        if not left:
            return 0
        (face, count), *others = left
        best = None
        if count <= problem.may[face]:
            best = least(tuple(others))
            if best is not None:
                best += count * problem.weights[face]
        stock = Counter(dict(left))
        for row in rows.get(face, ()):
            if all(stock[part] >= number for part, number in row.items()):
                rest = least(tuple(sorted((stock - row).items())))
                if rest is not None and (best is None or rest < best):
                    best = rest
        return best

    stock = Counter({face: problem.must[face] + problem.may[face] for face in ALL_FACES})
    return least(tuple(sorted((+stock).items())))


# What is asked


def random_rows(rng: random.Random, stock: Counter[int], count: int) -> Counter[int]:
    """Rows from the stock, which loses their tiles."""
    laid: Counter[int] = Counter()
    for _ in range(count):
        if rng.random() < 0.5:
            number = rng.randrange(HIGHEST)
            row = [13 * colour + number for colour in rng.sample(range(4), rng.choice((3, 3, 4)))]
        else:
            size = rng.choice((3, 3, 4, 5, 6))
            first = 13 * rng.randrange(4) + rng.randrange(HIGHEST + 1 - size)
            row = list(range(first, first + size))
        if rng.random() < 0.2:
            row[rng.randrange(len(row))] = JOKER
        tiles = Counter(row)
        if all(stock[face] >= number for face, number in tiles.items()):
            stock -= tiles
            laid += tiles
    return laid


def random_weights(rng: random.Random) -> Counts:
    odd = tuple(rng.randrange(1000) for _ in ALL_FACES)
    small = tuple(rng.randrange(3) for _ in ALL_FACES)
    return rng.choice([BY_COUNT, BY_POINTS, odd, small, (1,) * FACES])


def played_position(
    rng: random.Random, rows: int, rack: int, copies: int, jokers: int
) -> CoverProblem:
    stock = Counter(dict.fromkeys(range(JOKER), copies))
    stock[JOKER] = jokers
    must = random_rows(rng, stock, rows)
    may = Counter(rng.sample(sorted(stock.elements()), rack))
    return question(must, may, random_weights(rng))


def narrow_position(rng: random.Random) -> CoverProblem:
    """Few numbers, so that rows compete; often the table cannot be laid."""
    copies, width = rng.choice([(1, 5), (2, 4), (3, 2), (4, 1)])
    first = rng.choice([0, HIGHEST - width, rng.randrange(HIGHEST - width + 1)])
    must: Counter[int] = Counter()
    may: Counter[int] = Counter()
    on_table = rng.choice([0.0, 0.2, 0.6])
    faces = [13 * colour + first + place for colour in range(4) for place in range(width)]
    for face in [*rng.sample(faces * copies, rng.randrange(min(12, len(faces) * copies) + 1))]:
        (must if rng.random() < on_table else may)[face] += 1
    for _ in range(rng.randrange(5)):
        (must if rng.random() < 0.5 else may)[JOKER] += 1
    return question(must, may, random_weights(rng), rng.choice([0, 1, 1, 1]))


def check(problem: CoverProblem, cover: Cover | None) -> int | None:
    """Every row is one, every tile of the table lies in one, and the loss is what stays."""
    if cover is None:
        return None
    assert cover.exact
    used = Counter(itertools.chain(*cover.rows))
    loss = 0
    for row in cover.rows:
        assert is_row(row, problem.grammar.min_natural), row
    for face in ALL_FACES:
        left = problem.must[face] + problem.may[face] - used[face]
        assert 0 <= left <= problem.may[face]
        loss += left * problem.weights[face]
    assert loss == cover.loss
    return loss


@pytest.mark.parametrize("cover", KERNELS)
@pytest.mark.parametrize("seed", range(4))
def test_nothing_costs_less(cover: Callable[[CoverProblem], Cover | None], seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        problem = narrow_position(rng)
        assert check(problem, cover(problem)) == least_loss(problem)


@pytest.mark.parametrize(
    ("rows", "rack", "copies", "jokers", "positions"),
    [(0, 14, 2, 2, 10), (6, 10, 2, 2, 10), (14, 8, 2, 2, 8), (40, 8, 2, 2, 8), (12, 10, 3, 4, 3)],
)
def test_both_kernels_agree(rows: int, rack: int, copies: int, jokers: int, positions: int) -> None:
    rng = random.Random(f"{rows} {rack} {copies}")
    for _ in range(positions):
        problem = played_position(rng, rows, rack, copies, jokers)
        in_python = check(problem, plain_cover(problem))
        assert in_python is not None
        assert check(problem, compiled_cover(problem)) == in_python


@pytest.mark.parametrize("cover", KERNELS)
@pytest.mark.parametrize(
    ("table", "rack", "left"),
    [
        ("", "", ""),
        ("", "r1 r2 r3 b9", "b9"),
        ("r1 r2 r3", "r4 b1", "b1"),
        ("r1 r2 r3 r4 r5", "r3", ""),
        ("r5 b5 k5 o5", "r4 r6", ""),
        # Jokers at the end of the numbers, where a run cannot go on.
        ("", "r12 J J", ""),
        ("", "r13 J J", ""),
        ("", "r12 r13 J", ""),
        ("J b12 b13", "b11", ""),
        ("", "r1 r2 r3 J r5 b5", ""),
        ("", "r1 r2 r3 J r5 b6", "b6"),
        # Spare jokers: into a four by taking it apart, or into a run of all numbers.
        ("", "r5 b5 k5 o5 J J", ""),
        ("r5 b5 k5 o5 r5 b5 k5 o5", "J", ""),
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 J", "", ""),
        # One does not fit beside four: the cheapest tile stays instead.
        ("", "r5 b5 k5 o5 J", "r5"),
        ("r5 b5 k5", "o5 J", "o5"),
        ("r5 b5 k5 o5", "J", "J"),
        ("", "J J", "J J"),
        ("", "J J J", "J J J"),
    ],
)
def test_known_answers(
    cover: Callable[[CoverProblem], Cover | None], table: str, rack: str, left: str
) -> None:
    problem = ask(table, rack)
    loss = check(problem, cover(problem))
    assert loss == sum(BY_COUNT[face] for face in parse_row(left))


@pytest.mark.parametrize("cover", KERNELS)
@pytest.mark.parametrize(
    ("table", "rack"),
    [
        ("r1", "r2"),
        ("r1 r2", "b3"),
        ("J", ""),
        ("J J J", ""),
        ("r5 b5 k5 o5 J", ""),
        ("r12 r13", "r10"),
        ("r1 r1 r2 r3", "r2"),
    ],
)
def test_tables_that_cannot_be_laid(
    cover: Callable[[CoverProblem], Cover | None], table: str, rack: str
) -> None:
    assert cover(ask(table, rack)) is None


@pytest.mark.parametrize("cover", KERNELS)
def test_jokers_alone_make_a_row_only_where_they_may(
    cover: Callable[[CoverProblem], Cover | None],
) -> None:
    problem = ask("J J J", "r5 b5 k5 o5", min_natural=0)
    assert check(problem, cover(problem)) == 0
    problem = ask("", "J J J J", min_natural=0)
    assert check(problem, cover(problem)) == 0
    assert cover(ask("J J", "", min_natural=0)) is None


@pytest.mark.parametrize("cover", KERNELS)
def test_what_costs_nothing_may_stay(cover: Callable[[CoverProblem], Cover | None]) -> None:
    problem = ask("r5 b5 k5", "o5 J b9", weights=(0,) * FACES)
    assert check(problem, cover(problem)) == 0


@pytest.mark.parametrize("cover", KERNELS)
def test_a_limit_makes_the_search_hurry(cover: Callable[[CoverProblem], Cover | None]) -> None:
    rng = random.Random(8)
    hurried = 0
    for _ in range(30):
        box = [face for face in range(JOKER) for _ in range(3)] + [JOKER] * 2
        rack = Counter(rng.sample(box, 40))
        problem = question(Counter(), rack)
        whole = cover(problem)
        assert whole is not None
        for limit, deadline in ((1, None), (10, None), (0, LONG_AGO)):
            problem = replace(problem, node_limit=limit, deadline=deadline)
            found = cover(problem)
            assert found is not None
            assert found.loss >= whole.loss
            assert not found.exact or found.loss == whole.loss
            check(problem, found._replace(exact=True))
            hurried += not found.exact
    assert hurried


@pytest.mark.parametrize("cover", KERNELS)
def test_a_high_limit_changes_nothing(cover: Callable[[CoverProblem], Cover | None]) -> None:
    problem = ask("r1 r2 r3", "r4 b1", node_limit=1000)
    assert check(problem, cover(problem)) == BY_COUNT[parse_row("b1")[0]]


@pytest.mark.parametrize("cover", KERNELS)
def test_the_same_question_gets_the_same_answer(
    cover: Callable[[CoverProblem], Cover | None],
) -> None:
    problem = played_position(random.Random(3), 12, 10, 2, 2)
    assert cover(problem) == cover(problem)


def test_hard_questions_expand_the_same_nodes_every_time() -> None:
    """A hash table that grew while a node had no key yet made the count change between calls."""
    positions = draw("adversarial", 2, 8)
    first = [solve(position, tidy=False) for position in positions]
    assert max(found.nodes for found in first) > 256
    for _ in range(4):
        again = [solve(position, tidy=False) for position in reversed(positions)]
        assert again[::-1] == first
