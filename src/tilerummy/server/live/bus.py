"""The bus: pub/sub between nodes. It announces that a room has changed or a seat has a new draft.

A message is a wake-up and nothing more: the change itself is in the store, which every node also
polls from time to time. So messages may be lost, duplicated or late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar
from urllib.parse import urlsplit

from tilerummy.server.telemetry.metrics import BusHealth

Changes: TypeAlias = Mapping[str, int] | None
"""The latest version of each room that changed; None if any room may have changed."""
OnChanges: TypeAlias = Callable[[Changes], None]
"""Called with changes. It must return at once and do its work later."""


class SeatRef(NamedTuple):
    """The seat that has a draft. The draft itself never goes over the bus."""

    room: str
    seat: int


OnDrafts: TypeAlias = Callable[[list[SeatRef]], None]
"""Called with the seats that have new drafts, like `OnChanges`."""
T = TypeVar("T")

REDIS = ("redis", "rediss", "unix")
"""URL schemes of a Redis."""

_log = logging.getLogger(__name__)


class Bus(Protocol):
    """The connection of a node to the other nodes."""

    @property
    def health(self) -> BusHealth: ...

    async def start(self) -> None:
        """Start sending and listening. Returns at once, even if the bus is down."""

    def subscribe(self, on_changes: OnChanges) -> Callable[[], None]:
        """Call `on_changes` with what other nodes publish. Returns a function that unsubscribes."""

    async def publish(self, room: str, version: int) -> None:
        """Announce a change. Never raises, and never waits for the other nodes."""

    def subscribe_drafts(self, on_drafts: OnDrafts) -> Callable[[], None]:
        """Call `on_drafts` when other nodes have stored drafts. Lost messages are not repeated."""

    async def publish_draft(self, place: SeatRef) -> None:
        """Announce a draft. Never raises, and never waits for the other nodes."""

    async def close(self) -> None:
        """Flush what waits, if that is possible at once, and stop."""


class Subscribers(Generic[T]):
    """Callbacks. One that fails does not affect the others."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[T], None]] = []

    def add(self, callback: Callable[[T], None]) -> Callable[[], None]:
        """Returns a function that removes the callback."""
        self._callbacks.append(callback)

        def remove() -> None:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

        return remove

    def __call__(self, news: T) -> None:
        for callback in tuple(self._callbacks):
            try:
                callback(news)
            except Exception:
                _log.exception("a subscriber of the bus failed")


class LocalBus:
    """A bus between nodes in one process. A single node has nobody to talk to."""

    def __init__(self, other: LocalBus | None = None) -> None:
        """Connected to the other bus, if given."""
        self._line: list[LocalBus] = other._line if other else []
        self._changes: Subscribers[Changes] = Subscribers()
        self._drafts: Subscribers[list[SeatRef]] = Subscribers()
        self._published = self._received = 0

    @property
    def health(self) -> BusHealth:
        return BusHealth(True, 0.0, self._published, self._received, dropped=0, waiting=0)

    async def start(self) -> None:
        if self not in self._line:
            self._line.append(self)

    def subscribe(self, on_changes: OnChanges) -> Callable[[], None]:
        return self._changes.add(on_changes)

    async def publish(self, room: str, version: int) -> None:
        self._published += 1
        for bus in self._line:
            if bus is not self:
                asyncio.get_running_loop().call_soon(bus._receive, room, version)

    def subscribe_drafts(self, on_drafts: OnDrafts) -> Callable[[], None]:
        return self._drafts.add(on_drafts)

    async def publish_draft(self, place: SeatRef) -> None:
        for bus in self._line:
            if bus is not self:
                asyncio.get_running_loop().call_soon(bus._drafts, [place])

    def _receive(self, room: str, version: int) -> None:
        self._received += 1
        self._changes({room: version})

    async def close(self) -> None:
        if self in self._line:
            self._line.remove(self)


def bus_of(url: str | None) -> Bus:
    """The bus at this URL; without one, the bus of a single node. Raises ValueError."""
    if url is None:
        return LocalBus()
    scheme = urlsplit(url).scheme
    if scheme not in REDIS:
        raise ValueError(
            f"a bus cannot begin with {scheme + ':' if scheme else 'no scheme'!r}; "
            "give the URL of a Redis, like redis://localhost:6379/0"
        )
    # Imported here, as a single node does not need Redis.
    from tilerummy.server.live.redis_bus import RedisBus

    return RedisBus(url)
