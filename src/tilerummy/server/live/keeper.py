"""The keeper applies commands to rooms: decide, store, then broadcast.

It keeps rooms in memory while somebody listens. Commands of one room are serialised by its lock;
different rooms run concurrently, and appends that wait at the same moment share a group commit.
Other nodes may change the same room: then the append fails (optimistic concurrency), the keeper
catches up and decides again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence

from tilerummy.play.endings import CanPlay
from tilerummy.play.game import Game
from tilerummy.rules.turns import Judge
from tilerummy.server.live.appending import append_of
from tilerummy.server.live.bus import Bus
from tilerummy.server.live.catch_up import CatchUp
from tilerummy.server.live.delayed import DelayedFeed
from tilerummy.server.live.live_room import Applied, Listener, LiveRoom, PendingCommand
from tilerummy.server.live.loading import Loader, SingleFlight
from tilerummy.server.live.ports import ProofSource
from tilerummy.server.live.stored_log import replay
from tilerummy.server.live.update import Update, updates_of
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decide import decide
from tilerummy.server.rooms.events import Cause, LogEntry
from tilerummy.server.rooms.fold import open_room
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import Room, Transition
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.timers import Pace, Timer, timers_of
from tilerummy.server.store import CodeTaken, Store
from tilerummy.server.telemetry.metrics import Metrics

TRIES = 20
"""How often a command is decided again after conflicts with other nodes."""
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The alphabet of room codes, without letters that look alike."""
CODE_LENGTH = 8
"""Rooms of earlier versions have 6 letters."""
LINGER_SECONDS = 5.0
"""How long a room stays in memory after its last use, so that looking often costs little."""


