"""What is due, and who does it: a claim keeps others away until its lease is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    func,
    literal,
    literal_column,
    select,
    update,
)

from tilerummy.server.store.postgres import NOW
from tilerummy.server.store.schema import due
from tilerummy.server.store.values import Claimed

Moment = tuple[str, int, int]
"""Kind, key and time of what is due."""


class Claim(NamedTuple):
    """What somebody wants to do who knows that it is due."""

    room: str
    kind: str
    key: int
    lease_ms: int

    @property
    def what(self) -> tuple[str, str, int]:
        return self.room, self.kind, self.key


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
    moment = _moment(connection, now)
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


def _moment(connection: Connection, now: int) -> ColumnElement[int]:
    """The database's time: several processes have to agree on when a lease ends."""
    if connection.dialect.name == "sqlite":
        return literal(now)
    return literal_column(NOW, BigInteger)


def claim_known(connection: Connection, now: int, claims: list[Claim]) -> list[bool]:
    """Claim what is known to be due; False for each that somebody has, or that is not there.

    Whoever asks knows the time: their clock may be a little ahead of the database's.
    """
    if connection.dialect.name == "sqlite":
        return [_claim_sqlite(connection, now, claim) for claim in claims]
    columns = tuple(zip(*claims, strict=True))
    claimed = {tuple(row) for row in connection.exec_driver_sql(_POSTGRES, columns)}
    return [claim.what in claimed for claim in claims]


_POSTGRES = f"""
WITH free AS (
    SELECT room, kind, key, lease
    FROM due JOIN unnest($1::text[], $2::text[], $3::int[], $4::bigint[])
    AS t (room, kind, key, lease) USING (room, kind, key)
    WHERE free_at = at OR free_at <= {NOW}
    FOR UPDATE OF due SKIP LOCKED
)
UPDATE due SET free_at = {NOW} + lease FROM free
WHERE due.room = free.room AND due.kind = free.kind AND due.key = free.key
RETURNING due.room, due.kind, due.key
"""
_SQLITE = """
UPDATE due SET free_at = ?1 + ?5 WHERE room = ?2 AND kind = ?3 AND key = ?4
AND (free_at = at OR free_at <= ?1)
"""


def _claim_sqlite(connection: Connection, now: int, claim: Claim) -> bool:
    return connection.exec_driver_sql(_SQLITE, (now, *claim)).rowcount == 1


def free_all(connection: Connection) -> None:
    """Nobody has anything: for a database of which no other process can have claimed something."""
    connection.execute(update(due).where(due.c.free_at > due.c.at).values(free_at=due.c.at))


def next_timer(connection: Connection) -> int | None:
    """When there will be something to claim."""
    return connection.execute(select(func.min(due.c.free_at))).scalar()


def postpone(connection: Connection, moments: Sequence[Claimed]) -> None:
    """Put off what is due, whatever was said of it before; what is not due stays so."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_PUT_OFF_SQLITE, [tuple(moment) for moment in moments])
    else:
        connection.exec_driver_sql(_PUT_OFF_POSTGRES, tuple(zip(*moments, strict=True)))


_PUT_OFF_SQLITE = "UPDATE due SET at = ?4, free_at = ?4 WHERE room = ?1 AND kind = ?2 AND key = ?3"
# Whoever waits here for an append may have what that append waits for. What an append, a claim or
# another node is just writing is left to them: they know better, or say the same.
_PUT_OFF_POSTGRES = """
WITH free AS (
    SELECT room, kind, key, t.at
    FROM due JOIN unnest($1::text[], $2::text[], $3::int[], $4::bigint[])
    AS t (room, kind, key, at) USING (room, kind, key)
    FOR UPDATE OF due SKIP LOCKED
)
UPDATE due SET at = free.at, free_at = free.at FROM free
WHERE due.room = free.room AND due.kind = free.kind AND due.key = free.key
"""
