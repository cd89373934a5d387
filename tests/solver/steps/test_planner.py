"""A turn in steps: they lead from the old table to the new one, and there are few of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.copies import Copies
from tests.rules.strategies import random_row, randoms
from tests.solver.positions import FAMILIES, draw, read
from tilerummy.rules.editions import TWIST
from tilerummy.rules.errors import PositionError
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_OF,
    HIGHEST,
    Row,
    Table,
    Tile,
    parse_row,
    parse_table,
    parse_tile,
    row_text,
    table_text,
    unidentified,
)
from tilerummy.solver.steps.planner import plan_steps, walk
from tilerummy.solver.steps.step import Step, StepKind
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.row_matching import is_group


def lying(table: Table) -> Counter[Row]:
    """The rows of a table, wherever they lie, and groups in any order."""
    return Counter(tuple(sorted(row)) if is_group(row) else row for row in table)


def tiles_of(table: Table) -> Counter[Tile]:
    return Counter(item for row in table for item in row)


def replay(before: Table, way: tuple[Step, ...], rack: Counter[Tile]) -> Table:
    """Carry steps out with a rack and a hand; nothing may come from nowhere or get lost."""
    rows, hand = list(before), Counter[Tile]()
    for step in way:
        there = tiles_of((step.source, step.target))
        for row in (step.source, step.target):
            if row:
                rows.remove(row)
        rows += [*step.left, *step.result]
        assert all((*step.left, *step.result))
        now = tiles_of((*step.left, *step.result))
        came, went = now - there, there - now
        played = Counter(step.played)
        assert played <= rack
        rack = rack - played
        from_hand = came - played
        assert from_hand <= hand
        hand = hand - from_hand + went
        if step.kind is StepKind.TAKE:
            assert went == Counter(step.tiles)
            assert not came
        else:
            assert went == Counter(step.freed)
            assert came <= Counter(step.tiles)
            assert bool(step.freed) is (step.kind is StepKind.SWAP)
    assert not hand
    assert not rack
    return tuple(rows)


def check(before: Table, after: Table) -> tuple[Step, ...]:
    way = plan_steps(before, after)
    assert lying(replay(before, way, tiles_of(after) - tiles_of(before))) == lying(after)
    tables = list(walk(before, way))
    assert lying(tables[-1] if tables else before) == lying(after)
    gone, come = lying(before) - lying(after), lying(after) - lying(before)
    assert len(way) <= gone.total() + come.total()
    touched = lying(tuple(row for step in way for row in (step.source, step.target) if row))
    staying = lying(before) & lying(after)
    built = lying(tuple(row for step in way for row in (*step.left, *step.result)))
    assert not [row for row in touched if row in staying and row not in gone + built]
    assert plan_steps(before, after) == way
    return way


def step_lines(before: str, after: str) -> list[str]:
    """Each step in a line."""
    lines = []
    for step in check(parse_table(before), parse_table(after)):
        parts = [step.kind.value, row_text(step.tiles)]
        if step.source:
            parts += ["from", row_text(step.source)]
        if step.freed:
            parts += ["for", row_text(step.freed)]
        if step.result:
            parts += ["giving", table_text(step.result)]
        lines.append(" ".join(part for part in parts if part))
    return lines


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("b4 b5 b6", "b4 b5 b6", []),
        ("r7 b7 k7", "k7 r7 b7", []),
        (
            "b4 b5 b6 / r8 k8 o8",
            "b3 b4 b5 b6 / r8 k8 o8 b8",
            ["add b3 giving b3 b4 b5 b6", "add b8 giving r8 k8 o8 b8"],
        ),
        ("k1 k2 k3", "k1 k2 k3 / r9 b9 k9", ["lay r9 b9 k9 giving r9 b9 k9"]),
        (
            "b4 k4 o4 r4",
            "k4 o4 r4 / b3 b4 b5 b6",
            ["take b4 from b4 k4 o4 r4", "lay b3 b4 b5 b6 giving b3 b4 b5 b6"],
        ),
        ("r1 r2 r3 r4 r5 r6", "r1 r2 r3 / r4 r5 r6", ["split giving r1 r2 r3 / r4 r5 r6"]),
        ("r1 r2 r3 r4 r5", "r1 r2 r3 / r3 r4 r5", ["split r3 giving r1 r2 r3 / r3 r4 r5"]),
        (
            "r1 r2 r3 / r5 r6 r7",
            "r1 r2 r3 r4 r5 r6 r7",
            [
                "add r4 giving r1 r2 r3 r4",
                "join r5 r6 r7 from r5 r6 r7 giving r1 r2 r3 r4 r5 r6 r7",
            ],
        ),
        (
            "r5 r6 J / k10 k11 k12",
            "r5 r6 r7 / k10 k11 k12 J",
            ["swap r7 for J giving r5 r6 r7", "add J giving k10 k11 k12 J"],
        ),
        (
            "r5 r6 J",
            "r5 r6 r7 / k11 k12 J",
            ["swap r7 for J giving r5 r6 r7", "lay k11 k12 J giving k11 k12 J"],
        ),
        (
            "r7 b7 J / r7 r8 r9 r10",
            "r7 b7 k7 / r7 r8 r9 r10 J",
            ["swap k7 for J giving r7 b7 k7", "add J giving r7 r8 r9 r10 J"],
        ),
        ("r5 r6 J", "J r5 r6", ["move J giving J r5 r6"]),
        (
            "r1 r2 r3 r4 r5 r6 r7 / b4 k4 o4",
            "r1 r2 r3 / r5 r6 r7 r8 / r4 b4 k4 o4",
            [
                "move r4 from r1 r2 r3 r4 r5 r6 r7 giving b4 k4 o4 r4",
                "add r8 giving r5 r6 r7 r8",
            ],
        ),
        (
            "r4 r5 r6 / b4 k4 o4",
            "r5 r6 r7 / b4 k4 o4 r4",
            ["add r7 giving r4 r5 r6 r7", "move r4 from r4 r5 r6 r7 giving b4 k4 o4 r4"],
        ),
        (
            "r7 b7 k7 / r8 b8 k8 / r9 b9 k9",
            "r7 r8 r9 r10 / b7 b8 b9 / k7 k8 k9",
            [
                "take r7 b7 k7 from r7 b7 k7",
                "take r8 b8 k8 from r8 b8 k8",
                "take r9 b9 k9 from r9 b9 k9",
                "lay r7 r8 r9 r10 giving r7 r8 r9 r10",
                "lay b7 b8 b9 giving b7 b8 b9",
                "lay k7 k8 k9 giving k7 k8 k9",
            ],
        ),
        (
            "r2 r3 M r3 r2 / b5 C r7",
            "r1 r2 r3 M r3 r2 r1 / b5 C r7 r8",
            ["add r1 r1 giving r1 r2 r3 M r3 r2 r1", "add r8 giving b5 C r7 r8"],
        ),
    ],
)
def test_a_turn_has_the_steps_of_a_person(before: str, after: str, lines: list[str]) -> None:
    assert step_lines(before, after) == lines


def test_equal_faces_trade_places_where_that_is_shorter() -> None:
    assert step_lines("r5 r6 r7 / r7 b7 k7 o7", "o7 o8 o9 / r7 b7 k7 / r5 r6 r7 r8") == [
        "add r8 giving r5 r6 r7 r8",
        "take o7 from r7 b7 k7 o7",
        "lay o7 o8 o9 giving o7 o8 o9",
    ]


def test_physical_tiles_go_where_the_new_table_has_them() -> None:
    first, second = parse_tile("r7.1"), parse_tile("r7.2")
    run, group = parse_row("r5 r6"), parse_row("b7 k7")
    before = ((*run, first), (second, *group))
    assert len(check(before, ((*run, first), (second, *group)))) == 0
    assert len(check(before, ((*run, second), (first, *group)))) > 0


def test_no_tile_may_leave_the_table() -> None:
    with pytest.raises(PositionError, match="r3 would leave the table"):
        plan_steps(parse_table("r1 r2 r3"), parse_table("r1 r2 r4"))


def test_the_table_after_each_step_keeps_rows_in_their_places() -> None:
    before = parse_table("b4 b5 b6 / r8 k8 o8 / k1 k2 k3")
    way = plan_steps(before, parse_table("b4 b5 b6 / r8 k8 o8 b8 / k1 k2 k3"))
    assert [table_text(table) for table in walk(before, way)] == [
        "b4 b5 b6 / r8 k8 o8 b8 / k1 k2 k3"
    ]


def mixed_up(rng: random.Random, before: Table, played: list[Tile], *, wild: bool) -> Table:
    """Another table with the same tiles and some more; its rows need not be sets."""
    after = [row for row in before if rng.random() < 0.4]
    rest = [*(tiles_of(before) - tiles_of(tuple(after))).elements(), *played]
    rest.sort(key=lambda tile: rng.random() if wild else (FACE_OF[tile] % HIGHEST, tile))
    while rest:
        size = rng.randint(1, 7)
        after.append(tuple(rest[:size]))
        rest = rest[size:]
    rng.shuffle(after)
    return tuple(after)


@given(randoms, st.booleans(), st.booleans())
def test_steps_lead_from_any_table_to_any_other(
    rng: random.Random, wild: bool, physical: bool
) -> None:
    before: Table = tuple(unidentified(random_row(rng, TWIST)) for _ in range(rng.randint(0, 6)))
    played = [*unidentified([rng.choice(ALL_FACES) for _ in range(rng.randint(1, 6))])]
    if physical:
        copies = Copies()
        before, played = copies.table(before), [*copies.row(played)]
    check(before, mixed_up(rng, before, played, wild=wild))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_steps_lead_to_the_table_of_a_solution(family: str) -> None:
    for seed in range(12):
        position = read(draw(family, seed, small=True))
        solution = solve(position)
        way = check(position.table, solution.table)
        assert way == plan_steps(position.table, solution)
        played = Counter(tile for step in way for tile in step.played)
        assert played == Counter(solution.played)
