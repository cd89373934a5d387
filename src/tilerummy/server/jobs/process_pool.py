"""A process pool for CPU-bound work, with time-outs and a queue that is fair by group and room.

The event loop never waits for it. A job that hangs ends with its own process; other jobs go on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, TypeVarTuple

from tilerummy.server.jobs.fair_queue import FairQueue, FullError, GroupOf
from tilerummy.server.jobs.worker import WORKER_FAILURES, Worker

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MOST_WAITING = 256
"""Jobs in the queue."""
MOST_WAITING_EACH = 4
"""Jobs in the queue of one room."""
BACKGROUND = 10
"""The niceness of work that can wait."""


class PoolBusyError(Exception):
    """The queue is full, or the job has waited for too long."""


POOL_FAILURES = (*WORKER_FAILURES, PoolBusyError)
"""The work took too long, its process died, or no process was free in time."""


@dataclass(eq=False)
class _Job:
    seconds: float
    work: Callable[..., Any]
    args: tuple[Any, ...]
    begun: asyncio.Future[None] = field(init=False)
    done: asyncio.Future[Any] = field(init=False)

    def __post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.begun, self.done = loop.create_future(), loop.create_future()

    def fail(self, error: BaseException) -> None:
        """Give an error to the caller, unless it has gone."""
        if not self.done.done():
            self.done.set_exception(error)
            self.done.exception()  # retrieved, even if nobody waits
        if not self.begun.done():
            self.begun.set_result(None)


class ProcessPool:
    """Processes are started on first use."""

    def __init__(
        self, workers: int, *, niceness: int = 0, group_of: GroupOf = lambda room: room
    ) -> None:
        """`niceness` lowers the priority of the processes. The rooms of a group share a turn."""
        self._workers = [Worker(niceness) for _ in range(workers)]
        self._idle = [*self._workers]
        self._queue: FairQueue[_Job] = FairQueue(MOST_WAITING_EACH, MOST_WAITING, group_of=group_of)
        self._serving: dict[asyncio.Task[None], _Job] = {}
        self._closed = False

    async def run(
        self,
        seconds: float,
        work: Callable[[*Ts], T],
        *args: *Ts,
        room: str = "",
        patience: float | None = None,
    ) -> T:
        """Run `work` in the pool, for at most so many seconds once it has begun.

        Jobs of one room run one after the other. `patience` is for how long to wait until then.
        Raises what `work` raises, and `POOL_FAILURES`.
        """
        if self._closed:
            raise PoolBusyError("the server is stopping")
        job = _Job(seconds, work, args)
        try:
            self._queue.put(room, job)
        except FullError as error:
            raise PoolBusyError("too many jobs are waiting") from error
        self._start()
        try:
            begun, _ = await asyncio.wait((job.begun,), timeout=patience)
            if not begun:
                raise PoolBusyError("no process was free in time")
            result: T = await job.done
            return result
        finally:
            self._queue.drop(room, job)

    def _start(self) -> None:
        """Give jobs to idle workers."""
        while self._idle and not self._closed:
            taken = self._queue.take()
            if taken is None:
                return
            task = asyncio.create_task(self._serve(self._idle.pop(), *taken))
            self._serving[task] = taken[1]
            task.add_done_callback(self._serving.pop)

    async def _serve(self, worker: Worker, room: str, job: _Job) -> None:
        began = time.monotonic()
        if not job.begun.done():
            job.begun.set_result(None)
        try:
            result = await worker.run(job.seconds, job.work, *job.args)
            if not job.done.done():
                job.done.set_result(result)
        except Exception as error:
            job.fail(error)
        finally:
            self._queue.finished(room, time.monotonic() - began)
            self._idle.append(worker)
            self._start()

    def close(self) -> None:
        """End all processes at once, whatever they do."""
        self._closed = True
        for job in (*self._queue.drain(), *self._serving.values()):
            job.fail(PoolBusyError("the server is stopping"))
        for task in [*self._serving]:
            task.cancel()
        for worker in self._workers:
            worker.kill()
