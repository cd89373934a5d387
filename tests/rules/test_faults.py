"""Faults of rows: all of them, the most telling first, each with its tiles."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import any_editions, any_faces, near_rows
from tilerummy.rules.editions import CLASSIC, TWIST, Edition
from tilerummy.rules.faults import judge_row, row_faults
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import faces_of, parse_row, parse_tile

CODES = {
    "too-short", "inventory", "two-mirrors", "no-number-tile", "too-few-number-tiles",
    "too-many-jokers", "too-long", "c-in-group", "duplicate", "duplicate-colour", "not-a-set",
    "out-of-range", "mixed-colour", "same-colour", "adjacent-changes", "wraps",
    "duplicate-number", "wrong-order", "gap", "not-consecutive", "asymmetric", "half-too-short",
    "half-not-a-set",
}  # fmt: skip


@given(st.one_of(any_faces, near_rows()), any_editions)
def test_faults_are_known_once_each_and_name_tiles_of_the_row(row: Faces, rules: Edition) -> None:
    if reader(rules).readings(row):
        return
    faults = row_faults(rules, row)
    assert faults
    codes = [fault.code for fault in faults]
    assert len(set(codes)) == len(codes)
    assert set(codes) <= CODES
    for fault in faults:
        assert set(fault.tiles) <= set(row)
        assert Counter(fault.tiles) <= Counter(row) or fault.code == "asymmetric"


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        ("", ["too-short", "no-number-tile"]),
        ("r7", ["too-short"]),
        ("r12 b1", ["too-short", "not-a-set"]),
        ("r7 r7", ["too-short", "duplicate"]),
        ("r7 b7 k7 o7 r7 b7", ["too-long", "duplicate-colour"]),
        ("r3 r5 r4", ["gap", "wrong-order"]),
        ("r1 r2 r3 b4", ["mixed-colour"]),
    ],
)
def test_every_fault_is_told(row: str, codes: list[str]) -> None:
    assert [fault.code for fault in row_faults(CLASSIC, faces_of(parse_row(row)))] == codes


def test_a_missing_tile_is_reported_with_how_many_there_are() -> None:
    (fault,) = judge_row(CLASSIC, faces_of(parse_row("r5 J J J"))).reasons
    assert fault.params == {"face": "J", "count": 2}
    assert str(fault) == "inventory: J J J"


def test_faults_of_a_mirror_row_name_the_facing_tiles() -> None:
    (fault,) = judge_row(TWIST, faces_of(parse_row("r2 r3 M b3 r2"))).reasons
    assert fault.code == "asymmetric"
    assert set(fault.tiles) == set(parse_row("r3 b3"))


def test_a_row_of_physical_tiles_is_judged_by_its_faces() -> None:
    row = tuple(map(parse_tile, ("r7.2", "b7.1", "J.2")))
    assert judge_row(CLASSIC, row) == judge_row(CLASSIC, parse_row("r7 b7 J"))
