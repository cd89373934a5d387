"""The event store: rooms as event logs, their timers and drafts, guests and their results.

`Store` is the entry point. It uses SQLite by default, and PostgreSQL when several processes serve
the same rooms. `schema` defines the tables, `migrations` holds their history.
"""

from tilerummy.server.store.claims import timer_changes
from tilerummy.server.store.errors import CodeTaken, InUse, StoreError, Unavailable, Unknown
from tilerummy.server.store.store import Store
from tilerummy.server.store.values import (
    Append,
    Claimed,
    Draft,
    FinishedGame,
    Guest,
    ListedRoom,
    Listing,
    Loaded,
    Purged,
    Result,
    Snapshot,
    Statistics,
    StoredEvent,
    Tally,
)

__all__ = [
    "Append",
    "Claimed",
    "CodeTaken",
    "Draft",
    "FinishedGame",
    "Guest",
    "InUse",
    "ListedRoom",
    "Listing",
    "Loaded",
    "Purged",
    "Result",
    "Snapshot",
    "Statistics",
    "Store",
    "StoreError",
    "StoredEvent",
    "Tally",
    "Unavailable",
    "Unknown",
    "timer_changes",
]
