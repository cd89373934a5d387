"""Drafts: what a seat has laid out and not yet played. Only the latest of each seat is kept."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from tilerummy.server.store.schema import drafts
from tilerummy.server.store.values import Draft


class SavedDraft(NamedTuple):
    room: str
    seat: int
    turn: int
    data: bytes


_SAVE = """
INSERT INTO drafts (room, seat, turn, data)
{}
ON CONFLICT (room, seat) DO UPDATE SET turn = excluded.turn, data = excluded.data
"""
# Sorted, as the appends sort what they clear, so that two processes never wait for each other.
_POSTGRES = _SAVE.format("""
SELECT t.* FROM unnest($1::text[], $2::int[], $3::int[], $4::bytea[]) AS t (room, seat, turn, data)
JOIN rooms ON id = room ORDER BY room, seat
""")
_SQLITE = _SAVE.format("SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM rooms WHERE id = ?1)")


def save_drafts(connection: Connection, saved: list[SavedDraft]) -> None:
    """Keep these, at most one of each seat; those of rooms that are gone are dropped."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_SQLITE, [tuple(draft) for draft in saved])
    else:
        connection.exec_driver_sql(_POSTGRES, tuple(zip(*saved, strict=True)))


def read_drafts(connection: Connection, room: str) -> list[Draft]:
    query = (
        select(drafts.c.seat, drafts.c.turn, drafts.c.data)
        .where(drafts.c.room == room)
        .order_by(drafts.c.seat)
    )
    return [Draft(*row) for row in connection.execute(query)]
