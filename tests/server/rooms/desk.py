"""A room kept as a server would keep it, for tests."""

from __future__ import annotations

import pytest

from tilerummy.bots.protocol import idle_turn
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.refusals import Refused
from tilerummy.play.views import view
from tilerummy.server.rooms import matches, seating
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decide import decide
from tilerummy.server.rooms.events import Cause, LogEntry, decode, encode
from tilerummy.server.rooms.fold import fold, open_room
from tilerummy.server.rooms.room import Room, RoomPhase, Transition, deal_step
from tilerummy.server.rooms.settings import Settings
from tilerummy.solver.turns.best_turn import can_play

SECRET = "ab" * 32
OTHER = "cd" * 32
THIRD = "ef" * 32


class Desk:
    """Keeps a room and its log as a server would."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.now = 1_000_000
        self.room, event = open_room("room-1", "ABCD", settings or Settings(), self.now)
        self.log = [LogEntry(1, event)]

    def does(self, command: Command, cause: Cause | None = None, after: int = 1000) -> Room:
        self.now += after
        transitions = decide(self.room, command, self.now, cause, can_play)
        for entry, room in transitions:
            self.log.append(entry)
            self.room = room
        if transitions:
            self.tell(transitions)
        return self.room

    def tell(self, transitions: tuple[Transition, ...]) -> None:
        """For whoever wants to know."""

    def seats(self, *names: str) -> None:
        for name in names:
            self.does(seating.Sit(f"guest-{name}", name))

    def refuses(self, command: Command, code: str) -> None:
        before = self.room
        with pytest.raises(Refused) as caught:
            self.does(command)
        assert caught.value.code == code
        assert self.room is before

    def begun(self, *names: str) -> None:
        self.seats(*names)
        self.does(matches.Begin(0, SECRET))
        self.does(matches.Deal(100, OTHER))

    def commits(self, seat: int, cause: Cause | None = None) -> None:
        """A seat commits to the seed that it will reveal."""
        assert self.room.game is not None
        made = seat_commitment(self.room.game.transcript, seat, seed_of(seat))
        self.does(matches.Commit(seat, self.room.game.transcript, made), cause)

    def reveals(self, seat: int, cause: Cause | None = None) -> None:
        assert self.room.game is not None
        self.does(matches.Reveal(seat, self.room.game.transcript, seed_of(seat)), cause)

    def deadline(self, secret: str = THIRD) -> None:
        """The time for the step before the deal is over."""
        assert self.room.game is not None
        self.does(matches.Deal(deal_step(self.room.game), secret))

    def turn(self) -> int:
        assert self.room.game is not None
        return self.room.game.turn

    def current(self) -> int:
        assert self.room.game is not None
        return self.room.game.current

    def move(self, *, idle: bool = False) -> None:
        self.does(turn_of(self.room, idle=idle))

    def plays_on(self, phase: RoomPhase) -> None:
        while self.room.phase is not phase:
            if self.room.phase is RoomPhase.BETWEEN:
                self.does(matches.NextGame(len(self.room.match.results), OTHER))  # type: ignore[union-attr]
            elif self.room.phase is RoomPhase.DEALING:
                self.does(matches.Deal(deal_step(self.room.game), THIRD))  # type: ignore[arg-type]
            else:
                self.move()

    def stored(self) -> Room:
        return fold(
            LogEntry(entry.seq, decode(encode(entry.event)), entry.cause) for entry in self.log
        )


def seed_of(seat: int) -> str:
    return f"{seat:x}" * 32


def turn_of(room: Room, *, idle: bool = False) -> matches.TakeTurn:
    """The command of a beginner bot to move, or of a player who only draws."""
    game = room.game
    assert game is not None, "a game is on"
    seen = view(game, game.current)
    return matches.TakeTurn(idle_turn(seen) if idle else SimpleBot().choose(seen), game.turn)
