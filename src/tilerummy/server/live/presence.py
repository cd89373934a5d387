"""Presence: heartbeats and leases for the seats that are connected to this node.

A seat whose last connection closes has a moment to come back before the room is informed. While a
seat is connected, its node renews a lease in the store; when the node dies the lease expires, and
the seat counts as dropped.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from tilerummy.play.refusals import Refused
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.rooms import seating
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.timers import LEASE
from tilerummy.server.store import Claimed, StoreError
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.presence")

MOMENT = 3.0
"""Seconds: longer than it takes to reload the page."""
HEARTBEAT = 20.0
"""Seconds between two renewals of the leases."""


class Presence:
    def __init__(self, keeper: Keeper, moment: float = MOMENT) -> None:
        self._keeper = keeper
        self._moment = moment
        self._connections: Counter[tuple[str, str]] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._closed = False

    def is_here(self, room: str, guest: str) -> bool:
        return self._connections[room, guest] > 0

    async def arrive(self, room: str, guest: str) -> None:
        """A guest has opened a connection to a room; they may have a seat there."""
        self._connections[room, guest] += 1
        leaving = self._leaving.pop((room, guest), None)
        if leaving is not None:
            leaving.cancel()
        await self._renew([(room, guest)])

    def go(self, room: str, guest: str) -> None:
        """A connection has closed."""
        self._connections[room, guest] -= 1
        if self._connections[room, guest] <= 0:
            del self._connections[room, guest]
            if self._closed:
                return  # the node is stopping: the guest has not left
            self._leaving[room, guest] = asyncio.create_task(self._leave(room, guest))

    async def _leave(self, room: str, guest: str) -> None:
        await asyncio.sleep(self._moment)
        self._leaving.pop((room, guest), None)
        try:
            state = await self._keeper.look(room)
        except StoreError as error:  # the lease will expire instead
            self._note(error, room)
            return
        seat = None if state is None else state.seat_of(guest)
        if seat is not None and not self.is_here(room, guest):
            await self._apply(room, seating.Drop(seat))

    async def _apply(self, room: str, command: Command) -> None:
        if self._closed:
            return
        try:
            await self._keeper.apply(room, command)
        except Refused as error:
            log.debug("presence", room=room, why=error.code)
        except StoreError as error:
            self._note(error, room)

    def _note(self, error: StoreError, room: str) -> None:
        if not self._closed:  # a node that stops closes its store under tasks that still run
            self._keeper.store.outage.note(error, room=room)

    async def _renew(self, guests: list[tuple[str, str]]) -> None:
        """Renew leases. Also report the return of guests for whom that failed before."""
        until = self._keeper.store.now() + LEASE
        leases = []
        for room, guest in guests:
            state = await self._keeper.look(room)
            seat = None if state is None else state.seat_of(guest)
            if state is None or seat is None:
                continue
            if state.seats[seat].is_here:
                leases.append(Claimed(room, "here", seat, until))
            elif self.is_here(room, guest):
                await self._apply(room, seating.Return(seat))
        await self._keeper.store.postpone(leases)

    async def run(self) -> None:
        """Send heartbeats until cancelled."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            try:
                await self._renew([*self._connections])
            except StoreError as error:
                self._keeper.store.outage.note(error)

    async def returned(self, room: str, seat: int) -> None:
        """Correct the room: it was informed that a seat is gone which is connected here."""
        await self._apply(room, seating.Return(seat))

    def close(self) -> None:
        """The node stops; its guests will reconnect to another node, or to this one."""
        self._closed = True
        for task in self._leaving.values():
            task.cancel()
