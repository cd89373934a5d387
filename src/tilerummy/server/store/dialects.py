"""The databases that the store supports, by the name of their dialect."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.engine import URL

from tilerummy.server.store.database import Database
from tilerummy.server.store.postgres import Postgres
from tilerummy.server.store.sqlite import Sqlite
from tilerummy.server.store.statements import Insert, Statements

_DATABASES: dict[str, type[Database]] = {"sqlite": Sqlite, "postgresql": Postgres}


def database_type(address: URL) -> type[Database]:
    return _DATABASES[address.get_backend_name()]


def statements_of(connection: Connection) -> Statements:
    return _DATABASES[connection.dialect.name].statements


def upsert(statements: Statements, table: Table) -> Insert:
    """Insert a row, or replace the row with the same primary key."""
    statement = statements.insert(table)
    values = {
        column.name: statement.excluded[column.name]
        for column in table.columns
        if not column.primary_key
    }
    return statement.on_conflict_do_update(index_elements=table.primary_key.columns, set_=values)
