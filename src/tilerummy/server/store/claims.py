"""What is due, and who does it: a claim keeps others away until its lease is over."""

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
"""Kind, key and time of what is due."""


def timer_changes(
    before: Iterable[Moment], after: Iterable[Moment]
) -> tuple[list[Moment], list[tuple[str, int]]]:
    """What an append has to set and to remove where this was due before, and that is after it."""
    old, new = set(before), set(after)
    left = {(kind, key) for kind, key, _ in new}
    gone = [(kind, key) for kind, key, _ in old - new if (kind, key) not in left]
    return sorted(new - old), sorted(gone)


def claim_due(
    connection: Connection, now: int, limit: int, lease_ms: int, kinds: Sequence[str] | None
) -> list[Claimed]:
    """Up to `limit` of what is due, the oldest first."""
    moment = statements_of(connection).time(now)
    query = select(due.c.room, due.c.kind, due.c.key).where(due.c.free_at <= moment)
    if kinds is not None:
        query = query.where(due.c.kind.in_(kinds))
    # A common table is read once, whereas a plain subquery could be read again, and lock more.
    free = query.order_by(due.c.free_at).limit(limit).with_for_update(skip_locked=True).cte("free")
    done = connection.execute(
        update(due)
        .where(due.c.room == free.c.room, due.c.kind == free.c.kind, due.c.key == free.c.key)
        .values(free_at=moment + lease_ms)
        .returning(due.c.room, due.c.kind, due.c.key, due.c.at)
    )
    return sorted([Claimed(*row) for row in done], key=lambda claimed: claimed.at)


def claim_known(connection: Connection, now: int, claims: list[Claim]) -> list[bool]:
    """Claim what is known to be due; False for each that somebody has, or that is not there.

    Whoever asks knows the time: their clock may be a little ahead of the database's.
    """
    return statements_of(connection).claim_known(connection, now, claims)


def free_all(connection: Connection) -> None:
    """Nobody has anything: for a database of which no other process can have claimed something."""
    connection.execute(update(due).where(due.c.free_at > due.c.at).values(free_at=due.c.at))


def next_timer(connection: Connection) -> int | None:
    """When there will be something to claim."""
    return connection.execute(select(func.min(due.c.free_at))).scalar()


def postpone(connection: Connection, moments: Sequence[Claimed]) -> None:
    """Put off what is due, whatever was said of it before; what is not due stays so."""
    statements_of(connection).postpone(connection, moments)