def new_code() -> str:
    """A short room code that can be read out over the telephone."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


class Outcome:
    """What a pending command leads to, once it is stored."""

    __slots__ = ("pending", "result", "transitions")

    def __init__(
        self,
        pending: PendingCommand,
        result: Applied | Exception,
        transitions: tuple[Transition, ...] = (),
    ) -> None:
        self.pending = pending
        self.result = result
        self.transitions = transitions


class Keeper:
    def __init__(
        self, store: Store, bus: Bus, pace: Pace, metrics: Metrics, proofs: ProofSource
    ) -> None:
        self.store = store
        self.pace = pace
        self.on_timer: Callable[[int], None] = lambda at: None
        """Called with the time of the next timer whenever the timers of a room change."""
        self._bus = bus
        self._metrics = metrics
        self._proofs = proofs
        self._rooms: dict[str, LiveRoom] = {}
        self._catch_up = CatchUp(store, bus, self._rooms, self.catch_up)
        self._loader = Loader(store)
        self._loading: SingleFlight[LiveRoom | None] = SingleFlight()
        self._delaying: SingleFlight[DelayedFeed] = SingleFlight()

    # Rooms

    async def open(self, settings: Settings) -> Room:
        """A new room with an unused code. Raises what `Settings.check` raises."""
        for _ in range(TRIES):
            room, event = open_room(secrets.token_hex(16), new_code(), settings, self.store.now())
            timers = timers_of(room, self.pace)
            append = append_of([Transition(LogEntry(1, event), room)], 0, (), timers)
            try:
                await self.store.create(
                    room.code, append, edition=settings.edition, public=settings.public
                )
            except CodeTaken:
                continue
            return room
        raise RoomRefused("no-code", "no free room code was found: try again")

    async def find(self, code: str) -> str | None:
        """The id of the room with this code."""
        return await self.store.room_of(code)

    async def look(self, room: str, *, turn: int | None = None) -> Room | None:
        """The current state of a room. Where it is not at this turn, another node may be ahead:
        then the store is asked as well."""
        live = await self._live(room)
        if live is None:
            return None
        game = live.room.game
        if turn is not None and (game is None or game.turn != turn):
            await self.catch_up(live)
        self._release(live)
        return live.room

    def latest_turns(self, room: str) -> list[Game]:
        """The running game after each of its latest turns, as far as they are in memory."""
        live = self._rooms.get(room)
        return [] if live is None else live.latest_turns()

    async def listen(self, room: str, listener: Listener) -> LiveRoom | None:
        """Subscribe to all updates of a room from now on."""
        live = await self._live(room)
        if live is not None:
            live.listeners[listener] = None
        return live

    def unlisten(self, room: str, listener: Listener) -> None:
        live = self._rooms.get(room)
        if live is not None:
            live.listeners.pop(listener, None)
            self._release(live)

    async def _live(self, room: str) -> LiveRoom | None:
        """The room in memory, loaded if necessary."""
        live = self._rooms.get(room)
        return live or await self._loading.get(room, lambda: self._load(room))

    async def _load(self, room: str) -> LiveRoom | None:
        began = time.perf_counter()
        loaded = await self._loader.newest(room)
        if loaded is None:
            return None
        self._metrics.load_seconds.observe(time.perf_counter() - began)
        live = self._rooms[room] = LiveRoom(loaded, self.pace)
        self._metrics.rooms.set(len(self._rooms))
        self._release(live)  # those who wanted it may have gone
        return live

    def _release(self, live: LiveRoom) -> None:
        """Drop an unused room from memory, after a while."""
        if not live.is_used and live.released is None:
            loop = asyncio.get_running_loop()
            live.released = loop.call_later(LINGER_SECONDS, self._drop, live)

    def _drop(self, live: LiveRoom) -> None:
        live.released = None
        if not live.is_used and self._rooms.get(live.room.id) is live:
            del self._rooms[live.room.id]
            self._metrics.rooms.set(len(self._rooms))

    async def delayed(self, live: LiveRoom) -> DelayedFeed:
        """The feed of delayed spectators of a room."""
        return live.delayed or await self._delaying.get(live, lambda: self._delay(live))

    async def _delay(self, live: LiveRoom) -> DelayedFeed:
        delay = 1000 * live.room.settings.spectator_delay
        room = await self._loader.at(live.room.id, self.store.now() - delay)
        assert room is not None, "it is in memory, and rooms are purged long after they close"
        live.delayed = DelayedFeed(live, room, delay, self.store, self._release)
        return live.delayed

    # Commands

    async def apply(
        self,
        room: str,
        command: Command,
        cause: Cause | None = None,
        guest: str | None = None,
        spend_cpu: Callable[[float], None] | None = None,
    ) -> Applied:
        """Apply a command: store it, then broadcast it. Raises Refused.

        `spend_cpu` is called with the CPU seconds that deciding it took, also if it is refused.

        Idempotent: a command whose cause the room remembers is not applied again, and another one
        with the same id is refused. If a guest sent it, they must still own the seat of the cause.
        """
        live = self._rooms.get(room) or await self._live(room)
        if live is None:
            raise RoomRefused("no-room", "there is no such room")
        pending = PendingCommand(command, cause, guest, spend_cpu)
        live.pending.append(pending)
        try:
            async with live.lock:
                # The previous holder of the lock may have applied it already.
                if pending.outcome is None:
                    await self._apply_all(live)
        finally:
            live.pending.remove(pending)
            self._release(live)
        if isinstance(pending.outcome, Applied):
            return pending.outcome
        assert pending.outcome is not None, "it was applied, or it failed"
        raise pending.outcome

    async def _apply_all(self, live: LiveRoom) -> None:
        """Apply all pending commands: each is decided on its own, all are stored together."""
        if live.stale:
            await self._read_news(live)
        pending = [each for each in live.pending if each.outcome is None]
        for _ in range(TRIES):
            before = live.room
            outcomes = await self._decide_all(before, pending)
            if self.store.shared and any(isinstance(o.result, Exception) for o in outcomes):
                await self._read_news(live)
                if live.room is not before:
                    continue  # another node was ahead: the command may be allowed there
            transitions = [step for outcome in outcomes for step in outcome.transitions]
            if transitions:
                timers = timers_of(transitions[-1].room, self.pace)
                if not await self._store(live, transitions, timers):
                    await self._read_news(live)
                    continue
            for outcome in outcomes:
                outcome.pending.outcome = outcome.result
            if transitions:
                updates = updates_of(outcome.transitions for outcome in outcomes)
                self._advance(live, transitions, timers, updates)
                await self._bus.publish(before.id, live.room.version)
            return
        raise RoomRefused("busy", "the room changes too fast: try again")

    async def _decide_all(self, room: Room, commands: Sequence[PendingCommand]) -> list[Outcome]:
        """Decide commands one after the other, each on the state after the one before."""
        outcomes: list[Outcome] = []
        for pending in commands:
            try:
                outcome = await self._decide(room, pending)
            except Exception as error:  # one failure does not affect the other commands
                outcome = Outcome(pending, error)
            outcomes.append(outcome)
            if outcome.transitions:
                room = outcome.transitions[-1].room
        return outcomes

    async def _decide(self, room: Room, pending: PendingCommand) -> Outcome:
        """Raises Refused."""
        command, cause, guest = pending.command, pending.cause, pending.guest
        if cause is not None:
            if guest is not None and room.seat_of(guest) != cause.seat:
                raise RoomRefused("seat-moved", "your seat has another number now: try again")
            before = room.causes.get(cause.seat, {}).get(cause.id)
            if before is not None:
                if before.digest and cause.digest and before.digest != cause.digest:
                    message = f"the id {cause.id!r} belongs to another command: use a new one"
                    raise RoomRefused("id-reused", message)
                return Outcome(pending, Applied(before.version, is_new=False))
        now = self.store.now()

        def decided(can_play: CanPlay, judge: Judge) -> tuple[Transition, ...]:
            if pending.spend_cpu is None:
                return decide(room, command, now, cause, can_play, judge)
            began = time.thread_time()
            try:
                return decide(room, command, now, cause, can_play, judge)
            finally:
                pending.spend_cpu(time.thread_time() - began)

        transitions = await self._proofs.decided(decided, room.id)
        if not transitions:
            return Outcome(pending, Applied(room.version, is_new=False))
        applied = Applied(transitions[-1].room.version, is_new=True)
        return Outcome(pending, applied, transitions)

    async def _store(
        self, live: LiveRoom, transitions: Sequence[Transition], timers: Sequence[Timer]
    ) -> bool:
        append = append_of(transitions, live.room.version, live.timers, timers)
        began = time.perf_counter()
        live.stale = True
        stored = await self.store.append(append)
        live.stale = False
        self._metrics.append_seconds.observe(time.perf_counter() - began)
        return stored

    def _advance(
        self,
        live: LiveRoom,
        transitions: Sequence[Transition],
        timers: tuple[Timer, ...],
        updates: Sequence[Update],
    ) -> None:
        """Move the room forward and broadcast the updates."""
        before, live.timers = live.timers, timers
        live.advance(transitions)
        if timers and timers != before:
            self.on_timer(min([timer.at for timer in timers]))
        for update in updates:
            live.broadcast(update)

    # Other nodes

    async def catch_up(self, live: LiveRoom) -> None:
        """Read what other nodes have stored, without waiting for the bus."""
        async with live.lock:
            await self._read_news(live)

    async def _read_news(self, live: LiveRoom) -> None:
        """Read what other nodes have stored. The caller holds the lock."""
        stored = await self.store.news(live.room.id, live.room.version)
        transitions = replay(live.room, stored)
        live.stale = False
        if transitions:
            timers = timers_of(transitions[-1].room, self.pace)
            self._advance(live, transitions, timers, [Update(transitions)])

    async def poll(self) -> None:
        """Look for changes whose message was lost."""
        await self._catch_up.poll()

    def close(self) -> None:
        self._catch_up.close()
        self._loading.close()
        self._delaying.close()
        for live in self._rooms.values():
            if live.delayed is not None:
                live.delayed.close()
            if live.released is not None:
                live.released.cancel()
