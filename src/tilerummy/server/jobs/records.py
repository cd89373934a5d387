"""Records of the finished games of a match, out of the log of its room.

A long match takes the processor for a while, to be written and more so to be checked. That is done
in a process of its own, one after the other, and only so much of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar, TypeVarTuple

from tilerummy.play.events import Created
from tilerummy.play.notation import to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verify import Report
from tilerummy.queries import VerifyQuestion
from tilerummy.server.jobs.process_pool import LOST, Helpers
from tilerummy.server.limits.gate import SOON, BusyError, Gate
from tilerummy.server.rooms.events import decode
from tilerummy.server.rooms.room import GAME_EVENTS, Room
from tilerummy.server.store import FinishedGame, Store, StoredEvent
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.records")

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Games: TypeAlias = list[tuple[FinishedGame, list[StoredEvent]]]
"""The finished games of a match, with what happened in the room during each."""

SECONDS = 30.0
"""For one record, waiting included."""


class Records:
    """Gives None as long as no game of a match has ended. Raises BusyError."""

    def __init__(self, store: Store, gate: Gate) -> None:
        self._store = store
        self._gate = gate
        self._helpers = Helpers(1, polite=True)

    async def text(self, room: Room, match: int, form: str) -> str | None:
        """The record of a match as a file, `jsonl` or `text`."""
        return await self._made(room, match, _written, form)

    async def report(self, room: Room, match: int) -> Report | None:
        """What checking the record of a match finds."""
        return await self._made(room, match, _checked)

    async def _made(
        self, room: Room, match: int, work: Callable[[Games, *Ts], T], *args: *Ts
    ) -> T | None:
        if not 1 <= match <= room.matches:
            return None
        with self._gate.entered() as call:
            games = await self._store.record_log(room.id, match)
            if not games:
                call.cost = 0.0
                return None
            try:
                made, call.cost = await self._helpers.run(SECONDS, _timed, work, games, *args)
            except LOST as error:
                log.error("record failed", room=room.id, match=match, why=type(error).__name__)
                raise BusyError(SOON) from error
            return made

    def close(self) -> None:
        self._helpers.close()


def record_of(games: Games) -> Record:
    """Its head is that of the first game, whose events say everything but the rounds."""
    logs = [
        tuple([event for each in stored if isinstance(event := decode(each.data), GAME_EVENTS)])
        for _, stored in games
    ]
    created = logs[0][0]
    assert isinstance(created, Created), "a game begins with it"
    record = Record(created.edition, created.options, created.players, games[0][0].rounds)
    for log in logs:
        record = record.with_events(log)
    return record


def _timed(work: Callable[[Games, *Ts], T], games: Games, *args: *Ts) -> tuple[T, float]:
    """With the seconds of a processor that it took."""
    began = time.process_time()
    made = work(games, *args)
    return made, time.process_time() - began


def _written(games: Games, form: str) -> str:
    record = record_of(games)
    return to_text(record) if form == "text" else to_jsonl(record)


def _checked(games: Games) -> Report:
    return VerifyQuestion(record_of(games)).answer().report
