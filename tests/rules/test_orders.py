"""Putting tiles in order: the most valuable valid order, found for every multiset."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.examples import examples
from tests.rules.strategies import any_editions, any_faces, near_rows, valid_rows
from tilerummy.rules.editions import CLASSIC, EDITIONS, TWIST, Edition
from tilerummy.rules.orders import best_order, normalise, settled
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import faces_of, parse_faces, parse_row, row_text, tile


@pytest.mark.parametrize("example", examples(), ids=lambda example: example["id"])
def test_example_of_the_rules_in_any_order(example: dict[str, Any]) -> None:
    rules, faces = EDITIONS[example["edition"]], parse_faces(example["set"])
    order = best_order(rules, faces)
    assert (order is not None) is example["multiset_valid"]
    if order is not None:
        assert reader(rules).readings(order)[0].value == example["multiset_value"]


@given(st.one_of(any_faces, near_rows()), any_editions, st.randoms(use_true_random=False))
def test_best_order_is_a_valid_permutation_worth_no_less(
    row: Faces, rules: Edition, rng: random.Random
) -> None:
    order = best_order(rules, row)
    laid = reader(rules).readings(row)
    if order is None:
        assert not laid
        return
    assert sorted(order) == sorted(row)
    best = reader(rules).readings(order)
    assert best
    assert not laid or best[0].value >= laid[0].value
    mixed = rng.sample(row, len(row))
    assert best_order(rules, tuple(mixed)) == order


@given(near_rows(), any_editions)
def test_no_permutation_is_missed(row: Faces, rules: Edition) -> None:
    row = row[:6]
    values = [
        readings[0].value
        for order in set(permutations(row))
        if (readings := reader(rules).readings(order))
    ]
    order = best_order(rules, row)
    if order is None:
        assert not values
    else:
        assert reader(rules).readings(order)[0].value == max(values)


@given(valid_rows(), st.randoms(use_true_random=False))
def test_normalise_keeps_every_physical_tile(row: Faces, rng: random.Random) -> None:
    copies = [tile(face, row[:place].count(face) + 1) for place, face in enumerate(row)]
    rng.shuffle(copies)
    ordered = normalise(TWIST, tuple(copies))
    if ordered is not None:
        assert sorted(ordered) == sorted(copies)
        assert reader(TWIST).readings(faces_of(ordered))


def test_a_valid_row_stays_as_laid_though_another_order_is_worth_more() -> None:
    assert settled(CLASSIC, parse_row("J r9 r10")) == parse_row("J r9 r10")


def test_a_row_in_wrong_order_is_put_right_where_the_edition_allows() -> None:
    assert settled(CLASSIC, parse_row("r6 r5 r4")) == parse_row("r4 r5 r6")
    assert settled(TWIST, parse_row("r6 r5 r4")) is None


def test_a_joker_goes_where_it_is_worth_most() -> None:
    assert row_text(normalise(CLASSIC, parse_row("r10 J r9")) or ()) == "r9 r10 J"
    assert row_text(normalise(CLASSIC, parse_row("r13 r12 J")) or ()) == "J r12 r13"


@pytest.mark.parametrize("jokers", ["J J D D C C M", "J J D D C C", "M J J C C"])
def test_long_rows_are_put_in_order_without_a_long_search(jokers: str) -> None:
    tiles = "r1 r1 r2 r2 r3 r3 r4 r4 r5 r5 r6 r6 b7 b7 b8 b8 b9 b9 b10 b10"
    assert best_order(TWIST, faces_of(parse_row(f"{jokers} {tiles}"))) in (None, ())
