"""Readiness: whether the database can be written, by a write probe at most once a second.

A read proves too little: with a full disk or a locked file all reads succeed and no move is stored.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable

from sqlalchemy import Connection

from tilerummy.server.store.dialects import statements_of, upsert
from tilerummy.server.store.errors import StoreError
from tilerummy.server.store.outage import Outage
from tilerummy.server.store.schema import probes

EVERY = 1.0
"""Seconds for which an answer, or a stored move, counts."""
PATIENCE = 2.0
"""Seconds after which a database that does not answer is not ready."""


def write_probe(connection: Connection, size: int) -> None:
    """Replace the probe row by `size` bytes that do not compress."""
    statement = upsert(statements_of(connection), probes)
    connection.execute(statement, {"id": 1, "filler": os.urandom(size)})


class Readiness:
    """Concurrent callers share one probe. While moves are stored there is no need for one."""

    def __init__(
        self,
        probe: Callable[[], Awaitable[None]],
        outage: Outage,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        self._probe = probe
        self._outage = outage
        self._clock = clock
        self._patience = patience
        self._known_until = 0.0
        self._problem: str | None = None
        self._task: asyncio.Task[None] | None = None

    def note_write(self) -> None:
        """A move was stored, which proves as much as a probe."""
        self._problem = None
        self._known_until = self._clock() + EVERY

    async def problem(self) -> str | None:
        """Why the database cannot be written; None if it can."""
        if self._task is None and self._clock() >= self._known_until:
            self._task = asyncio.create_task(self._run())
        if self._task is not None:
            done, _ = await asyncio.wait([self._task], timeout=self._patience)
            if not done:
                return f"the store has not answered for {self._patience:g} s"
        return self._problem

    async def close(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            await self._probe()
        except StoreError as error:
            self._outage.note(error)
            self._problem = f"the store cannot be written: {error}"
        else:
            self._problem = None
        finally:
            self._known_until = self._clock() + EVERY
            self._task = None
