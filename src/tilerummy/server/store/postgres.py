"""PostgreSQL through asyncpg: any number of processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TypeVar, TypeVarTuple

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tilerummy.server.store.clock import RemoteClock
from tilerummy.server.store.database import Database, Work
from tilerummy.server.store.errors import StoreError, Unavailable

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
SYNCHRONISE_SECONDS = 30
CONNECT_SECONDS = 10.0
# Classes of SQLSTATE that say nothing against the statement: connection, read-only or broken
# transaction, resources, operator, system, internal.
PASSING = ("08", "25", "53", "57", "58", "XX")


class Postgres(Database):
    """Appends and small writes have a connection each, everything else shares a pool."""

    shared = True

    def __init__(self, url: URL, *, pool: int, timeout: float) -> None:
        url = _with_ssl(url)
        self._url = url
        self._pool = _engine(url, pool, timeout, check=True)
        self._appends = _engine(url, 1, timeout)
        self._relaxed = _at_once(_engine(url, 1, timeout, synchronous_commit="off"))
        self._reads = _at_once(self._pool)
        self._appends_at_once = _at_once(self._appends)
        self._clock = RemoteClock(lambda: self.read(_time))
        self._synchronising: asyncio.Task[None] | None = None

    async def read(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await _run(self._reads, work, *args)

    async def write(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await _run(self._pool, work, *args)

    async def write_relaxed(self, work: Work[*Ts, T], *args: *Ts) -> T:
        try:
            return await _run(self._relaxed, work, *args)
        except Unavailable:  # the connection may be an old one
            return await _run(self._relaxed, work, *args)

    async def append(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await _run(self._appends, work, *args)

    async def append_at_once(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await _run(self._appends_at_once, work, *args)

    async def migrate(self, work: Work[T]) -> T:
        """On a connection of its own: this may take as long as it takes."""
        engine = _engine(self._url, 1, None)
        try:
            return await _run(engine, work)
        finally:
            await engine.dispose()

    async def open(self) -> None:
        await self._clock.synchronise()
        self._synchronising = asyncio.create_task(self._synchronise())

    def now(self) -> int:
        return self._clock.now()

    async def _synchronise(self) -> None:
        while True:
            await asyncio.sleep(SYNCHRONISE_SECONDS)
            # Without the database there is nothing to do that the clock could be wrong for.
            with suppress(StoreError):
                await self._clock.synchronise()

    async def close(self) -> None:
        if self._synchronising is not None:
            self._synchronising.cancel()
            await asyncio.wait([self._synchronising])
        for engine in (self._pool, self._appends, self._relaxed):
            await engine.dispose()


def _time(connection: Connection) -> int:
    now: int = connection.exec_driver_sql(f"SELECT {NOW}").scalar_one()
    return now


async def _run(engine: AsyncEngine, work: Work[*Ts, T], *args: *Ts) -> T:
    async with _transaction(engine) as connection:
        return await connection.run_sync(work, *args)


@asynccontextmanager
async def _transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    try:
        async with engine.connect() as connection:
            try:
                yield connection
                await connection.commit()
            except TimeoutError:
                # Nobody knows what this connection would answer next.
                await connection.invalidate()
                raise
    except TimeoutError as error:
        raise Unavailable("PostgreSQL does not answer") from error
    except OSError as error:
        raise Unavailable(f"PostgreSQL cannot be reached: {error}") from error
    except (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise _translated(error) from error
    # What the driver cannot send comes as whatever Python raises.
    except (TypeError, OverflowError, UnicodeError) as error:
        raise StoreError(f"PostgreSQL: {error}") from error


def _translated(error: Exception) -> StoreError:
    """An error of the driver, and whether it speaks of the database or of what it was given."""
    if not isinstance(error, DBAPIError):
        is_connecting = not isinstance(error, SQLAlchemyError) or isinstance(error, PoolTimeout)
        return (Unavailable if is_connecting else StoreError)(f"PostgreSQL: {error}")
    state = getattr(error.orig, "sqlstate", None) or ""
    is_passing = error.connection_invalidated or state.startswith(PASSING)
    return (Unavailable if is_passing else StoreError)(f"PostgreSQL: {error.orig}")


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
            # Compiling a statement takes longer than any of ours.
            "server_settings": {"application_name": "tilerummy", "jit": "off", **settings},
        },
    )


def _at_once(engine: AsyncEngine) -> AsyncEngine:
    """The same connections, for single statements outside of transactions."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _with_ssl(url: URL) -> URL:
    """`sslmode`, as other programs and hosting services spell what asyncpg calls `ssl`."""
    mode = url.query.get("sslmode")
    if mode is None:
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": str(mode)})
