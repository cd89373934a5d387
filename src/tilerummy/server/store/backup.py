"""A second file with all that an SQLite store holds, made while a server goes on using the first.

The server keeps other servers out with a lock of its own. Whoever only reads needs no lock: in WAL
mode SQLite shows a reader the file as it was when it began, and nobody waits for it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from tilerummy.server.store.database import parse_url
from tilerummy.server.store.errors import StoreError, Unavailable

PAGES = 1_000
"""Copied at a time."""
WAIT_SECONDS = 10.0
OWNER_ONLY = 0o600

Progress = Callable[[int, int], None]
"""Told how many pages are copied, and how many there are."""


def back_up(url: str, target: Path, progress: Progress | None = None) -> int:
    """Copy the SQLite store of an address to a new file, and check it; the bytes of that file.

    The file is there when it is whole, and not before. Raises StoreError.
    """
    source = _source(url)
    if target.exists():
        raise StoreError(f"there is a file {target} already: choose another name")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        with _errors(source, target):
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
            with closing(_reader(source)) as reading, closing(sqlite3.connect(draft)) as writing:
                _copy(reading, writing, progress or _silent)
                _check(writing)
            _sync(draft)
            draft.rename(target)
            return target.stat().st_size
    except BaseException:
        for rest in (draft, Path(f"{draft}-journal")):
            rest.unlink(missing_ok=True)
        raise


def _source(url: str) -> Path:
    address = parse_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        raise StoreError("only an SQLite file can be backed up like this")
    path = Path(address.database)
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    return path.resolve()


def _reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, with the file as it is now."""
    reading = sqlite3.connect(
        f"file:{quote(path.as_posix())}?mode=ro",
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
    )
    try:
        # Without a transaction around it all, every change would make the copy begin anew.
        reading.execute("BEGIN")
        if not reading.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'"
        ).fetchone():
            raise StoreError(f"{path} is not a store of tilerummy")
    except BaseException:
        reading.close()
        raise
    return reading


def _copy(reading: sqlite3.Connection, writing: sqlite3.Connection, progress: Progress) -> None:
    def tell(_: int, left: int, total: int) -> None:
        progress(total - left, total)

    reading.backup(writing, pages=PAGES, progress=tell)
    # One file, without others beside it; a server puts it into WAL mode again.
    writing.execute("PRAGMA journal_mode = DELETE")


def _check(copy: sqlite3.Connection) -> None:
    (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise StoreError(f"the copy is damaged, as the source probably is: {found}")


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


def _silent(done: int, total: int) -> None: ...
