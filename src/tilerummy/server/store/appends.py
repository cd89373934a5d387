"""Appends with optimistic concurrency: each room is written only at its expected version.

One transaction serves many rooms.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, Select, Table, bindparam, insert, select

from tilerummy.server.store.database import Database
from tilerummy.server.store.dialects import statements_of, upsert
from tilerummy.server.store.errors import Busy, StoreError, Unavailable, Unknown
from tilerummy.server.store.schema import events, games, guests, members, results, snapshots
from tilerummy.server.store.statements import Statements
from tilerummy.server.store.values import Append, StoredEvent

LATEST = 2**63


async def append_all(database: Database, appends: list[Append]) -> list[bool]:
    """Append to different rooms at once; False for each room that was not at its expected version.

    Raises StoreError if nothing was written, Unknown if the outcome is unknown.
    """
    try:
        if not any(map(_has_more, appends)):
            won = await database.append_plain(appends)
            if won is not None:
                return [append.room in won for append in appends]
        return await database.append(write_appends, appends)
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


# Rows that few appends have.


def _has_more(append: Append) -> bool:
    return append.snapshot is not None or bool(append.seated or append.games or append.results)


def _write_more(connection: Connection, appends: list[Append]) -> None:
    """Builds a statement only if it has rows, and once, as building one is slow."""
    appends = [append for append in appends if _has_more(append)]
    statements = statements_of(connection)
    if rows := _snapshot_rows(appends):
        connection.execute(_save_snapshot(statements), rows)
    if rows := _member_rows(appends):
        connection.execute(_seat(statements), rows)
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


@cache
def _save_snapshot(statements: Statements) -> Insert:
    return upsert(statements, snapshots)


@cache
def _seat(statements: Statements) -> Insert:
    """Leaves out guests who have been deleted in the meantime, as `_add_result` does."""
    statement = statements.insert(members)
    return statement.from_select(*_of_guest(members)).on_conflict_do_nothing()


@cache
def _add_result() -> Insert:
    return insert(results).from_select(*_of_guest(results))


def _of_guest(table: Table) -> tuple[list[str], Select[Any]]:
    """The columns of a table and their values for a guest; no row if the guest does not exist."""
    others = [column for column in table.columns if column.name != "guest"]
    values = [bindparam(f"its_{column.name}", type_=column.type) for column in others]
    query = select(guests.c.id, *values).where(guests.c.id == bindparam("its_guest"))
    return ["guest", *(column.name for column in others)], query
