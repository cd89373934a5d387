"""Queries on rooms and their events."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from tilerummy.server.store.database import Database
from tilerummy.server.store.schema import events, members, rooms, snapshots
from tilerummy.server.store.values import ListedRoom, Loaded, StoredEvent

MOST_PARAMETERS = 1_000


def load(connection: Connection, room: str, limit: int | None = None) -> Loaded | None:
    found = connection.execute(
        select(snapshots.c.version, snapshots.c.data).where(snapshots.c.room == room)
    ).one_or_none()
    version, data = found or (0, None)
    later = read_events(connection, room, version, limit=limit)
    return Loaded(version, data, later) if version or later else None


def read_events(
    connection: Connection,
    room: str,
    after: int = 0,
    upto: int | None = None,
    limit: int | None = None,
) -> list[StoredEvent]:
    query = (
        select(events.c.seq, events.c.at, events.c.cause, events.c.data)
        .where(events.c.room == room, events.c.seq > after)
        .order_by(events.c.seq)
        .limit(limit)
    )
    if upto is not None:
        query = query.where(events.c.seq <= upto)
    return [StoredEvent(*row) for row in connection.execute(query)]


async def read_news(
    database: Database, wanted: Sequence[tuple[str, int]]
) -> list[list[StoredEvent]]:
    """The events of different rooms after a version of each."""
    news = await database.read_news(wanted)
    return await database.read(_read_news, wanted) if news is None else news


def _read_news(
    connection: Connection, wanted: Sequence[tuple[str, int]]
) -> list[list[StoredEvent]]:
    return [read_events(connection, room, after) for room, after in wanted]


def room_of(connection: Connection, code: str) -> str | None:
    return connection.execute(select(rooms.c.id).where(rooms.c.code == code)).scalar()


def versions(connection: Connection, wanted: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(wanted), MOST_PARAMETERS):
        part = wanted[start : start + MOST_PARAMETERS]
        query = select(rooms.c.id, rooms.c.version).where(rooms.c.id.in_(part))
        found |= {row.id: row.version for row in connection.execute(query)}
    return found


def latest_moment(connection: Connection) -> int | None:
    """When the newest event of the open rooms happened."""
    newest = (events.c.room == rooms.c.id) & (events.c.seq == rooms.c.version)
    query = select(func.max(events.c.at)).join(rooms, newest).where(rooms.c.closed_at.is_(None))
    return connection.execute(query).scalar()


def public_rooms(connection: Connection, limit: int) -> list[ListedRoom]:
    """Rooms with somebody here, one per host. Those that are still in the lobby come first, then
    those with most people, then the newest."""
    order = (
        (rooms.c.phase == "lobby").desc(),
        rooms.c.here.desc(),
        rooms.c.opened_at.desc(),
        rooms.c.id,
    )
    place = (
        func.row_number()
        .over(partition_by=func.coalesce(rooms.c.host, rooms.c.id), order_by=order)
        .label("place")
    )
    is_listed = (rooms.c.public, rooms.c.closed_at.is_(None), rooms.c.here > 0)
    ranked = select(rooms.c.id, place).where(*is_listed).subquery()
    columns = [rooms.c[name] for name in ListedRoom._fields]
    query = (
        select(*columns)
        .join(ranked, ranked.c.id == rooms.c.id)
        .where(ranked.c.place == 1)
        .order_by(*order)
        .limit(limit)
    )
    return [ListedRoom(*row) for row in connection.execute(query)]


def hosted_rooms(connection: Connection, guest: str) -> int:
    """How many open public rooms a guest is the host of."""
    is_open = (rooms.c.public, rooms.c.closed_at.is_(None), rooms.c.host == guest)
    return connection.execute(select(func.count()).where(*is_open)).scalar_one()


def is_member(connection: Connection, room: str, guest: str) -> bool:
    query = select(members.c.room).where(members.c.room == room, members.c.guest == guest)
    return connection.execute(query).first() is not None
