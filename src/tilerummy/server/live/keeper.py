"""Keeps rooms: one command after another, stored before anybody is told.

A keeper holds the rooms that somebody here looks at. Every command of a room waits for the one
before it; different rooms do not wait for each other, and what they store at the same moment is
committed together. Other nodes may change the same room: then the store refuses, the keeper reads
what happened and tries again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from tilerummy.play import events as play
from tilerummy.play.refusals import Refused
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.live.bus import Bus
from tilerummy.server.live.update import Telling
from tilerummy.server.rooms import events
from tilerummy.server.rooms import timers as moments
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.events import Cause, Logged, decode, encode
from tilerummy.server.rooms.room import Happened, Phase, Room
from tilerummy.server.rooms.settings import MOST_SEATS, Settings
from tilerummy.server.rooms.snapshot import freeze, thaw
from tilerummy.server.rooms.timers import Due, Pace
from tilerummy.server.store import (
    Append,
    CodeTaken,
    FinishedGame,
    Listing,
    Result,
    Store,
    StoredEvent,
    StoreError,
    due_changes,
)
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import Metrics

log = Log("tilerummy.keeper")

TRIES = 20
"""How often a command meets other nodes' changes before it gives up."""
KEPT = 64
"""Latest events of a room that are at hand for whoever comes back."""
SNAPSHOT_EVENTS = 256
"""To load a room, about so many events have to be read at most, and those of one game."""
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of codes: none that looks like another."""
CODE_LENGTH = 6
COMING_AND_GOING = {
    events.Seated,
    events.Left,
    events.Began,
    events.Reopened,
    events.Dropped,
    events.Returned,
    events.Closed,
}
"""Events after which others are here, or on other seats."""
RENUMBERING = (events.Began, events.Reopened, events.Seated, events.Left)
"""Events after which a seat may be another person's."""


