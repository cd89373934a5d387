"""Atomic file writes: a reader sees the old text or the new one, even after a crash."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Replace or create a file in one step, keeping its permissions. Raises OSError."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    mode = path.stat().st_mode if path.exists() else None
    if mode is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    try:
        with open(draft, "xb") as file:
            if mode is not None:
                os.chmod(draft, stat.S_IMODE(mode))
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if sys.platform != "win32":  # there a rename needs no help to last
        with contextlib.suppress(OSError):  # the file is in place; some folders cannot be synced
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
