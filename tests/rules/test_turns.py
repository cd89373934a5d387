"""The turn judge, on every worked turn of the rules and by its properties."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given

from tests.copies import Copies
from tests.rules.examples import positions, tiles
from tests.rules.strategies import random_row, randoms
from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, TWIST, Edition, edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Kind, reader
from tilerummy.rules.tiles import (
    FACE_OF,
    Face,
    Table,
    Tile,
    faces_of,
    parse_row,
    parse_table,
    parse_tiles,
    unidentified,
)
from tilerummy.rules.turns import TurnVerdict, check_position, judge_turn

TURNS = positions("turn")
CASES = [(case, name) for case in TURNS for name in case["legal"]]
IDS = [f"{case['id']}-{name}" for case, name in CASES]


def judge(
    rules: Edition,
    rack: str,
    before: str,
    after: str,
    *,
    opened: bool = True,
    manipulation: bool = True,
    declared_before: Declared = NOTHING_DECLARED,
    declared: Declared | None = None,
) -> TurnVerdict:
    table, held = parse_table(before), parse_row(rack)
    position = Position(rules, table, held, opened, manipulation, declared_before)
    return judge_turn(position, parse_table(after), declared)


def codes(verdict: TurnVerdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def test_the_rules_have_59_turns() -> None:
    assert len(TURNS) == 59


def _rules(case: dict[str, Any], name: str) -> Edition:
    return edition(name, case["options"].get(name, {}))


RUN = parse_row("r1 r2 r3")
EXPECTED = {
    "joker set is locked": {"locked-row"},
    "no rack tile played": {"nothing-played"},
    "table changed before initial meld": {"table-changed"},
    "no initial meld of 30 from the rack": {"no-opening", "below-minimum"},
    "retrieved joker not used in a new set": {"joker-not-in-new-set"},
    "initial meld": {"below-minimum"},
    "table tile taken to the rack": {"tile-left-table"},
    "invalid set": {"not-consecutive", "same-colour", "asymmetric"},
    "special joker": {"special-exchange"},
}


@pytest.mark.parametrize(("case", "name"), CASES, ids=IDS)
def test_turn_of_the_rules(case: dict[str, Any], name: str) -> None:
    rack = parse_tiles(case["rack_before"])
    verdict = judge_turn(
        Position(_rules(case, name), tiles(case["table_before"]), rack, case["opened_before"]),
        tiles(case["table_after"]),
    )
    assert verdict.legal is case["legal"][name], verdict.reasons
    left = Counter(rack) - Counter(verdict.played)
    if verdict.legal:
        assert left == Counter(parse_tiles(case["rack_after"]))
    else:
        said = case["illegal_reason"][name]
        (wanted,) = (found for start, found in EXPECTED.items() if said.startswith(start))
        assert wanted & set(codes(verdict))
        if said.startswith("initial meld"):
            (below,) = (r for r in verdict.reasons if r.code == "below-minimum")
            assert f"initial meld {below.params['value']} < {below.params['minimum']}" == said


@pytest.mark.parametrize(("case", "name"), CASES, ids=IDS)
def test_turn_of_the_rules_with_physical_tiles(case: dict[str, Any], name: str) -> None:
    """A turn written in faces is legal if some assignment of physical tiles is."""
    copies = Copies()
    before = copies.table(tiles(case["table_before"]))
    rack = copies.row(parse_tiles(case["rack_before"]))
    stock = [*(tile for row in before for tile in row), *rack]
    verdicts = [
        judge_turn(Position(_rules(case, name), before, rack, case["opened_before"]), after)
        for after in _assignments(tiles(case["table_after"]), stock)
    ]
    assert any(verdict.legal for verdict in verdicts) is case["legal"][name]


def _assignments(table: Table, stock: list[Tile]) -> Iterator[Table]:
    """Every way to lay physical tiles where the faces say."""
    places: dict[Face, list[tuple[int, int]]] = {}
    for number, row in enumerate(table):
        for place, face in enumerate(faces_of(row)):
            places.setdefault(face, []).append((number, place))
    kinds = list(places)
    ways = [
        permutations([tile for tile in stock if FACE_OF[tile] == face], len(places[face]))
        for face in kinds
    ]
    for choice in product(*ways):
        laid = [list(row) for row in table]
        for face, chosen in zip(kinds, choice, strict=True):
            for (number, place), one in zip(places[face], chosen, strict=True):
                laid[number][place] = one
        yield tuple(tuple(row) for row in laid)


# Tiles


def test_a_verdict_lists_every_reason() -> None:
    verdict = judge(CLASSIC, "r1", "b4 b5 b6 / k1 k2 k3", "b4 b5 / k1 k2 k3 / o9 o9 o9")
    assert set(codes(verdict)) == {
        "tile-left-table",
        "not-on-rack",
        "too-short",
        "inventory",
        "duplicate",
    }
    assert not verdict.legal


def test_a_tile_laid_twice_is_told_apart_from_a_tile_not_held() -> None:
    assert codes(judge(CLASSIC, "r3", "", "r3 r4 r5", opened=True)) == ["not-on-rack"]
    both = judge_turn(Position(CLASSIC, (), RUN, opened=True), (RUN, RUN))
    assert codes(both) == ["tile-twice"]


def test_a_fault_names_its_row() -> None:
    verdict = judge(CLASSIC, "r9 r10", "b1 b2 b3", "b1 b2 b3 / r9 r10")
    assert verdict.reasons[0].code == "too-short"
    assert verdict.reasons[0].params["row"] == 1


@pytest.mark.parametrize("strange", [-1, -57, 10**9, 56 * 99])
def test_tiles_that_do_not_exist_are_not_on_the_rack(strange: int) -> None:
    verdict = judge_turn(Position(CLASSIC, (), RUN, opened=True), (RUN, (Tile(strange),)))
    assert "not-on-rack" in codes(verdict)


def test_empty_rows_are_too_short() -> None:
    verdict = judge_turn(Position(CLASSIC, (), RUN, opened=True), (RUN, ()))
    assert "too-short" in codes(verdict)


def test_a_huge_table_is_judged_all_the_same() -> None:
    many, one = tuple(map(Tile, range(5000))), parse_row("r1")
    verdict = judge_turn(Position(TWIST, (), one, opened=True), (many, *(one,) * 1000))
    assert not verdict.legal


def test_rows_are_put_in_order_where_the_edition_allows() -> None:
    verdict = judge(CLASSIC, "r6", "b4 b5 b6", "b6 b5 b4 / r6", opened=True)
    assert verdict.table[0] == parse_row("b4 b5 b6")
    assert "wrong-order" in codes(judge(TWIST, "r3", "", "r3 r2 r1"))


def test_the_table_before_must_be_possible() -> None:
    with pytest.raises(PositionError, match="r5 r6 is on the table but is not a set"):
        judge(CLASSIC, "r7", "r5 r6", "r5 r6 r7")
    with pytest.raises(PositionError, match="3 × r5"):
        check_position(CLASSIC, parse_row("r5 r5"), parse_table("r5 r6 r7"))
    with pytest.raises(PositionError, match="has no D"):
        check_position(CLASSIC, parse_row("D"), ())
    check_position(CLASSIC, parse_row("r5 J"), parse_table("r5 r6 r7"))


# Opening


@pytest.mark.parametrize("rules", [CLASSIC, SABRA], ids=["classic", "sabra"])
def test_the_value_of_an_opening_is_given(rules: Edition) -> None:
    verdict = judge(rules, "r10 b10 k10 r1 r2 r3", "", "r10 b10 k10 / r1 r2 r3", opened=False)
    assert verdict.legal
    assert verdict.value == 36


def test_an_opened_player_sheds_points() -> None:
    assert judge(CLASSIC, "r7 J", "r5 r6 r8 r9 J", "r5 r6 r7 r8 r9 J").value is not None
    assert judge(CLASSIC, "r7", "r4 r5 r6", "r4 r5 r6 r7").value == 7


@pytest.mark.parametrize(
    ("options", "rack", "after", "legal"),
    [
        ({}, "r3 r4 r5 b6 k6 o6", "r3 r4 r5 / b6 k6 o6", True),
        ({"initial.single_set": True}, "r3 r4 r5 b6 k6 o6", "r3 r4 r5 / b6 k6 o6", False),
        ({"initial.single_set": True}, "r10 r11 r12", "r10 r11 r12", True),
        ({"initial.single_set": True}, "r10 r11 r12 b1 k1 o1", "r10 r11 r12 / b1 k1 o1", True),
        ({"initial.min": 0}, "r1 r2 r3", "r1 r2 r3", True),
        ({"initial.min": 7}, "r1 r2 r3", "r1 r2 r3", False),
        ({"initial.min": 6}, "r1 r2 r3", "r1 r2 r3", True),
        ({"initial.min": 200}, "r10 r11 r12 r13", "r10 r11 r12 r13", False),
        ({}, "r9 J r11", "r9 J r11", True),
        ({"initial.jokers": False}, "r9 J r11", "r9 J r11", False),
        ({"initial.jokers": False}, "r9 r10 r11", "r9 r10 r11", True),
    ],
)
@pytest.mark.parametrize("same_turn", [False, True])
def test_options_of_the_opening(
    options: dict[str, object], rack: str, after: str, legal: bool, same_turn: bool
) -> None:
    rules = edition("classic", {**options, "initial.same_turn_manipulation": same_turn})
    assert judge(rules, rack, "", after, opened=False).legal is legal


def test_going_on_after_the_opening_is_an_option() -> None:
    rack, before, after = "r10 b10 k10 b3", "b4 b5 b6", "b3 b4 b5 b6 / r10 b10 k10"
    assert codes(judge(CLASSIC, rack, before, after, opened=False)) == ["table-changed"]
    free = edition("classic", {"initial.same_turn_manipulation": True})
    assert judge(free, rack, before, after, opened=False).legal


def test_the_rows_of_an_opening_may_be_taken_apart_in_the_same_turn() -> None:
    rack, before = "r10 b10 k10 k9 k11", "o10 o11 o12 o13"
    after = "r10 b10 o10 / k9 k10 k11 / o11 o12 o13"
    assert judge(SABRA, rack, before, after, opened=False).legal
    assert not judge(SABRA, "r10 b10 k9", before, after, opened=False).legal


def test_an_opening_may_go_out() -> None:
    assert judge(CLASSIC, "r10 b10 k10", "", "r10 b10 k10", opened=False).legal


# Jokers


@pytest.mark.parametrize(
    ("reuse", "appended", "own_row", "new_from_table", "new_from_rack"),
    [
        ("any", True, True, True, True),
        ("other_set", True, False, True, True),
        ("new_set", False, False, True, True),
        ("new_set_rack2", False, False, False, True),
    ],
)
def test_where_a_retrieved_joker_may_go(
    reuse: str, appended: bool, own_row: bool, new_from_table: bool, new_from_rack: bool
) -> None:
    rules = edition("classic", {"joker.reuse": reuse})
    hung = judge(rules, "r7", "r5 r6 J / k10 k11 k12", "r5 r6 r7 / k10 k11 k12 J")
    assert hung.legal is appended
    shifted = judge(rules, "r7", "r5 r6 J", "r5 r6 r7 J")
    assert shifted.legal is own_row
    borrowed = judge(
        rules, "r7", "r5 r6 J / k8 k9 k10 k11 / r11 b11 o11 k11",
        "r5 r6 r7 / k8 k9 k10 / r11 o11 k11 / b11 k11 J",
    )  # fmt: skip
    assert borrowed.legal is new_from_table
    fresh = judge(rules, "r7 k11 k12", "r5 r6 J", "r5 r6 r7 / k11 k12 J")
    assert fresh.legal is new_from_rack


def test_an_unmoved_joker_binds_nobody() -> None:
    assert judge(CLASSIC, "r8", "r5 r6 J", "r5 r6 J r8").legal
    assert judge(CLASSIC, "r4", "r5 r6 J", "r4 r5 r6 J").legal


def test_locked_rows_are_an_option() -> None:
    rack, before, after = "k11 k12", "r3 r4 r5 J r7 r8 r9", "r3 r4 r5 / r7 r8 r9 / k11 k12 J"
    assert judge(CLASSIC, rack, before, after).legal
    locked = edition("classic", {"joker.locked_sets": True})
    assert codes(judge(locked, rack, before, after)) == ["locked-row"]


def test_a_locked_row_of_many_jokers_is_judged_at_once() -> None:
    options = {"jokers": "J4 D4 C4 M4", "joker.locked_sets": True, "copies": 4}
    rules = edition("twist", options)
    before = "C J C J C J C J r9 D D"
    broken = judge(rules, "b1 b4", before, "C J C J C J C J r9 D / b1 D b4")
    assert codes(broken) == ["locked-row"]
    assert judge(rules, "b1 b2 b3", before, f"{before} / b1 b2 b3").legal


def test_where_the_replacing_tile_comes_from() -> None:
    before = "r5 r6 J / r7 b7 k7 o7"
    after = "r5 r6 r7 / b7 k7 o7 / k11 k12 J"
    assert not judge(SABRA, "k11 k12", before, after).legal
    table_too = edition("sabra", {"joker.replace_from": "any"})
    assert judge(table_too, "k11 k12", before, after).legal


def test_both_colours_of_a_group_of_three() -> None:
    both = edition("sabra", {"joker.group3_needs_both": True})
    one = ("o3 b11 b12", "r3 k3 J", "r3 k3 o3 / b11 b12 J")
    assert judge(SABRA, *one).legal
    assert not judge(both, *one).legal
    assert judge(both, "o3 b3 b11 b12", "r3 k3 J", "r3 k3 o3 b3 / b11 b12 J").legal


def test_the_exchange_ban_is_an_option() -> None:
    turn = ("C k9 k10", "r5 r6 J", "r5 r6 C / k9 k10 J")
    assert codes(judge(TWIST, *turn)) == ["special-exchange"]
    assert judge(edition("twist", {"twist.special_exchange_ban": False}), *turn).legal


# Declarations


def test_an_ambiguous_row_must_be_named_where_the_edition_says_so() -> None:
    rules = edition("sabra", {"joker.declare": "kind"})
    row = parse_row("r8 J J")
    silent = judge(rules, "r8 J J", "", "r8 J J", declared={})
    assert codes(silent) == ["undeclared"]
    assert silent.reasons[0].params["readings"] == "run / group"
    named = judge(rules, "r8 J J", "", "r8 J J", declared={row: Kind.GROUP})
    assert named.legal
    assert named.declared == {row: Kind.GROUP}
    wrong = judge(rules, "r8 J J", "", "r8 J J", declared={row: Kind.MIRROR_RUN})
    assert codes(wrong) == ["bad-declaration"]
    assert judge(SABRA, "r8 J J", "", "r8 J J", declared={}).legal
    assert judge(rules, "r8 J J", "", "r8 J J").legal  # nobody is asked


def test_a_named_row_is_worth_what_it_was_named() -> None:
    row = parse_row("r10 J J")
    assert judge(CLASSIC, "r10 J J", "", "r10 J J", opened=False, declared={}).value == 33
    group = {row: Kind.GROUP}
    assert judge(CLASSIC, "r10 J J", "", "r10 J J", opened=False, declared=group).value == 30


def test_what_was_named_before_binds_what_a_joker_is() -> None:
    rules = edition("classic", {"joker.locked_sets": True})
    row = parse_row("r8 J J")
    turn = ("r9 r10", "r8 J J", "r8 r9 r10 J J")
    assert not judge(rules, *turn, declared_before={row: Kind.GROUP}).legal


def test_a_joker_does_not_become_another_tile_by_naming_its_row_anew() -> None:
    row = parse_row("J J r6")
    turn = ("r1 b1 k1", "J J r6", "J J r6 / r1 b1 k1")
    named: dict[str, Any] = {"declared_before": {row: Kind.RUN}, "declared": {row: Kind.GROUP}}
    assert codes(judge(SABRA, *turn, **named)) == ["locked-row"]
    new_set = edition("classic", {"joker.reuse": "new_set_rack2"})
    assert codes(judge(new_set, *turn, **named)) == ["joker-needs-rack-tiles"]
    assert judge(edition("taiwan"), *turn, **named).legal


# Without rearranging (`final_round.manipulation=false`)


def test_rows_may_only_grow_where_rearranging_is_over() -> None:
    split = ("r6", "r4 r5 r6 r7 r8", "r4 r5 r6 / r6 r7 r8")
    assert judge(CLASSIC, *split).legal
    assert codes(judge(CLASSIC, *split, manipulation=False)) == ["no-manipulation"]
    grown = ("r9 b1 b2 b3", "r4 r5 r6 r7 r8", "r4 r5 r6 r7 r8 r9 / b1 b2 b3")
    assert judge(CLASSIC, *grown, manipulation=False).legal


# Properties


@given(randoms)
def test_a_legal_turn_leaves_only_rows_and_keeps_every_tile(rng: random.Random) -> None:
    rules = rng.choice(list(EDITIONS.values()))
    table, rack = random_position(rng, rules)
    after = [list(row) for row in table]
    for one in rng.sample(rack, min(len(rack), rng.randint(1, 4))):
        if after and rng.random() < 0.7:
            row = rng.choice(after)
            row.insert(rng.choice([0, len(row)]), one)
        else:
            after.append([one])
    opened = rng.random() < 0.7
    laid = tuple(tuple(row) for row in after)
    verdict = judge_turn(Position(rules, table, tuple(rack), opened), laid)
    flat = Counter(tile for row in laid for tile in row)
    assert Counter(tile for row in verdict.table for tile in row) == flat
    assert Counter(verdict.played) == flat - Counter(tile for row in table for tile in row)
    if verdict.legal:
        assert all(reader(rules).readings(faces_of(row)) for row in verdict.table)
        in_faces = judge_turn(
            Position(
                rules,
                tuple([unidentified(faces_of(row)) for row in table]),
                unidentified(faces_of(rack)),
                opened,
            ),
            tuple([unidentified(faces_of(row)) for row in laid]),
        )
        assert in_faces.legal  # some assignment of ids is legal: this one


def random_position(rng: random.Random, rules: Edition) -> tuple[Table, list[Tile]]:
    """A few rows and a rack from one box."""
    left = list(rules.box().tiles())
    rng.shuffle(left)
    table = []
    for _ in range(rng.randint(0, 4)):
        row = random_row(rng, rules)
        if not reader(rules).readings(row):
            continue
        taken = []
        for face in row:
            one = next((tile for tile in left if FACE_OF[tile] == face), None)
            if one is None:
                break
            left.remove(one)
            taken.append(one)
        if len(taken) == len(row):
            table.append(tuple(taken))
        else:
            left += taken
    return tuple(table), left[:14]


@pytest.mark.parametrize("opened", [True, False])
def test_rows_stay_whole_where_they_may_not_be_taken_apart(opened: bool) -> None:
    rules = edition("sabra", {"empty_pool.end": "final_round", "final_round.manipulation": False})
    before = parse_table("r4 b4 k4 o4 / b5 b6 b7")
    verdict = judge_turn(
        Position(rules, before, parse_row("r10 b10 k10 b3"), opened, manipulation=False),
        parse_table("r10 b10 k10 / b3 b4 b5 b6 b7 / r4 k4 o4"),
    )
    assert [reason.code for reason in verdict.reasons] == ["no-manipulation"]


@pytest.mark.parametrize(
    ("before", "rack", "after", "legal"),
    [
        ("J r5 r6", "r8", "r5 r6 J r8", False),
        ("J r5 r6", "r7", "J r5 r6 r7", True),
        ("r4 r5 r6 / r8 r9 r10", "r7", "r4 r5 r6 r7 r8 r9 r10", False),
        ("r4 r5 r6 / r8 r9 r10", "r7", "r4 r5 r6 r7 / r8 r9 r10", True),
        ("r7 b7 k7", "o7", "o7 k7 r7 b7", True),
        ("r7 b7 J", "o7", "r7 b7 J o7", True),
    ],
)
def test_adding_is_all_that_is_left_without_manipulation(
    before: str, rack: str, after: str, legal: bool
) -> None:
    verdict = judge_turn(
        Position(
            edition("taiwan"), parse_table(before), parse_row(rack), opened=True, manipulation=False
        ),
        parse_table(after),
    )
    assert verdict.legal is legal


def test_two_locked_rows_cannot_share_a_new_tile() -> None:
    verdict = judge_turn(
        Position(
            edition("sixplayer", {"joker.locked_sets": True}),
            parse_table("J r6 J / J r8 J"),
            parse_row("r7 r7 b7"),
            opened=True,
        ),
        parse_table("J r6 r7 r8 J / r7 b7 J J"),
    )
    assert [reason.code for reason in verdict.reasons] == ["locked-row", "locked-row"]


def test_an_opening_may_take_one_of_two_equal_rows() -> None:
    """Fours twice and threes once would open too, but leave no black 4 to replace the joker."""
    verdict = judge_turn(
        Position(
            SABRA,
            parse_table("J k5 k6 / r5 r6 r7 / b5 b6 b7"),
            parse_row("r3 r3 b3 b3 k3 k3 r4 r4 b4 b4 k4 k4 o10 o11"),
            opened=False,
        ),
        parse_table(
            "k3 k4 k5 k6 / o10 o11 J / r3 r4 r5 r6 r7 / b3 b4 b5 b6 b7 / r4 b4 k4 / r3 b3 k3"
        ),
    )
    assert verdict.legal
    assert verdict.value == 30


def test_rows_added_to_are_found_in_any_order() -> None:
    before = "J k2 b2 / o2 J b2"
    for after in ("J k2 b2 / o2 J b2 k2", "o2 J b2 k2 / J k2 b2"):
        assert judge(CLASSIC, "k2", before, after, manipulation=False).legal
