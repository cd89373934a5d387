"""Buses that misbehave, for tests of nodes that must not depend on them."""

from __future__ import annotations

from collections.abc import Callable

from tilerummy.server.live.bus import Health, Heed, Place, Wake


class DroppingBus:
    """Takes every message and passes none on."""

    def __init__(self) -> None:
        self.dropped: list[tuple[str, int]] = []

    @property
    def health(self) -> Health:
        return Health(False, 0.0, 0, 0, len(self.dropped), 0)

    async def start(self) -> None: ...

    def subscribe(self, wake: Wake) -> Callable[[], None]:
        return lambda: None

    async def publish(self, room: str, version: int) -> None:
        self.dropped.append((room, version))

    def subscribe_drafts(self, heed: Heed) -> Callable[[], None]:
        return lambda: None

    async def publish_draft(self, place: Place) -> None: ...

    async def close(self) -> None: ...
