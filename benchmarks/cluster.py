"""Cluster throughput: moves per second of two nodes that share PostgreSQL and Redis, and of one.

Everything runs on this machine: PostgreSQL (durable, default settings), Redis, the nodes, and the
players in one process. Every room has two players at each node, so that each move is broadcast
between nodes. They share two processors, so more nodes cannot be faster here: the benchmark
measures the overhead of a cluster. `benchmarks.server` describes what counts as a move.

    python -m benchmarks.cluster [--rooms 150] [--seconds 10] [--quick]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from benchmarks.server import (
    Run,
    Size,
    Watch,
    clients,
    load_arguments,
    machine,
    progress,
    raised_limits,
    show_latency,
    show_machine,
    show_rates,
    sizes,
)
from tests.server.harness import ServerProcess
from tests.services import Postgres, Redis


def measure(nodes: int, size: Size) -> Run:
    with ExitStack() as stack:
        store = stack.enter_context(Postgres()).database()
        bus = stack.enter_context(Redis()).url
        servers = [
            stack.enter_context(ServerProcess(store, bus, raised_limits(), quick=False))
            for _ in range(nodes)
        ]
        addresses = [server.url for server in servers]
        command = [sys.executable, "-m", "tilerummy.cli", *load_arguments(addresses, size)]
        watch = Watch(addresses, size)
        figures = clients(command, {}, size.duration, watch)
    name = "one node" if nodes == 1 else f"{nodes} nodes"
    return Run.of(name, figures, watch.cpu_ms)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=150, help="four seats each, moving at once")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each of the measurements")
    parser.add_argument("--quick", action="store_true", help="a short run with fewer rooms")
    given = parser.parse_args(arguments)
    busy, crowd, _ = sizes(argparse.Namespace(**vars(given), rounds=1))
    show_machine(machine())
    runs = {}
    for nodes in (1, 2):
        progress(f"{nodes} of 2 nodes")
        run = measure(nodes, busy)
        runs[run.name] = run
    show_rates(busy, runs)
    progress(f"2 nodes: {crowd.rooms} rooms")
    show_latency(crowd, measure(2, crowd))


if __name__ == "__main__":
    main()
