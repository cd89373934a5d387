"""Retention: deletes expired rooms and guests, in transactions too small to block others."""

from __future__ import annotations

from sqlalchemy import Connection, Select, Table, delete, exists, select

from tilerummy.server.store.schema import guests, members, rooms

BATCH = 10


def purge_rooms(connection: Connection, closed_before: int) -> int:
    """Delete a batch of rooms closed before this time, with all their rows. Returns its size."""
    old = select(rooms.c.id).where(rooms.c.closed_at < closed_before)
    return _delete_some(connection, rooms, old)


def purge_guests(connection: Connection, unseen_before: int) -> int:
    """Delete a batch of guests last seen before this time who are in no open room."""
    in_open_room = exists().where(
        members.c.guest == guests.c.id,
        rooms.c.id == members.c.room,
        rooms.c.closed_at.is_(None),
    )
    old = select(guests.c.id).where(guests.c.seen_at < unseen_before, ~in_open_room)
    return _delete_some(connection, guests, old)


def _delete_some(connection: Connection, table: Table, old: Select[str]) -> int:
    # Several processes may do this at once: each skips the rows that others are deleting.
    some = old.limit(BATCH).with_for_update(of=table, skip_locked=True)
    found = list(connection.execute(some).scalars())
    connection.execute(delete(table).where(table.c.id.in_(found)))
    return len(found)
