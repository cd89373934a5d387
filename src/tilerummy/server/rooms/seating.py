"""Commands about seats: who sits down, leaves, is removed, drops, returns or is replaced."""

from __future__ import annotations

from dataclasses import dataclass

from tilerummy.bots.roster import BOTS
from tilerummy.play.names import BadName, are_alike, numbered
from tilerummy.play.refusals import Refused
from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import (
    Closed,
    Dropped,
    Forgotten,
    Hosted,
    Left,
    Replaced,
    Returned,
    Seated,
)
from tilerummy.server.rooms.matches import pause, settle
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.reserved import is_nobodys, own_name
from tilerummy.server.rooms.room import RoomPhase

LONG_AWAY = 60_000
"""Milliseconds after which the host may remove a player who is away during a match."""


@dataclass(frozen=True, slots=True)
class Sit:
    """A guest takes the given seat, or the first free one."""

    guest: str
    name: str
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        room = decision.room
        if room.seat_of(self.guest) is not None:
            raise RoomRefused("seated", "you already have a seat here")
        if self.guest in room.removed:
            raise RoomRefused("removed", "you were removed from this room: open one of your own")
        if room.phase is not RoomPhase.LOBBY:
            raise RoomRefused("already-begun", "the match has begun: you can watch it")
        seat = _free_seat(decision, self.seat)
        name = _name(decision, self.name)
        decision.record(Seated(decision.now, seat, name, guest=self.guest))
        if room.host is None:
            decision.record(Hosted(decision.now, seat))


@dataclass(frozen=True, slots=True)
class AddBot:
    by: int
    bot: str
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        decision.check_host(self.by)
        if decision.room.phase is not RoomPhase.LOBBY:
            raise RoomRefused("already-begun", "the match has begun: no bot can sit down now")
        if self.bot not in BOTS:
            raise RoomRefused("unknown-bot", f"unknown bot {self.bot[:20]!r}: {', '.join(BOTS)}")
        seat = _free_seat(decision, self.seat)
        name = numbered(BOTS[self.bot].title, _names(decision))
        decision.record(Seated(decision.now, seat, name, bot=self.bot))


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase a guest: they leave, and `name` replaces theirs on every seat that carries it."""

    guest: str
    name: str

    def decide(self, decision: Decision) -> None:
        seats = decision.room.named_after(self.guest)
        decision.record(Forgotten(decision.now, seats, self.name))
        seat = decision.room.seat_of(self.guest)
        if seat is not None:
            leave(decision, seat)


@dataclass(frozen=True, slots=True)
class Remove:
    """The host removes a player from the lobby, or one who has been away for long. A player who is
    here during a match stays, unless the others agree: see `votes`."""

    by: int
    seat: int

    def decide(self, decision: Decision) -> None:
        decision.check_host(self.by)
        if self.by == self.seat:
            raise RoomRefused("own-seat", "you cannot remove yourself: leave instead")
        seat = decision.seat(self.seat)
        if decision.room.in_match and seat.guest is not None:
            is_gone = seat.away is not None and (
                seat.bot is not None or decision.now - seat.away >= LONG_AWAY
            )
            if not is_gone:
                raise RoomRefused("needs-vote", "during a match the other players have to agree")
        leave(decision, self.seat, removed=True)


@dataclass(frozen=True, slots=True)
class Leave:
    seat: int

    def decide(self, decision: Decision) -> None:
        leave(decision, self.seat)


def leave(decision: Decision, number: int, *, removed: bool = False) -> None:
    """Vacate a seat. During a match a bot continues in its place."""
    seat, room = decision.seat(number), decision.room
    if seat.is_free:
        raise RoomRefused("free-seat", f"seat {number} is free")
    if room.in_match and seat.guest is None:
        raise RoomRefused("in-match", "a bot stays until the match is over")
    bot = room.stand_in if room.in_match else None
    decision.record(Left(decision.now, number, removed, bot))
    people = [other for other, who in enumerate(decision.room.seats) if who.guest is not None]
    if not people:
        decision.record(Closed(decision.now, "nobody is left"))
    elif room.host == number:
        decision.record(Hosted(decision.now, people[0]))
    if decision.room.phase is not RoomPhase.CLOSED:
        settle(decision)


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A guest in the lobby stayed away while others wait: somebody else may sit there."""

    seat: int
    since: int

    def decide(self, decision: Decision) -> None:
        if decision.seat(self.seat).away != self.since or not decision.room.frees(self.seat):
            raise RoomRefused("here", f"seat {self.seat} is kept")
        leave(decision, self.seat)


@dataclass(frozen=True, slots=True)
class Drop:
    seat: int

    def decide(self, decision: Decision) -> None:
        if not decision.seat(self.seat).is_here:
            raise RoomRefused("not-here", f"seat {self.seat} is not here")
        decision.record(Dropped(decision.now, self.seat))
        settle(decision)


@dataclass(frozen=True, slots=True)
class Return:
    """A player is back, or takes over again from the bot that plays for them."""

    seat: int

    def decide(self, decision: Decision) -> None:
        seat = decision.seat(self.seat)
        if seat.guest is None or (seat.is_here and seat.bot is None):
            raise RoomRefused("here", f"seat {self.seat} is here")
        was_deserted = decision.room.is_deserted
        decision.record(Returned(decision.now, self.seat))
        if was_deserted:
            settle(decision)


@dataclass(frozen=True, slots=True)
class StandIn:
    """The grace period of a seat that is away is over: a bot plays for it, another seat becomes
    host, and if everybody is away the game pauses."""

    seat: int
    since: int

    def decide(self, decision: Decision) -> None:
        seat, room = decision.seat(self.seat), decision.room
        needed, hosts = room.needs_stand_in(self.seat), room.next_host(self.seat)
        pauses = room.stands_without(self.seat)
        if seat.away != self.since or not (needed or hosts or pauses):
            raise RoomRefused("here", f"seat {self.seat} needs no stand-in")
        if needed:
            decision.record(Replaced(decision.now, self.seat, room.stand_in))
        if hosts:
            decision.record(Hosted(decision.now, hosts[0]))
        if pauses:
            pause(decision)


def _free_seat(decision: Decision, number: int | None) -> int:
    if number is not None and not decision.seat(number).is_free:
        raise RoomRefused("seat-taken", f"seat {number} is taken")
    free = [other for other, seat in enumerate(decision.room.seats) if seat.is_free]
    if not free:
        raise RoomRefused("room-full", "all seats are taken: you can watch")
    return free[0] if number is None else number


def _name(decision: Decision, given: str) -> str:
    """The name of a new player. Raises Refused unless it is their own."""
    try:
        name = own_name(given)
    except BadName as error:
        raise Refused(error.code, str(error)) from error
    taken = _names(decision)
    if is_nobodys(name):
        return numbered(name, taken)
    if _is_taken(name, taken):
        raise RoomRefused("name-taken", f"somebody here is already called {name}, or nearly so")
    return name


def _names(decision: Decision) -> list[str]:
    return [seat.name for seat in decision.room.seats if not seat.is_free]


def _is_taken(name: str, taken: list[str]) -> bool:
    return any(are_alike(name, other) for other in taken)
