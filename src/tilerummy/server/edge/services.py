"""The services of a node that requests and sockets use; `ops.node` provides them."""

from __future__ import annotations

from typing import Protocol

from tilerummy.server.jobs.bot_pool import BotPool
from tilerummy.server.jobs.records import Records
from tilerummy.server.limits.addresses import Proxies
from tilerummy.server.limits.byte_budget import ByteBudget
from tilerummy.server.limits.gate import Gate
from tilerummy.server.limits.rate_limiter import RateLimiter
from tilerummy.server.limits.room_groups import RoomGroups
from tilerummy.server.live.draft_sync import DraftSync
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.presence import Presence
from tilerummy.server.store import Store
from tilerummy.server.telemetry.metrics import Metrics


class EdgeSettings(Protocol):
    @property
    def tls(self) -> bool: ...
    @property
    def proxies(self) -> Proxies: ...


class Services(Protocol):
    @property
    def settings(self) -> EdgeSettings: ...
    @property
    def store(self) -> Store: ...
    @property
    def keeper(self) -> Keeper: ...
    @property
    def presence(self) -> Presence: ...
    @property
    def draft_sync(self) -> DraftSync: ...
    @property
    def bot_pool(self) -> BotPool: ...
    @property
    def records(self) -> Records: ...
    @property
    def rate_limiter(self) -> RateLimiter: ...
    @property
    def room_groups(self) -> RoomGroups: ...
    @property
    def gate(self) -> Gate: ...
    @property
    def send_budget(self) -> ByteBudget:
        """For what waits to be sent to all clients together."""
        ...

    @property
    def metrics(self) -> Metrics: ...
    @property
    def draining(self) -> bool:
        """Whether the node is stopping."""
        ...
