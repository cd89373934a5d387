"""One room: its seats, its match and its game, as an immutable state machine.

`Room.apply(command, now, cause)` tells what happens, each event with the room right after it, or
raises `Refused`. `Room.evolve(logged)` folds a stored event in. `now` is in
milliseconds of the store's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from tilerummy.bots.roster import BOTS, STAND_IN
from tilerummy.play import commands as moves
from tilerummy.play import events as play
from tilerummy.play.change import changed, put
from tilerummy.play.endings import CanPlay
from tilerummy.play.game import Game
from tilerummy.play.game import Phase as GamePhase
from tilerummy.play.match import Match, MatchError, check_names
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import Edition
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.events import (
    Asked,
    Began,
    Cause,
    ClockHeld,
    ClockReleased,
    Closed,
    Dropped,
    Forgotten,
    Hosted,
    Left,
    LogEvent,
    Logged,
    Muted,
    Opened,
    Paused,
    Reopened,
    Replaced,
    Resumed,
    Returned,
    RoomEvent,
    Said,
    Seated,
)
from tilerummy.server.rooms.settings import Settings

EMOTES = ("hello", "thanks", "well-played", "oops", "thinking", "hurry", "wow", "bye")
LONGEST_TEXT = 200
JOINERS = {0x200C: None, 0x200D: None}
"""Cannot be seen, and are part of Persian words and of many emoji."""
CHAT_KEPT = 50
CAUSES_KEPT = 32
"""Ids of commands that each seat may repeat without effect."""


GAME_EVENTS = tuple(play.TYPES.values())


class Phase(StrEnum):
    LOBBY = "lobby"
    DEALING = "dealing"  # seeds may be given
    PLAYING = "playing"
    BETWEEN = "between"  # two games
    OVER = "over"  # the match
    CLOSED = "closed"


@dataclass(frozen=True)
class Seat:
    """Free, a guest's, or a bot's; a guest who is away may have a bot that plays."""

    name: str = ""
    guest: str | None = None
    bot: str | None = None
    away: int | None = None
    """Since when nobody is there."""
    pause: bool = False
    more: bool = False
    left: str | None = None
    """The guest who gave it up in a match, and whose name the bot in their place still has."""

    @property
    def is_free(self) -> bool:
        return self.guest is None and self.bot is None

    @property
    def is_here(self) -> bool:
        return self.guest is not None and self.away is None


class Hold(NamedTuple):
    """A clock that stands: of which turn, since when, and for how many milliseconds at most."""

    turn: int
    since: int
    most: int


class Happened(NamedTuple):
    """An event, and the room right after it."""

    logged: Logged
    room: Room

    @property
    def at(self) -> int:
        """When it happened; games do not count pauses."""
        event = self.logged.event
        return event.at + self.room.lost if isinstance(event, GAME_EVENTS) else event.at


@dataclass(frozen=True)
class Room:
    id: str
    code: str
    settings: Settings
    edition: Edition
    opened: int
    seats: tuple[Seat, ...]
    version: int = 1
    """The place of the latest event in the log; they are counted from 1."""
    phase: Phase = Phase.LOBBY
    since: int = 0
    """When this phase, or this game, began."""
    active: int = 0
    """When a person last did something."""
    host: int | None = None
    match: Match | None = None
    matches: int = 0
    """How many have begun."""
    game: Game | None = None
    game_log: tuple[play.Event, ...] = ()
    game_first: int = 0
    """The place of this game's first event in the log."""
    paused: int | None = None
    """Since when."""
    lost: int = 0
    """How long this game has been paused so far. A game knows nothing of it: its clock stands."""
    hold: Hold | None = None
    """The clock stands for a player who waits to be shown a play; `lost` has all of it already."""
    held_turn: int = 0
    """The latest turn of this game whose clock has stood: that happens once a turn."""
    chat: tuple[Said, ...] = ()
    muted: frozenset[tuple[int, int]] = frozenset()
    causes: Mapping[int, Mapping[str, int]] = field(default_factory=dict, hash=False)
    """For each seat the ids of its latest commands, and the version that each led to."""

    # Making a room

    @classmethod
    def open(cls, room: str, code: str, settings: Settings, now: int) -> tuple[Room, LogEvent]:
        """A room where everybody has yet to come. Raises what `Settings.check` raises."""
        settings.check()
        event = Opened(now, room, code, settings.plain())
        return cls._opened(event), event

    @classmethod
    def _opened(cls, event: Opened) -> Room:
        settings = event.settings
        return cls(
            id=event.room,
            code=event.code,
            settings=settings,
            edition=settings.rules(),
            opened=event.at,
            seats=(Seat(),) * settings.seats,
            since=event.at,
            active=event.at,
        )

    @classmethod
    def fold(cls, log: Iterable[Logged]) -> Room:
        stream = iter(log)
        first = next(stream, None)
        if first is None or not isinstance(first.event, Opened):
            raise Refused("bad-log", "a room begins with its opened event")
        room = cls._opened(first.event)
        for logged in stream:
            room = room.evolve(logged)
        return room

    # What can be asked

    def seat_of(self, guest: str) -> int | None:
        for number, seat in enumerate(self.seats):
            if seat.guest == guest:
                return number
        return None

    def named_after(self, guest: str) -> tuple[int, ...]:
        """The seats that have a guest's name: their own, and those that they gave up to bots."""
        seats = enumerate(self.seats)
        return tuple([number for number, seat in seats if guest in (seat.guest, seat.left)])

    @property
    def in_match(self) -> bool:
        return self.phase in (Phase.DEALING, Phase.PLAYING, Phase.BETWEEN)

    def needs_stand_in(self, number: int) -> bool:
        """Whether a bot should play for a seat that stays away."""
        seat = self.seats[number]
        away = seat.guest is not None and seat.away is not None and seat.bot is None
        return away and self.in_match and self.settings.stand_in

    def next_host(self, number: int) -> list[int]:
        """Those who could be host instead, where this seat is the host and away."""
        if self.host != number or self.seats[number].is_here:
            return []
        return [other for other, seat in enumerate(self.seats) if seat.is_here]

    def stands_without(self, number: int) -> bool:
        """Whether the game should stand once this seat stays away: nobody is here, and it was the
        last to go. Bots do not play on for people who have all gone."""
        if self.phase is not Phase.PLAYING or self.paused is not None:
            return False
        if any(seat.is_here for seat in self.seats):
            return False
        away = self.seats[number].away
        return away is not None and away == max(seat.away or 0 for seat in self.seats)

    @property
    def is_deserted(self) -> bool:
        """Whether the game stands because nobody was here. A pause that was agreed on is another
        thing: whoever agreed was here."""
        paused = self.paused
        if paused is None:
            return False
        people = [seat for seat in self.seats if seat.guest is not None]
        return all(seat.away is not None and seat.away <= paused for seat in people)

    @property
    def bot_to_move(self) -> str | None:
        """The bot whose turn it is, if it is a bot's."""
        if self.phase is not Phase.PLAYING or self.game is None or self.paused is not None:
            return None
        return self.seats[self.game.current].bot

    @property
    def deadline(self) -> int | None:
        """When the turn ends by the clock, if there is one and it goes."""
        if self.game is None or self.game.deadline is None or self.paused is not None:
            return None
        return self.game.deadline + self.lost

    # Commands

    def apply(
        self,
        command: Command,
        now: int,
        cause: Cause | None = None,
        can_play: CanPlay | None = None,
    ) -> tuple[Happened, ...]:
        """What happens, each with the room right after it. Raises Refused."""
        if self.phase is Phase.CLOSED:
            raise Refused("room-closed", "this room is closed")
        now = max(now, self.since)  # a clock that is set back must not turn time around
        change = _Change(self, cause, can_play, now)
        change.decide(command)
        return tuple(change.happened)

    # Events

    def evolve(self, logged: Logged) -> Room:
        """The room after one event. Events are facts: they are not judged again."""
        event = logged.event
        if isinstance(event, play.Created):
            game: Game | None = Game.fold([event])
        elif isinstance(event, GAME_EVENTS) and self.game is not None:
            game = self.game.evolve(event)
        else:
            game = self.game
        return self._after(logged, game)

    def _after(self, logged: Logged, game: Game | None) -> Room:
        """The room after an event, of which the game is known already."""
        seq, event, cause = logged
        # Of the seat as it was, which takes it along.
        causes = self.causes if cause is None else _remember(self.causes, logged)
        if isinstance(event, msgspec.Struct):
            before = self if cause is None else changed(self, causes=causes)
            return changed(before._changed(event), version=seq)
        assert game is not None, "a game is on"
        changes = self._game_changes(event, game, seq)
        return changed(self, version=seq, causes=causes, game=game, **changes)

    def _game_changes(self, event: play.Event, game: Game, seq: int) -> dict[str, Any]:
        """What an event of the game changes, besides the game."""
        if isinstance(event, play.Created):
            return {
                "phase": Phase.DEALING,
                "since": event.at,
                "game_log": (event,),
                "game_first": seq,
                "lost": 0,
                "hold": None,
                "held_turn": 0,
                "seats": tuple([changed(seat, more=False) for seat in self.seats]),
            }
        changes: dict[str, Any] = {"game_log": (*self.game_log, event)}
        match event:
            case play.Played() | play.Drew() | play.Passed():
                if self.seats[event.seat].bot is None:
                    changes["active"] = event.at + self.lost
            case play.Dealt():
                changes |= {"phase": Phase.PLAYING, "since": event.at + self.lost}
            case play.Ended():
                assert self.match is not None, "a match is on"
                assert game.result is not None, "it has ended"
                changes["match"] = match = self.match.with_result(game.result, game.starter)
                changes["phase"] = Phase.OVER if match.is_over else Phase.BETWEEN
                changes["since"] = event.at + self.lost
        return changes

    def _changed(self, event: RoomEvent) -> Room:
        match event:
            case Opened():
                return self._opened(event)
            case Seated():
                seat = Seat(event.name, event.guest, event.bot)
                causes = {other: ids for other, ids in self.causes.items() if other != event.seat}
                room = self._with_seat(event.seat, seat, active=event.at)
                return changed(room, causes=causes)
            case Left():
                left = self.seats[event.seat]
                if event.bot is not None:
                    seat = Seat(left.name, bot=event.bot, left=left.guest)
                    return self._with_seat(event.seat, seat)
                others = {seat: seat for seat in range(len(self.seats)) if seat != event.seat}
                return changed(self._with_seat(event.seat, Seat()), **self._talk(others))
            case Forgotten():
                return self._after_forgotten(event)
            case Hosted():
                return changed(self, host=event.seat)
            case Began():
                return self._after_began(event)
            case Dropped():
                return self._edit(event.seat, away=event.at, pause=False, more=False)
            case Returned():
                room = self._edit(event.seat, away=None, bot=None)
                return changed(room, active=event.at)
            case Replaced():
                return self._edit(event.seat, bot=event.bot)
            case Asked(what="pause"):
                return self._edit(event.seat, pause=event.want)
            case Asked():
                return self._edit(event.seat, more=event.want)
            case Paused():
                return changed(self, paused=event.at)
            case Resumed():
                return self._after_pause(event.at)
            case ClockHeld():
                hold = Hold(event.turn, event.at, event.most)
                lost = self.lost + event.most
                return changed(self, hold=hold, held_turn=event.turn, lost=lost)
            case ClockReleased():
                return changed(self, hold=None, lost=self.lost - event.unused)
            case Reopened():
                return self._after_reopened(event.at)
            case Said():
                return changed(self, chat=(*self.chat, event)[-CHAT_KEPT:], active=event.at)
            case Muted():
                pair = frozenset({(event.seat, event.other)})
                return changed(self, muted=self.muted | pair if event.on else self.muted - pair)
            case Closed():
                return changed(self, phase=Phase.CLOSED, since=event.at)

    def _with_seat(self, number: int, seat: Seat, active: int | None = None) -> Room:
        seats = put(self.seats, number, seat)
        return changed(self, seats=seats, active=self.active if active is None else active)

    def _edit(self, number: int, **changes: object) -> Room:
        seat = changed(self.seats[number], **changes)
        return changed(self, seats=put(self.seats, number, seat))

    def _talk(self, place: Mapping[int, int]) -> dict[str, Any]:
        """What was said and who is muted, once seats have these places and others are nobody's:
        whoever sits there next has not said it."""
        return {
            "chat": tuple(
                [
                    msgspec.structs.replace(said, seat=place[said.seat])
                    for said in self.chat
                    if said.seat in place
                ]
            ),
            "muted": frozenset({(place[a], place[b]) for a, b in self.muted if {a, b} <= {*place}}),
        }

    def _after_forgotten(self, event: Forgotten) -> Room:
        """Nothing of it has the name any more, so that a snapshot has not either."""
        room = self
        for number in event.seats:
            room = room._edit(number, name=event.name)
        room = changed(room, chat=())
        if self.match is None:
            return room
        players = self.match.players
        for number in event.seats:
            players = put(players, number, event.name)
        room = changed(room, match=replace(self.match, players=players))
        if self.game is None:
            return room
        first, *later = self.game_log
        assert isinstance(first, play.Created), "a game begins with it"
        log = (replace(first, players=players), *later)
        return changed(room, game=Game.fold(log), game_log=log)

    def _after_began(self, event: Began) -> Room:
        """Free seats are taken away, so that the seats of the room are those of the game."""
        seats = tuple([self.seats[seat] for seat in event.seats])
        place = {old: new for new, old in enumerate(event.seats)}
        names = tuple([seat.name for seat in seats])
        return changed(
            self,
            seats=seats,
            host=place.get(self.host) if self.host is not None else None,
            **self._talk(place),
            causes={place[seat]: ids for seat, ids in self.causes.items() if seat in place},
            match=Match(self.edition, names, self.settings.rounds),
            matches=self.matches + 1,
            since=event.at,
        )

    def _after_pause(self, at: int) -> Room:
        """The clock goes on where it stood."""
        stood = 0 if self.paused is None else at - self.paused
        seats = tuple([changed(seat, pause=False) for seat in self.seats])
        return changed(self, paused=None, lost=self.lost + stood, seats=seats)

    def _after_reopened(self, at: int) -> Room:
        stay = [
            number
            for number, seat in enumerate(self.seats)
            if seat.is_here or (seat.bot is not None and seat.guest is None)
        ]
        kept = [
            Seat(seat.name, seat.guest, None if seat.guest else seat.bot, left=seat.left)
            for seat in map(self.seats.__getitem__, stay)
        ]
        here = {seat.guest: number for number, seat in enumerate(kept) if seat.guest is not None}
        host = None if self.host is None else self.seats[self.host].guest
        kept += [Seat()] * (self.settings.seats - len(kept))
        return changed(
            self,
            phase=Phase.LOBBY,
            since=at,
            seats=tuple(kept),
            host=here[host] if host in here else min(here.values(), default=None),
            match=None,
            game=None,
            game_log=(),
            **self._talk({old: new for new, old in enumerate(stay)}),
            causes={
                here[seat.guest]: self.causes[number]
                for number, seat in enumerate(self.seats)
                if seat.guest in here and number in self.causes
            },
        )


