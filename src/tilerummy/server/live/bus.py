"""Tells every node that a room has changed, or that a seat has another draft.

A wake-up and nothing more: what changed is in the store, and every node also looks there by itself
from time to time. So a message may get lost, come twice or come late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar
from urllib.parse import urlsplit

Changes: TypeAlias = Mapping[str, int] | None
"""The latest version of each room that changed; None where anything may have changed."""
Wake: TypeAlias = Callable[[Changes], None]
"""Is told of changes. It must return at once; what it has to do, it does later."""


class Place(NamedTuple):
    """Where there is a draft. What is in it is for its seat, and not for the bus."""

    room: str
    seat: int


Heed: TypeAlias = Callable[[list[Place]], None]
"""Is told of drafts, as `Wake` of changes."""
T = TypeVar("T")

REDIS = ("redis", "rediss", "unix")
"""What the URL of a Redis may begin with."""

_log = logging.getLogger(__name__)


class Health(NamedTuple):
    """How a bus is doing; messages are counted by the room."""

    up: bool
    """Whether messages get through."""
    lag: float
    """Seconds that a message takes; while the bus is down, for how long."""
    published: int
    received: int
    dropped: int
    waiting: int
    """Rooms that have yet to be told of."""


class Bus(Protocol):
    """What the nodes of one server call each other with."""

    @property
    def health(self) -> Health: ...

    async def start(self) -> None:
        """Begin to send and to listen. Returns at once, whether or not the others are there."""

    def subscribe(self, wake: Wake) -> Callable[[], None]:
        """Call `wake` with what other nodes published. Call what is returned to end it."""

    async def publish(self, room: str, version: int) -> None:
        """Tell the other nodes. Never raises, and never waits for them."""

    def subscribe_drafts(self, heed: Heed) -> Callable[[], None]:
        """Call `heed` with where other nodes have kept drafts. Nobody is told of those that were
        lost."""

    async def publish_draft(self, place: Place) -> None:
        """Tell the other nodes of a draft. Never raises, and never waits for them."""

    async def close(self) -> None:
        """Send what waits, if that is possible at once, and end."""


class Wakes(Generic[T]):
    """Those who want to know. One that fails keeps nobody else from being told."""

    def __init__(self) -> None:
        self._wakes: list[Callable[[T], None]] = []

    def add(self, wake: Callable[[T], None]) -> Callable[[], None]:
        self._wakes.append(wake)

        def remove() -> None:
            if wake in self._wakes:
                self._wakes.remove(wake)

        return remove

    def __call__(self, news: T) -> None:
        for wake in tuple(self._wakes):
            try:
                wake(news)
            except Exception:
                _log.exception("a listener of the bus failed")


class LocalBus:
    """Between nodes in one process. A node that is alone talks to nobody."""

    def __init__(self, other: LocalBus | None = None) -> None:
        """On the same line as the other one, if given."""
        self._line: list[LocalBus] = other._line if other else []
        self._wakes: Wakes[Changes] = Wakes()
        self._heeds: Wakes[list[Place]] = Wakes()
        self._published = self._received = 0

    @property
    def health(self) -> Health:
        return Health(True, 0.0, self._published, self._received, dropped=0, waiting=0)

    async def start(self) -> None:
        if self not in self._line:
            self._line.append(self)

    def subscribe(self, wake: Wake) -> Callable[[], None]:
        return self._wakes.add(wake)

    async def publish(self, room: str, version: int) -> None:
        self._published += 1
        for bus in self._line:
            if bus is not self:
                asyncio.get_running_loop().call_soon(bus._receive, room, version)

    def subscribe_drafts(self, heed: Heed) -> Callable[[], None]:
        return self._heeds.add(heed)

    async def publish_draft(self, place: Place) -> None:
        for bus in self._line:
            if bus is not self:
                asyncio.get_running_loop().call_soon(bus._heeds, [place])

    def _receive(self, room: str, version: int) -> None:
        self._received += 1
        self._wakes({room: version})

    async def close(self) -> None:
        if self in self._line:
            self._line.remove(self)


def bus_of(url: str | None) -> Bus:
    """The bus at this URL; without one, that of a node which is alone. Raises ValueError."""
    if url is None:
        return LocalBus()
    scheme = urlsplit(url).scheme
    if scheme not in REDIS:
        raise ValueError(
            f"a bus cannot begin with {scheme + ':' if scheme else 'no scheme'!r}; "
            "give the URL of a Redis, like redis://localhost:6379/0"
        )
    from tilerummy.server.live.redis_bus import (
        RedisBus,  # only here, as a node alone needs no Redis
    )

    return RedisBus(url)
