"""Drafts on their way to the other tabs of their seat, wherever these are connected.

A draft is kept in the store, and shown at once to the tabs on this node. Other nodes are told which
seat of which room has one, and nothing of what is in it; those that have a tab of that seat read
it. Where the message is lost, the other tab shows it with the next draft, or when it is loaded
anew.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from tilerummy.server.live.bus import Bus, Place
from tilerummy.server.live.keeper import Held, Keeper
from tilerummy.server.protocol import drafts
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import declared_out, table_out
from tilerummy.server.store import StoreError
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.mirror")


class Tab(Protocol):
    """One connection of a seat."""

    @property
    def seat(self) -> int | None:
        """Which it is now, if it has one."""
        ...

    def tell_draft(self, draft: out.DraftInfo) -> None:
        """Must not wait, and must not raise."""
        ...


class Mirror:
    def __init__(self, keeper: Keeper, bus: Bus) -> None:
        self._keeper = keeper
        self._bus = bus
        self._unsubscribe = bus.subscribe_drafts(self._drafted_elsewhere)
        self._tabs: dict[str, dict[Tab, Held]] = {}
        """Those of each room."""
        self._reading: dict[Place, asyncio.Task[None]] = {}
        self._again: set[Place] = set()
        """Where there is another draft than the one that is being read."""

    def join(self, held: Held, tab: Tab) -> None:
        self._tabs.setdefault(held.room.id, {})[tab] = held

    def leave(self, held: Held, tab: Tab) -> None:
        tabs = self._tabs.get(held.room.id, {})
        tabs.pop(tab, None)
        if not tabs:
            self._tabs.pop(held.room.id, None)

    def _tabs_of(self, place: Place, but: Tab | None = None) -> list[tuple[Tab, Held]]:
        tabs = self._tabs.get(place.room, {}).items()
        return [(tab, held) for tab, held in tabs if tab is not but and tab.seat == place.seat]

    async def keep(self, place: Place, draft: out.DraftInfo, data: bytes, but: Tab) -> None:
        """Keep the draft of a tab, and show it to the others."""
        await self._keeper.store.save_draft(place.room, place.seat, draft.turn, data)
        self._tell(place, draft, but)
        await self._bus.publish_draft(place)

    def _tell(self, place: Place, draft: out.DraftInfo, but: Tab | None = None) -> None:
        for tab, _ in self._tabs_of(place, but):
            tab.tell_draft(draft)

    async def kept(self, held: Held, seat: int) -> out.DraftInfo | None:
        """The draft of a seat for the turn that is on. Raises StoreError."""
        for found in await self._keeper.store.drafts(held.room.id):
            if found.seat != seat:
                continue
            if _turn(held) < found.turn:  # another node has gone on
                await self._keeper.catch_up(held)
            if _turn(held) == found.turn:
                table, declared = drafts.decode(found.data)
                return out.DraftInfo(found.turn, table_out(table), declared_out(declared))
        return None

    def _drafted_elsewhere(self, places: list[Place]) -> None:
        for place in places:
            if place in self._reading:
                self._again.add(place)
            elif self._tabs_of(place):
                task = asyncio.create_task(self._read(place))
                self._reading[place] = task
                task.add_done_callback(lambda _, place=place: self._reading.pop(place))  # type: ignore[misc]

    async def _read(self, place: Place) -> None:
        """One at a time for each seat, so that an older draft never comes after a newer one."""
        try:
            while tabs := self._tabs_of(place):
                self._again.discard(place)
                draft = await self.kept(tabs[0][1], place.seat)
                if draft is not None:
                    self._tell(place, draft)
                if place not in self._again:
                    return
        except StoreError as error:
            self._keeper.store.outage.note(error, room=place.room)

    def close(self) -> None:
        self._unsubscribe()
        for task in self._reading.values():
            task.cancel()


def _turn(held: Held) -> int:
    return 0 if held.room.game is None else held.room.game.turn
