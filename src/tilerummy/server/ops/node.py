"""One process of a server: everything it is made of, started and stopped in order."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import ExitStack

from tilerummy.server.jobs.bot_pool import Thinkers
from tilerummy.server.jobs.records import Records
from tilerummy.server.limits.gate import Gate, Guard
from tilerummy.server.live.bus import bus_of
from tilerummy.server.live.draft_sync import Mirror
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.presence import Presence
from tilerummy.server.live.scheduler import Clockwork
from tilerummy.server.ops.settings import ServerSettings
from tilerummy.server.store import Store, StoreError
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import Metrics

log = Log("tilerummy.node")

PURGE_SECONDS = 3600.0
POLL_SECONDS = 2.0
"""How often a node looks for changes that no message told of."""


class Node:
    """Use as `async with Node(settings)`; nothing is open before and after."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.name = secrets.token_hex(4)
        self.metrics = Metrics()
        self.guard = Guard(settings.limits)
        self.gate = Gate(settings.limits.solver_at_once, settings.limits.solver_cpu)
        self.store: Store
        self.keeper: Keeper
        self.presence: Presence
        self.mirror: Mirror
        self.thinkers: Thinkers
        self.records: Records
        self.draining = False
        self._tasks: list[asyncio.Task[None]] = []
        self._open = ExitStack()

    async def start(self) -> None:
        settings = self.settings
        self.store = await Store.connect(settings.store)
        self._open.enter_context(self.metrics.counting_errors())
        self.bus = bus_of(settings.bus)
        self.keeper = Keeper(self.store, self.bus, settings.pace, self.metrics)
        self.metrics.watch_bus(lambda: self.bus.health)
        appends = self.store.grouped_appends
        self.metrics.watch_commits(lambda: (appends.items, appends.batches))
        await self.bus.start()
        self.thinkers = Thinkers(settings.bot_workers, on_turn=self.metrics.bot_turn)
        limits = settings.limits
        self.records = Records(self.store, Gate(limits.records_at_once, limits.records_cpu))
        self.presence = Presence(self.keeper)
        self.mirror = Mirror(self.keeper, self.bus)
        self.clockwork = Clockwork(self.keeper, self.store, self.thinkers)
        self._tasks = [
            asyncio.create_task(self.clockwork.run()),
            asyncio.create_task(self.presence.run()),
            asyncio.create_task(self._again(POLL_SECONDS, self.keeper.poll)),
            asyncio.create_task(self._again(PURGE_SECONDS, self.purge)),
        ]
        log.info("node started", node=self.name, store=settings.shown()["store"])

    async def _again(self, seconds: float, do: Callable[[], Awaitable[None]]) -> None:
        """Now and then, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await do()
            except StoreError as error:
                self.store.outage.note(error)
            except Exception:
                log.exception("a task failed")

    async def purge(self) -> None:
        """Delete what has been kept for long enough."""
        now, kept = self.store.now(), self.settings.retention
        purged = await self.store.purge(now - kept.rooms, now - kept.guests)
        if any(purged):
            log.info("purged", rooms=purged.rooms, guests=purged.guests)

    async def stop(self) -> None:
        """What has been asked for is finished; nothing new is begun."""
        self.draining = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.presence.close()
        self.mirror.close()
        await self.clockwork.close()
        await self.keeper.close()
        await self.bus.close()
        self.thinkers.close()
        self.records.close()
        await self.store.close()
        self._open.close()
        log.info("node stopped", node=self.name)

    async def __aenter__(self) -> Node:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
