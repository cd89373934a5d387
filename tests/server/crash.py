"""Crash testing: games that continue while servers and services are killed repeatedly.

    async with Trial([server], store, PLANS, random.Random(1)) as trial:
        for _ in range(100):
            await trial.strike()

At the end the players stop, and the messages they received are compared with the store.

Pauses of random length choose the moment of a crash; nothing waits for a state with them.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Self

from tests.server.evidence import Evidence, read_evidence
from tests.server.harness import ServerProcess
from tests.server.witness import Witness
from tests.services import Service
from tilerummy.client.seat import request
from tilerummy.server.store import Store

SETTINGS = {"TILERUMMY_PACE_LOOK": "120s"}
"""For the servers: the next game begins when all players ask for it."""
NAMES = ("Ann", "Bo", "Cy", "Di")
MOMENTS = ("any", "sent", "said", "drafted", "bot", "dealing", "commit", "reveal", "ended")
"""The moments at which servers are killed; players report all but the first."""
PATIENCE = 5.0
"""Seconds to wait for such a moment."""
START_UP = 1.5
"""Seconds within which a server that starts is killed once more."""
FROZEN = (2.0, 12.0)
"""Seconds for which a server is stopped."""
CLOCK = 1
"""Seconds: the shortest turn that is valid."""
REST_SECONDS = 300.0
"""Timeout for the players to stop, far longer than needed."""


class Plan(NamedTuple):
    """A room: how many people, which bots, how many seconds for a turn, and how many games."""

    people: int
    bots: tuple[str, ...] = ()
    seconds: int = 0
    games: int = 100


class Moments:
    """Named events, to wait for the next action of the players."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Event] = {}

    def note(self, what: str) -> None:
        if what in self._waiting:
            self._waiting.pop(what).set()

    async def next(self, what: str) -> bool:
        """Wait for it with a timeout; returns whether it came."""
        event = self._waiting.setdefault(what, asyncio.Event())
        try:
            async with asyncio.timeout(PATIENCE):
                await event.wait()
        except TimeoutError:
            return False
        return True


class Party:
    """The players of one room."""

    def __init__(self, plan: Plan, code: str, witnesses: list[Witness]) -> None:
        self.plan = plan
        self.code = code
        self.witnesses = witnesses

    async def rest(self) -> None:
        """Wait until all of them have the same state and nothing changes it."""
        for witness in self.witnesses:
            await witness.finish()
        for witness in self.witnesses:
            await witness.settled.wait()
        while len({witness.known.version for witness in self.witnesses}) > 1:
            await asyncio.sleep(0.02)

    async def check(self, store: Store) -> Evidence:
        room = await store.room_of(self.code)
        assert room is not None
        evidence = await read_evidence(store, room)
        evidence.check_log()
        evidence.check_record()
        evidence.check_causes(self.witnesses)
        for witness in self.witnesses:
            evidence.check_witness(witness)
        return evidence


