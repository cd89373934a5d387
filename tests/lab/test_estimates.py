"""Intervals over deals."""

from __future__ import annotations

import random
from math import sqrt
from statistics import fmean, stdev

import pytest

from tilerummy.lab.estimates import Estimate, mean_of, share_of, student, wilson


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_quantiles_of_student_are_those_of_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.04 if freedom == 3 else 0.005)


def test_the_interval_of_a_mean_is_that_of_the_textbook() -> None:
    values = [3.0, 5.0, 4.0, 8.0]
    found = mean_of(values)
    half = student(3) * stdev(values) / sqrt(4)
    assert found == pytest.approx((5.0, 5.0 - half, 5.0 + half))


def test_one_deal_has_no_interval() -> None:
    assert mean_of([2.0]) == Estimate(2.0, None, None)
    assert share_of([0.5]) == Estimate(0.5, None, None)


def test_the_score_interval_is_that_of_wilson() -> None:
    found = wilson(0.9, 10)
    assert (found.low, found.high) == pytest.approx((0.5958, 0.9821), abs=1e-4)


def test_wins_in_every_deal_leave_room_for_doubt() -> None:
    found = share_of([1.0] * 400)
    assert found.mean == found.high == 1.0
    assert found.low == pytest.approx(0.9904, abs=1e-3)


def test_an_interval_stays_within_its_bounds() -> None:
    rng = random.Random(5)
    for _ in range(200):
        values = [rng.choice([0, 0, 0, 0.25, 0.5, 1]) for _ in range(rng.randint(2, 9))]
        found = share_of(values)
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.mean <= found.high <= 1


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Two games of one deal that mostly end alike, as a deal of good tiles does."""
    rng, inside = random.Random(11), 0
    for _ in range(400):
        deals = []
        for _ in range(60):
            luck = rng.random() < 0.3
            deals.append(fmean([luck if rng.random() < 0.8 else rng.random() < 0.3 for _ in "ab"]))
        found = share_of(deals)
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= 0.3 <= found.high
    assert 0.92 <= inside / 400 <= 0.98
