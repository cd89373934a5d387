"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "guests",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_guests"),
        sa.UniqueConstraint("token_hash", name="uq_guests_token_hash"),
    )
    op.create_index("ix_guests_seen_at", "guests", ["seen_at"], unique=False)
    op.create_table(
        "rooms",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("free", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("active_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
        sa.UniqueConstraint("code", name="uq_rooms_code"),
        postgresql_with={"fillfactor": 70},
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_rooms_closed",
        "rooms",
        ["closed_at"],
        unique=False,
        postgresql_where=sa.text("closed_at IS NOT NULL"),
        sqlite_where=sa.text("closed_at IS NOT NULL"),
    )
    op.create_index(
        "ix_rooms_listed",
        "rooms",
        ["opened_at"],
        unique=False,
        postgresql_where=sa.text("public AND closed_at IS NULL"),
        sqlite_where=sa.text("public AND closed_at IS NULL"),
    )
    op.create_table(
        "drafts",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_drafts_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "seat", name="pk_drafts"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "due",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("free_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_due_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "kind", "key", name="pk_due"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_due_free_at", "due", ["free_at"], unique=False)
    op.create_table(
        "events",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_events_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "seq", name="pk_events"),
    )
    op.create_table(
        "games",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("first_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_games_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "match", "game", name="pk_games"),
    )
    op.create_table(
        "members",
        sa.Column("guest", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest"], ["guests.id"], name="fk_members_guest", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_members_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("guest", "room", name="pk_members"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_members_room", "members", ["room"], unique=False)
    op.create_table(
        "results",
        sa.Column("guest", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest"], ["guests.id"], name="fk_results_guest", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("guest", "room", "match", "game", name="pk_results"),
    )
    op.create_table(
        "snapshots",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["room"], ["rooms.id"], name="fk_snapshots_room", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room", name="pk_snapshots"),
    )
