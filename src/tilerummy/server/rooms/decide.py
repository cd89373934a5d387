"""Decides commands: `decide(room, command, now, cause)` gives the transitions, or raises `Refused`.

`now` is in milliseconds of the store's clock. A pure function.
"""

from __future__ import annotations

from typing import assert_never

from tilerummy.play.endings import CanPlay
from tilerummy.server.rooms import chat, commands, matches, seating
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import Cause, Closed
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import Room, RoomPhase, Transition


def decide(
    room: Room,
    command: Command,
    now: int,
    cause: Cause | None = None,
    can_play: CanPlay | None = None,
) -> tuple[Transition, ...]:
    """The transitions that a command leads to, none if it changes nothing. Raises Refused."""
    if room.phase is RoomPhase.CLOSED:
        raise RoomRefused("room-closed", "this room is closed")
    # Time never runs backwards, even if the clock is set back.
    decision = Decision(room, cause, can_play, max(now, room.since))
    _dispatch(decision, command)
    return tuple(decision.transitions)


def _dispatch(decision: Decision, command: Command) -> None:
    match command:
        case commands.TakeTurn():  # the most frequent one first
            matches.take_turn(decision, command)
        case commands.TimeUp():
            matches.time_up(decision, command)
        case commands.HoldClock():
            matches.hold_clock(decision, command)
        case commands.ReleaseClock():
            matches.release_hold(decision, command.turn)
        case commands.Begin():
            matches.begin(decision, command)
        case commands.Seed():
            matches.give_seed(decision, command)
        case commands.Deal():
            matches.deal(decision, command)
        case commands.NextGame():
            matches.next_game(decision, command)
        case commands.Ask():
            matches.ask(decision, command)
        case commands.Sit():
            seating.sit(decision, command)
        case commands.AddBot():
            seating.add_bot(decision, command)
        case commands.Leave():
            seating.leave(decision, command.seat)
        case commands.Remove():
            seating.remove(decision, command)
        case commands.Erase():
            seating.erase(decision, command)
        case commands.Drop():
            seating.drop(decision, command)
        case commands.Return():
            seating.return_(decision, command)
        case commands.StandIn():
            seating.stand_in(decision, command)
        case commands.Say():
            chat.say(decision, command)
        case commands.Mute():
            chat.mute(decision, command)
        case commands.Close():
            decision.record(Closed(decision.now, command.why))
        case _:
            assert_never(command)
