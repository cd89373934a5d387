"""PostgreSQL through asyncpg, for any number of processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tilerummy.server.store.clock import RemoteClock
from tilerummy.server.store.database import BackupProgress, Database, Work
from tilerummy.server.store.errors import OwnTool, StoreError, Unavailable
from tilerummy.server.store.postgres_errors import translated
from tilerummy.server.store.postgres_statements import (
    APPEND,
    NEWS,
    NOW,
    PostgresStatements,
    append_columns,
)
from tilerummy.server.store.statements import has_more
from tilerummy.server.store.values import Append, StoredEvent

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

SYNCHRONISE_SECONDS = 30
CONNECT_SECONDS = 10.0


class Postgres(Database):
    """Appends, relaxed writes and news have a connection each. Everything else shares a pool."""

    shared = True
    statements = PostgresStatements()
    # Out of line, and so in new pages until the next vacuum.
    probe_bytes = 8 * 1024

    def __init__(self, url: URL, *, pool: int, timeout: float) -> None:
        url = _with_ssl(url)
        self._url = url
        self._pool = _engine(url, pool, timeout, check=True)
        self._appends = Line(_engine(url, 1, timeout))
        self._relaxed = Line(_at_once(_engine(url, 1, timeout, synchronous_commit="off")))
        self._news = Line(_at_once(_engine(url, 1, timeout)))
        self._reads = _at_once(self._pool)
        self._clock = RemoteClock(lambda: self.read(_time))
        self._synchronising: asyncio.Task[None] | None = None

    @classmethod
    def check_exists(cls, address: URL) -> None:
        """Opening creates no database."""

    @classmethod
    def back_up(cls, address: URL, target: Path, progress: BackupProgress) -> int:
        shown = address.set(drivername="postgresql").render_as_string(hide_password=True)
        raise OwnTool(f"pg_dump --format=custom --file={target} {shown}")

    async def read(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await _run(self._reads, work, *args)

    async def write(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await _run(self._pool, work, *args)

    async def write_relaxed(self, work: Work[*Ts, T], *args: *Ts) -> T:
        try:
            return await self._relaxed.run(work, *args)
        except Unavailable:  # the connection may be stale
            return await self._relaxed.run(work, *args)

    async def append(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await self._appends.run(work, *args)

    async def append_at_once(self, appends: list[Append]) -> set[str] | None:
        """A single statement, in its own transaction."""
        if any(map(has_more, appends)):
            return None
        return {row[0] for row in await self._appends.fetch(APPEND, append_columns(appends))}

    async def read_news(self, wanted: Sequence[tuple[str, int]]) -> list[list[StoredEvent]]:
        columns = [*zip(*wanted, strict=True)]
        try:
            rows = await self._news.fetch(NEWS, columns)
        except Unavailable:  # the connection may be stale
            rows = await self._news.fetch(NEWS, columns)
        news: dict[str, list[StoredEvent]] = {room: [] for room, _ in wanted}
        for room, *event in rows:
            news[room].append(StoredEvent(*event))
        return list(news.values())

    async def migrate(self, work: Work[T]) -> T:
        """On a separate connection without a timeout, as a migration may take long."""
        engine = _engine(self._url, 1, None)
        try:
            return await _run(engine, work)
        finally:
            await engine.dispose()

    async def open(self) -> None:
        await self._clock.synchronise()
        self._synchronising = asyncio.create_task(self._synchronise())

    def start_clock(self, moment: int) -> None:
        """The server's clock counts for all nodes, and no node can set it."""

    def now(self) -> int:
        return self._clock.now()

    async def _synchronise(self) -> None:
        while True:
            await asyncio.sleep(SYNCHRONISE_SECONDS)
            # Without the database nothing happens that needs the right time.
            with suppress(StoreError):
                await self._clock.synchronise()

    async def close(self) -> None:
        if self._synchronising is not None:
            self._synchronising.cancel()
            await asyncio.wait([self._synchronising])
        await self._pool.dispose()
        for line in (self._appends, self._relaxed, self._news):
            await line.close()


def _time(connection: Connection) -> int:
    now: int = connection.exec_driver_sql(f"SELECT {NOW}").scalar_one()
    return now


class Line:
    """One persistent connection; its users take turns."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._free = asyncio.Lock()
        self._held: tuple[AsyncConnection, asyncpg.Connection] | None = None

    async def run(self, work: Work[*Ts, T], *args: *Ts) -> T:
        async with translated(), self._connection() as (connection, _):
            return await connection.run_sync(lambda inner: _transact(inner, work, *args))

    async def fetch(self, statement: str, values: Sequence[Any]) -> list[asyncpg.Record]:
        """Bypasses SQLAlchemy, which takes three times as long as the driver here."""
        async with translated(), self._connection() as (_, driver):
            rows: list[asyncpg.Record] = await driver.fetch(statement, *values)
            return rows

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[AsyncConnection, asyncpg.Connection]]:
        async with self._free:
            if self._held is None:
                connection = await self._engine.connect()
                raw = await connection.get_raw_connection()
                self._held = connection, raw.driver_connection
            try:
                yield self._held
            except BaseException:
                # The state of this connection is unknown.
                connection, _ = self._held
                self._held = None
                await connection.invalidate()
                await connection.close()
                raise

    async def close(self) -> None:
        async with self._free:
            if self._held is not None:
                await self._held[0].close()
                self._held = None
            await self._engine.dispose()


async def _run(engine: AsyncEngine, work: Work[*Ts, T], *args: *Ts) -> T:
    async with translated(), engine.connect() as connection:
        try:
            return await connection.run_sync(lambda inner: _transact(inner, work, *args))
        except TimeoutError:
            await connection.invalidate()
            raise


def _transact(connection: Connection, work: Work[*Ts, T], *args: *Ts) -> T:
    with connection.begin():
        return work(connection, *args)


def _engine(
    url: URL, size: int, timeout: float | None, *, check: bool = False, **settings: str
) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=size,
        max_overflow=0,
        pool_timeout=timeout or CONNECT_SECONDS,
        pool_pre_ping=check,
        connect_args={
            "timeout": timeout or CONNECT_SECONDS,
            "command_timeout": timeout,
            # JIT compilation takes longer than any of our statements.
            "server_settings": {"application_name": "tilerummy", "jit": "off", **settings},
        },
    )


def _at_once(engine: AsyncEngine) -> AsyncEngine:
    """The same connections in autocommit mode, for single statements."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _with_ssl(url: URL) -> URL:
    """Translate `sslmode`, as libpq and hosting services call it, to asyncpg's `ssl`."""
    mode = url.query.get("sslmode")
    if mode is None:
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": str(mode)})
