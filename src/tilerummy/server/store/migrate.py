"""Bringing a database to the newest schema. Many processes may do so at once."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.errors import StoreError


def config(connection: Connection) -> Config:
    """What Alembic needs to know."""
    settings = Config()
    settings.set_main_option("script_location", "tilerummy.server.store:migrations")
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def migrate(connection: Connection) -> None:
    """Raises StoreError where the database is newer than this program."""
    statements_of(connection).lock_migration(connection)
    try:
        command.upgrade(config(connection), "head")
    except CommandError as error:
        raise StoreError(
            f"this database does not fit this version of tilerummy, update tilerummy: {error}"
        ) from error
