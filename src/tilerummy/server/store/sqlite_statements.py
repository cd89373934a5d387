"""The statements of SQLite. Each takes its rows as one JSON value."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, literal
from sqlalchemy.dialects import sqlite

from tilerummy.server.store.statements import (
    Claim,
    Rows,
    SavedDraft,
    draft_rows,
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

_Statement: TypeAlias = tuple[str, Callable[[list[Append]], Rows]]
"""A statement, and its rows."""

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
_REST: Sequence[_Statement] = (
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
# A guest who has been deleted in the meantime gets no rows.
_MORE: Sequence[_Statement] = (
    (
        """
        INSERT INTO members (room, guest)
        SELECT value ->> 0, guests.id FROM json_each(?) JOIN guests ON guests.id = value ->> 1
        WHERE true
        ON CONFLICT DO NOTHING
        """,
        member_rows,
    ),
    (
        """
        INSERT INTO games (
            room, "match", game, first_seq, last_seq, edition, options, players, rounds, finished_at
        )
        SELECT
            value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
            value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9
        FROM json_each(?)
        """,
        game_rows,
    ),
    (
        """
        INSERT INTO results (room, guest, "match", game, edition, score, won, players, at)
        SELECT
            value ->> 0, guests.id, value ->> 2, value ->> 3, value ->> 4,
            value ->> 5, value ->> 6, value ->> 7, value ->> 8
        FROM json_each(?) JOIN guests ON guests.id = value ->> 1
        """,
        result_rows,
    ),
)
_SNAPSHOT = """
INSERT INTO snapshots (room, version, data) VALUES (?, ?, ?)
ON CONFLICT (room) DO UPDATE SET version = excluded.version, data = excluded.data
"""
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
    """Write everything; returns the rooms whose version matched."""
    found = driver.execute(_ROOMS, (_json(room_rows(appends)),)).fetchall()
    won = {room for (room,) in found}
    stored = appends
    if len(won) < len(appends):
        stored = [append for append in appends if append.room in won]
    driver.execute(_EVENTS, _events_in_one(stored))
    _write(driver, _REST, stored)
    if more := [append for append in stored if has_more(append)]:
        _write(driver, _MORE, more)
        driver.executemany(_SNAPSHOT, snapshot_rows(more))
    return won


def _write(
    driver: sqlite3.Connection, statements: Sequence[_Statement], appends: list[Append]
) -> None:
    for statement, rows_of in statements:
        if rows := rows_of(appends):
            driver.execute(statement, (_json(rows),))


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
