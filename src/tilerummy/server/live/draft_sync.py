"""Draft sync: keeps the unfinished table of a seat the same in all its tabs, on any node.

A draft is stored, and sent at once to the other tabs on this node. The bus informs other nodes
which seat of which room has a new draft, without its content; nodes with a tab of that seat read
it. If that message is lost, the other tab catches up with the next draft or when it is reloaded.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from tilerummy.server.live.bus import Bus, SeatRef
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.live_room import LiveRoom
from tilerummy.server.protocol import drafts, infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import declared_out, table_out
from tilerummy.server.store import StoreError


class Tab(Protocol):
    """One connection of a seat."""

    @property
    def seat(self) -> int | None:
        """Its current seat, None for a spectator."""
        ...

    def send_draft(self, text: bytes) -> None:
        """Send an encoded draft. Must neither block nor raise."""
        ...


class DraftSync:
    def __init__(self, keeper: Keeper, bus: Bus) -> None:
        self._keeper = keeper
        self._bus = bus
        self._unsubscribe = bus.subscribe_drafts(self.on_drafts)
        self._tabs: dict[str, dict[Tab, LiveRoom]] = {}
        """The tabs of each room."""
        self._reading: dict[SeatRef, asyncio.Task[None]] = {}
        self._again: set[SeatRef] = set()
        """Seats with a newer draft than the one that is being read."""

    def join(self, live: LiveRoom, tab: Tab) -> None:
        self._tabs.setdefault(live.room.id, {})[tab] = live

    def leave(self, live: LiveRoom, tab: Tab) -> None:
        tabs = self._tabs.get(live.room.id, {})
        tabs.pop(tab, None)
        if not tabs:
            self._tabs.pop(live.room.id, None)

    def _tabs_of(self, place: SeatRef, but: Tab | None = None) -> list[tuple[Tab, LiveRoom]]:
        tabs = self._tabs.get(place.room, {}).items()
        return [(tab, live) for tab, live in tabs if tab is not but and tab.seat == place.seat]

    async def save(self, place: SeatRef, draft: infos.DraftInfo, data: bytes, but: Tab) -> None:
        """Store the draft of a tab, and send it to the other tabs of the seat."""
        await self._keeper.store.save_draft(place.room, place.seat, draft.turn, data)
        self._send(place, draft, but)
        await self._bus.publish_draft(place)

    def _send(self, place: SeatRef, draft: infos.DraftInfo, but: Tab | None = None) -> None:
        text = out.encode(out.Draft(draft))
        for tab, _ in self._tabs_of(place, but):
            tab.send_draft(text)

    async def saved(self, live: LiveRoom, seat: int) -> infos.DraftInfo | None:
        """The stored draft of a seat for the current turn. Raises StoreError."""
        for found in await self._keeper.store.drafts(live.room.id):
            if found.seat != seat:
                continue
            if _turn(live) < found.turn:  # another node is ahead
                await self._keeper.catch_up(live)
            if _turn(live) == found.turn:
                table, declared = drafts.decode(found.data)
                return infos.DraftInfo(found.turn, table_out(table), declared_out(declared))
        return None

    def on_drafts(self, places: list[SeatRef]) -> None:
        """Other nodes have stored drafts of these seats."""
        for place in places:
            if place in self._reading:
                self._again.add(place)
            elif self._tabs_of(place):
                task = asyncio.create_task(self._read(place))
                self._reading[place] = task
                task.add_done_callback(lambda _, place=place: self._reading.pop(place))  # type: ignore[misc]

    async def _read(self, place: SeatRef) -> None:
        """One read per seat at a time, so that an older draft never follows a newer one."""
        try:
            while tabs := self._tabs_of(place):
                self._again.discard(place)
                draft = await self.saved(tabs[0][1], place.seat)
                if draft is not None:
                    self._send(place, draft)
                if place not in self._again:
                    return
        except StoreError as error:
            self._keeper.store.outage.note(error, room=place.room)

    def close(self) -> None:
        self._unsubscribe()
        for task in self._reading.values():
            task.cancel()


def _turn(live: LiveRoom) -> int:
    return 0 if live.room.game is None else live.room.game.turn
