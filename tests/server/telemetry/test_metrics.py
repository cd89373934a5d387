"""The metrics of a node."""

from __future__ import annotations

import logging
import timeit

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tilerummy.server.live.bus import LocalBus
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import CONTENT_TYPE, DONE, REFUSED, BusHealth, Metrics


def figures_of(metrics: Metrics) -> dict[str, float]:
    """Every number, as a scraper reads it: `name{label,…}`."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        sample.name + (f"{{{','.join(sample.labels.values())}}}" if sample.labels else ""): (
            sample.value
        )
        for family in families
        for sample in family.samples
    }


def test_rooms_and_connections() -> None:
    metrics = Metrics()
    metrics.rooms.set_function(lambda: 12)
    metrics.players.inc()
    metrics.players.inc()
    metrics.spectators.inc()
    metrics.players.dec()
    figures = figures_of(metrics)
    assert figures["tilerummy_rooms"] == 12
    assert figures["tilerummy_connections{player}"] == 1
    assert figures["tilerummy_connections{spectator}"] == 1


def test_commands_by_kind_and_outcome() -> None:
    metrics = Metrics()
    for outcome in (DONE, DONE, REFUSED):
        metrics.command("play", outcome, 0.02)
    figures = figures_of(metrics)
    assert figures["tilerummy_commands_total{play,done}"] == 2
    assert figures["tilerummy_commands_total{play,refused}"] == 1
    assert figures["tilerummy_command_seconds_count{play}"] == 3
    assert figures["tilerummy_command_seconds_bucket{play,0.01}"] == 0
    assert figures["tilerummy_command_seconds_bucket{play,0.025}"] == 3
    assert figures["tilerummy_command_seconds_bucket{play,+Inf}"] == 3
    assert figures["tilerummy_command_seconds_sum{play}"] == pytest.approx(0.06)


def test_store_bots_limits_and_errors() -> None:
    metrics = Metrics()
    metrics.append_seconds.observe(0.003)
    metrics.load_seconds.observe(0.2)
    metrics.watch_commits(lambda: (5, 2))
    metrics.bot_turn("solver", 0.7)
    metrics.limited("messages")
    metrics.error("store")
    figures = figures_of(metrics)
    assert figures["tilerummy_store_seconds_bucket{0.005,append}"] == 1
    assert figures["tilerummy_store_seconds_sum{load}"] == 0.2
    assert figures["tilerummy_stored_commands_total"] == 5
    assert figures["tilerummy_commits_total"] == 2
    assert figures["tilerummy_bot_turn_seconds_count{solver}"] == 1
    assert figures["tilerummy_limited_total{messages}"] == 1
    assert figures["tilerummy_errors_total{store}"] == 1


def test_the_bus_is_asked_when_somebody_wants_to_know() -> None:
    metrics = Metrics()
    health = BusHealth(up=True, lag=0.5, published=1, received=2, dropped=3, waiting=4)
    metrics.watch_bus(lambda: health)
    figures = figures_of(metrics)
    assert figures["tilerummy_bus_messages_total{published}"] == 1
    assert figures["tilerummy_bus_messages_total{received}"] == 2
    assert figures["tilerummy_bus_messages_total{dropped}"] == 3
    assert figures["tilerummy_bus_up"] == 1
    assert figures["tilerummy_bus_lag_seconds"] == 0.5
    health = health._replace(up=False, waiting=9)
    figures = figures_of(metrics)
    assert figures["tilerummy_bus_up"] == 0
    assert figures["tilerummy_bus_waiting"] == 9


def test_nodes_in_one_process_count_for_themselves() -> None:
    one, two = Metrics(), Metrics()
    for metrics in (one, two):
        bus = LocalBus()
        metrics.watch_bus(lambda bus=bus: bus.health)  # type: ignore[misc]
    one.error("store")
    assert "tilerummy_errors_total{store}" not in figures_of(two)
    assert CONTENT_TYPE.startswith("text/plain")


def test_counting_is_cheap() -> None:
    """A few microseconds; the bound is wide, as the machine may be busy."""
    metrics = Metrics()
    times = timeit.repeat(lambda: metrics.command("play", DONE, 0.004), number=1000, repeat=5)
    assert min(times) / 1000 < 50e-6


def test_what_is_logged_as_an_error_counts() -> None:
    metrics = Metrics()
    with metrics.counting_errors():
        Log("tilerummy.keeper").error("store unavailable")
        Log("tilerummy.keeper").warning("no error")
        logging.getLogger("uvicorn.error").error("of a library")
    Log("tilerummy.keeper").error("afterwards")
    figures = figures_of(metrics)
    assert figures["tilerummy_errors_total{keeper}"] == 1
    assert figures["tilerummy_errors_total{uvicorn}"] == 1
