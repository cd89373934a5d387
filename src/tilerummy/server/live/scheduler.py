"""Lets happen what is due: clocks that run out, deals, bots' turns, stand-ins, idle rooms.

What is due lies in the store, in the store's time. A node claims it before it acts, so it happens
once; a node that dies loses its claims after a while, and another one takes over.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from tilerummy.play.refusals import Refused
from tilerummy.play.views import view
from tilerummy.rules.tiles import has_tile_twice
from tilerummy.server.jobs.bot_pool import Thinkers
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.protocol import drafts
from tilerummy.server.rooms import commands
from tilerummy.server.rooms import timers as moments
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import Claimed, Store, StoreError
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.clockwork")

LEASE = 15_000
"""Milliseconds after which a claim that led to nothing is free again."""
AT_ONCE = 100
LONGEST_SLEEP = 1000
"""Milliseconds: what other nodes make due is seen no later than this."""


def new_secret() -> str:
    """The dealer's secret of a game."""
    return secrets.token_hex(32)


class Clockwork:
    def __init__(self, keeper: Keeper, store: Store, thinkers: Thinkers) -> None:
        self._keeper = keeper
        self._store = store
        self._thinkers = thinkers
        self._running: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._until = 0
        """When it will look again, in the store's time."""
        keeper.on_due = self.heed

    def heed(self, at: int) -> None:
        """Something is due at this moment: look in time."""
        if at < self._until:
            self._wake.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                claimed = await self._store.claim(AT_ONCE, LEASE)
                self._store.outage.over()
                for what in claimed:
                    self._begin(self._happen(what))
                if len(claimed) < AT_ONCE:
                    await self._sleep()
            except StoreError as error:
                self._store.outage.note(error)
                await asyncio.sleep(LONGEST_SLEEP / 1000)
            except Exception:  # without it every room would stand still
                log.exception("the clockwork stumbled")
                await asyncio.sleep(LONGEST_SLEEP / 1000)

    async def _sleep(self) -> None:
        """Until something is due, as far as this node knows."""
        self._wake.clear()
        self._until = self._store.now() + LONGEST_SLEEP
        at = await self._store.next_due()
        self._until = min(self._until, self._until if at is None else at)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0, self._until - self._store.now()) / 1000):
                await self._wake.wait()
        self._until = 0

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _happen(self, what: Claimed) -> None:
        try:
            command = await self._command(what)
            if command is not None:
                await self._keeper.apply(what.room, command)
        except Refused as error:
            # The room went on meanwhile, and what is due is another thing now.
            log.debug("not due any more", room=what.room, kind=what.kind, why=error.code)
        except StoreError as error:
            self._store.outage.note(error, room=what.room)
        except Exception:
            log.exception("clockwork failed", room=what.room, kind=what.kind)

    async def _command(self, what: Claimed) -> Command | None:
        make: dict[str, Callable[[], Command]] = {
            moments.DEAL: lambda: commands.Deal(what.key),
            moments.NEXT: lambda: commands.NextGame(what.key, new_secret()),
            moments.IDLE: lambda: commands.Close("idle"),
            moments.HERE: lambda: commands.Drop(what.key),
        }
        if what.kind in make:
            return make[what.kind]()
        room = await self._keeper.look(what.room)
        if room is None:
            return None
        if what.kind == moments.GRACE:
            away = room.seats[what.key].away if what.key < len(room.seats) else None
            return None if away is None else commands.StandIn(what.key, away)
        if what.kind == moments.TURN:
            return await self._time_up(what, room)
        if what.kind == moments.BOT and room.game is not None and room.bot_to_move is not None:
            move = await self._thinkers.choose(room.bot_to_move, view(room.game, room.game.current))
            return commands.TakeTurn(move, what.key)
        return None

    async def _time_up(self, what: Claimed, room: Room) -> Command:
        """The clock judges what the player had laid by then."""
        current = None if room.game is None else room.game.current
        for draft in await self._store.drafts(what.room):
            if draft.turn == what.key and draft.seat == current:
                table, declared = drafts.decode(draft.data)
                if has_tile_twice(table):  # kept by a version that let it in
                    break
                return commands.TimeUp(what.key, table, declared)
        return commands.TimeUp(what.key)

    async def close(self) -> None:
        """What has begun comes to its end; bots' turns are left to others."""
        for task in [*self._running]:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
