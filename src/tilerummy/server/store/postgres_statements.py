"""The statements of PostgreSQL. Each takes its columns as arrays, so a batch is one statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, Table, literal_column
from sqlalchemy.dialects import postgresql

from tilerummy.server.store.statements import (
    Claim,
    Rows,
    SavedDraft,
    draft_rows,
    event_rows,
    game_rows,
    has_more,
    member_rows,
    result_rows,
    room_rows,
    snapshot_rows,
    timer_removed_rows,
    timer_set_rows,
)
from tilerummy.server.store.values import Append, Claimed

NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
MIGRATION_LOCK = 0x74696C65
"""The key of the advisory lock under which one process migrates at a time."""

APPEND = """
WITH wanted AS (
    SELECT * FROM unnest(
        $1::int[], $2::text[], $3::int[], $4::int[], $5::int[], $6::text[], $7::bigint[],
        $8::bigint[], $9::text[], $10::int[]
    ) AS t (version, phase, people, free, here, host, active_at, closed_at, room, expected)
),
-- Locked in one order everywhere, to prevent deadlocks between processes.
held AS (
    SELECT id FROM rooms JOIN wanted ON id = room
    ORDER BY id FOR NO KEY UPDATE OF rooms
),
won AS (
    UPDATE rooms SET
        version = wanted.version, phase = wanted.phase, people = wanted.people,
        free = wanted.free, here = wanted.here, host = wanted.host,
        active_at = wanted.active_at, closed_at = wanted.closed_at
    FROM wanted JOIN held ON held.id = room
    WHERE rooms.id = room AND rooms.version = expected
    RETURNING room
),
logged AS (
    INSERT INTO events (room, seq, at, cause, data)
    SELECT t.* FROM won JOIN unnest(
        $11::text[], $12::int[], $13::bigint[], $14::text[], $15::bytea[]
    ) AS t (room, seq, at, cause, data) USING (room)
),
removed AS (
    DELETE FROM due USING won JOIN unnest($16::text[], $17::text[], $18::int[])
    AS t (room, kind, key) USING (room)
    WHERE due.room = t.room AND due.kind = t.kind AND due.key = t.key
),
set AS (
    INSERT INTO due (room, kind, key, at, free_at)
    SELECT t.*, t.at FROM won JOIN unnest($19::text[], $20::text[], $21::int[], $22::bigint[])
    AS t (room, kind, key, at) USING (room)
    ON CONFLICT (room, kind, key) DO UPDATE SET at = excluded.at, free_at = excluded.free_at
),
cleared AS (
    DELETE FROM drafts WHERE (room, seat) IN (
        SELECT drafts.room, drafts.seat FROM drafts
        JOIN unnest($23::text[], $24::int[]) AS t (room, seat) USING (room, seat)
        JOIN won USING (room)
        ORDER BY drafts.room, drafts.seat FOR UPDATE OF drafts
    )
)
SELECT room FROM won
"""
# A guest who has been deleted in the meantime gets no rows.
_MORE = (
    (
        """
        INSERT INTO snapshots (room, version, data)
        SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[])
        ON CONFLICT (room) DO UPDATE SET version = excluded.version, data = excluded.data
        """,
        snapshot_rows,
    ),
    (
        """
        INSERT INTO members (room, guest)
        SELECT room, id FROM unnest($1::text[], $2::text[]) AS t (room, guest)
        JOIN guests ON id = guest
        ON CONFLICT DO NOTHING
        """,
        member_rows,
    ),
    (
        """
        INSERT INTO games (
            room, match, game, first_seq, last_seq, edition, options, players, rounds, finished_at
        )
        SELECT
            room, match, game, first, last, edition, options::json, players::json, rounds, finished
        FROM unnest(
            $1::text[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[],
            $8::text[], $9::int[], $10::bigint[]
        ) AS t (room, match, game, first, last, edition, options, players, rounds, finished)
        """,
        game_rows,
    ),
    (
        """
        INSERT INTO results (room, guest, match, game, edition, score, won, players, at)
        SELECT room, id, match, game, edition, score, won, players, at
        FROM unnest(
            $1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::int[], $7::bool[],
            $8::int[], $9::bigint[]
        ) AS t (room, guest, match, game, edition, score, won, players, at)
        JOIN guests ON id = guest
        """,
        result_rows,
    ),
)
NEWS = """
    SELECT room, seq, at, cause, data
    FROM unnest($1::text[], $2::bigint[]) AS wanted(known, after)
    JOIN events ON room = known AND seq > after
    ORDER BY room, seq
"""
_CLAIM = f"""
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
# Waiting here for an append could deadlock with it. Rows that an append, a claim or another node is
# writing are skipped: the other writer knows better, or writes the same.
_POSTPONE = """
WITH free AS (
    SELECT room, kind, key, t.at
    FROM due JOIN unnest($1::text[], $2::text[], $3::int[], $4::bigint[])
    AS t (room, kind, key, at) USING (room, kind, key)
    FOR UPDATE OF due SKIP LOCKED
)
UPDATE due SET at = free.at, free_at = free.at FROM free
WHERE due.room = free.room AND due.kind = free.kind AND due.key = free.key
"""
# Sorted like the drafts that appends clear, to prevent deadlocks between processes.
_SAVE = """
INSERT INTO drafts (room, seat, turn, data)
SELECT t.* FROM unnest($1::text[], $2::int[], $3::int[], $4::bytea[]) AS t (room, seat, turn, data)
JOIN rooms ON id = room ORDER BY room, seat
ON CONFLICT (room, seat) DO UPDATE SET turn = excluded.turn, data = excluded.data
"""


class PostgresStatements:
    def insert(self, table: Table) -> postgresql.Insert:
        return postgresql.insert(table)

    def write_appends(self, connection: Connection, appends: list[Append]) -> set[str]:
        won = set(connection.exec_driver_sql(APPEND, append_columns(appends)).scalars())
        more = [append for append in appends if append.room in won and has_more(append)]
        for statement, rows_of in _MORE:
            if rows := rows_of(more):
                connection.exec_driver_sql(statement, tuple(zip(*rows, strict=True)))
        return won

    def save_drafts(self, connection: Connection, saved: list[SavedDraft]) -> None:
        connection.exec_driver_sql(_SAVE, tuple(zip(*saved, strict=True)))

    def time(self, now: int) -> ColumnElement[int]:
        """The database's own time: several processes have to agree on when a lease ends."""
        return literal_column(NOW, BigInteger)

    def claim_known(self, connection: Connection, now: int, claims: list[Claim]) -> list[bool]:
        columns = tuple(zip(*claims, strict=True))
        claimed = {tuple(row) for row in connection.exec_driver_sql(_CLAIM, columns)}
        return [claim.what in claimed for claim in claims]

    def postpone(self, connection: Connection, timers: Sequence[Claimed]) -> None:
        connection.exec_driver_sql(_POSTPONE, tuple(zip(*timers, strict=True)))

    def lock_migration(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")


def append_columns(appends: list[Append]) -> tuple[Sequence[Any], ...]:
    return (
        *_columns(room_rows(appends), 10),
        *_columns(event_rows(appends), 5),
        *_columns(timer_removed_rows(appends), 3),
        *_columns(timer_set_rows(appends), 4),
        *_columns(draft_rows(appends), 2),
    )


def _columns(rows: Rows, width: int) -> Sequence[Sequence[Any]]:
    return list(zip(*rows, strict=True)) if rows else [()] * width
