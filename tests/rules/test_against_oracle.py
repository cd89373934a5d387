"""The judge and the brute-force transcription of the rules give the same answers.

The oracle tries every identity of every joker, every order and every assignment of ids; the judge
does none of that. They share no code.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping

import pytest

from tests import oracle
from tilerummy.rules.declarations import Declaration, parse_declaration
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.orders import best_order
from tilerummy.rules.position import Position
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import Row, parse_faces, parse_tiles, row_text
from tilerummy.rules.turns import judge_turn

LONGEST_PERMUTED = 6
SOAK_CASES = int(os.environ.get("SOAK_CASES", "20000"))


def check_rows(name: str, seed: str, count: int) -> None:
    rng = random.Random(f"rows {seed} {name}")
    for _ in range(count):
        case = oracle.random_set_case(rng, name)
        rules, row = edition(name, case["options"]), parse_faces(case["row"])
        expected = oracle.set_verdict(name, case["row"], case["options"])
        verdict = judge_row(rules, row)
        assert verdict.valid is expected.valid, case
        assert (verdict.kind, verdict.value) == (expected.kind, expected.value), case
        readings = sorted((str(reading.kind), reading.value) for reading in verdict.readings)
        assert readings == sorted(expected.readings), case
        if len(row) <= LONGEST_PERMUTED:
            best = oracle.best_order(name, case["row"], case["options"])
            order = best_order(rules, row)
            value = None if order is None else reader(rules).readings(order)[0].value
            assert value == (None if best is None else best[1]), case


def check_turns(name: str, seed: str, count: int) -> None:
    rng = random.Random(f"turns {seed} {name}")
    legal = 0
    for _ in range(count):
        case = oracle.random_turn_case(rng, name)
        expected = oracle.turn_verdict(
            name, case["options"], case["opened"], case["rack"], case["before"], case["after"]
        )
        verdict = judge_turn(
            Position(
                edition(name, case["options"]),
                tuple([parse_tiles(row) for row in case["before"]]),
                parse_tiles(case["rack"]),
                case["opened"],
            ),
            tuple([parse_tiles(row) for row in case["after"]]),
        )
        reasons = [f"{reason.code} {row_text(reason.tiles)}" for reason in verdict.reasons]
        assert verdict.legal is expected, (case, reasons)
        legal += expected
    assert 0 < legal < count


def check_named_turns(name: str, seed: str, count: int) -> None:
    rng = random.Random(f"named {seed} {name}")
    legal = 0
    for _ in range(count):
        case = oracle.random_named_case(rng, name)
        expected = oracle.turn_verdict(
            name,
            case["options"],
            case["opened"],
            case["rack"],
            case["before"],
            case["after"],
            case["said_before"],
            case["said"],
        )
        verdict = judge_turn(
            Position(
                edition(name, case["options"]),
                tuple([parse_tiles(row) for row in case["before"]]),
                parse_tiles(case["rack"]),
                case["opened"],
                declared=said(case["said_before"]),
            ),
            tuple([parse_tiles(row) for row in case["after"]]),
            said(case["said"]),
        )
        assert verdict.legal is expected, (case, verdict.reasons)
        legal += expected
    assert 0 < legal < count


def said(rows: Mapping[oracle.Row, list[str]]) -> dict[Row, Declaration]:
    return {parse_tiles(row): parse_declaration(names) for row, names in rows.items()}


@pytest.mark.parametrize("name", EDITIONS)
def test_rows_agree(name: str) -> None:
    check_rows(name, "sample", 300)


@pytest.mark.parametrize("name", EDITIONS)
def test_turns_agree(name: str) -> None:
    check_turns(name, "sample", 120)


@pytest.mark.parametrize("name", EDITIONS)
def test_turns_with_named_jokers_agree(name: str) -> None:
    check_named_turns(name, "sample", 80)


@pytest.mark.soak
@pytest.mark.parametrize("name", EDITIONS)
def test_many_rows_and_turns_agree(name: str) -> None:
    check_named_turns(name, "soak", SOAK_CASES)
    check_rows(name, "soak", SOAK_CASES)
    check_turns(name, "soak", SOAK_CASES)
