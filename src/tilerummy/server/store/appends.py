"""Appending: many rooms in one transaction, each only if its version is the expected one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Insert, Select, Table, bindparam, insert, select

from tilerummy.server.store.database import Database
from tilerummy.server.store.errors import StoreError, Unavailable, Unknown
from tilerummy.server.store.postgres import Postgres
from tilerummy.server.store.schema import events, games, guests, members, results, snapshots
from tilerummy.server.store.upsert import upsert, upserting
from tilerummy.server.store.values import Append, StoredEvent

Rows = list[tuple[Any, ...]]
LATEST = 2**63


async def append_all(database: Database, appends: list[Append]) -> list[bool]:
    """Append to different rooms at once; False for each whose version was not the expected one.

    Raises StoreError, and has written nothing; or Unknown.
    """
    try:
        if isinstance(database, Postgres) and not any(map(_has_more, appends)):
            won = set(await database.append_at_once(_POSTGRES, _columns_of(appends)))
            return [append.room in won for append in appends]
        return await database.append(write_appends, appends)
    except Unavailable:
        return await _again(database, appends)


async def _again(database: Database, appends: list[Append]) -> list[bool]:
    """The same once more, where nobody knows whether the first try came through.

    A version has one successor. So whichever try is the later one fails, and what is stored tells
    whether it was ours.
    """
    try:
        return await database.append(write_again, appends)
    except Unavailable as error:
        raise Unknown(f"it is unknown whether this was stored: {error}") from error


def check(append: Append) -> None:
    """Raises StoreError for what cannot be stored: events that do not follow the version."""
    places = [event.seq for event in append.events]
    if not places or places != list(range(append.expected + 1, append.version + 1)):
        raise StoreError(
            f"the events after version {append.expected} have the places {append.expected + 1} "
            f"and so on, not {places[:5]}"
        )
    if not all(abs(event.at) < LATEST for event in append.events):
        raise StoreError("a moment is a number of milliseconds in 64 bits")
    kept = {(kind, key) for kind, key, _ in append.timers_set}
    if not kept.isdisjoint(append.timers_removed):
        raise StoreError("what is due is either set or removed, not both")


def write_appends(connection: Connection, appends: list[Append]) -> list[bool]:
    if connection.dialect.name == "sqlite":
        won = _write_sqlite(connection, appends)
    else:
        won = _write_postgres(connection, appends)
    _write_more(connection, [append for append in appends if append.room in won])
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


# What every append has, in the fewest and plainest statements of each database.


def _room_rows(appends: list[Append]) -> Rows:
    return [(append.version, *append.listing, append.room, append.expected) for append in appends]


def _event_rows(appends: list[Append]) -> Rows:
    return [(append.room, *event) for append in appends for event in append.events]


def _due_removed_rows(appends: list[Append]) -> Rows:
    return [(append.room, *item) for append in appends for item in append.timers_removed]


def _due_set_rows(appends: list[Append]) -> Rows:
    return [(append.room, *item) for append in appends for item in append.timers_set]


def _draft_rows(appends: list[Append]) -> Rows:
    return [(append.room, seat) for append in appends for seat in append.drafts_cleared]


# For every row that Python gives to SQLite, the writing thread lets go of Python's lock and waits
# for it again, against the thread that serves everybody. So all rows go in one piece, as JSON.
_SQLITE_ROOMS = """
UPDATE rooms SET
    version = value ->> 0, phase = value ->> 1, people = value ->> 2, free = value ->> 3,
    active_at = value ->> 4, closed_at = value ->> 5
