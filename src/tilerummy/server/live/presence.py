"""Who is here: which seats have a connection to this node.

Somebody whose last connection is gone has a moment to come back before the room is told. As long as
there is a connection the store is told so now and then; when a node dies nobody tells it any more,
and the seats of that node count as dropped after a while.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from tilerummy.play.refusals import Refused
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.timers import HERE, STAYS
from tilerummy.server.store import Claimed, StoreError
from tilerummy.server.telemetry.logs import Log

log = Log("tilerummy.presence")

MOMENT = 3.0
"""Seconds: a page that is loaded anew takes no longer."""
RENEWAL = 20.0
"""Seconds between two times that a node says so."""


class Presence:
    def __init__(self, keeper: Keeper, moment: float = MOMENT) -> None:
        self._keeper = keeper
        self._moment = moment
        self._here: Counter[tuple[str, str]] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._closed = False

    def is_here(self, room: str, guest: str) -> bool:
        return self._here[room, guest] > 0

    async def arrive(self, room: str, guest: str) -> None:
        """A connection of a guest who has a seat in this room."""
        self._here[room, guest] += 1
        leaving = self._leaving.pop((room, guest), None)
        if leaving is not None:
            leaving.cancel()
        await self._renew([(room, guest)])

    def go(self, room: str, guest: str) -> None:
        """A connection less."""
        self._here[room, guest] -= 1
        if self._here[room, guest] <= 0:
            del self._here[room, guest]
            if self._closed:
                return  # nobody has gone: the node has
            self._leaving[room, guest] = asyncio.create_task(self._leave(room, guest))

    async def _leave(self, room: str, guest: str) -> None:
        await asyncio.sleep(self._moment)
        self._leaving.pop((room, guest), None)
        try:
            state = await self._keeper.look(room)
        except StoreError as error:  # the clockwork will do it
            self._keeper.store.outage.note(error, room=room)
            return
        seat = None if state is None else state.seat_of(guest)
        if seat is not None and not self.is_here(room, guest):
            await self._tell(room, commands.Drop(seat))

    async def _tell(self, room: str, command: Command) -> None:
        if self._closed:
            return
        try:
            await self._keeper.apply(room, command)
        except Refused as error:
            log.debug("presence", room=room, why=error.code)
        except StoreError as error:
            self._keeper.store.outage.note(error, room=room)

    async def _renew(self, here: list[tuple[str, str]]) -> None:
        """Say again that they are here. Of some, nobody could be told that they came."""
        until = self._keeper.store.now() + STAYS
        rows = []
        for room, guest in here:
            state = await self._keeper.look(room)
            seat = None if state is None else state.seat_of(guest)
            if state is None or seat is None:
                continue
            if state.seats[seat].is_here:
                rows.append(Claimed(room, HERE, seat, until))
            elif self.is_here(room, guest):
                await self._tell(room, commands.Return(seat))
        await self._keeper.store.postpone(rows)

    async def run(self) -> None:
        """Until cancelled: say who is here."""
        while True:
            await asyncio.sleep(RENEWAL)
            try:
                await self._renew([*self._here])
            except StoreError as error:
                self._keeper.store.outage.note(error)

    async def returned(self, room: str, seat: int) -> None:
        """The room was told that a seat is gone, which this node knows better."""
        await self._tell(room, commands.Return(seat))

    def close(self) -> None:
        """The node goes; those who are here will come back to another, or to this one."""
        self._closed = True
        for task in self._leaving.values():
            task.cancel()
