"""The statements of SQLite. Each takes its rows as one JSON value."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, literal
from sqlalchemy.dialects import sqlite

from tilerummy.server.store.statements import (
    Claim,
    Rows,
    SavedDraft,
    draft_rows,
    room_rows,
    timer_removed_rows,
    timer_set_rows,
)
from tilerummy.server.store.values import Append, Claimed

# Binding each row separately makes the writer thread release and reacquire the GIL every time, in
# competition with the event loop. So all rows are passed as one JSON value.
_ROOMS = """
UPDATE rooms SET
    version = value ->> 0, phase = value ->> 1, people = value ->> 2, free = value ->> 3,
    here = value ->> 4, host = value ->> 5, active_at = value ->> 6, closed_at = value ->> 7
FROM json_each(?)
WHERE rooms.id = value ->> 8 AND version = value ->> 9
RETURNING rooms.id
"""
_EVENTS = """
INSERT INTO events (room, seq, at, cause, data)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, substr(?2, value ->> 4, value ->> 5)
FROM json_each(?1)
"""
_REST = (
    (
        """
        DELETE FROM due WHERE (room, kind, key) IN (
            SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
        )
        """,
        timer_removed_rows,
    ),
    (
        """
        INSERT INTO due (room, kind, key, at, free_at)
        SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 3 FROM json_each(?)
        WHERE true
        ON CONFLICT DO UPDATE SET at = excluded.at, free_at = excluded.free_at
        """,
        timer_set_rows,
    ),
    (
        """
        DELETE FROM drafts WHERE (room, seat) IN (
            SELECT value ->> 0, value ->> 1 FROM json_each(?)
        )
        """,
        draft_rows,
    ),
)
_CLAIM = """
UPDATE due SET free_at = ?1 + ?5 WHERE room = ?2 AND kind = ?3 AND key = ?4
AND (free_at = at OR free_at <= ?1)
"""

_POSTPONE = "UPDATE due SET at = ?4, free_at = ?4 WHERE room = ?1 AND kind = ?2 AND key = ?3"
_SAVE = """
INSERT INTO drafts (room, seat, turn, data)
SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM rooms WHERE id = ?1)
ON CONFLICT (room, seat) DO UPDATE SET turn = excluded.turn, data = excluded.data
"""


class SqliteStatements:
    def insert(self, table: Table) -> sqlite.Insert:
        return sqlite.insert(table)

    def write_appends(self, connection: Connection, appends: list[Append]) -> set[str]:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return write_rows(driver, appends)

    def save_drafts(self, connection: Connection, saved: list[SavedDraft]) -> None:
        connection.exec_driver_sql(_SAVE, [tuple(draft) for draft in saved])

    def time(self, now: int) -> ColumnElement[int]:
        return literal(now)

    def claim_known(self, connection: Connection, now: int, claims: list[Claim]) -> list[bool]:
        return [connection.exec_driver_sql(_CLAIM, (now, *claim)).rowcount == 1 for claim in claims]

    def postpone(self, connection: Connection, timers: Sequence[Claimed]) -> None:
        connection.exec_driver_sql(_POSTPONE, [tuple(timer) for timer in timers])

    def lock_migration(self, connection: Connection) -> None:
        """Needs no lock: the process has the file, and the transaction, to itself."""


def write_rows(driver: sqlite3.Connection, appends: list[Append]) -> set[str]:
    """Write events, timers and cleared drafts; returns the rooms whose version matched."""
    found = driver.execute(_ROOMS, (_json(room_rows(appends)),)).fetchall()
    won = {room for (room,) in found}
    stored = appends
    if len(won) < len(appends):
        stored = [append for append in appends if append.room in won]
    driver.execute(_EVENTS, _events_in_one(stored))
    for statement, rows_of in _REST:
        if rows := rows_of(stored):
            driver.execute(statement, (_json(rows),))
    return won


def _events_in_one(appends: list[Append]) -> tuple[str, bytes]:
    """All events as JSON, with their data as offsets into the bytes beside it."""
    rows: Rows = []
    parts: list[bytes] = []
    start = 1
    for append in appends:
        room = append.room
        for seq, at, cause, data in append.events:
            size = len(data)
            rows.append((room, seq, at, cause, start, size))
            parts.append(data)
            start += size
    return _json(rows), b"".join(parts)


def _json(rows: Rows) -> str:
    return msgspec.json.encode(rows).decode()
