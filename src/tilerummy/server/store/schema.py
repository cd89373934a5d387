"""The database schema. All times are whole milliseconds of the database's own clock.

A room is its event log. Its row in `rooms` holds its version, which every append compares and
increments, and what a list of rooms shows. `due` holds the timers of a room.

The migrations build these tables; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _room(*, primary_key: bool = True) -> Column[str]:
    """The room that a row belongs to. Deleting the room deletes the row."""
    key = ForeignKey("rooms.id", ondelete="CASCADE")
    return Column("room", Text, key, primary_key=primary_key, nullable=False)


def _guest() -> Column[str]:
    key = ForeignKey("guests.id", ondelete="CASCADE")
    return Column("guest", Text, key, primary_key=True, nullable=False)


def _number(name: str) -> Column[int]:
    """An integer that is part of a primary key."""
    return Column(name, Integer, primary_key=True, autoincrement=False, nullable=False)


rooms = Table(
    "rooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text, nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("people", Integer, nullable=False),
    Column("free", Integer, nullable=False),
    Column("here", Integer, nullable=False, server_default="0"),
    Column("host", Text),
    Column("edition", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("active_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    # Free space on each page lets PostgreSQL do HOT updates, which leave the indexes alone.
    postgresql_with={"fillfactor": 70},
    sqlite_with_rowid=False,
)
# No index covers a column that most appends change while a room is open.
Index(
    "ix_rooms_listed",
    rooms.c.opened_at,
    postgresql_where=text("public AND closed_at IS NULL"),
    sqlite_where=text("public AND closed_at IS NULL"),
)
Index(
    "ix_rooms_host",
    rooms.c.host,
    postgresql_where=text("public AND closed_at IS NULL"),
    sqlite_where=text("public AND closed_at IS NULL"),
)
Index(
    "ix_rooms_closed",
    rooms.c.closed_at,
    postgresql_where=text("closed_at IS NOT NULL"),
    sqlite_where=text("closed_at IS NOT NULL"),
)

snapshots = Table(
    "snapshots",
    metadata,
    _room(),
    Column("version", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

events = Table(
    "events",
    metadata,
    _room(),
    _number("seq"),
    Column("at", BigInteger, nullable=False),
    Column("cause", Text),
    Column("data", LargeBinary, nullable=False),
    # With row ids SQLite writes new events side by side instead of into a page per room.
)

due = Table(
    "due",
    metadata,
    _room(),
    Column("kind", Text, primary_key=True),
    _number("key"),
    Column("at", BigInteger, nullable=False),
    # When it can be claimed: at its time, or when the current lease ends.
    Column("free_at", BigInteger, nullable=False),
    Index("ix_due_free_at", "free_at"),
    sqlite_with_rowid=False,
)

drafts = Table(
    "drafts",
    metadata,
    _room(),
    _number("seat"),
    Column("turn", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

guests = Table(
    "guests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Index("ix_guests_seen_at", "seen_at"),
)

members = Table(
    "members",
    metadata,
    _guest(),
    _room(),
    Index("ix_members_room", "room"),
    sqlite_with_rowid=False,
)
"""The guests whom the log of a room names."""

games = Table(
    "games",
    metadata,
    _room(),
    _number("match"),
    _number("game"),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("edition", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("players", JSON, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("finished_at", BigInteger, nullable=False),
)

results = Table(
    "results",
    metadata,
    _guest(),
    # No foreign key: results outlive the room.
    Column("room", Text, primary_key=True),
    _number("match"),
    _number("game"),
    Column("edition", Text, nullable=False),
    Column("score", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("players", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

probes = Table(
    "probes",
    metadata,
    _number("id"),
    Column("filler", LargeBinary, nullable=False),
)
"""One row that `readiness` writes to find out whether the database can be written."""
