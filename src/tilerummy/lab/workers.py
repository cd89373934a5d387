"""Workers: does the tasks of a tournament in this process, in several, or on a Ray cluster.

Results come in the order of the tasks, whichever worker is first.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context, parent_process
from typing import Any, TypeAlias, TypeVar

from tilerummy.lab.errors import LabError
from tilerummy.lab.tournament import Task, Tournament
from tilerummy.rules.errors import quoted

P = TypeVar("P")
R = TypeVar("R")
Work: TypeAlias = Callable[[Tournament, Task], R]
"""What is done for each task: a function of a module, which other processes can import."""

KNOCK_SECONDS = 10.0
AHEAD = 4
"""Tasks that wait for each worker, so that none is idle while a long one blocks the order."""


def on_processes(
    work: Work[R], tournament: Tournament, tasks: Iterable[Task], workers: int = 1
) -> Iterator[R]:
    """The results of the tasks in their order, by so many processes.

    Raises LabError if a worker process dies.
    """
    if workers <= 1:
        for task in tasks:
            yield work(tournament, task)
        return
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, _prepare, (tournament.to_json(),))
    try:
        yield from _in_order(
            tasks, lambda task: pool.submit(_do, work, task), Future.result, workers * AHEAD
        )
    except BrokenProcessPool as error:
        raise LabError(
            "a worker process died: run the same command again", key="error.lab.worker"
        ) from error
    finally:
        # There is no public way to end a task, and a long one would delay the exit.
        for process in [*(pool._processes or {}).values()]:
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)


def on_ray(
    work: Work[R], tournament: Tournament, tasks: Iterable[Task], address: str
) -> Iterator[R]:
    """As `on_processes`, on the Ray cluster at `address`; `auto` finds one that runs here.

    Every node of the cluster needs the same version of this package. Raises LabError if there is
    no cluster, and ImportError without Ray.
    """
    import ray

    wait: Callable[[Any], R] = ray.get
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        raise LabError(
            "there is no Ray cluster at '{address}': start one with 'ray start --head'",
            key="error.lab.ray",
            address=quoted(address),
        ) from error
    try:
        plan = ray.put(tournament.to_json())
        remote: Any = ray.remote(_do_remotely)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        workers = max(1, int(resources.get("CPU", 1)))
        yield from _in_order(
            tasks, lambda task: remote.remote(work, plan, task), wait, workers * AHEAD
        )
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raise OSError if nobody listens at a host and port: Ray would try for many minutes."""
    host, _, port = address.rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), KNOCK_SECONDS).close()


def _in_order(
    tasks: Iterable[Task], submit: Callable[[Task], P], wait: Callable[[P], R], most: int
) -> Iterator[R]:
    """A sliding window: at most so many tasks are under way, the oldest is awaited first."""
    pending: deque[P] = deque()
    for task in tasks:
        pending.append(submit(task))
        if len(pending) >= most:
            yield wait(pending.popleft())
    while pending:
        yield wait(pending.popleft())


_prepared: Tournament | None = None
"""The tournament of this worker process."""


def _prepare(plan: dict[str, Any]) -> None:
    global _prepared
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _prepared = Tournament.from_json(plan)


def _exit_with_parent() -> None:
    """A parent that is killed cannot stop its workers, which would wait for work forever."""
    parent = parent_process()
    assert parent is not None, "workers are started by a tournament"
    parent.join()
    os._exit(1)


def _do(work: Work[R], task: Task) -> R:
    assert _prepared is not None
    return work(_prepared, task)


def _do_remotely(work: Work[R], plan: dict[str, Any], task: Task) -> R:
    return work(_tournament(json.dumps(plan)), task)


@lru_cache(4)
def _tournament(plan: str) -> Tournament:
    """A worker of a cluster gets the plan with every task and reads it once."""
    return Tournament.from_json(json.loads(plan))
