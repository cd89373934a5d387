"""Data migration: copies one store into another, such as SQLite into PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, literal, select, tuple_

from tilerummy.server.store.database import Database, parse_url
from tilerummy.server.store.dialects import database_type
from tilerummy.server.store.errors import StoreError
from tilerummy.server.store.opening import open_database
from tilerummy.server.store.schema import metadata, probes

CHUNK = 500
TABLES = [table for table in metadata.sorted_tables if table is not probes]
"""Everything that is copied."""
Progress = Callable[[str, int, int], None]
"""Called with the table, its copied rows and all its rows."""
Row = dict[str, Any]


async def copy(source: str, target: str, progress: Progress | None = None) -> dict[str, int]:
    """Copy everything to the empty database at `target`. Returns the number of rows by table.

    The source must not change during the copy. On failure the target is emptied again. Raises
    StoreError.
    """
    address = parse_url(source)
    database_type(address).check_exists(address)
    source_database = await open_database(source)
    try:
        target_database = await open_database(target)
        try:
            return await _copy(source_database, target_database, progress or _silent)
        finally:
            await target_database.close()
    finally:
        await source_database.close()


async def _copy(source: Database, target: Database, progress: Progress) -> dict[str, int]:
    if any((await target.read(count_rows)).values()):
        raise StoreError("the target is not empty: copy to an empty database")
    counts = await source.read(count_rows)
    try:
        for table in TABLES:
            await _copy_table(source, target, table, counts[table.name], progress)
        copied = await target.read(count_rows)
        if copied != counts or copied != await source.read(count_rows):
            raise StoreError("the source changed during the copy: stop the server, then copy")
    except BaseException:
        await target.write(_clear)
        raise
    return copied


async def _copy_table(
    source: Database, target: Database, table: Table, total: int, progress: Progress
) -> None:
    done = 0
    last: Row | None = None
    progress(table.name, done, total)
    while rows := await source.read(_chunk, table, last):
        await target.write(_insert, table, rows)
        last = rows[-1]
        done += len(rows)
        progress(table.name, done, total)


def _chunk(connection: Connection, table: Table, last: Row | None) -> list[Row]:
    """Keyset pagination: the next rows after `last` by primary key."""
    keys = list(table.primary_key.columns)
    query = select(table).order_by(*keys).limit(CHUNK)
    if last is not None:
        values = [literal(last[key.name], key.type) for key in keys]
        query = query.where(tuple_(*keys) > tuple_(*values))
    return [dict(row) for row in connection.execute(query).mappings()]


def _insert(connection: Connection, table: Table, rows: list[Row]) -> None:
    connection.execute(insert(table), rows)


def count_rows(connection: Connection) -> dict[str, int]:
    """The number of rows of each table."""
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in TABLES
    }


def _clear(connection: Connection) -> None:
    for table in reversed(TABLES):
        connection.execute(delete(table))


def _silent(table: str, done: int, total: int) -> None: ...
