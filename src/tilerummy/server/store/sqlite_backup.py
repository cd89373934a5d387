"""Online backup: copies an SQLite store to a new file while a server uses it.

The server's own lock keeps other servers out. A reader needs no lock: in WAL mode SQLite gives it a
snapshot of the file, and writers do not wait for it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from tilerummy.server.store.database import BackupProgress
from tilerummy.server.store.errors import StoreError, Unavailable
from tilerummy.server.store.file_modes import OWNER_ONLY

PAGES = 1_000
"""Pages copied per step."""
WAIT_SECONDS = 10.0


def back_up(source: Path, target: Path, progress: BackupProgress) -> int:
    """Copy an SQLite store to a new file and check it. Returns the size in bytes.

    The file appears atomically, once it is complete. Raises StoreError.
    """
    if target.exists():
        raise StoreError(f"the file {target} exists already: choose another name")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        with _errors(source, target):
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
            with closing(_reader(source)) as reading, closing(sqlite3.connect(draft)) as writing:
                _copy(reading, writing, progress)
                _check(writing)
            _sync(draft)
            draft.rename(target)
            return target.stat().st_size
    except BaseException:
        for rest in (draft, Path(f"{draft}-journal")):
            rest.unlink(missing_ok=True)
        raise


def _reader(path: Path) -> sqlite3.Connection:
    """A read-only connection with a snapshot of the file."""
    reading = sqlite3.connect(
        f"file:{quote(path.as_posix())}?mode=ro",
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
    )
    try:
        # Without one transaction around the copy, every change would restart it.
        reading.execute("BEGIN")
        if not reading.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'"
        ).fetchone():
            raise StoreError(f"{path} is not a store of tilerummy")
    except BaseException:
        reading.close()
        raise
    return reading


def _copy(
    reading: sqlite3.Connection, writing: sqlite3.Connection, progress: BackupProgress
) -> None:
    def tell(_: int, left: int, total: int) -> None:
        progress(total - left, total)

    reading.backup(writing, pages=PAGES, progress=tell)
    # Leave no -wal and -shm files beside it. A server switches back to WAL mode.
    writing.execute("PRAGMA journal_mode = DELETE")


def _check(copy: sqlite3.Connection) -> None:
    (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise StoreError(f"the copy is damaged, and so probably is the source: {found}")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _errors(source: Path, target: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise Unavailable(f"cannot copy {source}: {error}") from error
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from error
