"""SQLite: one file, one process, one writer thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.pool import PoolProxiedConnection

from tilerummy.server.store import sqlite_backup
from tilerummy.server.store.clock import SystemClock
from tilerummy.server.store.database import BackupProgress, Database, Work
from tilerummy.server.store.errors import Busy, InUse, StoreError, Unavailable
from tilerummy.server.store.file_modes import protect
from tilerummy.server.store.sqlite_statements import SqliteStatements, write_rows
from tilerummy.server.store.values import Append

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

OLDEST = (3, 38, 0)
"""The first version with the `->>` operator."""
INCREMENTAL = 2
"""The number of this mode of `auto_vacuum`."""
READERS = 2
BUSY_MS = 5_000
"""Time to wait for another process that holds the lock."""
STILL_BUSY_MS = 100
"""The same after a wait in vain, until a transaction succeeds: the writes in the queue must not
wait one after the other."""
SHRINK_PAGES = 1_000
"""Pages that one step gives back, so that appends do not wait for long."""
PRAGMAS = {
    # Only for a new file, and before anything is written to it.
    "auto_vacuum": "INCREMENTAL",
    "journal_mode": "WAL",
    "foreign_keys": "ON",
    "busy_timeout": BUSY_MS,
    "cache_size": -16_000,  # kibibytes
    # Fewer and larger checkpoints.
    "wal_autocheckpoint": 4_000,
    "journal_size_limit": 64 * 2**20,
}


class Sqlite(Database):
    """One thread does all writes, one transaction after the other, so there is no lock contention.

    Threads run whole functions, not single statements: a thread switch costs more than a statement.
    """

    shared = False
    statements = SqliteStatements()
    # More pages than an append has: a failed append leaves its space in the WAL file allocated, so
    # that a smaller write would succeed on a full disk.
    probe_bytes = 64 * 1024

    def __init__(self, url: URL, *, pool: int, timeout: float) -> None:
        path = _path(url)
        self._lock = _lock(path)
        protect(path)
        for suffix in ("-wal", "-shm"):
            if (rest := Path(f"{path}{suffix}")).exists():
                protect(rest)
        self._clock = SystemClock()
        self._durable = Held(_engine(url, "FULL", 1))
        self._relaxed = _engine(url, "NORMAL", READERS + 1)
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._is_busy = False

    @classmethod
    def check_exists(cls, address: URL) -> None:
        if not _path(address).is_file():
            raise StoreError(f"there is no file {address.database}")

    @classmethod
    def back_up(cls, address: URL, target: Path, progress: BackupProgress) -> int:
        cls.check_exists(address)
        return sqlite_backup.back_up(_path(address), target, progress)

    async def read(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._readers, self._read, work, *args
        )

    async def write(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._writer, self._write_durably, work, *args
        )

    async def append_at_once(self, appends: list[Append]) -> set[str]:
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._append, appends)

    async def write_relaxed(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._writer, self._write_relaxed, work, *args
        )

    async def shrink(self) -> None:
        """Shrinks the file step by step. One of an earlier version has no such pages: it stays as
        large as it was until it is copied."""
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(self._writer, _shrink, self._relaxed):
            pass

    append = write
    migrate = write

    async def open(self) -> None:
        await self.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())

    def now(self) -> int:
        return self._clock.now()

    def start_clock(self, moment: int) -> None:
        self._clock.start_at(moment)

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        for pool in (self._writer, self._readers):
            pool.shutdown()
        self._durable.close()
        self._relaxed.dispose()
        self._lock.close()

    def _read(self, work: Work[*Ts, T], *args: *Ts) -> T:
        with _errors(), self._relaxed.connect() as connection:
            return work(connection, *args)

    def _write_relaxed(self, work: Work[*Ts, T], *args: *Ts) -> T:
        with _errors(), self._relaxed.connect() as connection:
            return self._transact(connection, work, *args)

    def _write_durably(self, work: Work[*Ts, T], *args: *Ts) -> T:
        with _errors(), self._durable.connection() as connection:
            return self._transact(connection, work, *args)

    def _transact(self, connection: Connection, work: Work[*Ts, T], *args: *Ts) -> T:
        self._begin(connection.exec_driver_sql)
        result = work(connection, *args)
        connection.commit()
        return result

    def _append(self, appends: list[Append]) -> set[str]:
        """A transaction with the driver alone."""
        with _errors(), self._durable.connection() as connection:
            driver = connection.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)
            self._begin(driver.execute)
            won = write_rows(driver, appends)
            driver.execute("COMMIT")
            return won

    def _begin(self, execute: Callable[[str], object]) -> None:
        """Take the lock. Raises Busy if another process keeps it."""
        was_busy = self._is_busy
        if was_busy:
            execute(f"PRAGMA busy_timeout = {STILL_BUSY_MS}")
        try:
            execute("BEGIN IMMEDIATE")
        except (OperationalError, sqlite3.OperationalError) as error:
            if not _is_busy(error):
                raise
            self._is_busy = True
            why = getattr(error, "orig", error)
            raise Busy(f"SQLite: another process keeps the file locked ({why})") from error
        finally:
            if was_busy:
                execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        self._is_busy = False


class Held:
    """The connection for durable writes. It stays open: to get one from the pool, to begin and to
    end its transaction through SQLAlchemy takes longer than the statements of an append."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            yield self._connection
        except BaseException:
            held, self._connection = self._connection, None
            held.close()  # rolls back
            raise

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


