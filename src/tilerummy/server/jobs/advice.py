"""The solver's answers for one connection: hints, and plays that were missed.

A player who must play is always shown a play. That request queues for a busy solver instead of
being refused, and the clock of the turn stops meanwhile, for at most `Pace.show`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress

from tilerummy.play.game import Game, Phase
from tilerummy.play.refusals import Refused
from tilerummy.play.views import View, view
from tilerummy.queries import SolveAnswer
from tilerummy.server.jobs.bot_pool import BotPool
from tilerummy.server.jobs.process_pool import PoolBusyError
from tilerummy.server.limits.gate import BusyError, Gate
from tilerummy.server.limits.rate_limiter import Client
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.hints import hint_message, missed_message
from tilerummy.server.rooms.matches import HoldClock, ReleaseClock
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import Room
from tilerummy.server.store import StoreError
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import Metrics

log = Log("tilerummy.advice")

QUEUE_SECONDS = 0.5
"""After this the player is informed that the request is queued."""
LEAST_WAIT = 10.0
"""Least time-out for a player who must play, even if the clock stops for a shorter time."""
LONGEST_SLEEP = 1.0
"""Longest time in seconds between two attempts to enter a busy solver."""


class Advisor:
    def __init__(
        self,
        keeper: Keeper,
        bot_pool: BotPool,
        gate: Gate,
        metrics: Metrics,
        limits: Client,
        send: Callable[[out.Outgoing], None],
    ) -> None:
        self._keeper = keeper
        self._bot_pool = bot_pool
        self._gate = gate
        self._metrics = metrics
        self._limits = limits
        self._send = send
        self._showing = False

    async def hint(self, re: str, room: Room, seat: int | None) -> None:
        """Send the best turn of the seat, or why there is no hint."""
        await self._answered(re, self._hint(re, room, seat))

    async def missed(self, re: str, room: Room, *, behind: bool) -> None:
        """Send what each player could still have played.

        `behind`: a delayed spectator who has not seen the end of the game yet.
        """
        await self._answered(re, self._missed(re, room, behind))

    async def _answered(self, re: str, answer: Awaitable[None]) -> None:
        try:
            await answer
        except Refused as error:
            self._send(out.refused(re, error))
        except BusyError as error:
            self._metrics.limited("solver")
            self._send(out.Refused(re, "busy", f"the solver is busy: {error}"))
        except PoolBusyError:
            self._metrics.limited("solver")
            self._send(out.Refused(re, "busy", "the solver is busy: ask again"))
        except StoreError as error:
            self._keeper.store.outage.note(error)
            self._send(out.Error("unavailable", "this could not be stored: try again", re))
        except Exception:
            log.exception("hint failed")
            self._send(out.Error("internal", "the solver did not answer", re))

    async def _hint(self, re: str, room: Room, seat: int | None) -> None:
        if seat is None:
            raise RoomRefused("no-seat", "spectators get no hints")
        game = room.game
        must_play = game is not None and game.pass_is_forced
        if not room.settings.hints and not must_play:
            raise RoomRefused("no-hints", "this room does not allow hints")
        if game is None or not view(game, seat).my_turn or room.paused is not None:
            raise RoomRefused("not-your-turn", "hints are for your own turn")
        if must_play:
            await self._show(re, room, game, seat)
            return
        self._check_rate()
        with self._gate.entered(room.id) as call:
            advice, call.cost = await self._bot_pool.advise(view(game, seat), room.id)
        self._send(hint_message(re, game.turn, advice))

    async def _show(self, re: str, room: Room, game: Game, seat: int) -> None:
        """Show a play to a player who must play, however busy the solver is."""
        if self._showing:
            raise RoomRefused("busy", "a hint is already on its way")
        most = self._keeper.pace.show
        self._showing = True
        holds = False
        try:
            hold = await self._keeper.apply(room.id, HoldClock(seat, game.turn, most))
            holds = hold.is_new
            async with asyncio.timeout(max(most / 1000, LEAST_WAIT)):
                advice = await self._when_free(re, view(game, seat), room.id)
            self._send(hint_message(re, game.turn, advice))
        except TimeoutError as error:
            raise RoomRefused("busy", "the solver is busy: ask again") from error
        finally:
            self._showing = False
            with suppress(Refused):  # the game may be over by now
                if holds:  # otherwise another tab of the seat holds the clock and releases it
                    await self._keeper.apply(room.id, ReleaseClock(game.turn))

    async def _when_free(self, re: str, seen: View, room: str) -> SolveAnswer:
        informed = False

        def queued() -> None:
            nonlocal informed
            if not informed:
                self._metrics.limited("solver")
                self._send(out.Queued(re))
            informed = True

        paid = False  # waiting for the solver takes no second token
        while True:
            wait = 0.0 if paid else self._limits.hint()
            if not wait:
                paid = True
                try:
                    with self._gate.entered(room) as call:
                        advice, call.cost = await self._advice(seen, room, queued)
                        return advice
                except BusyError as error:
                    wait = error.wait
                except PoolBusyError:
                    wait = LONGEST_SLEEP
            queued()
            await asyncio.sleep(min(wait, LONGEST_SLEEP))

    async def _advice(
        self, seen: View, room: str, queued: Callable[[], None]
    ) -> tuple[SolveAnswer, float]:
        asked = asyncio.create_task(self._bot_pool.advise(seen, room))
        try:
            done, _ = await asyncio.wait((asked,), timeout=QUEUE_SECONDS)
            if not done:
                queued()
            return await asked
        finally:
            asked.cancel()

    async def _missed(self, re: str, room: Room, behind: bool) -> None:
        game = room.game
        if game is None or game.phase is not Phase.OVER or behind:
            raise RoomRefused("wrong-moment", "the game is not over yet")
        self._check_rate()
        # All players ask at the same moment; only the first request runs a search.
        known = self._bot_pool.missed_so_far(game) is not None
        with nullcontext() if known else self._gate.entered(room.id):
            plays = await self._bot_pool.missed(game, room.id)
        self._send(missed_message(re, game.number, plays))

    def _check_rate(self) -> None:
        wait = self._limits.hint()
        if wait:
            self._metrics.limited("hints")
            raise RoomRefused("too-fast", f"the next hint is available in {wait:.0f} s")
