"""A decision in progress: one command on its way to events, with the checks that commands share."""

from __future__ import annotations

from collections.abc import Sequence

from tilerummy.play import commands as moves
from tilerummy.play import events as play
from tilerummy.play.endings import CanPlay
from tilerummy.play.game import Game
from tilerummy.play.game import Phase as GamePhase
from tilerummy.rules.turns import Judge, judge_turn
from tilerummy.server.rooms.events import Began, Cause, LogEntry, LogEvent, Reopened
from tilerummy.server.rooms.fold import evolve, evolve_to
from tilerummy.server.rooms.refusals import RoomRefusal, RoomRefused
from tilerummy.server.rooms.room import Room, RoomPhase, Transition
from tilerummy.server.rooms.seats import Seat

MOST_TALK = 2_000
"""Messages, mutes and votes that a room stores per day."""


class Decision:
    """`room` is the state after the transitions so far."""

    def __init__(
        self,
        room: Room,
        cause: Cause | None,
        can_play: CanPlay | None,
        now: int,
        judge: Judge = judge_turn,
    ) -> None:
        self.room = room
        self.transitions: list[Transition] = []
        self.now = now
        self._cause = cause
        self._can_play = can_play
        self._judge = judge

    def record(self, event: LogEvent, game: Game | None = None) -> None:
        """Append an event. `game` is the game after it, where that is already computed."""
        entry = LogEntry(self.room.version + 1, event, self._cause)
        before = self.room
        self.room = evolve(before, entry) if game is None else evolve_to(before, entry, game)
        self.transitions.append(Transition(entry, self.room))
        if self._cause is not None and isinstance(event, (Began, Reopened)):
            self._cause = _renumbered(self._cause, before, self.room)

    def apply_to_game(self, command: moves.Command) -> None:
        """Apply a command of the current game; its events become the room's."""
        before = self.room.game
        assert before is not None, "there is a game"
        now = self.now - self.room.lost
        game, events = before.apply(command, now, self._can_play, judge=self._judge)
        self.record_all(events, game)

    def record_all(self, events: Sequence[play.Event], game: Game) -> None:
        """Append events that lead to this game."""
        for event in events[:-1]:
            self.record(event)
        self.record(events[-1], game)

    # Checks. Each raises Refused.

    def seat(self, number: int) -> Seat:
        if not 0 <= number < len(self.room.seats):
            raise RoomRefused("unknown-seat", f"there is no seat {number}")
        return self.room.seats[number]

    def check_host(self, seat: int) -> None:
        self.seat(seat)
        if seat != self.room.host:
            raise RoomRefused("not-host", "only the host can do this")

    def check_phase(self, phase: RoomPhase, code: RoomRefusal, message: str) -> None:
        if self.room.phase is not phase:
            raise RoomRefused(code, message)

    def check_game(self, number: int) -> None:
        game = self.room.game
        if game is None or game.number != number:
            raise RoomRefused("wrong-game", f"game {number} is not the current game")

    def check_talk(self, most: int = MOST_TALK) -> None:
        """Bounds what a room stores besides its games."""
        if self.room.talk.on(self.now) >= most:
            raise RoomRefused("too-much-talk", "this room has talked enough today: play on")

    def check_playing(self) -> Game:
        """The game, if a move is possible in it now."""
        game = self.room.game
        if game is None or self.room.phase is RoomPhase.LOBBY or game.phase is GamePhase.WAITING:
            raise RoomRefused("not-started", "the tiles have not been dealt yet")
        if self.room.phase is not RoomPhase.PLAYING:
            raise RoomRefused("game-over", "the game is over")
        if self.room.paused is not None:
            raise RoomRefused("paused", "the game is paused")
        return game


def _renumbered(cause: Cause, before: Room, after: Room) -> Cause | None:
    """The same cause after its seat got another number."""
    guest = before.seats[cause.seat].guest
    seat = None if guest is None else after.seat_of(guest)
    return None if seat is None else cause._replace(seat=seat)
