"""The slow judge agrees with every worked example, so that it may judge the fast one."""

from __future__ import annotations

import json
import random
from itertools import chain, permutations
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import (
    EDITIONS,
    Reading,
    best_order,
    is_joker,
    random_set_case,
    random_turn_case,
    readings,
    rules_of,
    set_verdict,
    signature,
    tile_of,
    turn_verdict,
    valid_orders,
    value_of,
)

DATA = Path(__file__).parent / "data"
EXAMPLES: list[dict[str, Any]] = json.loads((DATA / "rules_examples.json").read_text("utf-8"))
POSITIONS: list[dict[str, Any]] = json.loads((DATA / "rules_positions.json").read_text("utf-8"))
TURNS = [
    pytest.param(position, edition, id=f"{position['id']}-{edition}")
    for position in POSITIONS
    if position["type"] == "turn"
    for edition in position["legal"]
]


def tiles(text: str) -> list[str]:
    return text.split()


def rows(text: str) -> list[list[str]]:
    return [row.split() for row in text.split("/") if row.strip()]


def legal(
    edition: str, rack: str, before: str, after: str, opened: bool = True, **options: object
) -> bool:
    chosen = {name.replace("__", "."): value for name, value in options.items()}
    return turn_verdict(edition, chosen, opened, tiles(rack), rows(before), rows(after))


# --- worked examples


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["id"]))
def test_row_as_laid_is_judged_as_in_the_example(example: dict[str, Any]) -> None:
    verdict = set_verdict(example["edition"], example["set"])
    assert verdict.valid == example["valid"]
    assert verdict.value == example["value"]
    assert verdict.kind == (example["kind"] if example["valid"] else None)
    if "readings" in example:
        expected = [(reading["kind"], reading["value"]) for reading in example["readings"]]
        assert sorted(verdict.readings) == sorted(expected)


@pytest.mark.parametrize(
    "example",
    [example for example in EXAMPLES if len(example["set"]) <= 7],
    ids=lambda example: str(example["id"]),
)
def test_best_order_of_the_tiles_is_the_one_of_the_example(example: dict[str, Any]) -> None:
    best = best_order(example["edition"], example["set"])
    assert (best is not None) == example["multiset_valid"]
    assert (best[1] if best else None) == example["multiset_value"]


@pytest.mark.parametrize(("position", "edition"), TURNS)
def test_turn_is_judged_as_in_the_example(position: dict[str, Any], edition: str) -> None:
    verdict = turn_verdict(
        edition,
        position["options"].get(edition, {}),
        position["opened_before"],
        position["rack_before"],
        position["table_before"],
        position["table_after"],
    )
    assert verdict == position["legal"][edition]


# --- rows


@pytest.mark.parametrize(
    ("row", "option", "value"),
    [
        ("r7 M r7", "twist.mirror_min_side", 2),
        ("r4 C M r5 r4", "twist.mirror_c_needs_c", True),
        ("r6 C C b9", "twist.adjacent_c", False),
        ("r5 J J r8", "joker.max_per_set", 1),
        ("r8 J J", "set.min_natural", 2),
    ],
)
def test_option_forbids_a_row(row: str, option: str, value: object) -> None:
    assert set_verdict("twist", tiles(row)).valid
    assert not set_verdict("twist", tiles(row), {option: value}).valid


def test_long_rows_have_too_many_orders_to_try() -> None:
    with pytest.raises(NotImplementedError):
        best_order("classic", [f"r{number}" for number in range(1, 9)])


@pytest.mark.parametrize("edition", EDITIONS)
def test_normalising_finds_what_all_orders_contain(edition: str) -> None:
    rng = random.Random(1)
    for _ in range(150):
        case = random_set_case(rng, edition)
        row = case["row"]
        if len(row) > 6:
            continue
        rules = rules_of(edition, case["options"]).row
        orders = {order for order in permutations(row) if readings(order, rules)}
        found = valid_orders(tuple(sorted(row)), rules)
        assert set(found) <= orders
        assert {signature(order, rules) for order in found} == {
            signature(order, rules) for order in orders
        }


