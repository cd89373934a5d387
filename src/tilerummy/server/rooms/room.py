"""The state of one room: its seats, its match, its game, its chat. An immutable value.

`decide` judges commands on it, `fold` computes it from events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import msgspec

from tilerummy.bots.roster import stand_in
from tilerummy.play import events as play
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition
from tilerummy.server.rooms.events import LogEntry, Motion, Said
from tilerummy.server.rooms.seats import Seat
from tilerummy.server.rooms.settings import Settings

DAY = 86_400_000
GAME_EVENTS = tuple(play.TYPES.values())


class RoomPhase(StrEnum):
    LOBBY = "lobby"
    DEALING = "dealing"  # seats commit to seeds and reveal them
    PLAYING = "playing"
    BETWEEN = "between"  # between two games of a match
    OVER = "over"  # the match is over
    CLOSED = "closed"


STEPS = 100
"""More steps than the deals of one game can have."""


def deal_step(game: Game) -> int:
    """The number of a step before the deal: unique in a match, so that a timer fits one step."""
    if game.shuffle_version == 1:
        return game.number
    return STEPS * game.number + 2 * len(game.cancelled) + game.is_fixed


class Hold(NamedTuple):
    """A stopped turn clock: which turn, since when, and for at most how many milliseconds."""

    turn: int
    since: int
    most: int


class Vote(NamedTuple):
    """A seat wants something to be done about another one."""

    what: Motion
    about: int
    seat: int


class Talk(NamedTuple):
    """How much was said in a room on one day: messages, mutes and votes."""

    day: int = 0
    amount: int = 0

    def after(self, at: int) -> Talk:
        day = at // DAY
        return Talk(day, self.amount + 1 if day == self.day else 1)

    def on(self, at: int) -> int:
        """How much on the day of this moment."""
        return self.amount if at // DAY == self.day else 0


SILENCE = Talk()


class Remembered(NamedTuple):
    """A command that was applied: the version it led to, when, and its hash."""

    version: int
    at: int = 0
    digest: str = ""


class Transition(NamedTuple):
    """One step of the state machine: an event, and the room right after it."""

    entry: LogEntry
    room: Room

    @property
    def at(self) -> int:
        """When it happened, in the room's time. Times inside a game exclude pauses."""
        event = self.entry.event
        return event.at if isinstance(event, msgspec.Struct) else event.at + self.room.lost


@dataclass(frozen=True)
class Room:
    id: str
    code: str
    settings: Settings
    edition: Edition
    opened: int
    seats: tuple[Seat, ...]
    version: int = 1
    """The sequence number of the latest event in the log; the first event is 1."""
    phase: RoomPhase = RoomPhase.LOBBY
    since: int = 0
    """When this phase, this game, or this step of the deal began."""
    active: int = 0
    """When a person last did something; during a match only moves count."""
    host: int | None = None
    match: Match | None = None
    matches: int = 0
    """How many matches have begun."""
    game: Game | None = None
    game_log: tuple[play.Event, ...] = ()
    game_first: int = 0
    """The sequence number of this game's first event."""
    paused: int | None = None
    """Since when the game is paused."""
    lost: int = 0
    """Milliseconds for which this game has been paused so far. The game itself does not know: its
    clock excludes them."""
    hold: Hold | None = None
    """The turn clock is stopped for a player who waits for a hint; `lost` includes all of it."""
    held_turn: int = 0
    """The latest turn of this game whose clock was stopped; that happens at most once per turn."""
    mover: str | None = None
    """The bot that made the latest turn of this game; None if a person did."""
    chat: tuple[Said, ...] = ()
    muted: frozenset[tuple[int, int]] = frozenset()
    talk: Talk = SILENCE
    votes: frozenset[Vote] = frozenset()
    """What players want to be done about others, until all agree or the turn or match is over."""
    removed: frozenset[str] = frozenset()
    """Guests who were removed: they do not get a seat again."""
    causes: Mapping[int, Mapping[str, Remembered]] = field(default_factory=dict, hash=False)
    """Idempotency keys: per seat, the ids of its latest commands."""

    def seat_of(self, guest: str) -> int | None:
        for number, seat in enumerate(self.seats):
            if seat.guest == guest:
                return number
        return None

    def named_after(self, guest: str) -> tuple[int, ...]:
        """The seats that carry a guest's name: their own, and those they gave up to bots."""
        seats = enumerate(self.seats)
        return tuple([number for number, seat in seats if guest in (seat.guest, seat.left)])

    @property
    def in_match(self) -> bool:
        return self.phase in (RoomPhase.DEALING, RoomPhase.PLAYING, RoomPhase.BETWEEN)

    def people_but(self, number: int) -> list[int]:
        """The other seats whose players are here."""
        return [n for n, seat in enumerate(self.seats) if seat.is_here and n != number]

    def frees(self, number: int) -> bool:
        """Whether a seat of the lobby is freed if its guest stays away: others wait for it."""
        seat = self.seats[number]
        away = seat.guest is not None and seat.away is not None
        return away and self.phase is RoomPhase.LOBBY and bool(self.people_but(number))

    def needs_stand_in(self, number: int) -> bool:
        """Whether a bot should play for a seat that stays away."""
        seat = self.seats[number]
        away = seat.guest is not None and seat.away is not None and seat.bot is None
        return away and self.in_match and self.settings.stand_in

    def next_host(self, number: int) -> list[int]:
        """The seats that could take over as host, if this seat is the host and away."""
        if self.host != number or self.seats[number].is_here:
            return []
        return [other for other, seat in enumerate(self.seats) if seat.is_here]

    def stands_without(self, number: int) -> bool:
        """Whether the game should pause once this seat stays away: it was the last to go, and no
        person is left. Bots do not finish a match that everybody has left."""
        if self.phase is not RoomPhase.PLAYING or self.paused is not None:
            return False
        if any(seat.is_here for seat in self.seats):
            return False
        away = self.seats[number].away
        return away is not None and away == max(seat.away or 0 for seat in self.seats)

    @property
    def is_deserted(self) -> bool:
        """Whether the game is paused because everybody was away. A player who agrees on a pause is
        here at that moment, so this tells the two kinds of pauses apart."""
        paused = self.paused
        if paused is None:
            return False
        people = [seat for seat in self.seats if seat.guest is not None]
        return all(seat.away is not None and seat.away <= paused for seat in people)

    @property
    def stand_in(self) -> str:
        """The bot that takes over a seat: at the level of the bots that play here."""
        return stand_in(seat.bot for seat in self.seats)

    @property
    def bot_to_move(self) -> str | None:
        """The bot whose turn it is, if it is a bot's turn."""
        if self.phase is not RoomPhase.PLAYING or self.game is None or self.paused is not None:
            return None
        return self.seats[self.game.current].bot

    @property
    def deadline(self) -> int | None:
        """When the turn clock runs out, if there is a clock and it runs."""
        if self.game is None or self.paused is not None:
            return None
        deadline = self.game.deadline
        return None if deadline is None else deadline + self.lost