class Trial:
    """Plays in one room for each plan. The body of the context decides what is killed, and when."""

    def __init__(
        self,
        nodes: Sequence[ServerProcess],
        store: str,
        plans: Sequence[Plan],
        rng: random.Random,
    ) -> None:
        self.parties: list[Party] = []
        self.struck: Counter[str] = Counter()
        """The processes that were killed, and the moments."""
        self._nodes = nodes
        self._store = store
        self._plans = plans
        self._rng = rng
        self._moments = Moments()
        self._group = asyncio.TaskGroup()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def witnesses(self) -> list[Witness]:
        return [witness for party in self.parties for witness in party.witnesses]

    async def __aenter__(self) -> Self:
        for plan in self._plans:
            self.parties.append(await self._open(plan))
        await self._group.__aenter__()
        self._tasks = [self._group.create_task(witness.live()) for witness in self.witnesses]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                await self._rest()
        finally:
            for task in self._tasks:
                task.cancel()
            await self._group.__aexit__(kind, error, trace)

    async def _open(self, plan: Plan) -> Party:
        """A room with all its players seated."""
        rng = self._rng
        servers = [node.url for node in self._nodes]
        options = {"match.games_per_round": plan.games, "timer.seconds": plan.seconds}
        settings = {"edition": "taiwan", "options": options, "seats": plan.people + len(plan.bots)}
        tokens = []
        for name in NAMES[: plan.people]:
            body = {"name": name, "bearer": True}
            answer = await request(rng.choice(servers), "POST", "/api/guests", body)
            tokens.append(answer["token"])
        room = {"settings": settings, "bots": plan.bots}
        code = (await request(rng.choice(servers), "POST", "/api/rooms", room, tokens[0]))["code"]
        for token in tokens[1:]:
            await request(rng.choice(servers), "POST", f"/api/rooms/{code}/seats", {}, token)
        note = self._moments.note
        return Party(
            plan,
            code,
            [
                Witness(
                    servers[number % len(servers) :] + servers[: number % len(servers)],
                    code,
                    NAMES[number],
                    token,
                    random.Random(rng.random()),
                    note,
                )
                for number, token in enumerate(tokens)
            ],
        )

    # Striking

    async def strike(self) -> None:
        """Wait for a moment, kill a server, and start it again, perhaps in several goes."""
        moment = self._rng.choice(MOMENTS)
        if moment == "any":
            await asyncio.sleep(self._rng.uniform(0, 0.5))
        elif not await self._moments.next(moment):
            moment = "late"
        await self._instant()
        node = self._rng.choice(self._nodes)
        await self._kill(node)
        self.struck[moment] += 1
        if moment == "drafted":  # the turn must end before the server is back
            await asyncio.sleep(CLOCK)
        if self._rng.random() < 0.3:
            node.spawn()
            await asyncio.sleep(self._rng.uniform(0, START_UP))
            node.kill()
            self.struck["start-up"] += 1
        await asyncio.to_thread(node.start)

    async def _instant(self) -> None:
        """Before, while or after something is stored."""
        if self._rng.random() < 0.7:
            await asyncio.sleep(self._rng.uniform(0, 0.02))

    async def _kill(self, node: ServerProcess) -> None:
        if self._rng.random() < 0.3:
            await asyncio.to_thread(node.kill_alone)
        else:
            node.kill()

    async def strike_all(self) -> None:
        """Kill all servers at the same moment, and start them one after the other."""
        await self._moments.next("sent")
        await self._instant()
        for node in self._nodes:
            node.kill()
        self.struck["all nodes"] += 1
        for node in self._nodes:
            await asyncio.to_thread(node.start)

    async def freeze(self) -> None:
        """Stop a server for seconds, as a machine does that is suspended: it loses its leases."""
        await self._moments.next("sent")
        await self._instant()
        node = self._rng.choice(self._nodes)
        os.kill(node.pid, signal.SIGSTOP)
        self.struck["frozen"] += 1
        try:
            await asyncio.sleep(self._rng.uniform(*FROZEN))
        finally:
            os.kill(node.pid, signal.SIGCONT)

    async def strike_service(self, service: Service, *, gently: bool = False) -> None:
        """Kill a service that the servers need, or stop it, and restart it after a while."""
        await self._moments.next("sent")
        await self._instant()
        await asyncio.to_thread(service.stop if gently else service.kill)
        self.struck[type(service).__name__.lower() + (" restart" if gently else "")] += 1
        await asyncio.sleep(self._rng.uniform(0, 1))
        await asyncio.to_thread(service.start)

    # The end

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(REST_SECONDS):
                await asyncio.gather(*[party.rest() for party in self.parties])
        except TimeoutError:
            lines = [f"{party.code} {who}" for party in self.parties for who in party.witnesses]
            raise AssertionError("\n".join(["they do not come to rest", *lines])) from None

    async def check(self) -> list[Evidence]:
        """All that was acknowledged is stored, once. For when the servers have ended: they would
        go on to write who is gone."""
        store = await Store.connect(self._store)
        try:
            return [await party.check(store) for party in self.parties]
        finally:
            await store.close()
