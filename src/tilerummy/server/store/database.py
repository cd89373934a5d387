"""The database interface: runs SQL on SQLite or PostgreSQL.

A unit of work is a plain function of a SQLAlchemy `Connection`, so it is written once. SQLite runs
it in a thread, PostgreSQL on asyncpg's connection in the event loop.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar, TypeVarTuple

from sqlalchemy import Connection
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from tilerummy.server.store.errors import StoreError
from tilerummy.server.store.statements import Statements
from tilerummy.server.store.values import Append, StoredEvent

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Work = Callable[[Connection, *Ts], T]
BackupProgress = Callable[[int, int], None]
"""Called with the number of copied pages and of all pages."""

DRIVERS = {
    "sqlite": "sqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}


class Database(ABC):
    """Connections to one database."""

    shared: ClassVar[bool]
    """Whether several processes may use it at the same time."""
    statements: ClassVar[Statements]
    probe_bytes: ClassVar[int]
    """Bytes of a write that shows whether the database has space for a move."""

    @abstractmethod
    def __init__(self, address: URL, *, pool: int, timeout: float) -> None: ...

    @classmethod
    @abstractmethod
    def check_exists(cls, address: URL) -> None:
        """Raises StoreError for a missing database that opening would create."""

    @classmethod
    @abstractmethod
    def back_up(cls, address: URL, target: Path, progress: BackupProgress) -> int:
        """Copy it to a new file, even while it is in use. Returns the size in bytes.

        Raises StoreError, and OwnTool if the database has a program for this.
        """

    @abstractmethod
    async def read(self, work: Work[*Ts, T], *args: *Ts) -> T:
        """Run a function that only reads."""

    @abstractmethod
    async def write(self, work: Work[*Ts, T], *args: *Ts) -> T:
        """Run in a transaction that is durable when this returns."""

    @abstractmethod
    async def write_relaxed(self, work: Work[*Ts, T], *args: *Ts) -> T:
        """Run one statement whose effect survives this process, but perhaps not a power cut.

        It must be idempotent: it runs twice if the connection is lost.
        """

    @abstractmethod
    async def append(self, work: Work[*Ts, T], *args: *Ts) -> T:
        """As `write`, on the connection reserved for appends."""

    async def append_at_once(self, appends: list[Append]) -> set[str] | None:
        """A faster path for appends; None if there is none for these, and nothing is written.

        Returns the rooms whose version matched.
        """
        return None

    async def read_news(self, wanted: Sequence[tuple[str, int]]) -> list[list[StoredEvent]] | None:
        """A faster path to the events of rooms after a version of each; None if there is none."""
        return None

    async def shrink(self) -> None:
        """Give the space of deleted rows back to the system, if the database does not itself."""
        return None

    @abstractmethod
    async def migrate(self, work: Work[T]) -> T:
        """As `write`, without a time limit."""

    @abstractmethod
    async def open(self) -> None:
        """Connect. Raises Unavailable."""

    @abstractmethod
    def now(self) -> int:
        """The database's time, in milliseconds."""

    @abstractmethod
    def start_clock(self, moment: int) -> None:
        """Let time go on from the newest event in the database, if the clock is behind it."""

    @abstractmethod
    async def close(self) -> None: ...


def parse_url(text: str) -> URL:
    """The URL of a database, with the driver that this package uses. Raises StoreError."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise StoreError(_EXPECTED) from error
    driver = DRIVERS.get(url.get_backend_name())
    if driver is None:
        raise StoreError(f"{url.get_backend_name()[:20]!r} is not supported: {_EXPECTED}")
    return url.set(drivername=driver)


_EXPECTED = "the URL of a store is sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
