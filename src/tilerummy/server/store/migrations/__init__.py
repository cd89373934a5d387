"""Migrations: the history of the schema, as Alembic revisions."""
