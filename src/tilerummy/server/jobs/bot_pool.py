"""The bot pool: runs bots and the solver's hints, each in a process pool of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from tilerummy.bots.missed import missed_plays
from tilerummy.bots.protocol import idle_turn
from tilerummy.bots.roster import BOTS
from tilerummy.play.commands import Turn
from tilerummy.play.game import Game
from tilerummy.play.views import View
from tilerummy.queries import SolveAnswer, SolveQuestion
from tilerummy.rules.position import Position
from tilerummy.server.jobs.process_pool import BACKGROUND, POOL_FAILURES, ProcessPool
from tilerummy.server.telemetry.logs import Log
from tilerummy.solver.turns.solution import Solution

log = Log("tilerummy.bot_pool")

BOT_SECONDS = 2.0
"""The budget of a bot for one turn."""
HINT_SECONDS = 1.0
MISSED_SECONDS = 2.0
"""For the missed plays of all seats."""
SECONDS = 10.0
"""Time-out after which a bot draws: something is wrong with it."""
WAIT_SECONDS = 10.0
"""Longest time in the queue; a bot that waits for longer draws."""
BOT_NICENESS = 5
"""Moves of people come first, then bots, then hints."""
MISSED_KEPT = 64
"""Games whose missed plays are memoised: all players ask for them at the same moment."""


class BotPool:
    def __init__(
        self,
        workers: int = 1,
        seconds: float = SECONDS,
        on_turn: Callable[[str, float], None] = lambda bot, seconds: None,
    ) -> None:
        """`on_turn` is called with the bot that has moved, and the seconds it took."""
        self._bots = ProcessPool(workers, niceness=BOT_NICENESS)
        self._hints = ProcessPool(1, niceness=BACKGROUND)
        self._seconds = seconds
        self._on_turn = on_turn
        self._missed: dict[str, asyncio.Future[dict[int, Solution]]] = {}
        """By the commitment of the game; finished and running searches."""

    async def choose(self, bot: str, view: View, room: str = "") -> Turn:
        """The turn of a bot. A bot that fails or takes too long draws."""
        began = time.perf_counter()
        try:
            return await self._bots.run(
                self._seconds, _choose, bot, view, room=room, patience=WAIT_SECONDS
            )
        except POOL_FAILURES as error:
            log.error("bot failed", room=room, bot=bot, why=type(error).__name__)
        except Exception as error:
            log.error("bot failed", room=room, bot=bot, why=repr(error))
        finally:
            self._on_turn(bot, time.perf_counter() - began)
        return idle_turn(view)

    async def advise(self, view: View, room: str = "") -> tuple[SolveAnswer, float]:
        """A hint for a player, and the CPU seconds that it took. Raises `POOL_FAILURES`."""
        return await self._hints.run(
            self._seconds, _timed_advice, view.position, room=room, patience=WAIT_SECONDS
        )

    async def missed(self, game: Game, room: str = "") -> dict[int, Solution]:
        """What each player could still have played. Memoised per game. Raises `POOL_FAILURES`."""
        found = self.missed_so_far(game)
        if found is None:
            found = asyncio.ensure_future(
                self._hints.run(self._seconds, _missed, game, room=room, patience=WAIT_SECONDS)
            )
            self._missed[game.commitment] = found
            while len(self._missed) > MISSED_KEPT:
                del self._missed[next(iter(self._missed))]
        return await asyncio.shield(found)

    def missed_so_far(self, game: Game) -> asyncio.Future[dict[int, Solution]] | None:
        """The memoised or running search of `missed`; None if there is none, or it failed."""
        found = self._missed.get(game.commitment)
        if found is None or not found.done():
            return found
        return None if found.cancelled() or found.exception() else found

    def close(self) -> None:
        self._bots.close()
        self._hints.close()


def _choose(bot: str, view: View) -> Turn:
    """A new player for each turn: processes of the pool keep no memory of a game."""
    spec = BOTS[bot]
    player = spec.make()
    player.start(view)
    budget = replace(spec.budget, seconds=spec.budget.seconds_within(BOT_SECONDS))
    return player.choose(view, budget)


def _missed(game: Game) -> dict[int, Solution]:
    return missed_plays(game, MISSED_SECONDS / max(1, len(game.racks)))


def _timed_advice(position: Position) -> tuple[SolveAnswer, float]:
    began = time.process_time()
    return advise(position), time.process_time() - began


def advise(position: Position) -> SolveAnswer:
    """The best turn of a position within `HINT_SECONDS`, and the steps to it."""
    return SolveQuestion(position, time_limit=HINT_SECONDS, steps=True).answer()
