"""Migrations: upgrade a database to the newest schema. Safe from several processes at once."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.errors import StoreError


def config(connection: Connection) -> Config:
    """The configuration of Alembic."""
    settings = Config()
    settings.set_main_option("script_location", "tilerummy.server.store:migrations")
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def migrate(connection: Connection) -> None:
    """Raises StoreError if the database is newer than this program."""
    statements_of(connection).lock_migration(connection)
    try:
        command.upgrade(config(connection), "head")
    except CommandError as error:
        raise StoreError(
            f"this database does not match this version of tilerummy, update tilerummy: {error}"
        ) from error