@pytest.mark.parametrize("edition", EDITIONS)
def test_tile_in_place_of_a_joker_keeps_the_reading(edition: str) -> None:
    rng = random.Random(2)
    for _ in range(300):
        case = random_set_case(rng, edition)
        row = tuple(case["row"])
        rules = rules_of(edition, case["options"]).row
        unlimited = rules._replace(copies=99)
        for reading in readings(row, rules):
            for place, tile in enumerate(row):
                if tile not in ("J", "D"):
                    continue
                faces = reading.laying[place]
                filled = (*row[:place], *map(tile_of, faces), *row[place + 1 :])
                laying = (
                    *reading.laying[:place],
                    *((face,) for face in faces),
                    *reading.laying[place + 1 :],
                )
                assert Reading(reading.kind, laying) in readings(filled, unlimited)


def test_mirror_row_is_worth_the_same_from_both_sides() -> None:
    rng = random.Random(3)
    for _ in range(600):
        case = random_set_case(rng, "twist")
        row = tuple(case["row"])
        rules = rules_of("twist", case["options"]).row
        if "M" not in row or not readings(row, rules):
            continue
        assert signature(row[::-1], rules) == signature(row, rules)
        assert value_of(row[::-1], rules) == value_of(row, rules)


# --- turns


def test_any_assignment_of_identical_tiles_will_do() -> None:
    after = "k10 k11 J / k10 k11 k12 / r5 r6 r7"
    assert legal("classic", "r7 k10 k11", "r5 r6 J / k10 k11 k12", after)
    assert not legal("classic", "r7 k11 k12", "r5 r6 J / k10 k11 k12", "r5 r6 r7 / k10 k11 k12 J")


def test_copies_may_be_mixed_so_that_no_row_continues_an_old_one() -> None:
    before = "r5 r6 J / J k5 k6 / b8 b9 b10"
    after = "r5 r6 r7 / k4 k5 k6 / b8 b9 J / b8 b9 b10 J"
    assert legal("classic", "r7 k4 b8 b9", before, after)
    assert not legal("classic", "r7 k4", before, "r5 r6 r7 / k4 k5 k6 / J b8 b9 b10 J")


def test_retrieved_joker_may_not_return_to_its_own_row_but_to_another() -> None:
    before = "r5 r6 J / k10 k11 k12"
    other = "r5 r6 r7 / k10 k11 k12 J"
    own = "r5 r6 r7 J / k10 k11 k12"
    assert legal("classic", "r7", before, other, joker__reuse="other_set")
    assert not legal("classic", "r7", before, own, joker__reuse="other_set")


def test_new_set_with_two_rack_tiles() -> None:
    before = "r5 r6 J / k9 k10 k11 k12"
    one = "r5 r6 r7 / k9 k10 k11 / k12 b12 J"
    two = "r5 r6 r7 / k9 k10 k11 k12 / r12 b12 J"
    for reuse, legal_with_one in (("new_set", True), ("new_set_rack2", False)):
        assert legal("classic", "r7 b12", before, one, joker__reuse=reuse) == legal_with_one
        assert legal("classic", "r7 b12 r12", before, two, joker__reuse=reuse)


def test_locked_row_with_two_jokers_after_one_is_replaced() -> None:
    before = "r5 J J r8 / k1 k2 k3"
    assert legal("sabra", "r6", before, "r5 r6 J r8 / k1 k2 k3 J")
    assert not legal("sabra", "r6 b8", before, "r5 r6 J / r8 J b8 / k1 k2 k3")
    assert legal("sabra", "r6 r7 b8", before, "r5 r6 r7 / r8 J b8 / k1 k2 k3 J")


def test_rack_tile_replaces_one_joker_only() -> None:
    before = "r5 r6 J / b7 k7 J"
    after = "r5 r6 r7 / b7 k7 o7 / J J k1"
    assert legal("sabra", "r7 o7 k1", before, after)
    after = "r4 r5 r6 / b7 k7 r7 / J J k1"
    assert not legal("sabra", "r4 r7 k1", before, after)


def test_locked_row_is_replaced_in_one_reading() -> None:
    assert legal("sabra", "r9 r10 k1", "r8 J J", "r8 r9 r10 / J J k1")
    assert legal("sabra", "b8 k8 k1", "r8 J J", "r8 b8 k8 / J J k1")
    assert legal("sabra", "r7 r9 b8", "J r8 J", "r7 r8 r9 / J b8 J")
    assert not legal("sabra", "r7 r9 b8", "r8 J J", "r7 r8 r9 / J b8 J")


