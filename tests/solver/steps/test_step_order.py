"""The steps of a turn, done one by one: each is allowed at its moment."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.solver.player import Player, RefusedError
from tests.solver.positions import FAMILIES, draw, read
from tests.solver.turns.test_best_turn import with_ids
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Kind, reader
from tilerummy.rules.tiles import Row, Table, faces_of, parse_row, parse_table, row_text, table_text
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.steps.planner import plan_steps
from tilerummy.solver.steps.step import Step, StepKind
from tilerummy.solver.turns.best_turn import solve

EACH_FAMILY = 30
ORDERED = ["locked", "sabra-opening", "jokers", "mixed", "adversarial"]


def sabra(table: str, rack: str, *, opened: bool = True, **options: object) -> Position:
    rules = edition("sabra", {key.replace("__", "."): value for key, value in options.items()})
    return Position(rules, parse_table(table), parse_row(rack), opened)


def step_lines(position: Position, after: str) -> list[str]:
    """The steps to a table that the rules allow, each in a line."""
    table = parse_table(after)
    assert is_legal(position, table)
    way = plan_steps(position, table)
    assert alike(position, Player(position).carry_out(way), table)
    return [line(step) for step in way]


def line(step: Step) -> str:
    parts = [step.kind.value, row_text(step.tiles)]
    parts += ["for", row_text(step.freed)] if step.freed else []
    parts += ["giving", table_text(step.result)] if step.result else []
    return " ".join(parts)


def is_legal(position: Position, after: Table) -> bool:
    return judge_turn(position, after).legal


def alike(position: Position, table: Table, other: Table) -> bool:
    """Whether two tables have the same rows, groups in any order, mirror rows either way round."""
    read_row = reader(position.edition).readings

    def meaning(row: Row) -> Row:
        kinds = {reading.kind for reading in read_row(faces_of(row))}
        if kinds & {Kind.MIRROR_GROUP, Kind.MIRROR_RUN}:
            return min(row, row[::-1])
        return tuple(sorted(row)) if Kind.GROUP in kinds else row

    return Counter(map(meaning, table)) == Counter(map(meaning, other))


# Examples


def test_a_joker_waits_until_the_opening_is_complete() -> None:
    position = sabra("r5 r6 J", "r7 k10 k11 k12 b1 b2", opened=False)
    after = "r5 r6 r7 / k10 k11 k12 / b1 b2 J"
    assert step_lines(position, after) == [
        "lay k10 k11 k12 giving k10 k11 k12",
        "swap r7 for J giving r5 r6 r7",
        "lay b1 b2 J giving b1 b2 J",
    ]
    with pytest.raises(RefusedError, match="the opening is not complete"):
        Player(position).carry_out(plan_steps(position.table, parse_table(after)))


def test_an_opening_is_laid_even_if_it_does_not_stay() -> None:
    position = sabra("r10 r11 r12 r13", "b10 k10 o10", opened=False)
    assert step_lines(position, "r11 r12 r13 / r10 b10 k10 o10") == [
        "lay b10 k10 o10 giving b10 k10 o10",
        "move r10 giving b10 k10 o10 r10",
    ]


def test_rows_of_an_opening_are_all_laid_before_the_table_is_touched() -> None:
    position = sabra("b4 b5 b6", "r4 k4 o4 r6 r7 r8 b7", opened=False)
    assert step_lines(position, "b4 b5 b6 b7 / r4 k4 o4 / r6 r7 r8")[:2] == [
        "lay r6 r7 r8 giving r6 r7 r8",
        "lay r4 k4 o4 giving r4 k4 o4",
    ]


def test_where_one_set_has_to_open_the_rich_one_comes_first() -> None:
    position = sabra("", "r1 b1 k1 k10 k11 k12", opened=False, initial__single_set=True)
    assert step_lines(position, "r1 b1 k1 / k10 k11 k12") == [
        "lay k10 k11 k12 giving k10 k11 k12",
        "lay r1 b1 k1 giving r1 b1 k1",
    ]


def test_a_locked_row_gives_tiles_only_after_its_joker_is_replaced() -> None:
    position = sabra("r5 r6 r7 J / b5 k5 o5", "r8 k11 k12")
    after = "r6 r7 r8 / r5 b5 k5 o5 / k11 k12 J"
    way = step_lines(position, after)
    assert way[0] == "swap r8 for J giving r5 r6 r7 r8"
    assert len(way) == 3


def test_the_tile_that_replaced_a_joker_may_move_on() -> None:
    position = sabra("r5 r6 J / b5 k5 o5 / b6 k6 o6 / b7 k7 o7", "r7 k1 k2")
    after = "r5 b5 k5 o5 / r6 b6 k6 o6 / r7 b7 k7 o7 / k1 k2 J"
    way = step_lines(position, after)
    assert way[0] == "swap r7 for J giving r5 r6 r7"
    with pytest.raises(RefusedError):
        Player(position).carry_out(plan_steps(position.table, parse_table(after)))


def test_a_locked_row_that_stays_is_added_to() -> None:
    position = sabra("r5 r6 J / r9 r10 r11", "r8")
    assert step_lines(position, "r5 r6 J r8 r9 r10 r11") == [
        "add r8 giving r5 r6 J r8",
        "join r9 r10 r11 giving r5 r6 J r8 r9 r10 r11",
    ]


def test_two_locked_rows_come_together() -> None:
    position = sabra("r5 r6 J / r9 J r11", "r8 r12")
    assert len(step_lines(position, "r5 r6 J r8 r9 J r11 r12")) <= 3


def test_both_missing_colours_replace_the_joker_of_a_group() -> None:
    position = sabra("r3 k3 J", "b3 o3 r7 r8", joker__group3_needs_both=True)
    assert step_lines(position, "r3 k3 b3 o3 / r7 r8 J") == [
        "swap b3 o3 for J giving r3 k3 b3 o3",
        "lay r7 r8 J giving r7 r8 J",
    ]


def test_a_locked_row_that_may_be_a_group_keeps_its_order() -> None:
    position = sabra("J J o10", "o10 J", jokers="J3")
    assert step_lines(position, "o10 J J J") == ["add J giving J J o10 J"]


def test_a_locked_row_is_not_turned_round() -> None:
    options: dict[str, object] = {"joker.locked_sets": True}
    table, rack = parse_table("r5 r6 J"), parse_row("r5 r6 r7 M")
    position = Position(edition("twist", options), table, rack, opened=True)
    assert step_lines(position, "r5 r6 r7 M J r6 r5") == [
        "add M r7 r6 r5 giving r5 r6 J M r7 r6 r5"
    ]


def test_one_of_two_jokers_is_replaced_and_the_row_stays_locked() -> None:
    position = sabra("r5 J J", "r6 k11 k12")
    assert step_lines(position, "r5 r6 J / k11 k12 J") == [
        "swap r6 for J giving r5 r6 J",
        "lay k11 k12 J giving k11 k12 J",
    ]


def test_a_tile_of_the_table_replaces_a_joker_where_that_is_allowed() -> None:
    after = "r5 r6 r7 / b7 k7 o7 / k11 k12 J"
    position = sabra("r5 r6 J / r7 b7 k7 o7", "k11 k12", joker__replace_from="any")
    assert step_lines(position, after) == [
        "take r7",
        "swap r7 for J giving r5 r6 r7",
        "lay k11 k12 J giving k11 k12 J",
    ]
    strict = sabra("r5 r6 J / r7 b7 k7 o7", "k11 k12")
    assert not is_legal(strict, parse_table(after))
    with pytest.raises(RefusedError, match="only tiles of the rack"):
        Player(strict).carry_out(plan_steps(strict.table, parse_table(after)))


def test_a_whole_row_may_replace_jokers() -> None:
    position = sabra(
        "r9 J J / k9 b9 o9", "k8 k11", joker__replace_from="any", joker__group3_needs_both=True
    )
    assert step_lines(position, "r9 k9 b9 o9 / k8 J J k11") == [
        "take k9 b9 o9",
        "swap b9 k9 o9 for J J giving r9 b9 k9 o9",
        "lay k8 J J k11 giving k8 J J k11",
    ]


def test_without_such_rules_nothing_has_to_come_first() -> None:
    position = Position(edition("classic"), parse_table("r5 r6 J"), parse_row("r7 k11 k12"), True)
    after = parse_table("r5 r6 r7 / k11 k12 J")
    assert plan_steps(position, after) == plan_steps(position.table, after)


# The person at the table does refuse


R5, R6, R7, R8, J = parse_row("r5 r6 r7 r8 J")
LOCKED = (R5, R6, J)


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (Step(StepKind.TAKE, (R5,), LOCKED, ((R6, J),)), "leave a locked row"),
        (
            Step(StepKind.SPLIT, (), target=LOCKED, result=((R5,), (R6, J))),
            "locked row is split",
        ),
        (
            Step(StepKind.MOVE, (J,), target=LOCKED, result=((J, R5, R6),)),
            "locked row is rearranged",
        ),
        (
            Step(StepKind.SWAP, (R8,), (), (), LOCKED, ((R5, R6, R8),), (R8,), (J,)),
            "does not stand for",
        ),
        (
            Step(StepKind.SWAP, (R7,), (), (), LOCKED, ((R5, R6, R7),), (), (J,)),
            "only tiles of the rack",
        ),
    ],
)
def test_a_locked_row_is_defended(step: Step, complaint: str) -> None:
    with pytest.raises(RefusedError, match=complaint):
        Player(sabra("r5 r6 J", "r7 r8")).do(step)


# Solved positions of all kinds


@pytest.mark.parametrize("family", sorted(FAMILIES))
@pytest.mark.parametrize("physical", [False, True], ids=["faces", "tiles"])
def test_every_step_is_allowed_at_its_moment(family: str, physical: bool) -> None:
    for seed in range(500, 500 + EACH_FAMILY):
        position = read(draw(family, seed, small=seed % 3 > 0))
        if physical:
            position = with_ids(position)
        solution = solve(position, tidy=seed % 2 == 0)
        way = plan_steps(position, solution)
        assert alike(position, Player(position).carry_out(way), solution.table), position


@pytest.mark.soak
@pytest.mark.parametrize("family", ORDERED)
def test_every_step_of_many_turns_is_allowed(family: str) -> None:
    for seed in range(1000, 4000):
        position = read(draw(family, seed, small=True))
        solution = solve(position)
        Player(position).carry_out(plan_steps(position, solution))


@pytest.mark.parametrize("family", ["locked", "sabra-opening"])
def test_without_the_rules_many_steps_would_be_refused(family: str) -> None:
    refused = longer = turns = 0
    for seed in range(500, 560):
        position = read(draw(family, seed, small=True))
        solution = solve(position)
        careless = plan_steps(position.table, solution)
        turns += solution.plays
        longer += len(plan_steps(position, solution)) - len(careless)
        try:
            Player(position).carry_out(careless)
        except RefusedError:
            refused += 1
    assert refused > 10
    assert longer < turns / 4
