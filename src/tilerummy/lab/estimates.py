"""Estimates with 95 % confidence intervals, computed over deals.

Games of one deal are not independent of each other, so the mean of a deal counts as one
observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

LEVEL = 0.95
Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)
FEW = {1: 12.706, 2: 4.303}
"""Quantiles of Student's t for so few degrees of freedom that the expansion does not hold."""
DIGITS = 6
"""Of figures in JSON."""


class Estimate(NamedTuple):
    """A mean and its interval, which is None where there are too few deals for one."""

    mean: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | None]:
        """As a dictionary, ready for JSON."""
        return {
            "mean": round(self.mean, DIGITS),
            "low": None if self.low is None else round(self.low, DIGITS),
            "high": None if self.high is None else round(self.high, DIGITS),
        }


def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by its expansion around the normal one."""
    if freedom in FEW:
        return FEW[freedom]
    z = Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of one value per deal. Raises ValueError without values."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, None, None)
    half = student(len(values) - 1) * stdev(values, mean) / sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


def share_of(values: Sequence[float]) -> Estimate:
    """The mean of one share (0 to 1) per deal, with Wilson's interval, which stays within 0 to 1.

    The number of observations is the one that explains the spread between the deals; with no
    spread at all it is the number of deals. Raises ValueError without values.
    """
    mean = min(1.0, max(0.0, fmean(values)))
    if len(values) < 2:
        return Estimate(mean, None, None)
    variance = stdev(values) ** 2 / len(values)
    count = mean * (1 - mean) / variance if variance else float(len(values))
    return wilson(mean, count or float(len(values)), student(len(values) - 1))


def wilson(mean: float, count: float, z: float = Z) -> Estimate:
    """Wilson's score interval of a share that was observed so many times."""
    weight = z * z / count
    centre = (mean + weight / 2) / (1 + weight)
    half = z * sqrt(mean * (1 - mean) / count + weight / (4 * count)) / (1 + weight)
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Estimate(mean, min(mean, low), max(mean, high))
