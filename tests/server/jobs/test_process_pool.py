"""Process pools: a job that hangs ends alone, rooms take turns, and time in the queue is free."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from pathlib import Path

import pytest

from tilerummy.server.jobs.process_pool import (
    BACKGROUND,
    MOST_WAITING_EACH,
    POOL_FAILURES,
    PoolBusyError,
    ProcessPool,
)

pytestmark = pytest.mark.anyio
SECONDS = 30.0
HANGS = 600


async def test_work_is_done_elsewhere() -> None:
    pool = ProcessPool(1)
    assert await pool.run(SECONDS, os.getpid) != os.getpid()
    with pytest.raises(ZeroDivisionError):
        await pool.run(SECONDS, divmod, 1, 0)
    pool.close()


async def test_what_hangs_or_dies_is_followed_by_another() -> None:
    pool = ProcessPool(1)
    one = await pool.run(SECONDS, os.getpid)
    with pytest.raises(POOL_FAILURES):
        await pool.run(0.1, time.sleep, HANGS)
    two = await pool.run(SECONDS, os.getpid)
    with pytest.raises(POOL_FAILURES):
        await pool.run(SECONDS, os._exit, 1)
    three = await pool.run(SECONDS, os.getpid)
    assert len({one, two, three}) == 3
    pool.close()


async def test_workers_seldom_collect_garbage() -> None:
    pool = ProcessPool(1)
    assert await pool.run(SECONDS, gc.get_threshold) > gc.get_threshold()
    pool.close()


async def test_those_who_are_polite_step_back() -> None:
    pool = ProcessPool(1, niceness=BACKGROUND)
    assert await pool.run(SECONDS, os.nice, 0) > os.nice(0)
    pool.close()


async def test_a_job_that_hangs_ends_alone(tmp_path: Path) -> None:
    pool, begun, go_on = ProcessPool(2), tmp_path / "begun", tmp_path / "go on"
    honest = asyncio.create_task(pool.run(SECONDS, _meet, str(begun), str(go_on), room="honest"))
    while not begun.exists():
        await asyncio.sleep(0.01)
    with pytest.raises(TimeoutError):
        await pool.run(0.1, time.sleep, HANGS, room="hopeless")
    go_on.touch()
    assert await honest == "met"
    pool.close()


async def test_waiting_does_not_count(tmp_path: Path) -> None:
    pool, begun, go_on = ProcessPool(1), tmp_path / "begun", tmp_path / "go on"
    first = asyncio.create_task(pool.run(SECONDS, _meet, str(begun), str(go_on), room="a"))
    while not begun.exists():
        await asyncio.sleep(0.01)
    limit = 5.0
    second = asyncio.create_task(pool.run(limit, os.getpid, room="b"))
    await asyncio.sleep(0)
    with pytest.raises(PoolBusyError):
        await pool.run(limit, os.getpid, room="c", patience=0)
    go_on.touch()
    assert await first == "met"
    assert await second != os.getpid()
    pool.close()


async def test_one_room_cannot_fill_the_queue(tmp_path: Path) -> None:
    pool, begun, go_on = ProcessPool(1), tmp_path / "begun", tmp_path / "go on"
    order: list[str] = []

    async def job(room: str) -> None:
        await pool.run(SECONDS, os.getpid, room=room)
        order.append(room)

    first = asyncio.create_task(pool.run(SECONDS, _meet, str(begun), str(go_on), room="greedy"))
    while not begun.exists():
        await asyncio.sleep(0.01)
    greedy = [asyncio.create_task(job("greedy")) for _ in range(MOST_WAITING_EACH)]
    await asyncio.sleep(0)
    with pytest.raises(PoolBusyError):
        await pool.run(SECONDS, os.getpid, room="greedy")
    others = [asyncio.create_task(job(room)) for room in ("b", "c")]
    await asyncio.sleep(0)
    go_on.touch()
    await asyncio.gather(first, *greedy, *others)
    assert order[:2] == ["b", "c"], "rooms that have used nothing go first"
    pool.close()


async def test_jobs_that_nobody_waits_for_leave_the_queue(tmp_path: Path) -> None:
    pool, begun, go_on = ProcessPool(1), tmp_path / "begun", tmp_path / "go on"
    first = asyncio.create_task(pool.run(SECONDS, _meet, str(begun), str(go_on), room="a"))
    while not begun.exists():
        await asyncio.sleep(0.01)
    gone = asyncio.create_task(pool.run(SECONDS, time.sleep, HANGS, room="b"))
    await asyncio.sleep(0)
    assert len(pool._queue) == 1
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert len(pool._queue) == 0
    go_on.touch()
    assert await first == "met"
    pool.close()


async def test_a_closed_pool_ends_its_processes_and_its_jobs(tmp_path: Path) -> None:
    pool = ProcessPool(1)
    process = await pool.run(SECONDS, os.getpid)
    running = asyncio.create_task(pool.run(SECONDS, time.sleep, HANGS, room="a"))
    waiting = asyncio.create_task(pool.run(SECONDS, time.sleep, HANGS, room="b"))
    await asyncio.sleep(0)
    pool.close()
    for task in (running, waiting):
        with pytest.raises(POOL_FAILURES):
            await task
    with pytest.raises(PoolBusyError):
        await pool.run(SECONDS, os.getpid)
    until = time.monotonic() + SECONDS
    while _is_there(process):
        assert time.monotonic() < until
        await asyncio.sleep(0.01)


def _meet(begun: str, go_on: str) -> str:
    """Say that it has begun, and wait for leave to go on."""
    Path(begun).touch()
    while not Path(go_on).exists():
        time.sleep(0.01)
    return "met"


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0]
    except OSError:
        return False
