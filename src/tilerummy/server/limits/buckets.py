"""Token buckets. Nothing blocks: each call returns the seconds to wait, 0 for none."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

Clock: TypeAlias = Callable[[], float]
"""A monotonic clock, in seconds."""

ROUNDING = 1e-3
"""Tolerance in tokens, so that a client that waited as long as it was asked to is not refused."""


class Rate(NamedTuple):
    """The refill rate and the capacity of a token bucket."""

    per_second: float
    burst: float


class Bucket:
    """One token bucket. It refills with time and may be overdrawn."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = now

    def lack(self, now: float, cost: float = 1) -> float:
        """Seconds until there are `cost` tokens, 0 if there are enough now."""
        per_second, burst = self._rate
        left, passed = self._left, now - self._at
        if passed > 0:
            left += passed * per_second
        if left > burst:
            left = burst
        self._left, self._at = left, now
        if left >= cost - ROUNDING:
            return 0.0
        return (cost - left) / per_second if per_second else float("inf")

    def spend(self, cost: float = 1) -> None:
        self._left -= cost


def take(now: float, *buckets: Bucket) -> float:
    """Take one token from each bucket; if one of them lacks it, take none and return the wait."""
    lack = 0.0
    for bucket in buckets:
        lack = max(lack, bucket.lack(now))
    if not lack:
        for bucket in buckets:
            bucket.spend()
    return lack
