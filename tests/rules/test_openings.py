"""Rows a rack could lay, and the openings they make."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings

from tests.rules.strategies import any_editions, random_row, randoms
from tilerummy.rules.editions import CLASSIC, TWIST, Edition, edition
from tilerummy.rules.openings import meanings, openings, rows_from
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import ALL_FACES, faces_of, parse_row


@settings(max_examples=50)
@given(randoms, any_editions)
def test_every_row_found_is_a_row_of_these_tiles(rng: random.Random, rules: Edition) -> None:
    stock = Counter([*random_row(rng), *rng.sample(ALL_FACES, 4)])
    found = rows_from(rules, stock)
    assert len(found) == len({row for _, row in found})
    for value, row in found:
        assert Counter(row) <= stock
        assert reader(rules).readings(row)[0].value == value


@settings(max_examples=40)
@given(randoms, any_editions)
def test_no_set_of_tiles_that_is_a_row_is_missed(rng: random.Random, rules: Edition) -> None:
    tiles = [*random_row(rng), *rng.sample(ALL_FACES, 2)]
    stock = Counter(rng.sample(tiles, min(len(tiles), 6)))
    best: dict[tuple[int, ...], int] = {}
    for value, row in rows_from(rules, stock):
        key = tuple(sorted(row))
        best[key] = max(value, best.get(key, 0))
    wanted: dict[tuple[int, ...], int] = {}
    pieces = list(stock.elements())
    for size in range(3, len(pieces) + 1):
        for row in set(permutations(pieces, size)):
            readings = reader(rules).readings(row)
            if readings:
                key = tuple(sorted(row))
                wanted[key] = max(readings[0].value, wanted.get(key, 0))
    assert best == wanted


@pytest.mark.parametrize(
    ("options", "rack", "values"),
    [
        ({}, "r10 r11 r12 b1 k1 o1", {33}),
        ({}, "r3 r4 r5 b6 k6 o6", {30}),
        ({}, "r1 r2 r3", set()),
        ({"initial.min": 0}, "r1 r2 r3", {0}),
        ({"initial.single_set": True}, "r3 r4 r5 b6 k6 o6", set()),
        ({"initial.single_set": True}, "r9 r10 r11", {30}),
    ],
)
def test_the_smallest_openings(options: dict[str, object], rack: str, values: set[int]) -> None:
    rules = edition("classic", options)
    stock = Counter(faces_of(parse_row(rack)))
    found = openings(rules, stock, meanings(rules, rows_from(rules, stock)))
    assert {value for value, _ in found} == values


def test_openings_use_no_tile_twice() -> None:
    stock = Counter(faces_of(parse_row("r5 r6 r7 b6 k6 o6 r8 J")))
    for value, rows in openings(CLASSIC, stock, meanings(CLASSIC, rows_from(CLASSIC, stock))):
        assert value >= 30
        assert Counter(face for row in rows for face in row.row) <= stock


def test_special_jokers_are_tried_in_every_place() -> None:
    found = {row for _, row in rows_from(TWIST, Counter(faces_of(parse_row("r7 r8 M r8 r7 D C"))))}
    for row in ("r7 r8 M r8 r7", "r7 M r7", "D r7 r8", "r7 r8 D", "r7 r8 C", "r7 r8 M D"):
        assert faces_of(parse_row(row)) in found