def new_code() -> str:
    """A short name for a room, to be read out over the telephone."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


class Listener(Protocol):
    """Somebody who wants to know what happens in a room."""

    def tell(self, telling: Telling) -> None:
        """Must not wait, and must not raise."""
        ...


class Done(NamedTuple):
    """A command that was applied, now or before."""

    version: int
    now: bool


class Asked:
    """A command on its way."""

    __slots__ = ("cause", "command", "guest", "outcome")

    def __init__(self, command: Command, cause: Cause | None, guest: str | None) -> None:
        self.command = command
        self.cause = cause
        self.guest = guest
        self.outcome: Done | Exception | None = None


class Judged(NamedTuple):
    """What becomes of a command, once it is stored."""

    asked: Asked
    done: Done | None = None
    happened: tuple[Happened, ...] = ()
    error: Exception | None = None


class Held:
    """A room in memory."""

    def __init__(self, room: Room, pace: Pace) -> None:
        self.room = room
        self.due = moments.due(room, pace)
        self.lock = asyncio.Lock()
        self.recent: deque[Happened] = deque(maxlen=KEPT)
        self.listeners: dict[Listener, None] = {}
        self.asked: list[Asked] = []
        """Commands under way."""
        self.stale = False
        """The store may know more: it could not say whether something was stored."""

    def after(self, version: int) -> list[Happened] | None:
        """What happened since a version, or None if it is too long ago."""
        if version > self.room.version:
            return None
        found = [step for step in self.recent if step.logged.seq > version]
        if any(isinstance(step.logged.event, events.Forgotten) for step in found):
            return None  # what happened before has a name in it that is to be forgotten
        return found if len(found) == self.room.version - version else None

    def tell(self, telling: Telling) -> None:
        for listener in [*self.listeners]:
            try:
                listener.tell(telling)
            except Exception:  # nobody else must suffer for it
                log.exception("a listener failed", room=self.room.id)


class Keeper:
    def __init__(self, store: Store, bus: Bus, pace: Pace, metrics: Metrics) -> None:
        self.store = store
        self.pace = pace
        self.on_due: Callable[[int], None] = lambda at: None
        """Is told the next moment at which something is due in a room that has changed."""
        self._bus = bus
        self._metrics = metrics
        self._prover = Prover(pace.proof / 1000)
        self._held: dict[str, Held] = {}
        self._unsubscribe = bus.subscribe(self._changed_elsewhere)
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._news: set[str] = set()
        """Of those, rooms of which there is news that may not have been read yet."""

    # Rooms

    async def open(self, settings: Settings) -> Room:
        """A new room with a code that nobody has. Raises what `Settings.check` raises."""
        for _ in range(TRIES):
            room, event = Room.open(secrets.token_hex(16), new_code(), settings, self.store.now())
            after = moments.due(room, self.pace)
            append = _append([Happened(Logged(1, event), room)], 0, (), after)
            try:
                await self.store.create(
                    room.code, append, edition=settings.edition, public=settings.public
                )
            except CodeTaken:
                continue
            return room
        raise Refused("no-code", "no free code was found: try again")

    async def find(self, code: str) -> str | None:
        """The id of the room with this code."""
        return await self.store.room_of(code)

    async def look(self, room: str) -> Room | None:
        """The room as it is now."""
        held = await self._hold(room)
        if held is None:
            return None
        self._let_go(held)
        return held.room

    async def listen(self, room: str, listener: Listener) -> Held | None:
        """Be told of everything that happens in a room from now on."""
        held = await self._hold(room)
        if held is not None:
            held.listeners[listener] = None
        return held

    def unlisten(self, room: str, listener: Listener) -> None:
        held = self._held.get(room)
        if held is not None:
            held.listeners.pop(listener, None)
            self._let_go(held)

    async def _hold(self, room: str) -> Held | None:
        """The room in memory; loaded where it is not."""
        held = self._held.get(room)
        if held is not None:
            return held
        loaded = await self._load(room)
        if loaded is None:
            return None
        # Somebody else may have loaded it meanwhile.
        held = self._held.setdefault(room, Held(loaded, self.pace))
        self._metrics.rooms.set(len(self._held))
        return held

    async def _load(self, room: str) -> Room | None:
        began = time.perf_counter()
        loaded = await self.store.load(room)
        self._metrics.load_seconds.observe(time.perf_counter() - began)
        if loaded is None:
            return None
        log = [logged_of(stored) for stored in loaded.events]
        if loaded.snapshot is None:
            return Room.fold(log)
        state = thaw(loaded.snapshot)
        for logged in log:
            state = state.evolve(logged)
        return state

    async def since(self, held: Held, moment: int) -> tuple[Room, list[Happened]]:
        """The room as it was then, and what has happened from then on.

        For those who watch with a delay; nothing happens between this and the next thing they do.
        """
        stored = await self.store.events(held.room.id)
        # What is stored and not yet told will be told: here it would come twice.
        stored = [event for event in stored if event.seq <= held.room.version]
        first, *later = [logged_of(event) for event in stored]
        room = Room.fold([first])
        happened: list[Happened] = []
        for logged in later:
            step = Happened(logged, (happened[-1].room if happened else room).evolve(logged))
            if step.at <= moment:
                room = step.room
            else:
                happened.append(step)
        latest = happened[-1].room if happened else room
        return room, happened + (held.after(latest.version) or [])

    def _let_go(self, held: Held) -> None:
        if not held.listeners and not held.asked and self._held.get(held.room.id) is held:
            del self._held[held.room.id]
            self._metrics.rooms.set(len(self._held))

    # Commands

    async def apply(
        self, room: str, command: Command, cause: Cause | None = None, guest: str | None = None
    ) -> Done:
        """Apply a command: stored, then told to everybody. Raises Refused.

        A command whose cause the room remembers is not applied again. Where a guest gave it, the
        seat of the cause has to be theirs still.
        """
        held = await self._hold(room)
        if held is None:
            raise Refused("no-room", "there is no such room")
        asked = Asked(command, cause, guest)
        held.asked.append(asked)
        try:
            async with held.lock:
                # Whoever had the lock before may have seen to it.
                if asked.outcome is None:
                    await self._apply_all(held)
        finally:
            held.asked.remove(asked)
            self._let_go(held)
        if isinstance(asked.outcome, Done):
            return asked.outcome
        assert asked.outcome is not None, "it was done, or it failed"
        raise asked.outcome

    async def _apply_all(self, held: Held) -> None:
        """Apply all commands that wait by now: each on its own, but stored together."""
        if held.stale:
            await self._catch_up(held)
        waiting = [asked for asked in held.asked if asked.outcome is None]
        for _ in range(TRIES):
            before = held.room
            judged = await self._judge_all(before, waiting)
            if self.store.shared and any(step.error for step in judged):
                await self._catch_up(held)
                if held.room is not before:
                    continue  # another node had gone on, and there it may be right
            happened = [each for step in judged for each in step.happened]
            if happened:
                due = moments.due(happened[-1].room, self.pace)
                if not await self._store(held, happened, due):
                    await self._catch_up(held)
                    continue
            for step in judged:
                step.asked.outcome = step.error or step.done
            if happened:
                self._advance(held, happened, due, tellings_of(judged))
                await self._bus.publish(before.id, held.room.version)
            return
        raise Refused("busy", "the room changes too fast: try again")

    async def _judge_all(self, room: Room, waiting: Sequence[Asked]) -> list[Judged]:
        """What becomes of commands that come one after the other."""
        judged: list[Judged] = []
        for asked in waiting:
            try:
                step = await self._judge(room, asked)
            except Exception as error:  # nobody else must suffer for it
                step = Judged(asked, error=error)
            judged.append(step)
            if step.happened:
                room = step.happened[-1].room
        return judged

    async def _judge(self, room: Room, asked: Asked) -> Judged:
        """Raises Refused."""
        command, cause, guest = asked.command, asked.cause, asked.guest
        if cause is not None:
            if guest is not None and room.seat_of(guest) != cause[0]:
                raise Refused("seat-moved", "your seat has another number now: look and try again")
            before = room.causes.get(cause[0], {}).get(cause[1])
            if before is not None:
                return Judged(asked, Done(before, now=False))
        now = self.store.now()
        happened = await self._prover.judged(
            lambda can_play: room.apply(command, now, cause, can_play)
        )
        if not happened:
            return Judged(asked, Done(room.version, now=False))
        return Judged(asked, Done(happened[-1].room.version, now=True), happened)

    async def _store(self, held: Held, happened: Sequence[Happened], due: Sequence[Due]) -> bool:
        append = _append(happened, held.room.version, held.due, due)
        began = time.perf_counter()
        held.stale = True
        stored = await self.store.append(append)
        held.stale = False
        self._metrics.append_seconds.observe(time.perf_counter() - began)
        return stored

    def _advance(
        self,
        held: Held,
        happened: Sequence[Happened],
        due: tuple[Due, ...],
        tellings: Sequence[Telling],
    ) -> None:
        """The room goes on: whoever listens is told."""
        before, held.due = held.due, due
        held.room = happened[-1].room
        held.recent.extend(happened)
        if due != before and due:
            self.on_due(min([moment.at for moment in due]))
        for telling in tellings:
            held.tell(telling)

    # Other nodes

    async def catch_up(self, held: Held) -> None:
        """Read what other nodes have stored, of which no message has told yet."""
        async with held.lock:
            await self._catch_up(held)

    async def _catch_up(self, held: Held) -> None:
        """Read what other nodes have stored. The lock is held."""
        stored = await self.store.news(held.room.id, held.room.version)
        happened: list[Happened] = []
        room = held.room
        for event in stored:
            logged = logged_of(event)
            room = room.evolve(logged)
            happened.append(Happened(logged, room))
        held.stale = False
        if happened:
            due = moments.due(room, self.pace)
            self._advance(held, happened, due, [Telling(happened)])

    def _changed_elsewhere(self, changes: Mapping[str, int] | None) -> None:
        """The bus has news; None is anything."""
        rooms = self._held if changes is None else changes
        for room in [*rooms]:
            held = self._held.get(room)
            if held is not None and (changes is None or changes[room] > held.room.version):
                self._refresh(held)

    def _refresh(self, held: Held) -> None:
        room = held.room.id
        self._news.add(room)
        if room not in self._refreshing:
            self._refreshing[room] = asyncio.create_task(self._refreshed(held))

    async def _refreshed(self, held: Held) -> None:
        room = held.room.id
        try:
            while room in self._news:
                self._news.discard(room)
                await self.catch_up(held)
        except StoreError as error:
            self.store.outage.note(error, room=room)
        finally:
            self._news.discard(room)
            del self._refreshing[room]

    async def poll(self) -> None:
        """Look for changes that no message told of."""
        held = {room: found.room.version for room, found in self._held.items()}
        if not held:
            return
        versions = await self.store.versions([*held])
        self._changed_elsewhere(
            {room: version for room, version in versions.items() if version > held[room]}
        )

    async def close(self) -> None:
        self._unsubscribe()
        for task in [*self._refreshing.values()]:
            task.cancel()
        self._prover.close()


def _append(
    happened: Sequence[Happened], expected: int, before: Sequence[Due], after: Sequence[Due]
) -> Append:
    """What is stored of what happened; this was due before, and that is after it."""
    room = happened[-1].room
    kinds = {type(step.logged.event) for step in happened}
    ended = [step for step in happened if isinstance(step.logged.event, play.Ended)]
    due_set, due_removed = due_changes(before, after)
    if not COMING_AND_GOING.isdisjoint(kinds):
        here = moments.here(room, happened[-1].at)
        due_set += here
        gone = {*range(MOST_SEATS)} - {moment.key for moment in here}
        due_removed += [(moments.HERE, seat) for seat in sorted(gone)]
    return Append(
        room.id,
        expected,
        [_stored(step) for step in happened],
        _listing(room),
        due_set=due_set,
        due_removed=due_removed,
        drafts_cleared=_worthless_drafts(happened),
        snapshot=freeze(room) if ended and _is_long_ago(room) else None,
        seated=[
            step.logged.event.guest
            for step in happened
            if isinstance(step.logged.event, events.Seated) and step.logged.event.guest
        ],
        games=[_finished(step) for step in ended],
        results=[result for step in ended for result in _results(step)],
    )


def tellings_of(judged: Sequence[Judged]) -> list[Telling]:
    """What happened, in as few messages as can tell each seat of its own command.

    Where seats get other numbers a message ends.
    """
    tellings: list[Telling] = []
    happened: list[Happened] = []
    causes: dict[int, str] = {}
    for step in judged:
        if not step.happened:
            continue
        cause = step.happened[-1].logged.cause  # the seat may have another number by now
        moves = any(isinstance(each.logged.event, RENUMBERING) for each in step.happened)
        if happened and (moves or (cause is not None and cause[0] in causes)):
            tellings.append(Telling(happened, causes))
            happened, causes = [], {}
        happened = [*happened, *step.happened]
        if cause is not None:
            causes[cause[0]] = cause[1]
    if happened:
        tellings.append(Telling(happened, causes))
    return tellings


def logged_of(stored: StoredEvent) -> Logged:
    cause = None
    if stored.cause is not None:
        seat, _, command = stored.cause.partition(":")
        cause = int(seat), command
    return Logged(stored.seq, decode(stored.data), cause)


def _stored(step: Happened) -> StoredEvent:
    seq, event, cause = step.logged
    text = None if cause is None else f"{cause[0]}:{cause[1]}"
    return StoredEvent(seq, step.at, text, encode(event))


def _listing(room: Room) -> Listing:
    return Listing(
        phase=room.phase,
        people=sum(seat.guest is not None for seat in room.seats),
        free=sum(seat.is_free for seat in room.seats),
        active_at=room.active,
        closed_at=room.since if room.phase is Phase.CLOSED else None,
    )


def _is_long_ago(room: Room) -> bool:
    """Whether enough has happened since the last snapshot: after each so many events there is one,
    at the end of the game that is on then."""
    return room.version // SNAPSHOT_EVENTS > (room.game_first - 1) // SNAPSHOT_EVENTS


def _worthless_drafts(happened: Sequence[Happened]) -> list[int]:
    """The seats whose turn is over; all of them when a game begins, whose turns count anew."""
    if any(isinstance(step.logged.event, play.Created) for step in happened):
        return [*range(MOST_SEATS)]
    return [
        step.logged.event.seat
        for step in happened
        if isinstance(step.logged.event, (play.Played, play.Drew, play.Passed))
    ]


def _finished(step: Happened) -> FinishedGame:
    room = step.room
    assert room.match is not None, "a match is on"
    assert room.game is not None, "its game has ended"
    return FinishedGame(
        match=room.matches,
        game=room.game.number,
        first_seq=room.game_first,
        last_seq=step.logged.seq,
        edition=room.edition.name,
        options=room.edition.changed_options(),
        players=room.match.players,
        rounds=room.match.rounds,
        finished_at=room.since,
    )


def _results(step: Happened) -> list[Result]:
    """What the game was for each guest who sat to its end."""
    room, game = step.room, step.room.game
    assert game is not None, "a game has ended"
    assert game.result is not None, "it has a result"
    return [
        Result(
            guest=seat.guest,
            match=room.matches,
            game=game.number,
            edition=room.edition.name,
            score=game.result.scores[number],
            won=number in game.result.winners,
            players=len(room.seats),
            at=room.since,
        )
        for number, seat in enumerate(room.seats)
        if seat.guest is not None
    ]
