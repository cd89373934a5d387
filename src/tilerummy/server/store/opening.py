"""Opens the database at a URL: connect, migrate, end stale leases."""

from __future__ import annotations

from tilerummy.server.store.claims import free_all
from tilerummy.server.store.database import Database, parse_url
from tilerummy.server.store.dialects import database_type
from tilerummy.server.store.migrate import migrate

POOL = 5
TIMEOUT = 10.0


def database_of(url: str, *, pool: int = POOL, timeout: float = TIMEOUT) -> Database:
    """The database at a URL, not yet open. Raises StoreError."""
    address = parse_url(url)
    return database_type(address)(address, pool=pool, timeout=timeout)


async def open_database(url: str, *, pool: int = POOL, timeout: float = TIMEOUT) -> Database:
    """The database at a URL, open and with the newest schema. Raises StoreError."""
    database = database_of(url, pool=pool, timeout=timeout)
    try:
        await database.open()
        await database.migrate(migrate)
        if not database.shared:
            await database.write(free_all)
    except BaseException:
        await database.close()
        raise
    return database
