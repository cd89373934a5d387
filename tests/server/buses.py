"""Buses that misbehave, for tests of nodes that must not depend on them."""

from __future__ import annotations

from collections.abc import Callable

from tilerummy.server.live.bus import OnChanges, OnDrafts, SeatRef
from tilerummy.server.telemetry.metrics import BusHealth


class DroppingBus:
    """Takes every message and passes none on."""

    def __init__(self) -> None:
        self.dropped: list[tuple[str, int]] = []

    @property
    def health(self) -> BusHealth:
        return BusHealth(False, 0.0, 0, 0, len(self.dropped), 0)

    async def start(self) -> None: ...

    def subscribe(self, on_changes: OnChanges) -> Callable[[], None]:
        return lambda: None

    async def publish(self, room: str, version: int) -> None:
        self.dropped.append((room, version))

    def subscribe_drafts(self, on_drafts: OnDrafts) -> Callable[[], None]:
        return lambda: None

    async def publish_draft(self, place: SeatRef) -> None: ...

    async def close(self) -> None: ...
