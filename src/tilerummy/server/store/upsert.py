"""`INSERT ... ON CONFLICT`, which both databases have, and SQLAlchemy has for each of them."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

Upsert = sqlite.Insert | postgresql.Insert


def upserting(connection: Connection) -> Callable[[Table], Upsert]:
    return sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert


def upsert(connection: Connection, table: Table) -> Upsert:
    """Insert a row, or replace the one that has its primary key."""
    statement = upserting(connection)(table)
    values = {
        column.name: statement.excluded[column.name]
        for column in table.columns
        if not column.primary_key
    }
    return statement.on_conflict_do_update(index_elements=table.primary_key.columns, set_=values)