FROM json_each(?)
WHERE rooms.id = value ->> 6 AND version = value ->> 7
RETURNING rooms.id
"""
_SQLITE_EVENTS = """
INSERT INTO events (room, seq, at, cause, data)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, substr(?2, value ->> 4, value ->> 5)
FROM json_each(?1)
"""
_SQLITE = (
    (
        """
        DELETE FROM due WHERE (room, kind, key) IN (
            SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
        )
        """,
        _due_removed_rows,
    ),
    (
        """
        INSERT INTO due (room, kind, key, at, free_at)
        SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 3 FROM json_each(?)
        WHERE true
        ON CONFLICT DO UPDATE SET at = excluded.at, free_at = excluded.free_at
        """,
        _due_set_rows,
    ),
    (
        """
        DELETE FROM drafts WHERE (room, seat) IN (
            SELECT value ->> 0, value ->> 1 FROM json_each(?)
        )
        """,
        _draft_rows,
    ),
)


def _write_sqlite(connection: Connection, appends: list[Append]) -> set[str]:
    cursor = connection.connection.cursor()
    cursor.execute(_SQLITE_ROOMS, (_json(_room_rows(appends)),))
    won = {room for (room,) in cursor.fetchall()}
    stored = [append for append in appends if append.room in won]
    cursor.execute(_SQLITE_EVENTS, _events_in_one(stored))
    for statement, rows_of in _SQLITE:
        if rows := rows_of(stored):
            cursor.execute(statement, (_json(rows),))
    cursor.close()
    return won


def _events_in_one(appends: list[Append]) -> tuple[str, bytes]:
    """All events as JSON; of their data it says where in the bytes beside they are."""
    rows: Rows = []
    start = 1
    for room, seq, at, cause, data in _event_rows(appends):
        rows.append((room, seq, at, cause, start, len(data)))
        start += len(data)
    return _json(rows), b"".join([row[-1] for row in _event_rows(appends)])


def _json(rows: Rows) -> str:
    return msgspec.json.encode(rows).decode()


_POSTGRES = """
WITH wanted AS (
    SELECT * FROM unnest(
        $1::int[], $2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::text[],
        $8::int[]
    ) AS t (version, phase, people, free, active_at, closed_at, room, expected)
),
-- In one order everywhere, so that two processes never wait for each other.
held AS (
    SELECT id FROM rooms JOIN wanted ON id = room
    ORDER BY id FOR NO KEY UPDATE OF rooms
),
won AS (
    UPDATE rooms SET
        version = wanted.version, phase = wanted.phase, people = wanted.people,
        free = wanted.free, active_at = wanted.active_at, closed_at = wanted.closed_at
    FROM wanted JOIN held ON held.id = room
    WHERE rooms.id = room AND rooms.version = expected
    RETURNING room
),
logged AS (
    INSERT INTO events (room, seq, at, cause, data)
    SELECT t.* FROM won JOIN unnest(
        $9::text[], $10::int[], $11::bigint[], $12::text[], $13::bytea[]
    ) AS t (room, seq, at, cause, data) USING (room)
),
removed AS (
    DELETE FROM due USING won JOIN unnest($14::text[], $15::text[], $16::int[])
    AS t (room, kind, key) USING (room)
    WHERE due.room = t.room AND due.kind = t.kind AND due.key = t.key
),
set AS (
    INSERT INTO due (room, kind, key, at, free_at)
    SELECT t.*, t.at FROM won JOIN unnest($17::text[], $18::text[], $19::int[], $20::bigint[])
    AS t (room, kind, key, at) USING (room)
    ON CONFLICT (room, kind, key) DO UPDATE SET at = excluded.at, free_at = excluded.free_at
),
cleared AS (
    DELETE FROM drafts WHERE (room, seat) IN (
        SELECT drafts.room, drafts.seat FROM drafts
        JOIN unnest($21::text[], $22::int[]) AS t (room, seat) USING (room, seat)
        JOIN won USING (room)
        ORDER BY drafts.room, drafts.seat FOR UPDATE OF drafts
    )
)
SELECT room FROM won
"""


def _write_postgres(connection: Connection, appends: list[Append]) -> set[str]:
    return set(connection.exec_driver_sql(_POSTGRES, _columns_of(appends)).scalars())


def _columns_of(appends: list[Append]) -> tuple[Sequence[Any], ...]:
    return (
        *_columns(_room_rows(appends), 8),
        *_columns(_event_rows(appends), 5),
        *_columns(_due_removed_rows(appends), 3),
        *_columns(_due_set_rows(appends), 4),
        *_columns(_draft_rows(appends), 2),
    )


def _columns(rows: Rows, width: int) -> Sequence[Sequence[Any]]:
    return list(zip(*rows, strict=True)) if rows else [()] * width


# What few appends have.


def _has_more(append: Append) -> bool:
    return append.snapshot is not None or bool(append.seated or append.games or append.results)


def _write_more(connection: Connection, appends: list[Append]) -> None:
    """A statement is only put together where there is something for it: that takes a while."""
    appends = [append for append in appends if _has_more(append)]
    if rows := _snapshot_rows(appends):
        connection.execute(upsert(connection, snapshots), rows)
    if rows := _member_rows(appends):
        connection.execute(_seat(connection), rows)
    if rows := _game_rows(appends):
        connection.execute(insert(games), rows)
    if rows := _result_rows(appends):
        connection.execute(_add_result(), rows)


def _snapshot_rows(appends: list[Append]) -> list[dict[str, Any]]:
    return [
        {"room": append.room, "version": append.version, "data": append.snapshot}
        for append in appends
        if append.snapshot is not None
    ]


def _member_rows(appends: list[Append]) -> list[dict[str, Any]]:
    return [
        {"its_room": append.room, "its_guest": guest}
        for append in appends
        for guest in append.seated
    ]


def _game_rows(appends: list[Append]) -> list[dict[str, Any]]:
    plain = [
        (append.room, game._replace(options=dict(game.options), players=list(game.players)))
        for append in appends
        for game in append.games
    ]
    return [{"room": room, **game._asdict()} for room, game in plain]


def _result_rows(appends: list[Append]) -> list[dict[str, Any]]:
    return [
        {f"its_{name}": value for name, value in {"room": append.room, **result._asdict()}.items()}
        for append in appends
        for result in append.results
    ]


def _seat(connection: Connection) -> Insert:
    """Guests who have been deleted meanwhile are left out, here and in the results."""
    statement = upserting(connection)(members)
    return statement.from_select(*_of_guest(members)).on_conflict_do_nothing()


def _add_result() -> Insert:
    return insert(results).from_select(*_of_guest(results))


def _of_guest(table: Table) -> tuple[list[str], Select[Any]]:
    """The columns of a table, and their values for a guest, if there is this guest."""
    others = [column for column in table.columns if column.name != "guest"]
    values = [bindparam(f"its_{column.name}", type_=column.type) for column in others]
    query = select(guests.c.id, *values).where(guests.c.id == bindparam("its_guest"))
    return ["guest", *(column.name for column in others)], query
