"""Records of the finished games of a match, out of the log of its room."""

from __future__ import annotations

from tilerummy.play.record import Record
from tilerummy.server.rooms.events import decode
from tilerummy.server.rooms.room import GAME_EVENTS
from tilerummy.server.store import Store


async def record_of(store: Store, room: str, match: int) -> Record | None:
    """None as long as no game of the match has ended."""
    games = await store.record_log(room, match)
    if not games:
        return None
    first = games[0][0]
    record = Record(first.edition, dict(first.options), tuple(first.players), first.rounds)
    for _, stored in games:
        log = [decode(event.data) for event in stored]
        record = record.with_events(
            tuple([event for event in log if isinstance(event, GAME_EVENTS)])
        )
    return record