class _Change:
    """One command on its way: the room as it is by now, and what has happened."""

    def __init__(self, room: Room, cause: Cause | None, can_play: CanPlay | None, now: int) -> None:
        self.room = room
        self.happened: list[Happened] = []
        self.now = now
        self._cause = cause
        self._can_play = can_play

    def happens(self, event: LogEvent, game: Game | None = None) -> None:
        logged = Logged(self.room.version + 1, event, self._cause)
        before = self.room
        self.room = before.evolve(logged) if game is None else before._after(logged, game)
        self.happened.append(Happened(logged, self.room))
        if self._cause is not None and isinstance(event, (Began, Reopened)):
            self._cause = _moved(self._cause, before, self.room)

    def in_game(self, command: moves.Command) -> None:
        """A command of the game that is on; its events are the room's."""
        before = self.room.game
        assert before is not None, "there is a game"
        game, events = before.apply(command, self.now - self.room.lost, self._can_play)
        self._happen(events, game)

    def _happen(self, events: Sequence[play.Event], game: Game) -> None:
        """Events that lead to this game."""
        for event in events[:-1]:
            self.happens(event)
        self.happens(events[-1], game)

    def decide(self, command: Command) -> None:
        handler: Callable[[Command], None] = getattr(self, "_" + _HANDLERS[type(command)])
        handler(command)

    # Seats

    def _sit(self, command: commands.Sit) -> None:
        room = self.room
        if room.seat_of(command.guest) is not None:
            raise Refused("seated", "you have a seat here already")
        if room.phase is not Phase.LOBBY:
            raise Refused("already-begun", "the match has begun: you can watch it")
        seat = self._free_seat(command.seat)
        self._check_name(command.name)
        self.happens(Seated(self.now, seat, command.name, guest=command.guest))
        if room.host is None:
            self.happens(Hosted(self.now, seat))

    def _add_bot(self, command: commands.AddBot) -> None:
        self._check_host(command.by)
        if self.room.phase is not Phase.LOBBY:
            raise Refused("already-begun", "the match has begun: nobody can sit down now")
        if command.bot not in BOTS:
            raise Refused("unknown-bot", f"there is no bot {command.bot[:20]!r}: {', '.join(BOTS)}")
        seat = self._free_seat(command.seat)
        taken = {other.name for other in self.room.seats}
        names = (BOTS[command.bot].seat_name(number) for number in range(1, len(taken) + 2))
        name = next(name for name in names if name not in taken)
        self.happens(Seated(self.now, seat, name, bot=command.bot))

    def _leave(self, command: commands.Leave) -> None:
        self._go(command.seat, removed=False)

    def _forget(self, command: commands.Forget) -> None:
        seats = self.room.named_after(command.guest)
        self.happens(Forgotten(self.now, seats, command.name))
        seat = self.room.seat_of(command.guest)
        if seat is not None:
            self._go(seat, removed=False)

    def _remove(self, command: commands.Remove) -> None:
        self._check_host(command.by)
        if command.by == command.seat:
            raise Refused("own-seat", "to go yourself, leave")
        self._go(command.seat, removed=True)

    def _go(self, number: int, *, removed: bool) -> None:
        seat = self._seat(number)
        if seat.is_free:
            raise Refused("free-seat", f"nobody sits on seat {number}")
        room = self.room
        if room.in_match and seat.guest is None:
            raise Refused("in-match", "a bot stays until the match is over")
        bot = STAND_IN if room.in_match else None
        self.happens(Left(self.now, number, removed, bot))
        people = [other for other, who in enumerate(self.room.seats) if who.guest is not None]
        if not people:
            self.happens(Closed(self.now, "nobody is left"))
        elif room.host == number:
            self.happens(Hosted(self.now, people[0]))
        if self.room.phase is not Phase.CLOSED:
            self._settle()

    def _drop(self, command: commands.Drop) -> None:
        seat = self._seat(command.seat)
        if not seat.is_here:
            raise Refused("not-here", f"seat {command.seat} is not here")
        self.happens(Dropped(self.now, command.seat))
        self._settle()

    def _return(self, command: commands.Return) -> None:
        seat = self._seat(command.seat)
        if seat.guest is None or seat.is_here:
            raise Refused("here", f"seat {command.seat} is here")
        was_deserted = self.room.is_deserted
        self.happens(Returned(self.now, command.seat))
        if was_deserted:
            self._settle()

    def _stand_in(self, command: commands.StandIn) -> None:
        seat, room = self._seat(command.seat), self.room
        needed, hosts = room.needs_stand_in(command.seat), room.next_host(command.seat)
        stands = room.stands_without(command.seat)
        if seat.away != command.since or not (needed or hosts or stands):
            raise Refused("here", f"seat {command.seat} needs nobody")
        if needed:
            self.happens(Replaced(self.now, command.seat, STAND_IN))
        if hosts:
            self.happens(Hosted(self.now, hosts[0]))
        if stands:
            self._pause()

    # The match

    def _begin(self, command: commands.Begin) -> None:
        self._check_host(command.by)
        room = self.room
        if room.phase is not Phase.LOBBY:
            raise Refused("already-begun", "the match has begun already")
        taken = tuple([number for number, seat in enumerate(room.seats) if not seat.is_free])
        low, high = room.edition.players_min, room.edition.players_max
        if not low <= len(taken) <= high:
            raise Refused(
                "bad-players", f"{len(taken)} players: {room.edition.name} takes {low} to {high}"
            )
        self.happens(Began(self.now, taken))
        self._create(command.secret)

    def _create(self, secret: str) -> None:
        match = self.room.match
        assert match is not None, "a match is on"
        game, events = Game.create(
            match.edition,
            match.players,
            secret=secret,
            now=self.now,
            number=len(match.results) + 1,
            starter=match.next_starter(),
        )
        self._happen(events, game)
        self._settle()

    def _seed(self, command: commands.Seed) -> None:
        self._check_phase(Phase.DEALING, "already-started", "the tiles are not being dealt now")
        self.in_game(moves.GiveSeed(command.seat, command.seed))
        self._settle()

    def _deal(self, command: commands.Deal) -> None:
        self._check_phase(Phase.DEALING, "already-started", "the tiles are not being dealt now")
        self._check_game(command.game)
        self.in_game(moves.Start())

    def _take_turn(self, command: commands.TakeTurn) -> None:
        self._check_playing()
        game = self.room.game
        assert game is not None, "a game is on"
        if command.turn != game.turn:
            raise Refused("wrong-turn", f"turn {command.turn} is not the turn {game.turn}")
        self._release(game.turn)
        self.in_game(command.move)

    def _time_up(self, command: commands.TimeUp) -> None:
        self._check_playing()
        self._release(command.turn)
        self.in_game(moves.TimeOut(command.turn, command.draft, command.declared))

    def _hold_clock(self, command: commands.HoldClock) -> None:
        self._check_playing()
        room, game = self.room, self.room.game
        assert game is not None, "a game is on"
        its_turn = (game.current, game.turn) == (command.seat, command.turn)
        goes = room.deadline is not None and self.now < room.deadline
        if its_turn and goes and room.held_turn != command.turn:
            self.happens(ClockHeld(self.now, command.turn, command.most))

    def _release_clock(self, command: commands.ReleaseClock) -> None:
        self._release(command.turn)

    def _release(self, turn: int) -> None:
        """The clock of this turn goes on, if it stands."""
        hold = self.room.hold
        if hold is not None and hold.turn == turn:
            unused = max(0, hold.most - max(0, self.now - hold.since))
            self.happens(ClockReleased(self.now, turn, unused))

    def _next_game(self, command: commands.NextGame) -> None:
        self._check_phase(Phase.BETWEEN, "wrong-moment", "no game has just ended")
        self._check_game(command.game)
        self._create(command.secret)

    def _ask(self, command: commands.Ask) -> None:
        seat = self._seat(command.seat)
        if command.what == "pause":
            self._check_phase(Phase.PLAYING, "wrong-moment", "there is no game to pause")
        elif command.what == "more":
            if self.room.phase not in (Phase.BETWEEN, Phase.OVER):
                raise Refused("wrong-moment", "the game is not over yet")
        else:
            raise Refused("bad-wish", "ask for pause or for more")
        wanted = seat.pause if command.what == "pause" else seat.more
        # Somebody who was away while the others agreed on a pause may end it too.
        ends_pause = command.what == "pause" and self.room.paused is not None and not command.want
        if wanted is not command.want or ends_pause:
            self.happens(Asked(self.now, command.seat, command.what, command.want))
            self._settle(command.secret)

    def _settle(self, secret: str | None = None) -> None:
        """What follows where everybody who is here agrees."""
        room = self.room
        here = [seat for seat in room.seats if seat.is_here]
        if not here:
            return
        if room.phase is Phase.DEALING and room.game is not None:
            people = [number for number, seat in enumerate(room.seats) if seat.is_here]
            if all(room.game.seeds[number] is not None for number in people):
                self.in_game(moves.Start())
        elif room.phase is Phase.PLAYING:
            agreed = all(seat.pause for seat in here)
            if agreed and room.paused is None:
                self._pause()
            elif not agreed and room.paused is not None:
                self.happens(Resumed(self.now))
        elif all(seat.more for seat in here):
            if room.phase is Phase.BETWEEN and secret is not None:
                self._create(secret)
            elif room.phase is Phase.OVER:
                self.happens(Reopened(self.now))

    def _pause(self) -> None:
        """A pause stops the clock by itself: a hold must not count the same time again."""
        if self.room.hold is not None:
            self._release(self.room.hold.turn)
        self.happens(Paused(self.now))

    # Talk

    def _say(self, command: commands.Say) -> None:
        self._seat(command.seat)
        text = " ".join(command.text.split())
        if command.emote:
            if command.emote not in EMOTES:
                raise Refused(
                    "unknown-emote", f"unknown emote {command.emote[:20]!r}: {', '.join(EMOTES)}"
                )
            text = ""
        elif not _can_be_said(text):
            raise Refused("bad-text", f"say 1 to {LONGEST_TEXT} printable characters")
        self.happens(Said(self.now, command.seat, text, command.emote))

    def _mute(self, command: commands.Mute) -> None:
        self._seat(command.seat)
        self._seat(command.other)
        if command.seat == command.other:
            raise Refused("own-seat", "you cannot mute yourself")
        self.happens(Muted(self.now, command.seat, command.other, command.on))

    def _close(self, command: commands.Close) -> None:
        self.happens(Closed(self.now, command.why))

    # Checks

    def _seat(self, number: int) -> Seat:
        if not 0 <= number < len(self.room.seats):
            raise Refused("unknown-seat", f"there is no seat {number}")
        return self.room.seats[number]

    def _free_seat(self, number: int | None) -> int:
        if number is not None and not self._seat(number).is_free:
            raise Refused("seat-taken", f"seat {number} is taken")
        free = [other for other, seat in enumerate(self.room.seats) if seat.is_free]
        if not free:
            raise Refused("room-full", "all seats are taken: you can watch")
        return free[0] if number is None else number

    def _check_name(self, name: str) -> None:
        try:
            check_names([name])
        except MatchError as error:
            raise Refused(error.code, str(error)) from error
        if name in [seat.name for seat in self.room.seats]:
            raise Refused("name-taken", f"somebody here is called {name} already")

    def _check_host(self, seat: int) -> None:
        self._seat(seat)
        if seat != self.room.host:
            raise Refused("not-host", "only the host can do this")

    def _check_phase(self, phase: Phase, code: str, message: str) -> None:
        if self.room.phase is not phase:
            raise Refused(code, message)

    def _check_game(self, number: int) -> None:
        game = self.room.game
        if game is None or game.number != number:
            raise Refused("wrong-game", f"game {number} is not the one that is on")

    def _check_playing(self) -> None:
        game = self.room.game
        if game is None or self.room.phase is Phase.LOBBY or game.phase is GamePhase.WAITING:
            raise Refused("not-started", "the tiles have not been dealt yet")
        if self.room.phase is not Phase.PLAYING:
            raise Refused("game-over", "the game is over")
        if self.room.paused is not None:
            raise Refused("paused", "the game is paused")


