"""SQLite: one file, one process, one writer thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
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
from tilerummy.server.store.sqlite_statements import SqliteStatements

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
        self._durable = _engine(url, "FULL", 1)
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
            self._writer, self._write, self._durable, work, *args
        )

    async def write_relaxed(self, work: Work[*Ts, T], *args: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._writer, self._write, self._relaxed, work, *args
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
        for engine in (self._relaxed, self._durable):
            engine.dispose()
        self._lock.close()

    def _read(self, work: Work[*Ts, T], *args: *Ts) -> T:
        with _errors(), self._relaxed.connect() as connection:
            return work(connection, *args)

    def _write(self, engine: Engine, work: Work[*Ts, T], *args: *Ts) -> T:
        with _errors(), engine.connect() as connection:
            self._begin(connection)
            result = work(connection, *args)
            connection.commit()
            return result

    def _begin(self, connection: Connection) -> None:
        """Take the lock. Raises Busy if another process keeps it."""
        was_busy = self._is_busy
        if was_busy:
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {STILL_BUSY_MS}")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            if not _is_busy(error):
                raise
            self._is_busy = True
            raise Busy(f"SQLite: another process keeps the file locked ({error.orig})") from error
        finally:
            if was_busy:
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_MS}")
        self._is_busy = False


def _is_busy(error: OperationalError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
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