def test_both_missing_colours_free_the_joker_of_a_group() -> None:
    before, after = "r3 k3 J", "r3 k3 o3 / b11 b12 J"
    assert legal("sabra", "o3 b11 b12", before, after)
    assert not legal("sabra", "o3 b11 b12", before, after, joker__group3_needs_both=True)
    both = "r3 k3 o3 b3 / b11 b12 J"
    assert legal("sabra", "o3 b3 b11 b12", before, both, joker__group3_needs_both=True)


def test_special_joker_may_not_take_the_place_of_another_kind() -> None:
    assert not legal("twist", "D k9 k10", "r7 b7 J", "D b7 r7 / k9 k10 J")
    assert not legal("twist", "C k9 k10", "J r6 M r6 r5", "r5 r6 M r6 C / k9 k10 J")
    assert legal("twist", "C r7 k9 k11", "r5 r6 J", "r5 r6 r7 C / k9 J k11")
    assert legal("twist", "J k9 k10", "r5 r6 C", "r5 r6 J / k9 k10 C")


def test_opening_leaves_the_table_unchanged() -> None:
    group = "r10 b10 k10"
    assert legal("classic", group, "r7 b7 J", f"J b7 r7 / {group}", opened=False)
    assert legal("twist", group, "J r6 M r6 r5", f"r5 r6 M r6 J / {group}", opened=False)
    assert not legal("classic", group, "J r5 r6", f"r5 r6 J / {group}", opened=False)


def test_opening_options() -> None:
    two = "r3 r4 r5 / b6 k6 o6"
    rack = "r3 r4 r5 b6 k6 o6"
    assert legal("classic", rack, "", two, opened=False)
    assert not legal("classic", rack, "", two, opened=False, initial__single_set=True)
    assert not legal("classic", rack, "", two, opened=False, initial__min=31)
    assert not legal("classic", "r9 J r11", "", "r9 J r11", opened=False, initial__jokers=False)


def test_opening_may_be_rearranged_in_the_same_turn() -> None:
    before = "o9 o10 o11"
    after = "o9 o10 o11 o12 / r12 b12 k12"
    assert legal("sabra", "r12 b12 k12 o12", before, after, opened=False)
    assert not legal("classic", "r12 b12 k12 o12", before, after, opened=False)
    assert not legal("sabra", "o12 o13", before, "o9 o10 o11 o12 o13", opened=False)


@pytest.mark.parametrize("edition", ["classic", "taiwan", "sixplayer", "sabra"])
def test_row_in_another_order_is_normalised(edition: str) -> None:
    assert legal(edition, "r7", "r6 r5 r4", "r7 r4 r6 r5")
    assert not legal(edition, "r7", "r4 r5 r6", "r7 r4 r6 r5", set__order="as_laid")


def test_impossible_position_is_refused() -> None:
    with pytest.raises(ValueError, match="copies"):
        legal("classic", "r5 r5", "r4 r5 r6", "r4 r5 r6")
    with pytest.raises(ValueError, match="invalid row"):
        legal("twist", "r7", "r6 r5 r4", "r4 r5 r6 r7")
    with pytest.raises(ValueError, match="option"):
        legal("classic", "r7", "", "", joker__colour="green")


# --- random cases


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_rows_are_neither_nearly_all_valid_nor_nearly_all_invalid(edition: str) -> None:
    rng = random.Random(4)
    cases = [random_set_case(rng, edition) for _ in range(300)]
    valid = sum(set_verdict(**case).valid for case in cases)
    assert 0.3 < valid / len(cases) < 0.7


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_turns_are_neither_nearly_all_legal_nor_nearly_all_illegal(edition: str) -> None:
    rng = random.Random(5)
    cases = [random_turn_case(rng, edition) for _ in range(150)]
    assert 0.3 < sum(turn_verdict(**case) for case in cases) / len(cases) < 0.8
    with_joker = [case for case in cases if any(map(is_joker, chain(*case["before"])))]
    assert len(with_joker) > len(cases) / 2


def test_random_cases_repeat_with_the_same_seed() -> None:
    first, second = random.Random(6), random.Random(6)
    for edition in EDITIONS:
        assert random_set_case(first, edition) == random_set_case(second, edition)
        assert random_turn_case(first, edition) == random_turn_case(second, edition)
