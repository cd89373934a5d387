"""Positions with known answers, from tests/data/cases (see the README there)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.errors import OptionError, PositionError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACES,
    JOKER,
    NUMBER,
    Face,
    faces_of,
    parse_faces,
    parse_tiles,
    unidentified,
)
from tilerummy.rules.turns import check_position, judge_turn
from tilerummy.solver import CoverProblem, Grammar, Objective, Solution, find_cover, solve

CASES = Path(__file__).parents[1] / "data" / "cases"
Case = dict[str, Any]
FREE = edition("taiwan")
LOCKED = edition("sabra")


def _cases(*names: str) -> Iterator[Any]:
    for name in names:
        for number, case in enumerate(json.loads((CASES / name).read_text("utf-8"))["cases"]):
            label = case.get("name") or case.get("test", "").split("::")[-1]
            yield pytest.param(case, id=f"{name.removesuffix('.json')}-{number}-{label}")


def _solved(position: Position, wanted: str | Objective = "tiles") -> Solution:
    found = solve(position, wanted)
    assert found.exact
    if found.tiles:
        verdict = judge_turn(position, found.table)
        assert verdict.legal
        assert len(verdict.played) == found.tiles
    return found


# --- proven optima


def _turns() -> Iterator[Any]:
    for line in (CASES / "best_turns.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        yield pytest.param(case, id=str(case["id"]))


@pytest.mark.parametrize("case", list(_turns()))
def test_best_turn(case: Case) -> None:
    position = Position(
        edition(case["edition"]),
        tuple(parse_tiles(row) for row in case["table"]),
        parse_tiles(case["rack"]),
        case["opened"],
    )
    found = _solved(position)
    assert (found.tiles, found.value) == (case["tiles"], case["value"])
    if "max_value" in case:
        assert _solved(position, "value").value == case["max_value"]


# --- what others state


def _rules(case: Case) -> Edition:
    """The edition in which a case is meant; enough jokers and copies for its tiles."""
    rules = LOCKED if case.get("joker_mode") == "LOCKING" else FREE
    tiles = _tiles(case)
    if tiles[JOKER] > 2:
        rules = rules.with_options({"jokers": "J4"})
    if max((count for face, count in tiles.items() if face < JOKER), default=0) > 2:
        rules = rules.with_options({"copies": 4})
    if "jokers>=3" in case.get("objective", ""):
        rules = rules.with_options({"set.min_natural": 0})
    return rules


def _rack(case: Case) -> tuple[Face, ...]:
    """`[]` is the joker of one project; the exact figures for its examples leave that tile out."""
    return parse_faces(tile for tile in case["rack"] if tile != "[]")


def _tiles(case: Case) -> Counter[Face]:
    table = [tile for row in case.get("table", ()) for tile in row]
    return Counter((*_rack(case), *parse_faces((*table, *case.get("table_flat", ())))))


def _counts(tiles: Counter[Face]) -> bytes:
    return bytes(tiles[face] for face in ALL_FACES)


def _position(
    case: Case, *, opened: bool = True, options: dict[str, object] | None = None
) -> Position:
    rules = _rules(case).with_options(options) if options else _rules(case)
    table = tuple(parse_tiles(row) for row in case.get("table", ()))
    return Position(rules, table, unidentified(_rack(case)), opened)


def _covered(case: Case) -> int:
    """How many tiles can be placed where only the tiles of the table are known."""
    table = [tile for row in case.get("table", ()) for tile in row]
    must = Counter(parse_faces((*table, *case.get("table_flat", ()))))
    may = Counter(_rack(case))
    ones = (1,) * FACES
    laid = find_cover(CoverProblem(Grammar.of(_rules(case)), _counts(must), _counts(may), ones))
    return 0 if laid is None else may.total() - laid.loss


def _is_opening(case: Case) -> bool:
    return case.get("objective") == "initial_meld_30" or bool(case.get("first_turn"))


OTHER_RULES = {"test_first_turn_joker_does_not_count_toward_threshold": 3}
"""Openings that others judge by another rule, with the answer of ours."""
OTHERS = (
    "adamb56789_tests.json",
    "blazor_rummisolve.json",
    "breakds_examples.json",
    "den_hertog_hulshof_2006.json",
    "gregorias_rummikubsolver.json",
    "issue_reports.json",
    "jonasyr_tests.json",
    "mjpieters_tests.json",
    "radekrzepka_boards.json",
    "rulebook_examples.json",
)


def _counted(case: Case) -> bool:
    wanted = case.get("objective", "max_tiles")
    return wanted in ("max_tiles", "TILES_PLACED", "initial_meld_30", "max_tiles_jokers>=3")


@pytest.mark.parametrize("case", [param for param in _cases(*OTHERS) if _counted(param.values[0])])
def test_tiles_placed(case: Case) -> None:
    """The exact figure where one is known, else what the other project states."""
    expected = case.get("checked_max_tiles", case.get("expect_placed"))
    if max(_tiles(case).values(), default=0) > 4:  # than any box holds
        with pytest.raises(PositionError, match="the box of this edition has"):
            check_position(_rules(case), unidentified(_tiles(case).elements()), ())
        return
    if _is_opening(case):
        expected = OTHER_RULES.get(case.get("test", "").split("::")[-1], expected)
        found = _solved(_position({**case, "table_flat": ()}, opened=False))
        assert found.tiles == expected
    elif "table_flat" in case or any(len(row) < 3 for row in case["table"]):
        assert _covered(case) == expected
    elif expected is None:  # more copies than two, so it was never checked
        assert _solved(_position(case)).tiles == _covered(case)
    else:
        assert _solved(_position(case)).tiles == expected


def test_all_tiles_with_the_joker() -> None:
    for param in _cases("breakds_examples.json"):
        case = param.values[0]
        rack = ["J" if tile == "[]" else tile for tile in case["rack"]]
        assert _solved(_position({**case, "rack": rack})).tiles == len(rack)


VALUED = [param for param in _cases("adamb56789_tests.json") if not _counted(param.values[0])]


@pytest.mark.parametrize("case", VALUED)
def test_tiles_of_the_most_valuable_turn(case: Case) -> None:
    penalty = case["joker_value"]
    joker = 30 if penalty is None else penalty
    if joker < 0:  # a joker that is better kept
        with pytest.raises(OptionError, match="rack_penalty"):
            _position(case, options={"joker.rack_penalty": joker})
        return
    position = _position(case, options={"joker.rack_penalty": joker})
    assert _solved(position, "value").tiles == case["expect_placed"]


def test_most_points_with_a_worthless_joker() -> None:
    for param in _cases("den_hertog_hulshof_2006.json"):
        case = param.values[0]
        if case["objective"] == "max_value_joker0":
            position = _position(case, options={"joker.rack_penalty": 0})
            assert _solved(position, "value").value == case["checked_max_value"]


@pytest.mark.parametrize("case", list(_cases("contest_acmicpc_10186.json")))
def test_best_single_row(case: Case) -> None:
    """The highest minimum that one row can reach."""
    best = 0
    for minimum in range(1, 53):
        position = _position(
            case, opened=False, options={"initial.single_set": True, "initial.min": minimum}
        )
        if _solved(position).tiles:
            best = minimum
    assert best == case["expect_value"]


def test_least_points_left() -> None:
    for param in _cases("issue_reports.json"):
        case = param.values[0]
        if case["objective"] == "min_hand_value":
            position = _position(case)
            left = Counter(faces_of(position.rack))
            left.subtract(faces_of(_solved(position, "value").played))
            points = sum(NUMBER[face] * count for face, count in left.items())
            assert points == case["expect_hand_value_left"]


def test_opening_that_goes_on() -> None:
    for param in _cases("mjpieters_tests.json"):
        case = param.values[0]
        if case["objective"] == "initial_meld_30_then_table":
            rules = FREE.with_options({"initial.same_turn_manipulation": True})
            flat = Counter(parse_faces(case["table_flat"]))
            laid = find_cover(
                CoverProblem(Grammar.of(rules), _counts(flat), bytes(FACES), (0,) * FACES)
            )
            assert laid is not None
            table = tuple(map(unidentified, laid.rows))
            position = Position(rules, table, unidentified(_rack(case)), opened=False)
            assert _solved(position).tiles == case["expect_placed"]


def test_every_case_is_used() -> None:
    """A new kind of case must not go unnoticed."""
    known = {"VALUE_PLACED", "max_value_joker0", "best_single_set_value", "min_hand_value"}
    known |= {"initial_meld_30_then_table", "match_scoring"}
    for param in _cases(*(path.name for path in CASES.glob("*.json"))):
        case = param.values[0]
        assert _counted(case) or case["objective"] in known
