"""The history of the schema, one step after the other, for Alembic."""
