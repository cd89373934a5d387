"""A node: one server process. Wires all services together, and starts and stops them in order."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import ExitStack

from tilerummy.server.jobs.bot_pool import BotPool
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.jobs.records import Records
from tilerummy.server.limits.byte_budget import ByteBudget
from tilerummy.server.limits.gate import Gate
from tilerummy.server.limits.rate_limiter import RateLimiter
from tilerummy.server.limits.room_groups import RoomGroups
from tilerummy.server.live.bus import bus_of
from tilerummy.server.live.draft_sync import DraftSync
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.presence import Presence
from tilerummy.server.live.scheduler import Scheduler
from tilerummy.server.ops.settings import ServerSettings
from tilerummy.server.store import Store, StoreError
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import Metrics

log = Log("tilerummy.node")

MOST_QUEUED = 64 * 1024 * 1024
"""Bytes that wait for slow clients, all together."""
PURGE_SECONDS = 3600.0
POLL_SECONDS = 2.0
"""How often a node polls the store for changes whose message was lost."""


class Node:
    """Use as `async with Node(settings)`; nothing is open before and after it."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.name = secrets.token_hex(4)
        self.metrics = Metrics()
        self.rate_limiter = RateLimiter(settings.limits)
        self.gate = Gate(settings.limits.solver_at_once, settings.limits.solver_cpu)
        self.send_budget = ByteBudget(MOST_QUEUED)
        self.store: Store
        self.room_groups: RoomGroups
        self.prover: Prover
        self.keeper: Keeper
        self.presence: Presence
        self.draft_sync: DraftSync
        self.bot_pool: BotPool
        self.records: Records
        self.draining = False
        self._tasks: list[asyncio.Task[None]] = []
        self._open = ExitStack()

    async def start(self) -> None:
        settings = self.settings
        self.store = await Store.connect(settings.store)
        self._open.enter_context(self.metrics.counting_errors())
        self.bus = bus_of(settings.bus)
        self.room_groups = RoomGroups(shared=self.store.shared)
        group_of = self.room_groups.group
        self.prover = Prover(settings.pace.proof / 1000, group_of)
        self.keeper = Keeper(self.store, self.bus, settings.pace, self.metrics, self.prover)
        self.metrics.watch_bus(lambda: self.bus.health)
        appends = self.store.grouped_appends
        self.metrics.watch_commits(lambda: (appends.items, appends.batches))
        await self.bus.start()
        self.bot_pool = BotPool(
            settings.bot_workers, on_turn=self.metrics.bot_turn, group_of=group_of
        )
        limits = settings.limits
        self.records = Records(self.store, Gate(limits.records_at_once, limits.records_cpu))
        self.presence = Presence(self.keeper)
        self.draft_sync = DraftSync(self.keeper, self.bus)
        self.scheduler = Scheduler(self.keeper, self.store, self.bot_pool)
        self._tasks = [
            asyncio.create_task(self.scheduler.run()),
            asyncio.create_task(self.presence.run()),
            asyncio.create_task(self._repeat(POLL_SECONDS, self.keeper.poll)),
            asyncio.create_task(self._repeat(PURGE_SECONDS, self.purge)),
        ]
        log.info("node started", node=self.name, store=settings.shown()["store"])

    async def _repeat(self, seconds: float, do: Callable[[], Awaitable[None]]) -> None:
        """Repeat until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await do()
            except StoreError as error:
                self.store.outage.note(error)
            except Exception:
                log.exception("periodic task failed")

    async def purge(self) -> None:
        """Delete data past its retention period."""
        now, kept = self.store.now(), self.settings.retention
        purged = await self.store.purge(now - kept.rooms, now - kept.guests)
        if any(purged):
            log.info("purged", rooms=purged.rooms, guests=purged.guests)

    async def stop(self) -> None:
        """Graceful shutdown: finish what has begun, start nothing new."""
        self.draining = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.presence.close()
        self.draft_sync.close()
        await self.scheduler.close()
        self.keeper.close()
        self.prover.close()
        await self.bus.close()
        self.bot_pool.close()
        self.records.close()
        await self.store.close()
        self._open.close()
        log.info("node stopped", node=self.name)

    async def __aenter__(self) -> Node:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