def _is_busy(error: Exception) -> bool:
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF == sqlite3.SQLITE_BUSY


def _shrink(engine: Engine) -> bool:
    """Give some free pages back; whether there are more."""
    with _errors(), engine.connect() as connection:
        if connection.exec_driver_sql("PRAGMA auto_vacuum").scalar() != INCREMENTAL:
            return False
        before = connection.exec_driver_sql("PRAGMA freelist_count").scalar()
        cursor = connection.connection.cursor()
        # Each row that is fetched gives a page back.
        cursor.execute(f"PRAGMA incremental_vacuum({SHRINK_PAGES})").fetchall()
        left = connection.exec_driver_sql("PRAGMA freelist_count").scalar()
        if left:
            return bool(left < before)
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").all()
        return False


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (OperationalError, sqlite3.OperationalError) as error:
        raise Unavailable(f"SQLite: {getattr(error, 'orig', error)}") from error
    # The driver raises these for values that it cannot bind.
    except (SQLAlchemyError, sqlite3.Error, TypeError, OverflowError, UnicodeError) as error:
        raise StoreError(f"SQLite: {getattr(error, 'orig', error)}") from error


def _path(url: URL) -> Path:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise StoreError("SQLite needs a file: sqlite:///FILE")
    return Path(url.database).resolve()


def _lock(path: Path) -> sqlite3.Connection:
    """Exclude other processes for as long as the connection is open.

    This is SQLite's own lock on a small file beside the store. It works on every system, also
    within one process, and is released when the process ends, however it ends.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: {needed} or newer is needed")
    protect(Path(f"{path}.lock"))
    try:
        lock = sqlite3.connect(
            f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except BaseException:
            lock.close()
            raise
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise Unavailable(f"cannot use {path}: {error}") from error
        raise InUse(
            f"another process uses {path}: SQLite serves one process; for several, use PostgreSQL"
        ) from error
    return lock


def _engine(url: URL, synchronous: str, size: int) -> Engine:
    # Without an isolation level the driver starts no implicit transactions.
    arguments = {"isolation_level": None, "check_same_thread": False}
    engine = create_engine(url, connect_args=arguments, pool_size=size, max_overflow=0)

    @event.listens_for(engine, "connect")
    def prepare(connection: PoolProxiedConnection, _: Any) -> None:
        cursor = connection.cursor()
        for name, value in {**PRAGMAS, "synchronous": synchronous}.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.close()

    return engine
