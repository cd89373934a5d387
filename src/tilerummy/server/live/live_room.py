"""A live room: a room in memory with its listeners and its pending commands."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tilerummy.play.game import Game
from tilerummy.server.live.update import Update
from tilerummy.server.rooms import events
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.events import Cause
from tilerummy.server.rooms.room import Room, Transition
from tilerummy.server.rooms.timers import Pace, timers_of
from tilerummy.server.telemetry.logs import Log

if TYPE_CHECKING:
    from tilerummy.server.live.delayed import DelayedFeed

log = Log("tilerummy.live_room")

KEPT = 16
"""Latest transitions kept in memory for clients that reconnect; who missed more gets a snapshot.
Each holds a whole room: the more of them, the less of a busy server fits the processor's caches."""


class Listener(Protocol):
    """Receives the updates of a room."""

    def notify(self, update: Update) -> None:
        """Must neither block nor raise."""
        ...


class Applied(NamedTuple):
    """A command that was applied, now or earlier."""

    version: int
    is_new: bool
    """False for a repeated command, or one that changed nothing."""


class PendingCommand:
    """A command that waits to be applied."""

    __slots__ = ("cause", "command", "guest", "outcome", "spend_cpu")

    def __init__(
        self,
        command: Command,
        cause: Cause | None,
        guest: str | None,
        spend_cpu: Callable[[float], None] | None,
    ) -> None:
        self.command = command
        self.cause = cause
        self.guest = guest
        self.spend_cpu = spend_cpu
        """Called with the CPU seconds that deciding the command took."""
        self.outcome: Applied | Exception | None = None


class LiveRoom:
    def __init__(self, room: Room, pace: Pace) -> None:
        self.room = room
        self.timers = timers_of(room, pace)
        self.lock = asyncio.Lock()
        self.recent: deque[Transition] = deque(maxlen=KEPT)
        self.listeners: dict[Listener, None] = {}
        self.pending: list[PendingCommand] = []
        self.delayed: DelayedFeed | None = None
        """The feed of delayed spectators, while there are any."""
        self.released: asyncio.TimerHandle | None = None
        """Set while nobody uses the room, until it is dropped from memory."""
        self.stale = False
        """The store may be ahead: it could not confirm whether an append was stored."""

    @property
    def is_used(self) -> bool:
        return bool(self.listeners or self.pending)

    def after(self, version: int) -> list[Transition] | None:
        """The transitions since a version, or None if they are no longer in memory."""
        if version > self.room.version:
            return None
        found = [step for step in self.recent if step.entry.seq > version]
        if any(isinstance(step.entry.event, events.Forgotten) for step in found):
            return None  # earlier transitions contain the erased name
        return found if len(found) == self.room.version - version else None

    def latest_turns(self) -> list[Game]:
        """The running game after each of its latest turns, as far as they are in memory."""
        running = self.room.game
        if running is None:
            return []
        games = [step.room.game for step in self.recent]
        of_it = [game for game in games if game and game.commitment == running.commitment]
        return [*{game.turn: game for game in of_it if game.is_playing}.values()]

    def advance(self, transitions: Sequence[Transition]) -> None:
        self.room = transitions[-1].room
        self.recent.extend(transitions)

    def broadcast(self, update: Update) -> None:
        """Notify every listener. One that fails does not affect the others."""
        for listener in [*self.listeners]:
            try:
                listener.notify(update)
            except Exception:
                log.exception("a listener failed", room=self.room.id)
