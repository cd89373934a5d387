"""Online backup of a store, by the means of its database."""

from __future__ import annotations

from pathlib import Path

from tilerummy.server.store.database import BackupProgress, parse_url
from tilerummy.server.store.dialects import database_type


def back_up(url: str, target: Path, progress: BackupProgress | None = None) -> int:
    """Copy the store at a URL to a new file. Returns the size in bytes. Raises StoreError."""
    address = parse_url(url)
    return database_type(address).back_up(address, target, progress or _silent)


def _silent(done: int, total: int) -> None: ...
