"""Leases: a process claims a due timer, and no other process gets it until the lease ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import (
    Connection,
    func,
    select,
    update,
)

from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.schema import due
from tilerummy.server.store.statements import Claim
from tilerummy.server.store.values import Claimed

Moment = tuple[str, int, int]
"""Kind, key and time of a timer."""


def timer_changes(
    before: Iterable[Moment], after: Iterable[Moment]
) -> tuple[list[Moment], list[tuple[str, int]]]:
    """The timers that an append sets and removes to get from `before` to `after`."""
    old, new = set(before), set(after)
    left = {(kind, key) for kind, key, _ in new}
    gone = [(kind, key) for kind, key, _ in old - new if (kind, key) not in left]
    return sorted(new - old), sorted(gone)


def claim_due(
    connection: Connection, now: int, limit: int, lease_ms: int, kinds: Sequence[str] | None
) -> list[Claimed]:
    """Claim up to `limit` due timers, the oldest first."""
    moment = statements_of(connection).time(now)
    query = select(due.c.room, due.c.kind, due.c.key).where(due.c.free_at <= moment)
    if kinds is not None:
        query = query.where(due.c.kind.in_(kinds))
    # A CTE is evaluated once. A plain subquery could be evaluated again, and lock more rows.
    free = query.order_by(due.c.free_at).limit(limit).with_for_update(skip_locked=True).cte("free")
    done = connection.execute(
        update(due)
        .where(due.c.room == free.c.room, due.c.kind == free.c.kind, due.c.key == free.c.key)
        .values(free_at=moment + lease_ms)
        .returning(due.c.room, due.c.kind, due.c.key, due.c.at)
    )
    return sorted([Claimed(*row) for row in done], key=lambda claimed: claimed.at)


def claim_known(connection: Connection, now: int, claims: list[Claim]) -> list[bool]:
    """Claim timers that are known to be due; False for each that is leased or no longer exists.

    The due time is not checked: the caller's clock may be slightly ahead of the database's.
    """
    return statements_of(connection).claim_known(connection, now, claims)


def free_all(connection: Connection) -> None:
    """End all leases. Only for a database that no other process uses."""
    connection.execute(update(due).where(due.c.free_at > due.c.at).values(free_at=due.c.at))


def next_timer(connection: Connection) -> int | None:
    """The time at which the next timer can be claimed."""
    return connection.execute(select(func.min(due.c.free_at))).scalar()


def postpone(connection: Connection, moments: Sequence[Claimed]) -> None:
    """Set new times for existing timers, leased or not. Creates no timers."""
    statements_of(connection).postpone(connection, moments)
