"""Decisions about seats: who sits down, leaves, is removed, drops, returns or is replaced."""

from __future__ import annotations

from tilerummy.bots.roster import BOTS, STAND_IN
from tilerummy.play.match import MatchError, check_names
from tilerummy.play.refusals import Refused
from tilerummy.server.rooms import commands
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
from tilerummy.server.rooms.room import RoomPhase


def sit(decision: Decision, command: commands.Sit) -> None:
    room = decision.room
    if room.seat_of(command.guest) is not None:
        raise RoomRefused("seated", "you already have a seat here")
    if room.phase is not RoomPhase.LOBBY:
        raise RoomRefused("already-begun", "the match has begun: you can watch it")
    seat = _free_seat(decision, command.seat)
    _check_name(decision, command.name)
    decision.record(Seated(decision.now, seat, command.name, guest=command.guest))
    if room.host is None:
        decision.record(Hosted(decision.now, seat))


def add_bot(decision: Decision, command: commands.AddBot) -> None:
    decision.check_host(command.by)
    if decision.room.phase is not RoomPhase.LOBBY:
        raise RoomRefused("already-begun", "the match has begun: no bot can sit down now")
    if command.bot not in BOTS:
        raise RoomRefused("unknown-bot", f"unknown bot {command.bot[:20]!r}: {', '.join(BOTS)}")
    seat = _free_seat(decision, command.seat)
    taken = {other.name for other in decision.room.seats}
    names = (BOTS[command.bot].seat_name(number) for number in range(1, len(taken) + 2))
    name = next(name for name in names if name not in taken)
    decision.record(Seated(decision.now, seat, name, bot=command.bot))


def erase(decision: Decision, command: commands.Erase) -> None:
    seats = decision.room.named_after(command.guest)
    decision.record(Forgotten(decision.now, seats, command.name))
    seat = decision.room.seat_of(command.guest)
    if seat is not None:
        leave(decision, seat)


def remove(decision: Decision, command: commands.Remove) -> None:
    decision.check_host(command.by)
    if command.by == command.seat:
        raise RoomRefused("own-seat", "you cannot remove yourself: leave instead")
    leave(decision, command.seat, removed=True)


def leave(decision: Decision, number: int, *, removed: bool = False) -> None:
    """Vacate a seat. During a match a bot continues in its place."""
    seat, room = decision.seat(number), decision.room
    if seat.is_free:
        raise RoomRefused("free-seat", f"seat {number} is free")
    if room.in_match and seat.guest is None:
        raise RoomRefused("in-match", "a bot stays until the match is over")
    bot = STAND_IN if room.in_match else None
    decision.record(Left(decision.now, number, removed, bot))
    people = [other for other, who in enumerate(decision.room.seats) if who.guest is not None]
    if not people:
        decision.record(Closed(decision.now, "nobody is left"))
    elif room.host == number:
        decision.record(Hosted(decision.now, people[0]))
    if decision.room.phase is not RoomPhase.CLOSED:
        settle(decision)


def drop(decision: Decision, command: commands.Drop) -> None:
    if not decision.seat(command.seat).is_here:
        raise RoomRefused("not-here", f"seat {command.seat} is not here")
    decision.record(Dropped(decision.now, command.seat))
    settle(decision)


def return_(decision: Decision, command: commands.Return) -> None:
    seat = decision.seat(command.seat)
    if seat.guest is None or seat.is_here:
        raise RoomRefused("here", f"seat {command.seat} is here")
    was_deserted = decision.room.is_deserted
    decision.record(Returned(decision.now, command.seat))
    if was_deserted:
        settle(decision)


def stand_in(decision: Decision, command: commands.StandIn) -> None:
    seat, room = decision.seat(command.seat), decision.room
    needed, hosts = room.needs_stand_in(command.seat), room.next_host(command.seat)
    pauses = room.stands_without(command.seat)
    if seat.away != command.since or not (needed or hosts or pauses):
        raise RoomRefused("here", f"seat {command.seat} needs no stand-in")
    if needed:
        decision.record(Replaced(decision.now, command.seat, STAND_IN))
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


def _check_name(decision: Decision, name: str) -> None:
    try:
        check_names([name])
    except MatchError as error:
        raise Refused(error.code, str(error)) from error
    if name in [seat.name for seat in decision.room.seats]:
        raise RoomRefused("name-taken", f"somebody here is already called {name}")
