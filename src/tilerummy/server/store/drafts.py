"""Drafts: what a seat has laid out but not played. Only the latest of each seat is stored."""

from __future__ import annotations

from sqlalchemy import Connection, select

from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.schema import drafts
from tilerummy.server.store.statements import SavedDraft
from tilerummy.server.store.values import Draft


def save_drafts(connection: Connection, saved: list[SavedDraft]) -> None:
    """Upsert these, at most one per seat. Drafts of deleted rooms are dropped."""
    statements_of(connection).save_drafts(connection, saved)


def read_drafts(connection: Connection, room: str) -> list[Draft]:
    query = (
        select(drafts.c.seat, drafts.c.turn, drafts.c.data)
        .where(drafts.c.room == room)
        .order_by(drafts.c.seat)
    )
    return [Draft(*row) for row in connection.execute(query)]
