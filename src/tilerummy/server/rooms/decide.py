"""Decides commands: `decide(room, command, now, cause)` gives the transitions, or raises `Refused`.

`now` is in milliseconds of the store's clock. A pure function.
"""

from __future__ import annotations

from tilerummy.play.endings import CanPlay
from tilerummy.rules.turns import Judge, judge_turn
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import Cause
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import Room, RoomPhase, Transition


def decide(
    room: Room,
    command: Command,
    now: int,
    cause: Cause | None = None,
    can_play: CanPlay | None = None,
    judge: Judge = judge_turn,
) -> tuple[Transition, ...]:
    """The transitions that a command leads to, none if it changes nothing. Raises Refused."""
    if room.phase is RoomPhase.CLOSED:
        raise RoomRefused("room-closed", "this room is closed")
    # Time never runs backwards, even if the clock is set back.
    decision = Decision(room, cause, can_play, max(now, room.since), judge)
    command.decide(decision)
    return tuple(decision.transitions)
