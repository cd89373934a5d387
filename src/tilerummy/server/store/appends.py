"""Appends with optimistic concurrency: each room is written only at its expected version.

One transaction serves many rooms.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from tilerummy.server.store.database import Database
from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.errors import Busy, StoreError, Unavailable, Unknown
from tilerummy.server.store.schema import events
from tilerummy.server.store.values import Append, StoredEvent

LATEST = 2**63


async def append_all(database: Database, appends: list[Append]) -> list[bool]:
    """Append to different rooms at once; False for each room that was not at its expected version.

    Raises StoreError if nothing was written, Unknown if the outcome is unknown.
    """
    try:
        won = await database.append_at_once(appends)
        if won is None:
            return await database.append(write_appends, appends)
        return [append.room in won for append in appends]
    except Busy:
        raise  # the outcome is known, and waiting again would double the wait
    except Unavailable:
        return await _again(database, appends)


async def _again(database: Database, appends: list[Append]) -> list[bool]:
    """Retry once after an attempt whose outcome is unknown. The retry is idempotent.

    A version has one successor, so the later attempt fails, and the stored events show whether the
    first one was ours.
    """
    try:
        return await database.append(write_again, appends)
    except Unavailable as error:
        raise Unknown(f"cannot tell whether the events were stored: {error}") from error


def check(append: Append) -> None:
    """Raises StoreError for an invalid append, such as events that do not follow the version."""
    seq = append.expected
    for event in append.events:
        seq += 1
        if event.seq != seq:
            break
        if not -LATEST < event.at < LATEST:
            raise StoreError("a time must be a number of milliseconds that fits in 64 bits")
    if not append.events or event.seq != seq:
        raise StoreError(
            f"events after version {append.expected} are numbered from {append.expected + 1}, "
            f"not {[event.seq for event in append.events[:5]]}"
        )
    if append.timers_set and append.timers_removed:
        kept = {(kind, key) for kind, key, _ in append.timers_set}
        if not kept.isdisjoint(append.timers_removed):
            raise StoreError("an append either sets or removes a timer, not both")


def write_appends(connection: Connection, appends: list[Append]) -> list[bool]:
    won = statements_of(connection).write_appends(connection, appends)
    return [append.room in won for append in appends]


def write_again(connection: Connection, appends: list[Append]) -> list[bool]:
    won = write_appends(connection, appends)
    return [
        first or _is_stored(connection, append) for first, append in zip(won, appends, strict=True)
    ]


def _is_stored(connection: Connection, append: Append) -> bool:
    found = connection.execute(
        select(events.c.seq, events.c.at, events.c.cause, events.c.data)
        .where(
            events.c.room == append.room,
            events.c.seq > append.expected,
            events.c.seq <= append.version,
        )
        .order_by(events.c.seq)
    )
    return [StoredEvent(*row) for row in found] == list(append.events)
