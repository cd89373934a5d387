"""News of a room on their way to its listeners, put into bytes once for all who see the same."""

from __future__ import annotations

from collections.abc import Sequence

from tilerummy.server.protocol import outgoing as out
from tilerummy.server.rooms.events import Cause
from tilerummy.server.rooms.room import Happened, Room
from tilerummy.server.rooms.seen import SAME_FOR_ALL, seen_event, seen_room


class Telling:
    """What happened in one go, and the command that led to it."""

    def __init__(self, happened: Sequence[Happened], cause: Cause | None = None) -> None:
        self.happened = happened
        self.room: Room = happened[-1].room
        self._cause = cause
        self._alike = all(isinstance(step.logged.event, SAME_FOR_ALL) for step in happened)
        self._made: dict[tuple[int | None, str | None], str] = {}

    def answer(self, seat: int | None) -> str | None:
        """The id of the command, for the seat whose command it was."""
        return self._cause[1] if self._cause is not None and self._cause[0] == seat else None

    def events(self, seat: int | None) -> str:
        """The message for a seat, or for a spectator."""
        re = self.answer(seat)
        key = None if self._alike else seat, re
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = text_of(events_message(self.happened, seat, re))
        return made

    def snapshot(self, seat: int | None, now: int) -> str:
        return text_of(snapshot_message(self.room, seat, now, re=self.answer(seat)))


def events_message(
    happened: Sequence[Happened], seat: int | None, re: str | None = None
) -> out.Events:
    seen = [seen_event(step, seat) for step in happened]
    return out.Events(happened[-1].room.version, seen, re)


def snapshot_message(
    room: Room,
    seat: int | None,
    now: int,
    draft: out.DraftInfo | None = None,
    re: str | None = None,
) -> out.Snapshot:
    return out.Snapshot(room.version, now, seat, seen_room(room, seat, draft), re)


def text_of(message: out.Outgoing) -> str:
    return out.encode(message).decode()