_HANDLERS: dict[type, str] = {
    commands.Sit: "sit",
    commands.AddBot: "add_bot",
    commands.Leave: "leave",
    commands.Remove: "remove",
    commands.Forget: "forget",
    commands.Begin: "begin",
    commands.Seed: "seed",
    commands.Deal: "deal",
    commands.TakeTurn: "take_turn",
    commands.TimeUp: "time_up",
    commands.HoldClock: "hold_clock",
    commands.ReleaseClock: "release_clock",
    commands.NextGame: "next_game",
    commands.Ask: "ask",
    commands.Say: "say",
    commands.Mute: "mute",
    commands.Drop: "drop",
    commands.Return: "return",
    commands.StandIn: "stand_in",
    commands.Close: "close",
}


def _remember(
    causes: Mapping[int, Mapping[str, int]], logged: Logged
) -> Mapping[int, Mapping[str, int]]:
    assert logged.cause is not None
    seat, command = logged.cause
    ids = {**causes.get(seat, {}), command: logged.seq}
    if len(ids) > CAUSES_KEPT:
        del ids[next(iter(ids))]
    return {**causes, seat: ids}


def _moved(cause: Cause, before: Room, after: Room) -> Cause | None:
    """The same cause once its seat has another number."""
    guest = before.seats[cause[0]].guest
    seat = None if guest is None else after.seat_of(guest)
    return None if seat is None else (seat, cause[1])


def _can_be_said(text: str) -> bool:
    seen = text.translate(JOINERS)
    return bool(seen) and len(text) <= LONGEST_TEXT and seen.isprintable()
