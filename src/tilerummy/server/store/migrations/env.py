"""Run by Alembic: the steps are taken on the connection, and in the transaction, of the caller."""

from alembic import context

from tilerummy.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    # SQLite changes a table by making it anew.
    render_as_batch=True,
)
context.run_migrations()
