"""Processes of their own: what takes too long is ended, and the next gets another."""

from __future__ import annotations

import os
import time

import pytest

from tilerummy.server.jobs.process_pool import LOST, Helpers

pytestmark = pytest.mark.anyio
SECONDS = 30.0


async def test_work_is_done_elsewhere() -> None:
    helpers = Helpers(1)
    assert await helpers.run(SECONDS, os.getpid) != os.getpid()
    with pytest.raises(ZeroDivisionError):
        await helpers.run(SECONDS, divmod, 1, 0)
    helpers.close()


async def test_what_hangs_or_dies_is_followed_by_another() -> None:
    helpers = Helpers(1)
    one = await helpers.run(SECONDS, os.getpid)
    with pytest.raises(LOST):
        await helpers.run(0.1, time.sleep, 60)
    two = await helpers.run(SECONDS, os.getpid)
    with pytest.raises(LOST):
        await helpers.run(SECONDS, os._exit, 1)
    three = await helpers.run(SECONDS, os.getpid)
    assert len({one, two, three}) == 3
    helpers.close()


async def test_those_who_are_polite_step_back() -> None:
    helpers = Helpers(1, polite=True)
    assert await helpers.run(SECONDS, os.nice, 0) > os.nice(0)
    helpers.close()
