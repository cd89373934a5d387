"""The bot pool: runs bots and the solver's hints, each in process pools of their own.

Bots have two pools, so that those who decide quickly never wait for hard positions. A bot decides
within `QUICK_SECONDS` first. If that has cut it short, it queues for more time; where there is
none, because many rooms have hard positions, it plays what it has found.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tilerummy.bots.missed import missed_plays
from tilerummy.bots.protocol import Bot, idle_turn
from tilerummy.bots.roster import BOTS
from tilerummy.play.commands import Turn
from tilerummy.play.game import Game
from tilerummy.play.views import View
from tilerummy.queries import SolveAnswer, SolveQuestion
from tilerummy.rules.position import Position
from tilerummy.server.jobs.fair_queue import GroupOf
from tilerummy.server.jobs.process_pool import BACKGROUND, PoolBusyError, ProcessPool
from tilerummy.server.jobs.worker import WORKER_FAILURES
from tilerummy.server.telemetry.logs import Log
from tilerummy.solver.turns.solution import Solution

log = Log("tilerummy.bot_pool")

BOT_SECONDS = 2.0
"""The budget of a bot for one turn."""
HINT_SECONDS = 1.0
MISSED_SECONDS = 2.0
"""For the missed plays of all seats."""
NEARLY = 0.9
"""The part of its budget after which a bot counts as cut short."""
QUICK_SECONDS = 0.25
"""The budget of its first attempt."""
SECONDS = 10.0
"""Time-out after which a bot draws: something is wrong with it."""
WAIT_SECONDS = 10.0
"""Longest time in the queue; a bot that waits for longer draws."""
BETTER_SECONDS = 2.0
"""The same for a bot that knows a turn already, and looks for a better one."""
BOT_NICENESS = 5
"""Moves of people come first, then bots, then hints."""
PLAYERS_KEPT = 1000
"""Bots that learn, with what they remember; one that is forgotten judges by the table alone."""
MISSED_KEPT = 64
"""Games whose missed plays are memoised: all players ask for them at the same moment."""


class BotPool:
    def __init__(
        self,
        workers: int = 1,
        seconds: float = SECONDS,
        on_turn: Callable[[str, float], None] = lambda bot, seconds: None,
        group_of: GroupOf = lambda room: room,
    ) -> None:
        """`on_turn` is called with the bot that has moved, and the seconds it took."""
        self._quick = ProcessPool(1, niceness=BOT_NICENESS, group_of=group_of)
        self._thorough = ProcessPool(workers, niceness=BOT_NICENESS, group_of=group_of)
        self._hints = ProcessPool(1, niceness=BACKGROUND, group_of=group_of)
        self._seconds = seconds
        self._on_turn = on_turn
        self._players: dict[Playing, Bot] = {}
        """The bots that learn, the one that moved last at the end."""
        self._missed: dict[str, asyncio.Future[dict[int, Solution]]] = {}
        """By the commitment of the game; finished and running searches."""

    async def choose(self, bot: str, view: View, room: str = "", seen: Sequence[View] = ()) -> Turn:
        """The turn of a bot. A bot that fails or takes too long draws.

        A bot that learns is shown what it has not yet seen of `seen`, its views after the latest
        turns.
        """
        playing = Playing(bot, view.commitment, view.current)
        player = self._players.get(playing)
        began = time.perf_counter()
        found: Choice | None = None
        try:
            found = await self._quick.run(
                self._seconds,
                _choose,
                bot,
                view,
                QUICK_SECONDS,
                player,
                seen,
                room=room,
                patience=WAIT_SECONDS,
            )
            self._keep(playing, found.player)
            if found.is_cut_short:
                found = await self._thorough.run(
                    self._seconds,
                    _choose,
                    bot,
                    view,
                    BOT_SECONDS,
                    found.player,
                    room=room,
                    patience=BETTER_SECONDS,
                )
        except PoolBusyError:
            log.warning("no process was free for a bot", room=room, bot=bot)
        except WORKER_FAILURES as error:
            log.error("bot failed", room=room, bot=bot, why=type(error).__name__)
        except Exception as error:
            log.error("bot failed", room=room, bot=bot, why=repr(error))
        finally:
            self._on_turn(bot, time.perf_counter() - began)
        return idle_turn(view) if found is None else found.turn

    def _keep(self, playing: Playing, player: Bot | None) -> None:
        self._players.pop(playing, None)
        if player is not None:
            self._players[playing] = player
            while len(self._players) > PLAYERS_KEPT:
                del self._players[next(iter(self._players))]

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
        self._quick.close()
        self._thorough.close()
        self._hints.close()


class Playing(NamedTuple):
    """A bot in a game."""

    bot: str
    commitment: str
    """That of the game."""
    seat: int


class Choice(NamedTuple):
    """The turn of a bot."""

    turn: Turn
    is_cut_short: bool
    """Whether it might find a better one in more time."""
    player: Bot | None = None
    """The bot with what it remembers, if it learns."""


def _choose(
    bot: str,
    view: View,
    seconds: float = BOT_SECONDS,
    player: Bot | None = None,
    seen: Sequence[View] = (),
) -> Choice:
    """Processes of the pool keep no memory of a game: a bot that learns comes and goes with it."""
    began = time.monotonic()
    spec = BOTS[bot]
    if player is None:
        player = spec.make()
        player.start(seen[0] if seen else view)
    for each in seen:
        player.see(each)
    turn = player.choose(view, spec.budget.capped(seconds))
    is_cut_short = time.monotonic() - began >= NEARLY * seconds
    return Choice(turn, is_cut_short, player if spec.learns else None)


def _missed(game: Game) -> dict[int, Solution]:
    return missed_plays(game, MISSED_SECONDS / max(1, len(game.racks)))


def _timed_advice(position: Position) -> tuple[SolveAnswer, float]:
    began = time.process_time()
    return advise(position), time.process_time() - began


def advise(position: Position) -> SolveAnswer:
    """The best turn of a position within `HINT_SECONDS`, and the steps to it."""
    return SolveQuestion(position, time_limit=HINT_SECONDS, steps=True).answer()
