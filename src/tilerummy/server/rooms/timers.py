"""Timers of a room: which commands are due when. A pure function of its state.

The store keeps the timers beside the room, in its own time, so that they survive the process; any
node may claim one that is due. A timer set for an earlier state is refused by the room.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

from tilerummy.server.rooms.room import Room, RoomPhase, deal_step
from tilerummy.server.rooms.thinking import looking

TimerKind: TypeAlias = Literal["turn", "bot", "deal", "next", "grace", "seat", "idle", "here"]
"""`here` is the presence lease of a seat: it is not a function of the room's state."""
KINDS: tuple[TimerKind, ...] = get_args(TimerKind)


class Timer(NamedTuple):
    """A room has at most one timer of each `kind` and `key`. The key is a turn, a game, a
    step before the deal or a seat."""

    kind: TimerKind
    key: int
    at: int


class Pace(NamedTuple):
    """Durations, in milliseconds."""

    seeds: int = 2_000
    """Time for players to commit to their seeds."""
    reveal: int = 15_000
    """Time for players who have committed to reveal their seeds, enough for a reload."""
    look: int = 20_000
    """Time to look at the result of a game."""
    bot: int = 700
    """Time for which a bot thinks before it draws, at a normal pace; longer after tiles were laid,
    and before it lays tiles itself."""
    grace: int = 45_000
    """Grace period for a player who is away. After it a bot plays for them, or the game pauses if
    everybody is away."""
    lobby: int = 120_000
    """Time for which a seat of the lobby is kept for a guest who is away while others wait."""
    idle: int = 2 * 3_600_000
    """Time without any activity after which a room is closed."""
    stay: int = 24 * 3_600_000
    """Time for which a room stays open after its match, for a rematch or a look."""
    proof: int = 2_000
    """Time limit for proving whether a player can play, where a draw, a pass or the end of a game
    depends on it, and for judging a complicated turn. Without a proof the game continues; a turn
    without a verdict is refused."""
    show: int = 10_000
    """Longest time for which the clock stops while a player who must play waits for a hint."""


COARSE = 600_000
"""Idle timers are rounded up to this many milliseconds, so that not every move rewrites them."""
LEASE = 60_000
"""Milliseconds for which a seat counts as present after the last heartbeat of its node."""


def timers_of(room: Room, pace: Pace) -> tuple[Timer, ...]:
    """All timers of this state."""
    if room.phase is RoomPhase.CLOSED:
        return ()
    idle = room.active + (pace.stay if room.phase is RoomPhase.OVER else pace.idle)
    found = [Timer("idle", 0, -(-idle // COARSE) * COARSE)]
    game = room.game
    away = [(number, seat.away) for number, seat in enumerate(room.seats) if seat.away is not None]
    if away:
        found += [Timer("grace", n, at + pace.grace) for n, at in away if _matters(room, n)]
        found += [Timer("seat", n, at + pace.lobby) for n, at in away if room.frees(n)]
    if game is None or room.paused is not None:
        return tuple(found)
    if room.phase is RoomPhase.DEALING:
        given = pace.reveal if game.is_fixed else pace.seeds
        found.append(Timer("deal", deal_step(game), room.since + given))
    elif room.phase is RoomPhase.BETWEEN:
        found.append(Timer("next", game.number, room.since + pace.look))
    elif room.phase is RoomPhase.PLAYING:
        if room.bot_to_move is not None:
            look = looking(room, game, pace.bot)
            found.append(Timer("bot", game.turn, game.turn_began + room.lost + look))
        deadline = room.deadline
        if deadline is not None:
            found.append(Timer("turn", game.turn, deadline))
    return tuple(found)


def _matters(room: Room, number: int) -> bool:
    """Whether anything follows if this seat stays away."""
    if room.needs_stand_in(number) or room.stands_without(number):
        return True
    return bool(room.next_host(number))


def presence_leases(room: Room, now: int) -> list[Timer]:
    """When the seats that are here count as gone, unless their node renews the lease."""
    if room.phase is RoomPhase.CLOSED:
        return []
    seats = [number for number, seat in enumerate(room.seats) if seat.is_here]
    return [Timer("here", number, now + LEASE) for number in seats]
