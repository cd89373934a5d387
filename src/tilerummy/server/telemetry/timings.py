"""Histograms of durations, for hot paths.

The client library's histogram takes two locks and walks through its buckets for every observation.
Here an observation is a binary search and two additions. Not thread-safe: a node observes and
scrapes in its event loop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from prometheus_client.core import HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector


class Timing:
    """One histogram: durations in seconds, counted by bucket."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        """`bounds` are the upper bounds of the buckets, ascending."""
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    @property
    def sum(self) -> float:
        return self._sum

    def buckets(self) -> list[tuple[str, float]]:
        """The upper bound of each bucket as text, and how many durations are at most that long."""
        found: list[tuple[str, float]] = []
        total = 0
        texts = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        for text, count in zip(texts, self._counts, strict=True):
            total += count
            found.append((text, total))
        return found


class Timings(Collector):
    """Histograms with one label."""

    def __init__(self, name: str, about: str, bounds: Sequence[float], label: str) -> None:
        self._name = name
        self._about = about
        self._bounds = bounds
        self._label = label
        self._by_label: dict[str, Timing] = {}

    def labels(self, value: str) -> Timing:
        """The histogram of a label; hot paths look it up once."""
        return self._by_label.setdefault(value, Timing(self._bounds))

    def collect(self) -> Iterable[Metric]:
        family = HistogramMetricFamily(self._name, self._about, labels=[self._label])
        for value, timing in self._by_label.items():
            family.add_metric([value], timing.buckets(), timing.sum)
        yield family
