"""The bot pool: runs bots and the solver's hints in a process pool."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tilerummy.bots.missed import missed_plays
from tilerummy.bots.protocol import idle_turn
from tilerummy.bots.roster import BOTS
from tilerummy.play.commands import Turn
from tilerummy.play.game import Game
from tilerummy.play.views import View
from tilerummy.queries import SolveAnswer, SolveQuestion
from tilerummy.rules.position import Position
from tilerummy.server.jobs.process_pool import POOL_FAILURES, ProcessPool
from tilerummy.server.telemetry.logs import Log
from tilerummy.solver.turns.solution import Solution

log = Log("tilerummy.bot_pool")

SECONDS = 10.0
"""Time-out after which a bot draws: something is wrong with it."""
HINT_SECONDS = 1.0
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
        self._processes = ProcessPool(workers)
        self._seconds = seconds
        self._on_turn = on_turn
        self._missed: dict[str, asyncio.Future[dict[int, Solution]]] = {}
        """By the commitment of the game; finished and running searches."""

    async def choose(self, bot: str, view: View) -> Turn:
        """The turn of a bot. A bot that fails or takes too long draws."""
        began = time.perf_counter()
        try:
            return await self._processes.run(self._seconds, _choose, bot, view)
        except POOL_FAILURES as error:
            log.error("bot failed", bot=bot, why=type(error).__name__)
        except Exception as error:
            log.error("bot failed", bot=bot, why=repr(error))
        finally:
            self._on_turn(bot, time.perf_counter() - began)
        return idle_turn(view)

    async def advise(self, view: View) -> SolveAnswer:
        """A hint for a player. Raises `POOL_FAILURES`."""
        return await self._processes.run(self._seconds, advise, view.position)

    async def missed(self, game: Game) -> dict[int, Solution]:
        """What each player could still have played. Memoised per game. Raises `POOL_FAILURES`."""
        found = self.missed_so_far(game)
        if found is None:
            found = asyncio.ensure_future(self._processes.run(self._seconds, _missed, game))
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
        self._processes.close()


def _choose(bot: str, view: View) -> Turn:
    """A new player for each turn: processes of the pool keep no memory of a game."""
    spec = BOTS[bot]
    player = spec.make()
    player.start(view)
    return player.choose(view, spec.budget)


def _missed(game: Game) -> dict[int, Solution]:
    return missed_plays(game, HINT_SECONDS)


def advise(position: Position) -> SolveAnswer:
    """The best turn of a position within `HINT_SECONDS`, and the steps to it."""
    return SolveQuestion(position, time_limit=HINT_SECONDS, steps=True).answer()
