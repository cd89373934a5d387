"""Processes of their own: what takes too long is ended, and the next gets another."""

from __future__ import annotations

import os
import time

import pytest

from tilerummy.server.jobs.process_pool import POOL_FAILURES, ProcessPool

pytestmark = pytest.mark.anyio
SECONDS = 30.0


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
        await pool.run(0.1, time.sleep, 60)
    two = await pool.run(SECONDS, os.getpid)
    with pytest.raises(POOL_FAILURES):
        await pool.run(SECONDS, os._exit, 1)
    three = await pool.run(SECONDS, os.getpid)
    assert len({one, two, three}) == 3
    pool.close()


async def test_those_who_are_polite_step_back() -> None:
    pool = ProcessPool(1, background=True)
    assert await pool.run(SECONDS, os.nice, 0) > os.nice(0)
    pool.close()
