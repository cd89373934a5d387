"""Who is here and who is the host, for the list of public rooms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    # Rooms that are open now are listed again with their next event.
    op.add_column("rooms", sa.Column("here", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("rooms", sa.Column("host", sa.Text(), nullable=True))
    op.create_index(
        "ix_rooms_host",
        "rooms",
        ["host"],
        unique=False,
        postgresql_where=sa.text("public AND closed_at IS NULL"),
        sqlite_where=sa.text("public AND closed_at IS NULL"),
    )
