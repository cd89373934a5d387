"""Alembic's environment: runs the migrations on the caller's connection, in its transaction."""

from alembic import context

from tilerummy.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    # SQLite cannot alter most things: the table is copied to a new one.
    render_as_batch=True,
)
context.run_migrations()
