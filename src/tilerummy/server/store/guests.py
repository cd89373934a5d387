"""Guests: players without an account, identified by the hash of their token."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from tilerummy.server.store.schema import guests, members, results, rooms
from tilerummy.server.store.values import Guest, Statistics, Tally

_COLUMNS = tuple([guests.c[name] for name in Guest._fields])


def add_guest(connection: Connection, guest: Guest, token_hash: bytes) -> None:
    connection.execute(insert(guests), {**guest._asdict(), "token_hash": token_hash})


def guest_of(connection: Connection, token_hash: bytes) -> Guest | None:
    query = select(*_COLUMNS).where(guests.c.token_hash == token_hash)
    row = connection.execute(query).one_or_none()
    return None if row is None else Guest(*row)


def change_guest(connection: Connection, guest: str, values: dict[str, Any]) -> bool:
    """Whether the guest exists."""
    return connection.execute(update(guests).where(guests.c.id == guest), values).rowcount == 1


def rooms_of(connection: Connection, guest: str) -> list[str]:
    """The rooms whose logs name a guest, the newest first."""
    query = (
        select(members.c.room)
        .join(rooms, rooms.c.id == members.c.room)
        .where(members.c.guest == guest)
        .order_by(rooms.c.opened_at.desc())
    )
    return list(connection.execute(query).scalars())


def delete_guest(connection: Connection, guest: str) -> list[str]:
    """Delete a guest with all results. Returns the rooms whose logs still name them."""
    found = rooms_of(connection, guest)
    connection.execute(delete(guests).where(guests.c.id == guest))
    return found


def statistics(connection: Connection, guest: str) -> Statistics:
    query = (
        select(
            results.c.edition,
            func.count(),
            func.count().filter(results.c.won),
            func.sum(results.c.score),
        )
        .where(results.c.guest == guest)
        .group_by(results.c.edition)
        .order_by(results.c.edition)
    )
    by_edition = {
        edition: Tally(games, wins, int(points))
        for edition, games, wins, points in connection.execute(query)
    }
    total = Tally(*map(sum, zip(*by_edition.values(), strict=True))) if by_edition else Tally()
    return Statistics(total, by_edition)
