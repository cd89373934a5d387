"""What is kept: rooms as logs of events, what is due in them, drafts, guests and their results.

`Store` is the way in. It stands on SQLite by default, on PostgreSQL when several processes are to
serve the same rooms; `schema` has the tables, `migrations` their history.
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
    "Statistics",
    "Store",
    "StoreError",
    "StoredEvent",
    "Tally",
    "Unavailable",
    "Unknown",
    "timer_changes",
]
