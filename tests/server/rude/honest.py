"""Honest players: several rooms with ordinary play, and the latency of each of their commands."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, Self

from tilerummy.client.seat import Seat, request
from tilerummy.client.seeds import Seeds
from tilerummy.server.protocol import outgoing as out
from tilerummy.solver.turns.best_turn import solve

THINKING = (0.1, 0.4)
"""Seconds between two commands of a player."""
ANSWER_SECONDS = 60.0
"""Time-out of an answer."""
TOO_LATE = ("already-started", "already-fixed", "not-fixed", "wrong-game")
"""Why a commitment or a seed may be refused: the step of the deal was over."""


class HonestPlayer:
    """Plays its turns, and sends pings between them."""

    def __init__(self, seat: Seat, rng: random.Random, *, host: bool) -> None:
        self.latencies: list[float] = []
        """Seconds from a command to its answer, since the last look."""
        self.failures: list[str] = []
        self._seat = seat
        self._rng = rng
        self._host = host
        self._waiting: dict[str, asyncio.Future[out.Outgoing]] = {}
        self._heard = asyncio.Event()
        self._played: tuple[int, int] = (-1, -1)
        self._seeds = Seeds(lambda: f"{rng.getrandbits(128):032x}")

    async def play(self) -> None:
        """Until cancelled."""
        await self._seat.connect()
        listening = asyncio.create_task(self._listen())
        try:
            while True:
                await asyncio.sleep(self._rng.uniform(*THINKING))
                await self._act()
        finally:
            listening.cancel()
            await self._seat.close()

    async def _listen(self) -> None:
        try:
            while True:
                message = await self._seat.receive()
                waiting = self._waiting.pop(getattr(message, "re", None) or "", None)
                if waiting is not None:
                    waiting.set_result(message)
        except Exception as error:
            self.failures.append(f"lost: {error!r}")
            for waiting in self._waiting.values():
                waiting.cancel()

    async def _act(self) -> None:
        known = self._seat.known
        if known.room is None:
            return
        turn = known.games_ended, known.turn
        if known.phase == "lobby" and self._host:
            await self._ask({"type": "begin"})
        elif (message := self._seeds.message(known)) is not None:
            await self._ask(message, *TOO_LATE)
        elif known.my_turn and self._played != turn:
            self._played = turn
            await self._ask(self._seat.move(solve(known.position, tidy=False)))
        else:
            await self._ask({"type": "ping"})

    async def _ask(self, message: dict[str, Any], *allowed: str) -> None:
        """Send a command, and wait for its answer."""
        id_ = f"h{self._rng.getrandbits(60)}"
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[out.Outgoing] = loop.create_future()
        self._waiting[id_] = answer
        began = time.perf_counter()
        await self._seat.send({**message, "id": id_})
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                found = await answer
        except TimeoutError:
            self.failures.append(f"no answer: {message['type']}")
            return
        finally:
            self.latencies.append(time.perf_counter() - began)
        if isinstance(found, (out.Refused, out.Error)) and found.code not in allowed:
            self.failures.append(f"{message['type']}: {found.code}")


class HonestPlayers:
    """Rooms of two; use it as a context."""

    def __init__(self, url: str, rooms: int, seed: int = 1) -> None:
        self._url = url
        self._rooms = rooms
        self._rng = random.Random(seed)
        self.players: list[HonestPlayer] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for number in range(self._rooms):
            await self._open(number)
        self._tasks = [asyncio.create_task(player.play()) for player in self.players]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _open(self, number: int) -> None:
        tokens = []
        for name in ("Ann", "Bo"):
            body = {"name": name, "bearer": True}
            tokens.append((await request(self._url, "POST", "/api/guests", body))["token"])
        options = {"match.games_per_round": 100, "timer.seconds": 0}
        settings = {"edition": "taiwan", "seats": 2, "options": options, "public": False}
        room = {"settings": settings}
        code = (await request(self._url, "POST", "/api/rooms", room, tokens[0]))["code"]
        await request(self._url, "POST", f"/api/rooms/{code}/seats", {}, tokens[1])
        for place, token in enumerate(tokens):
            rng = random.Random(self._rng.random())
            seat = Seat(self._url, code, token)
            self.players.append(HonestPlayer(seat, rng, host=not place))

    def take(self) -> tuple[list[float], list[str]]:
        """The latencies and the failures since the last call."""
        latencies: list[float] = []
        failures: list[str] = []
        for player in self.players:
            latencies += player.latencies
            failures += player.failures
            player.latencies, player.failures = [], []
        for task in self._tasks:
            if task.done() and not task.cancelled():
                failures.append(f"a player has stopped: {task.exception()!r}")
        return latencies, failures
