"""Shortcuts of the search agree with the search without them, and with the referee.

`make test` takes a fixed sample of positions where joker rules bind; `make soak` as many as
SOAK_CASES says.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.solver.positions import draw, read
from tilerummy.rules.editions import SABRA, Edition
from tilerummy.rules.jokers import LaidRow, joker_problem, lay
from tilerummy.rules.position import Position
from tilerummy.rules.quick_jokers import QuickJokers, Watch, face_set
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACES,
    JOKER,
    NUMBERED_FACES,
    faces_of,
    has_joker,
    parse_faces,
    parse_row,
    parse_tiles,
    unidentified,
)
from tilerummy.rules.turns import judge_turn, read_table
from tilerummy.solver import Solution, solve
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.kernels import find_cover
from tilerummy.solver.cover.problem import CoverProblem, Grammar
from tilerummy.solver.turns import best_turn
from tilerummy.solver.turns.locks import _distinct, _treatments, lock_treatments
from tilerummy.solver.turns.objectives import objective as objective_of
from tilerummy.solver.turns.shortcut import answer_alone

SOAK_CASES = int(os.environ.get("SOAK_CASES", "100"))
FAMILIES = ("jokers", "reuse", "exchange", "locked", "sabra-opening", "mixed", "played")
CASES = 12
TABLES = 6
"""New tables of one position."""


def sizes(count: int) -> Iterator[tuple[int, bool]]:
    return ((seed, seed % 3 != 0) for seed in range(count))


def check_answers(family: str, first: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(first, first + count):
        position = read(draw(family, seed, small=True))
        quick = solve(position, tidy=False)
        with monkeypatch.context() as patch:
            patch.setattr(best_turn, "answer_alone", lambda *_, **__: None)
            patch.setattr(QuickJokers, "verdict", lambda *_: None)
            patch.setattr(QuickJokers, "allows_anywhere", lambda *_: False)
            patch.setattr(QuickJokers, "frees", lambda *_: False)
            patch.setattr(QuickJokers, "forbids", lambda *_: False)
            slow = solve(position, tidy=False)
        where = f"{family} {seed}"
        assert worth(quick) == worth(slow), where
        assert not quick.plays or judge_turn(position, quick.table, quick.declared).legal, where


def worth(found: Solution) -> tuple[int, int, bool]:
    return found.tiles, found.value, found.exact


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_are_the_same_without_shortcuts(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_answers(family, 70_000, CASES, monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_many_answers_are_the_same_without_shortcuts(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_answers(family, 80_000, 4 * SOAK_CASES, monkeypatch)


# Quick verdicts


def new_tables(position: Position, seed: int) -> Iterator[tuple[Faces, ...]]:
    """Tables that tiles of the rack allow, the joker rules left out, at random weights."""
    rng = random.Random(seed)
    must, may = bytearray(FACES), bytearray(FACES)
    for face in faces_of([tile for row in position.table for tile in row]):
        must[face] += 1
    for face in faces_of(position.rack):
        may[face] += 1
    for _ in range(TABLES):
        weights = tuple([rng.choice([0, 1, 5, 30]) for _ in ALL_FACES])
        grammar = Grammar.of(position.edition)
        found = find_cover(CoverProblem(grammar, bytes(must), bytes(may), weights))
        if found is not None:
            yield found.rows


def read_rows(edition: Edition, rows: tuple[Faces, ...]) -> list[LaidRow]:
    return lay([(unidentified(row), reader(edition).readings(row)) for row in rows])


def is_unwatched(watch: Watch, before: list[LaidRow], rows: tuple[Faces, ...]) -> bool:
    """What the compiled kernel makes of a watch."""
    left, changed = Counter(rows), []
    for row in before:
        if left[row.faces]:
            left[row.faces] -= 1
        else:
            changed.append(row.tiles)
    new = [face_set(row) for row in left.elements() if has_joker(row)]
    sets = [watch(tiles) for tiles in changed]
    return all(
        some is not None and not any(held & faces == held for held in some for faces in new)
        for some in sets
    )


def test_quick_verdicts_agree_with_the_rules() -> None:
    seen: Counter[object] = Counter()
    for family in ("jokers", "reuse", "exchange", "locked"):
        for seed, small in sizes(40):
            position = read(draw(family, 90_000 + seed, small=small))
            edition = position.edition
            table = read_table(edition, position.table, position.declared)
            if edition.joker_declare != "position" or any(row.named for row in table):
                continue
            before = read_rows(edition, tuple([row.faces for row in table]))
            quick, rack = QuickJokers(edition, before), face_set(faces_of(position.rack))
            for rows in new_tables(position, seed):
                legal = joker_problem(edition, before, read_rows(edition, rows)).solvable()
                verdict = quick.verdict(rows, rack)
                assert verdict in (None, legal), (family, seed, small, rows)
                unwatched = is_unwatched(Watch(edition), before, rows)
                assert legal or not (unwatched or quick.allows_anywhere(rows))
                seen[verdict] += 1
                seen["unwatched"] += unwatched
    assert min(seen[True], seen[False], seen[None], seen["unwatched"]) >= 10, seen


# Locked rows


@pytest.mark.parametrize("options", [{}, {"joker.group3_needs_both": True}, {"set.min_natural": 0}])
def test_treatments_depend_on_tiles_that_are_near(options: dict[str, int]) -> None:
    rng = random.Random(str(options))
    rules = SABRA.with_options(options)
    seen = 0
    for text in ("r4 J r6", "J r1 r2 r3", "r12 r13 J", "r5 b5 J", "r5 J J", "J k9 J", "r5 b5 k5 J"):
        faces = parse_faces(text.split())
        (row,) = lay([(unidentified(faces), reader(rules).readings(faces))])
        for _ in range(5):
            rack = Counter(rng.choices(NUMBERED_FACES, k=20))
            stock = rack + Counter(rng.choices([*NUMBERED_FACES, JOKER], k=30))
            direct = list(_distinct(_treatments(rules, row, stock, rack, Counter(), None)))
            assert list(lock_treatments(rules, row, stock, rack, Counter())) == direct
            seen += len(direct) > 1
    assert seen >= 10


# Openings that go on


@pytest.mark.skipif(kernels.compiled is None, reason="answered by the compiled kernel")
@pytest.mark.parametrize(
    ("rack", "may_open"),
    [("r1 r2 r3 b7 k9", False), ("r9 r10 r11", True), ("r9 r10 J", True), ("r1 r2 J b4", False)],
)
def test_a_rack_that_cannot_open_needs_no_search(rack: str, may_open: bool) -> None:
    table = (parse_row("b1 b2 b3"),)
    position = Position(SABRA, table, parse_tiles(rack.split()), opened=False)
    quick = answer_alone(position, objective_of("tiles"), 0, None)
    assert may_open is (not isinstance(quick, Solution) or quick.plays)
    assert solve(position, tidy=False).plays is may_open
