"""The kernels under the address and undefined-behaviour sanitizers, through a small C driver."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tilerummy.rules import EDITIONS
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import ALL_FACES, FACES, Face
from tilerummy.solver.cover.problem import CoverProblem, Grammar

KERNEL = Path(__file__).parents[3] / "src/tilerummy/solver/cover/kernel"
DRIVER = Path(__file__).with_name("kernel_driver.c")
FLAGS = ["-g", "-O1", "-std=c11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
NO_ANSWER = 0
LONG_AGO = 1.0


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    assert compiler, "the sanitizers need a C compiler"
    built = tmp_path_factory.mktemp("driver") / "driver"
    kernel = [str(KERNEL / name) for name in ("plain.c", "general.c", "limit.c")]
    sources = [str(DRIVER), *kernel]
    subprocess.run([compiler, *FLAGS, f"-I{KERNEL}", *sources, "-o", str(built)], check=True)
    return built


def random_problem(rng: random.Random, plain: bool) -> tuple[str, CoverProblem]:
    name = rng.choice(["taiwan", "sixplayer"] if plain else ["twist", "twist", "sixplayer"])
    edition = EDITIONS[name]
    stock = list(edition.box().tiles())
    rng.shuffle(stock)
    counts = [Counter[int](), Counter[int]()]
    for side, size in enumerate((rng.choice([0, 3, 9, 30]), rng.choice([3, 8, 14, 25]))):
        counts[side].update(stock.pop() % FACES for _ in range(size))
    if rng.random() < 0.5:  # a table that can be laid: whatever lies there goes to the rack
        counts[1] += counts[0]
        counts[0].clear()
    must, may = (bytes([count[face] for face in ALL_FACES]) for count in counts)
    weights = tuple([rng.choice([0, 1, 7, (1 << 20) + face]) for face in ALL_FACES])
    limit = rng.choice([0, 0, 0, 5, 50])
    deadline = rng.choice([None, None, None, LONG_AGO])
    floor, stand = (0, 0) if plain else (rng.choice([0, 30]), rng.choice([0, 3]))
    grammar, below = Grammar.of(edition), rng.choice([None, None, 1 << 20, 10 << 20])
    return name, CoverProblem(grammar, must, may, weights, stand, floor, limit, deadline, below)


def as_line(problem: CoverProblem) -> str:
    plain = problem.is_plain
    head = [
        int(plain),
        *map(int, problem.grammar),
        problem.stand,
        problem.floor,
        problem.below or 0,
    ]
    limits = [problem.node_limit, int(problem.deadline or 0)]
    return " ".join(map(str, [*head, *limits, *problem.must, *problem.may, *problem.weights]))


@pytest.mark.parametrize("plain", [True, False])
def test_kernels_are_clean(driver: Path, plain: bool) -> None:
    rng = random.Random(20 + plain)
    problems = [random_problem(rng, plain) for _ in range(150)]
    text = "\n".join(as_line(problem) for _, problem in problems) + "\n"
    done = subprocess.run(
        [str(driver)], input=text, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = done.stdout.splitlines()
    assert len(answers) == len(problems)
    laid = 0
    for (name, problem), answer in zip(problems, answers, strict=True):
        status, *figures = map(int, answer.split())
        if status == NO_ANSWER or figures[0] < 0:
            continue
        row: list[Face] = []
        used: Counter[int] = Counter()
        for figure in figures[2:]:
            if figure != 99:
                row.append(Face(figure))
                used[figure] += 1
                continue
            assert reader(EDITIONS[name]).readings(tuple(row)), row
            row = []
            laid += 1
        for face in ALL_FACES:
            assert problem.must[face] <= used[face] <= problem.must[face] + problem.may[face]
    assert laid > 100
