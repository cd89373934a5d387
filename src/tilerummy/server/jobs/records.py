"""Records: exports and verifies the finished games of a match from the log of its room.

Both are CPU-bound for a long match. They run in a background process, one after the other, within
a CPU budget. The log of a match is read when its turn comes, so that one is in memory at a time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from tilerummy.play.events import Created
from tilerummy.play.notation import to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verification import Report
from tilerummy.queries import VerifyQuestion
from tilerummy.server.jobs.process_pool import BACKGROUND, POOL_FAILURES, ProcessPool
from tilerummy.server.limits.gate import SOON, BusyError, Gate
from tilerummy.server.rooms.events import decode
from tilerummy.server.rooms.room import GAME_EVENTS, Room
from tilerummy.server.store import FinishedGame, Store, StoredEvent
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.records")

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Games: TypeAlias = list[tuple[FinishedGame, list[StoredEvent]]]
"""The finished games of a match, each with the log of the room during it."""

SECONDS = 30.0
"""Time-out for one record, once it has begun."""


MOST_BYTES = 8 * 2**20
"""The longest log of a match: some hundred games. On its way it takes ten times that in memory."""


class TooLongError(Exception):
    """The log of a match is too long for a record."""


class Verified(NamedTuple):
    report: Report
    cancelled: int
    """Deals that were cancelled."""


class Records:
    """Methods return None while no game of the match has ended, and raise BusyError and
    TooLongError."""

    def __init__(self, store: Store, gate: Gate) -> None:
        self._store = store
        self._gate = gate
        self._processes = ProcessPool(1, niceness=BACKGROUND)
        self._turn = asyncio.Lock()

    async def text(self, room: Room, match: int, form: str) -> str | None:
        """The record of a match as a file, `jsonl` or `text`."""
        return await self._run(room, match, _export, form)

    async def verified(self, room: Room, match: int) -> Verified | None:
        """The result of verifying the record of a match."""
        return await self._run(room, match, _verify)

    async def _run(
        self, room: Room, match: int, work: Callable[[Games, *Ts], T], *args: *Ts
    ) -> T | None:
        if not 1 <= match <= room.matches:
            return None
        with self._gate.entered() as call:
            async with self._turn:
                made, call.cost = await self._made(room, match, work, *args)
            return made

    async def _made(
        self, room: Room, match: int, work: Callable[[Games, *Ts], T], *args: *Ts
    ) -> tuple[T | None, float]:
        """The result, and the CPU seconds that it took."""
        if await self._store.record_bytes(room.id, match) > MOST_BYTES:
            raise TooLongError
        games = await self._store.record_log(room.id, match)
        if not games:
            return None, 0.0
        try:
            return await self._processes.run(SECONDS, _timed, work, games, *args, room=room.id)
        except POOL_FAILURES as error:
            log.error("record failed", room=room.id, match=match, why=type(error).__name__)
            raise BusyError(SOON) from error

    def close(self) -> None:
        self._processes.close()


def record_of(games: Games) -> Record:
    """The record of a match. Its header comes from the first game; only `rounds` is not in it."""
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
    """The result, and the CPU seconds that it took."""
    began = time.process_time()
    made = work(games, *args)
    return made, time.process_time() - began


def _export(games: Games, form: str) -> str:
    record = record_of(games)
    return to_text(record) if form == "text" else to_jsonl(record)


def _verify(games: Games) -> Verified:
    answer = VerifyQuestion(record_of(games)).answer()
    return Verified(answer.report, sum(len(deal.withheld) for deal in answer.deals))
