"""Prometheus metrics of a node.

Every node has its own registry, so that several nodes fit into one process. Hot paths look up their
labelled counters once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from tilerummy.server.telemetry.timings import Timing, Timings

CONTENT_TYPE = CONTENT_TYPE_LATEST
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
"""Histogram buckets in seconds, for operations that a person waits for."""
SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Histogram buckets in seconds, for the thinking time of bots."""

DONE, REFUSED, REPEATED, FAILED = "done", "refused", "repeated", "failed"
"""Outcomes of a command."""


class BusHealth(NamedTuple):
    """The state of a bus. Messages are counted per room."""

    up: bool
    """Whether messages get through."""
    lag: float
    """Latency of a message in seconds; while the bus is down, for how long it has been."""
    published: int
    received: int
    dropped: int
    waiting: int
    """Rooms that wait to be announced."""


class Metrics:
    """The metrics of one node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self.registry)
        self.rooms = self._gauge("rooms", "Rooms that this node holds in memory.")
        connections = self._gauge("connections", "Open sockets.", "who")
        self.players: Gauge = connections.labels("player")
        self.spectators: Gauge = connections.labels("spectator")
        self._commands = self._counter("commands", "Commands.", "kind", "outcome")
        self._latency = self._times(
            "command_seconds", "From a command to its answer.", FAST, "kind"
        )
        store = self._times("store_seconds", "What the store takes.", FAST, "what")
        self.append_seconds: Timing = store.labels("append")
        self.load_seconds: Timing = store.labels("load")
        self._bot_turns = self._times("bot_turn_seconds", "What a bot thinks.", SLOW, "bot")
        self._refused = self._counter("limited", "Requests beyond the limits.", "what")
        self._errors = self._counter("errors", "What should not happen.", "where")
        self._known: dict[tuple[str, str], tuple[Counter, Timing]] = {}

    # Observations

    def command(self, kind: str, outcome: str, seconds: float) -> None:
        """A command was answered. `kind` is a message type, never text from a client."""
        found = self._known.get((kind, outcome))
        if found is None:
            found = (self._commands.labels(kind, outcome), self._latency.labels(kind))
            self._known[kind, outcome] = found
        counter, latency = found
        counter.inc()
        latency.observe(seconds)

    def bot_turn(self, bot: str, seconds: float) -> None:
        self._bot_turns.labels(bot).observe(seconds)

    def limited(self, what: str) -> None:
        """A rate limit rejected something: messages, joins, hints or connections."""
        self._refused.labels(what).inc()

    def error(self, where: str) -> None:
        """An unexpected failure. Lines logged as errors are counted by `counting_errors`."""
        self._errors.labels(where).inc()

    @contextmanager
    def counting_errors(self) -> Iterator[None]:
        """Count the lines that are logged as errors in this context, by component."""
        handler = _Errors(self)
        logging.getLogger().addHandler(handler)
        try:
            yield
        finally:
            logging.getLogger().removeHandler(handler)

    def watch_bus(self, health: Callable[[], BusHealth]) -> None:
        """Read the health of the bus at every scrape."""
        self.registry.register(_BusFigures(health))

    def watch_commits(self, counts: Callable[[], tuple[int, int]]) -> None:
        """Read at every scrape how many commands the store was given, and in how many commits."""
        self.registry.register(_Commits(counts))

    # Output

    def text(self) -> bytes:
        """The exposition for `/metrics`."""
        return generate_latest(self.registry)

    def _gauge(self, name: str, about: str, *labels: str) -> Gauge:
        return Gauge(f"tilerummy_{name}", about, labels, registry=self.registry)

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"tilerummy_{name}", about, labels, registry=self.registry)

    def _times(self, name: str, about: str, buckets: tuple[float, ...], label: str) -> Timings:
        timings = Timings(f"tilerummy_{name}", about, buckets, label)
        self.registry.register(timings)
        return timings


class _Errors(logging.Handler):
    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.ERROR)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        """`tilerummy.keeper` → `keeper`; a library counts as one component."""
        self._metrics.error(record.name.removeprefix("tilerummy.").partition(".")[0])


class _Commits(Collector):
    def __init__(self, counts: Callable[[], tuple[int, int]]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        commands, commits = self._counts()
        about = "Commands given to the store."
        yield CounterMetricFamily("tilerummy_stored_commands", about, value=commands)
        yield CounterMetricFamily("tilerummy_commits", "What they shared.", value=commits)


class _BusFigures(Collector):
    def __init__(self, health: Callable[[], BusHealth]) -> None:
        self._health = health

    def collect(self) -> Iterable[Metric]:
        health = self._health()
        counts = CounterMetricFamily(
            "tilerummy_bus_messages", "Rooms announced over the bus.", labels=["what"]
        )
        counts.add_metric(["published"], health.published)
        counts.add_metric(["received"], health.received)
        counts.add_metric(["dropped"], health.dropped)
        yield counts
        for name, about, value in (
            ("up", "Whether the bus gets through.", health.up),
            ("lag_seconds", "What a message takes, or for how long the bus is down.", health.lag),
            ("waiting", "Rooms whose announcement is pending.", health.waiting),
        ):
            yield GaugeMetricFamily(f"tilerummy_bus_{name}", about, value=float(value))
