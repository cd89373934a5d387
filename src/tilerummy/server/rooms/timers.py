"""What has to happen in a room by itself, and when: a pure function of its state.

The store keeps these moments beside the room, in its own time, so that they outlive a process; any
node may claim one that is due. What was due for another state is refused by the room.
"""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.play.events import Played
from tilerummy.server.rooms.room import Phase, Room


class Due(NamedTuple):
    """`kind` and `key` tell what; there is one of them in a room."""

    kind: str
    key: int
    at: int


class Pace(NamedTuple):
    """How long things take, in milliseconds."""

    seeds: int = 2_000
    """For people to add their randomness to the shuffle."""
    look: int = 20_000
    """To look at the result of a game."""
    bot: int = 700
    """Before a bot moves, so that people can follow; twice that where tiles were laid before."""
    grace: int = 45_000
    """For somebody to come back, before a bot plays for them; where nobody is here, before the
    game stands."""
    idle: int = 2 * 3_600_000
    """Without anybody doing anything, before a room is closed."""
    stay: int = 24 * 3_600_000
    """After its match, for a rematch or a look."""
    proof: int = 5_000
    """To prove whether players can play, on an empty pool. Without a proof the game goes on."""
    show: int = 10_000
    """For which a clock stands still at most, while a player who must play waits to be shown a
    play."""


COARSE = 600_000
"""Nobody counts idle time exactly: so it is not written down with every move."""
TURN, BOT, DEAL, NEXT, GRACE, IDLE = "turn", "bot", "deal", "next", "grace", "idle"
HERE = "here"
"""That a seat counts as gone unless its node says otherwise; no part of the room's state."""
STAYS = 60_000
"""Milliseconds that a seat counts as being here after its node last said so."""


def due(room: Room, pace: Pace) -> tuple[Due, ...]:
    """All that has to happen in this room unless something else happens before."""
    if room.phase is Phase.CLOSED:
        return ()
    idle = room.active + (pace.stay if room.phase is Phase.OVER else pace.idle)
    found = [Due(IDLE, 0, -(-idle // COARSE) * COARSE)]
    game = room.game
    found += [
        Due(GRACE, number, seat.away + pace.grace)
        for number, seat in enumerate(room.seats)
        if seat.away is not None and _matters(room, number)
    ]
    if game is None or room.paused is not None:
        return tuple(found)
    if room.phase is Phase.DEALING:
        found.append(Due(DEAL, game.number, room.since + pace.seeds))
    elif room.phase is Phase.BETWEEN:
        found.append(Due(NEXT, game.number, room.since + pace.look))
    elif room.phase is Phase.PLAYING:
        if room.bot_to_move is not None:
            look = pace.bot * (2 if isinstance(game.last, Played) else 1)
            found.append(Due(BOT, game.turn, game.turn_began + room.lost + look))
        if room.deadline is not None:
            found.append(Due(TURN, game.turn, room.deadline))
    return tuple(found)


def _matters(room: Room, number: int) -> bool:
    """Whether something follows from it that this seat stays away."""
    if room.needs_stand_in(number) or room.stands_without(number):
        return True
    return bool(room.next_host(number))


def here(room: Room, now: int) -> list[Due]:
    """When the seats that are here count as gone, should no node say again that they are not."""
    if room.phase is Phase.CLOSED:
        return []
    seats = [number for number, seat in enumerate(room.seats) if seat.is_here]
    return [Due(HERE, number, now + STAYS) for number in seats]
