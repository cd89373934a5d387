"""Finished games: an index into the logs of their rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from tilerummy.server.store.reads import read_events
from tilerummy.server.store.schema import events, games, snapshots
from tilerummy.server.store.values import FinishedGame, Snapshot, StoredEvent


def finished_games(
    connection: Connection, room: str, match: int | None = None, limit: int | None = None
) -> list[FinishedGame]:
    """In order; the last ones, if there are more than `limit`."""
    query = (
        select(*(games.c[name] for name in FinishedGame._fields))
        .where(games.c.room == room)
        .order_by(games.c.match.desc(), games.c.game.desc())
        .limit(limit)
    )
    if match is not None:
        query = query.where(games.c.match == match)
    return [FinishedGame(*row) for row in connection.execute(query)][::-1]


def record_bytes(connection: Connection, room: str, match: int) -> int:
    """The size of what `record_log` reads, and of what happened between the games."""
    of_match = (games.c.room == room, games.c.match == match)
    first = select(func.min(games.c.first_seq)).where(*of_match).scalar_subquery()
    last = select(func.max(games.c.last_seq)).where(*of_match).scalar_subquery()
    query = select(func.sum(func.length(events.c.data))).where(
        events.c.room == room, events.c.seq >= first, events.c.seq <= last
    )
    return int(connection.execute(query).scalar() or 0)


def record_log(
    connection: Connection, room: str, match: int
) -> list[tuple[FinishedGame, list[StoredEvent]]]:
    return [
        (game, read_events(connection, room, game.first_seq - 1, game.last_seq))
        for game in finished_games(connection, room, match)
    ]


def redact(
    connection: Connection,
    room: str,
    data: Mapping[int, bytes],
    players: Mapping[tuple[int, int], Sequence[str]],
    snapshot: Snapshot | None,
) -> None:
    """Replace the data of events, by sequence number, the players of finished games, by the numbers
    of match and game, and the snapshot, which holds the old data."""
    if data:
        connection.execute(
            update(events)
            .where(events.c.room == room, events.c.seq == bindparam("its_seq"))
            .values(data=bindparam("its_data")),
            [{"its_seq": seq, "its_data": its_data} for seq, its_data in data.items()],
        )
    for (match, game), names in players.items():
        place = (games.c.room == room, games.c.match == match, games.c.game == game)
        connection.execute(update(games).where(*place).values(players=list(names)))
    connection.execute(delete(snapshots).where(snapshots.c.room == room))
    if snapshot is not None:
        connection.execute(insert(snapshots), {"room": room, **snapshot._asdict()})
