"""What `solve` and its neighbours promise beyond the best figures."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from tests.copies import Copies
from tests.solver.positions import FAMILIES, draw, read
from tests.solver.reference import TooBigError, _partitions, brute, is_legal
from tests.solver.templates import Grammar, rows
from tilerummy.rules import EDITIONS, edition, judge_turn, parse_row, parse_table, rack_points
from tilerummy.rules.errors import PositionError
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import (
    JOKER,
    NUMBER,
    Faces,
    faces_of,
    parse_face,
    parse_physical_tiles,
    parse_tile,
    unidentified,
)
from tilerummy.solver import (
    ObjectiveError,
    Position,
    Solution,
    best,
    kernel_name,
    missing,
    playable,
    solve,
    solve_many,
)
from tilerummy.solver.turns.tidy import fewest_hitting

TAIWAN = EDITIONS["taiwan"]
NO_MANIPULATION: dict[str, object] = {
    "empty_pool.end": "final_round",
    "final_round.manipulation": False,
    "initial.same_turn_manipulation": True,
}


def position(table: str, rack: str, name: str = "taiwan", **options: object) -> Position:
    rules = edition(name, {key.replace("__", "."): value for key, value in options.items()})
    return Position(rules, parse_table(table), parse_row(rack), opened=True)


def with_ids(plain: Position) -> Position:
    """The same position in physical tiles."""
    return Copies().position(plain)


def assert_legal(asked: Position, found: Solution) -> None:
    verdict = judge_turn(
        asked, found.table, found.declared if asked.edition.joker_declare != "position" else None
    )
    assert verdict.legal, (verdict.reasons, found, asked)
    assert verdict.played == found.played


def test_the_kernel_is_compiled_where_a_compiler_is_at_hand() -> None:
    assert kernel_name() == "compiled"


def test_a_turn_has_its_figures() -> None:
    asked = position("b4 b5 b6 / r8 k8 o8", "b3 b8 k1")
    found = solve(asked)
    assert (found.tiles, found.value, found.exact, found.tidiest) == (2, 11, True, True)
    assert found.plays
    assert_legal(asked, found)


def test_nothing_to_play_means_to_draw() -> None:
    asked = position("b4 b5 b6", "r1 k9")
    found = solve(asked)
    assert (found.tiles, found.value, found.played, found.table) == (0, 0, (), asked.table)
    assert not found.plays
    assert found.rows_kept == 1


def test_an_empty_rack_and_an_empty_table() -> None:
    assert solve(position("", "")).tiles == 0
    assert solve(position("", "r1 r2 r3"), "out").tiles == 3
    assert solve(position("r1 r2 r3", ""), tidy=False).tiles == 0


def test_going_out_is_all_or_nothing() -> None:
    assert solve(position("b4 b5 b6", "b3 b7"), "out").tiles == 2
    assert solve(position("b4 b5 b6", "b3 b7 k1"), "out").tiles == 0


def test_value_and_tiles_differ() -> None:
    asked = position("", "r1 b1 k1 o1 r2 r3 r13 b13 k13 J")
    tiles, value = solve(asked), solve(asked, "value")
    assert tiles.tiles >= value.tiles
    assert value.value >= tiles.value


def test_free_weights_decide() -> None:
    asked = position("", "r5 b5 k5 r6 r7")
    assert solve(asked, {"b5": 10, "k5": 1}).played == parse_row("r5 b5 k5")
    assert solve(asked, {"r6": 10, "k5": 1}).played == parse_row("r5 r6 r7")
    assert solve(asked, {parse_face("r6"): 10}).tiles == 3


@pytest.mark.parametrize("wanted", ["most", {"r14": 1}, {"r7": -1}, {"r7": 1.5}, {99: 1}, 7, None])
def test_odd_objectives_are_refused(wanted: object) -> None:
    with pytest.raises(Exception, match=r"objective|weight|tile") as caught:
        solve(position("", "r1 r2 r3"), wanted)  # type: ignore[arg-type]
    assert isinstance(caught.value, ObjectiveError) or "unknown tile" in str(caught.value)


def test_a_row_that_is_not_a_set_is_an_error() -> None:
    with pytest.raises(PositionError, match="not a set"):
        solve(position("b4 b5 r6", "b3"))


@pytest.mark.parametrize("family", ["free", "six", "reuse", "exchange", "locked", "sabra-opening"])
def test_physical_tiles_come_back_legally(family: str) -> None:
    for seed in range(300, 312):
        asked = with_ids(read(draw(family, seed, small=False)))
        for tidy in (False, True):
            found = solve(asked, tidy=tidy)
            if found.plays:
                assert_legal(asked, found)
                kept = Counter(asked.table) & Counter(found.table)
                assert kept.total() == found.rows_kept


def meaning(row: Faces) -> Faces:
    """Equal for rows that lie there alike: in a group no order matters."""
    numbers = {NUMBER[face] for face in row if face < JOKER}
    return tuple(sorted(row)) if len(numbers) == 1 and len(row) <= 4 else row


def most_kept(asked: Position) -> int | None:
    """By trying all tables: how many rows the tidiest of the best turns keeps."""
    target = brute(asked)
    if target is None:
        return None
    must = Counter(face for row in asked.table for face in faces_of(row))
    may = Counter(faces_of(asked.rack))
    by_tiles: dict[Faces, list[Faces]] = {}
    for row in rows(Grammar.of(asked.edition), must + may):
        by_tiles.setdefault(tuple(sorted(row)), []).append(row)
    standing = Counter(meaning(faces_of(row)) for row in asked.table)
    most = 0
    for parts in _partitions(sorted(by_tiles), must, may):
        played = Counter(face for part in parts for face in part)
        played.subtract(must)
        value = rack_points(asked.edition, unidentified((+played).elements()))
        if ((+played).total(), value) != (target.tiles, target.value):
            continue
        for laid in product(*(by_tiles[part] for part in parts)):
            kept = (standing & Counter(map(meaning, laid))).total()
            if kept > most and is_legal(asked, laid):
                most = kept
    return most


@pytest.mark.parametrize("family", ["free", "six", "reuse", "locked"])
def test_no_equally_good_turn_keeps_more_rows(family: str) -> None:
    compared = 0
    for seed in range(400, 425):
        asked = read(draw(family, seed, small=True))
        try:
            most = most_kept(asked)
        except TooBigError:
            continue
        found = solve(asked)
        if most is None:
            assert not found.plays
            continue
        compared += 1
        assert found.tidiest
        assert found.rows_kept == most, (asked, found)
    assert compared >= 8


@pytest.mark.parametrize(
    ("name", "table", "rack"),
    [
        ("sixplayer", "k3 k4 k5 / J k4 o4", "k2"),
        ("sabra", "J k5 b5 / J r7 b7 o7", "r5 b4"),
    ],
)
@pytest.mark.parametrize("physical", [False, True], ids=["faces", "tiles"])
def test_a_group_with_a_joker_is_kept_in_the_order_in_which_it_lies(
    name: str, table: str, rack: str, physical: bool
) -> None:
    asked = Position(edition(name), parse_table(table), parse_row(rack), opened=True)
    asked = with_ids(asked) if physical else asked
    for tidy in (False, True):
        found = solve(asked, tidy=tidy)
        assert found.tiles == 1
        assert found.rows_kept == 1
        assert asked.table[1] in found.table


def test_an_opening_that_needs_nothing_may_still_find_nothing() -> None:
    rules = edition("sabra", {"initial.min": 0})
    asked = Position(rules, parse_table("r5 o5 J J"), parse_row("r5 b9 b9 k8 k9"), opened=False)
    assert not solve(with_ids(asked)).plays


def test_rather_add_to_a_row_than_take_it_apart() -> None:
    found = solve(position("r3 r4 r5 r6 / b3 k3 o3", "r7"))
    assert found.table == parse_table("b3 k3 o3 / r3 r4 r5 r6 r7")
    found = solve(position("r1 r2 r3 / r4 r5 r6", "r7"))
    assert parse_table("r4 r5 r6 r7")[0] in found.table
    assert parse_table("r1 r2 r3")[0] in found.table


def test_rows_keep_their_tiles_where_others_trade_equal_ones() -> None:
    """The jokers may go where they go only if equal tiles of two rows trade places."""
    table = "r11.2 k11.2 o11.2 / b4.1 k4.1 o4.1 / r13.1 b13.2 o13.2 / o3.1 o4.2 o5.2 / "
    table += "J.1 b3.1 b4.2 / r10.1 r11.1 J.2 r13.2 / k3.1 k4.2 k5.2 k6.1"
    rows = tuple([parse_physical_tiles(row.split()) for row in table.split(" / ")])
    rack = parse_physical_tiles(["r12.2", "b6.1", "b6.2", "b10.1", "k10.1"])
    asked = Position(EDITIONS["classic"], rows, rack, opened=True)
    found = solve(asked)
    assert (found.tiles, found.value, found.rows_kept) == (5, 44, 3)
    assert_legal(asked, found)


def test_fewest_rows_that_hit_every_conflict() -> None:
    conflicts = [frozenset({1, 2}), frozenset({2, 3}), frozenset({4})]
    assert fewest_hitting(conflicts, 3) == frozenset({2, 4})
    assert fewest_hitting(conflicts, 2) is None
    assert fewest_hitting([], 1) == frozenset()


def all_played(asked: Position) -> list[tuple[int, int]]:
    """By trying all tables: the figures of every different choice of tiles, the best first."""
    must = Counter(face for row in asked.table for face in faces_of(row))
    may = Counter(faces_of(asked.rack))
    templates = sorted({tuple(sorted(row)) for row in rows(Grammar.of(asked.edition), must + may)})
    choices = set()
    for parts in _partitions(templates, must, may):
        played = Counter(face for part in parts for face in part)
        played.subtract(must)
        choices.add(tuple(sorted((+played).elements())))
    figures = [
        (len(row), rack_points(asked.edition, row)) for row in map(unidentified, choices) if row
    ]
    return sorted(figures, reverse=True)


def test_the_next_best_turns() -> None:
    for seed in range(500, 510):
        asked = read(draw("free", seed, small=True))
        expected = all_played(asked)
        found = best(asked, 6)
        assert [(turn.tiles, turn.value) for turn in found] == expected[:6]
        assert len({turn.played for turn in found}) == len(found)
        for turn in found:
            assert_legal(asked, turn)
    assert best(asked, 0) == []


def test_alternatives_within_a_budget_of_states() -> None:
    asked = Position(
        edition("classic"),
        parse_table("r5 r6 J / k10 k11 k12 / b4 k4 o4 r4"),
        parse_row("b3 b5 r7 k11 k13 o1 b7 k7 o7"),
        opened=True,
    )
    everything = best(asked, 6)
    assert [turn.tiles for turn in best(asked, 6, node_limit=10**9)] == [
        turn.tiles for turn in everything
    ]
    short = best(asked, 6, node_limit=1)
    assert short[0].tiles == everything[0].tiles
    assert short[-1].nodes < everything[-1].nodes
    for turn in best(asked, 6, node_limit=60):
        assert judge_turn(asked, turn.table).legal


def test_which_tiles_are_playable() -> None:
    asked = position("b4 b5 b6 / r8 k8 o8", "b3 b8 k1")
    assert [playable(asked, face) is not None for face in asked.rack] == [True, True, False]
    with pytest.raises(PositionError, match="not on the rack"):
        playable(asked, parse_row("r1")[0])
    locked = position("r5 J r7 / b9 b10 b11", "r6 k1 k2", "sabra")
    freed = playable(locked, parse_row("k1")[0])
    assert freed is not None
    assert freed.tiles == 3


def test_which_tiles_are_missing() -> None:
    asked = position("b4 b5 b6", "r1 r2")
    found = {item.face: item for item in missing(asked)}
    assert found[parse_face("r3")].out
    assert found[parse_face("b3")].tiles == 1
    assert not found[parse_face("b3")].out
    assert parse_face("k9") not in found
    full = position("b4 b5 b6 / b4 b5 b6", "r1 r2")
    assert parse_face("b5") not in {item.face for item in missing(full)}


def test_a_limit_gives_the_best_so_far() -> None:
    asked = read(draw("adversarial", 3, small=False))
    whole = solve(asked, tidy=False)
    for limit in (1, 20, 200):
        found = solve(asked, tidy=False, node_limit=limit)
        assert found.tiles <= whole.tiles
        if found.plays:
            assert_legal(asked, found)
        if found.exact:
            assert (found.tiles, found.value) == (whole.tiles, whole.value)
    assert solve(asked, node_limit=10**9).exact


def check_additions(family: str, seeds: range) -> int:
    """Compare turns in which no row may be taken apart with all tables; how many were compared."""
    compared = 0
    for seed, opened in product(seeds, (True, False)):
        drawn = read(draw(family, seed, small=True))
        options = {**drawn.edition.changed_options(), **NO_MANIPULATION}
        options |= {"initial.min": 10} if seed % 2 else {}
        rules = edition(drawn.edition.name, options)
        asked = Position(rules, drawn.table, drawn.rack, opened, manipulation=False)
        try:
            target = brute(asked, tables=10_000, verdicts=1_000)
        except TooBigError:
            continue
        found = solve(asked, tidy=seed % 3 > 0)
        assert found.exact
        assert (found.tiles, found.value) == ((target.tiles, target.value) if target else (0, 0))
        if found.plays:
            assert_legal(asked, found)
        compared += 1
    return compared


@pytest.mark.parametrize("family", ["free", "twist", "locked", "sabra-opening", "mixed"])
def test_rows_that_may_not_be_taken_apart_are_added_to(family: str) -> None:
    assert check_additions(family, range(600, 608)) > 5


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_many_rows_are_added_to(family: str) -> None:
    check_additions(family, range(1000, 1300))


def test_an_opening_goes_on_with_additions() -> None:
    rules = edition("sabra", NO_MANIPULATION)
    rack = parse_row("r10 r11 r12 b4 k9")
    asked = Position(rules, parse_table("b1 b2 b3"), rack, opened=False, manipulation=False)
    found = solve(asked)
    assert (found.tiles, found.value, found.exact) == (4, 37, True)
    assert_legal(asked, found)
    too_little = Position(
        rules, asked.table, parse_row("b4 b5 r1 r2 r3"), False, manipulation=False
    )
    assert not solve(too_little).plays


def test_ambiguous_rows_are_declared_where_the_edition_asks() -> None:
    rules = edition("sabra", {"joker.declare": "explicit"})
    asked = Position(rules, (), parse_row("r8 J J b1 b2 b3"), opened=True)
    found = solve(asked)
    assert found.tiles == 6
    assert_legal(asked, found)
    row = parse_row("r8 J J")
    asked = Position(rules, (row,), parse_row("b8 r10"), True, declared={row: Kind.GROUP})
    found = solve(asked)
    assert found.played == parse_row("b8")
    assert_legal(asked, found)


def test_rows_that_lay_there_without_a_kind_stop_no_turn() -> None:
    rules = edition("sixplayer", {"joker.declare": "kind", "joker.reuse": "other_set"})
    table, rack = parse_table("b6 J J / k11 J k13"), parse_row("k7 k8 k9 k12 o10 J")
    for limit in (None, 1):
        asked = Position(rules, table, rack, opened=False)
        found = solve(asked, node_limit=limit)
        assert found.played == parse_row("k7 k8 k9 J")
        assert_legal(asked, found)
        assert solve(replace(asked, opened=True), node_limit=limit).plays


def test_many_positions_one_after_another() -> None:
    asked = [position("b4 b5 b6", rack) for rack in ("b3", "b7 b8", "k1")]
    assert [found.tiles for found in solve_many(asked)] == [1, 2, 0]


def test_openings_count_their_rows() -> None:
    asked = Position(TAIWAN, parse_table("b4 b5 b6"), parse_row("r9 r10 J b7 k1"), opened=False)
    found = solve(asked)
    assert (found.tiles, found.value, found.rows_kept) == (3, 30, 1)
    assert_legal(asked, found)
    assert solve(Position(TAIWAN, (), parse_row("r8 r9 J"), opened=False)).tiles == 0
    one = edition("taiwan", {"initial.single_set": True})
    assert solve(Position(one, (), parse_row("r5 r6 r7 k5 k6 k7"), opened=False)).tiles == 0
    both = parse_row("r9 r10 r11 k1 k2 k3")
    assert solve(Position(one, (), both, opened=False)).tiles == 6
    bare = edition("taiwan", {"initial.jokers": False})
    found = solve(Position(bare, (), parse_row("r9 r10 r11 J"), opened=False))
    assert found.played == parse_row("r9 r10 r11")


def test_without_the_compiled_kernel_the_answers_are_the_same() -> None:
    code = (
        "from tilerummy.solver import *; from tilerummy.rules import *\n"
        "assert kernel_name() == 'python'\n"
        "for name, table, rack in [('taiwan', 'b4 b5 b6 / r8 k8 o8', 'b3 b8 k1 J'),"
        " ('twist', 'o2 D o5 / r7 M r7', 'o6 C b9 b10')]:\n"
        "    found = solve(Position(edition(name), parse_table(table), parse_row(rack), True))\n"
        "    print(found.tiles, found.value)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"TILERUMMY_KERNEL": "python"},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [
        solve(position("b4 b5 b6 / r8 k8 o8", "b3 b8 k1 J")),
        solve(position("o2 D o5 / r7 M r7", "o6 C b9 b10", "twist")),
    ]
    assert done.stdout.splitlines() == [f"{found.tiles} {found.value}" for found in here]


# Positions that were answered wrongly once.


@pytest.mark.parametrize(
    ("name", "options", "table", "rack", "tiles"),
    [
        ("twist", {}, "r1 r2 J", "D r5 r7 b9 b11", 3),  # J in the same row lifts the ban
        ("twist", {}, "r1 r2 J", "C b4 b6 k9 k11", 3),
        ("sabra", {"set.min_natural": 3}, "r1 r2 r3 J", "J r5 r7 b9 b11 b13", 3),
        ("sabra", {"set.min_natural": 4}, "r1 r2 r3 r4 J", "r6 r7 r8 b9 b10 b11 b13", 3),
        ("sabra", {"jokers": "C3"}, "o6 C C", "b4 b6 k7 o3 o4 o8", 0),
        ("twist", {"set.min_natural": 0}, "J C J", "b4 k1 C M", 4),
    ],
)
def test_longer_rows_and_odd_boxes(
    name: str, options: dict[str, object], table: str, rack: str, tiles: int
) -> None:
    asked = Position(edition(name, options), parse_table(table), parse_row(rack), opened=True)
    found = solve(asked)
    assert found.tiles == tiles
    if found.plays:
        assert_legal(asked, found)


def test_a_limit_never_lies() -> None:
    asked = position("b4 b5 D", "r7 o7 C M", "twist")
    whole = solve(asked)
    for limit in range(1, 120, 7):
        found = solve(asked, node_limit=limit)
        assert not found.exact or found.tiles == whole.tiles


def test_tiles_of_an_opening_that_went_on_come_back_legally() -> None:
    table = (tuple(map(parse_tile, ("J.1", "r12.1", "J.2"))),)
    rack = tuple(map(parse_tile, ("r11.1", "r12.2", "r13.2", "r13.1", "b3.1")))
    asked = Position(EDITIONS["sabra"], table, rack, opened=False)
    found = solve(asked)
    assert found.tiles == 4
    assert_legal(asked, found)


def test_tiles_that_were_added_come_back_legally() -> None:
    table = (tuple(map(parse_tile, ("b4.1", "J.1", "J.2"))),)
    rack = tuple(map(parse_tile, ("b2.1", "b7.1", "J.3")))
    asked = Position(EDITIONS["sixplayer"], table, rack, opened=True, manipulation=False)
    found = solve(asked)
    assert found.tiles == 3
    assert_legal(asked, found)


def test_a_row_that_stays_may_lie_behind_one_that_is_added_to() -> None:
    rules = edition("taiwan", {"final_round.manipulation": False})
    plain = Position(
        rules,
        parse_table("b4 b5 b6 / r11 r12 r13 / k1 k2 k3"),
        parse_row("b7 k4 o1"),
        opened=True,
        manipulation=False,
    )
    for asked in (plain, with_ids(plain)):
        found = solve(asked)
        assert found.tiles == 2
        assert_legal(asked, found)


def test_no_tile_goes_to_rows_before_opening() -> None:
    rack = parse_row("r6 b1 b2 b3")
    asked = Position(EDITIONS["sabra"], parse_table("r3 r4 r5"), rack, False, manipulation=False)
    assert not solve(asked).plays
