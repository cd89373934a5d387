"""The scheduler: claims due timers with a lease and turns each into one command.

Timers lie in the store, in the store's time. A node claims a timer before it acts, so that it fires
once; the lease of a node that dies expires, and another node takes over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, assert_never

from tilerummy.bots.protocol import idle_turn
from tilerummy.bots.roster import BOTS
from tilerummy.play.commands import Turn
from tilerummy.play.game import Game
from tilerummy.play.refusals import Refused
from tilerummy.play.views import view
from tilerummy.rules.tiles import has_tile_twice
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.ports import BotRunner
from tilerummy.server.protocol import drafts
from tilerummy.server.protocol.dealer import new_secret
from tilerummy.server.rooms import commands, matches, seating
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.room import Room
from tilerummy.server.rooms.thinking import laid_at
from tilerummy.server.rooms.timers import KINDS, TimerKind
from tilerummy.server.store import Claimed, Store, StoreError
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.scheduler")

LEASE = 15_000
"""Milliseconds after which a claim that led to nothing expires."""
BATCH = 100
LONGEST_SLEEP = 1000
"""Milliseconds: the latest time at which timers set by other nodes are seen."""


class Scheduler:
    def __init__(self, keeper: Keeper, store: Store, bots: BotRunner) -> None:
        self._keeper = keeper
        self._store = store
        self._bots = bots
        self._running: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._until = 0
        """When it looks again, in the store's time."""
        keeper.on_timer = self.wake_by

    def wake_by(self, at: int) -> None:
        """A timer is due at this time: look again by then."""
        if at < self._until:
            self._wake.set()

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            try:
                claimed = await self._store.claim(BATCH, LEASE)
                self._store.outage.over()
                for timer in claimed:
                    self._spawn(self._fire(timer))
                if len(claimed) < BATCH:
                    await self._sleep()
            except StoreError as error:
                self._store.outage.note(error)
                await asyncio.sleep(LONGEST_SLEEP / 1000)
            except Exception:  # the scheduler must survive, or no timer fires any more
                log.exception("the scheduler failed")
                await asyncio.sleep(LONGEST_SLEEP / 1000)

    async def _sleep(self) -> None:
        """Until the next timer that this node knows of."""
        self._wake.clear()
        self._until = self._store.now() + LONGEST_SLEEP
        at = await self._store.next_timer()
        self._until = min(self._until, self._until if at is None else at)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0, self._until - self._store.now()) / 1000):
                await self._wake.wait()
        self._until = 0

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _fire(self, timer: Claimed) -> None:
        try:
            command = await self._command(timer)
            if command is not None:
                await self._apply(timer, command)
        except Refused as error:
            # The room has changed meanwhile, and so have its timers.
            log.debug("timer is obsolete", room=timer.room, kind=timer.kind, why=error.code)
        except StoreError as error:
            self._store.outage.note(error, room=timer.room)
        except Exception:
            log.exception("timer failed", room=timer.room, kind=timer.kind)

    async def _apply(self, timer: Claimed, command: Command) -> None:
        try:
            await self._keeper.apply(timer.room, command)
        except Refused as error:
            if error.code != "too-complicated":
                raise
            # A bot would choose the same turn again: it does not play.
            room = await self._keeper.look(timer.room)
            if room is None or room.game is None:
                return
            turn = idle_turn(view(room.game, room.game.current))
            await self._keeper.apply(timer.room, matches.TakeTurn(turn, timer.key))

    async def _command(self, timer: Claimed) -> Command | None:
        """The command that a timer stands for; None if there is nothing to do."""
        kind = _kind(timer.kind)
        match kind:
            case "deal":
                return matches.Deal(timer.key, new_secret())
            case "next":
                return matches.NextGame(timer.key, new_secret())
            case "idle":
                return commands.Close("idle")
            case "here":
                return seating.Drop(timer.key)
            case "grace" | "seat" | "turn" | "bot":
                turn = timer.key if kind in ("turn", "bot") else None
                room = await self._keeper.look(timer.room, turn=turn)
                return None if room is None else await self._command_in(room, kind, timer)
            case None:
                return None
            case _:
                assert_never(kind)

    async def _command_in(self, room: Room, kind: TimerKind, timer: Claimed) -> Command | None:
        if kind == "grace":
            away = room.seats[timer.key].away if timer.key < len(room.seats) else None
            return None if away is None else seating.StandIn(timer.key, away)
        if kind == "seat":
            away = room.seats[timer.key].away if timer.key < len(room.seats) else None
            return None if away is None else seating.FreeSeat(timer.key, away)
        if kind == "turn":
            return await self._time_up(timer, room)
        if room.game is not None and room.bot_to_move is not None:
            move = await self._chosen(room, room.game, room.bot_to_move)
            at = laid_at(room, room.game, move, self._keeper.pace.bot)
            await asyncio.sleep(max(0, at - self._store.now()) / 1000)
            return matches.TakeTurn(move, timer.key)
        return None

    async def _chosen(self, room: Room, game: Game, bot: str) -> Turn:
        games = self._keeper.latest_turns(room.id) if BOTS[bot].learns else []
        seen = [view(each, game.current) for each in games]
        return await self._bots.choose(bot, view(game, game.current), room.id, seen)

    async def _time_up(self, timer: Claimed, room: Room) -> Command:
        """The clock judges the draft that the player had laid by then."""
        current = None if room.game is None else room.game.current
        for draft in await self._store.drafts(timer.room):
            if draft.turn == timer.key and draft.seat == current:
                table, declared = drafts.decode(draft.data)
                if has_tile_twice(table):  # stored by a version that accepted this
                    break
                return matches.TimeUp(timer.key, table, declared)
        return matches.TimeUp(timer.key)

    async def close(self) -> None:
        """Cancel what is running; unfinished timers are left to other nodes."""
        for task in [*self._running]:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


def _kind(text: str) -> TimerKind | None:
    """None for a kind that only another version knows."""
    return next((kind for kind in KINDS if kind == text), None)
