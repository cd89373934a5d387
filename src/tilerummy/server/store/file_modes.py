"""File permissions: the files of an SQLite store are for their owner alone.

They hold the racks and the secrets of running games. SQLite gives new `-wal` and `-shm` files the
permissions of the database.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.store")

OWNER_ONLY = 0o600
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def protect(path: Path) -> None:
    """Create a file for its owner alone, or take the permissions of others from an existing one."""
    if os.name != "posix":
        return
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        with suppress(OSError):  # SQLite says why it cannot be created
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, OWNER_ONLY))
        return
    except OSError:
        return
    if mode & OTHERS and stat.S_ISREG(mode):
        _tighten(path, stat.S_IMODE(mode))


def _tighten(path: Path, mode: int) -> None:
    shown = f"{mode:o}"
    try:
        path.chmod(mode & ~OTHERS)
    except OSError as error:
        why = error.strerror or str(error)
        log.warning(
            "other users can open the store: run chmod 600", file=str(path), mode=shown, why=why
        )
    else:
        log.warning("other users could open the store: corrected", file=str(path), mode=shown)
