"""The databases that the store supports: how to open each, and its statements."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.engine import URL

from tilerummy.server.store.database import Database
from tilerummy.server.store.postgres import Postgres
from tilerummy.server.store.postgres_statements import PostgresStatements
from tilerummy.server.store.sqlite import Sqlite
from tilerummy.server.store.sqlite_statements import SqliteStatements
from tilerummy.server.store.statements import Insert, Statements

_STATEMENTS: dict[str, Statements] = {
    "sqlite": SqliteStatements(),
    "postgresql": PostgresStatements(),
}


def database_at(address: URL, *, pool: int, timeout: float) -> Database:
    if address.get_backend_name() == "sqlite":
        return Sqlite(address)
    return Postgres(address, pool=pool, timeout=timeout)


def statements_of(connection: Connection) -> Statements:
    return _STATEMENTS[connection.dialect.name]


def upsert(connection: Connection, table: Table) -> Insert:
    """Insert a row, or replace the row with the same primary key."""
    statement = statements_of(connection).insert(table)
    values = {
        column.name: statement.excluded[column.name]
        for column in table.columns
        if not column.primary_key
    }
    return statement.on_conflict_do_update(index_elements=table.primary_key.columns, set_=values)
