"""Thinking time of bots: how long one looks at the table, and how long it takes over its turn.

Both are pure functions of the state, as timers are. A bot that finds its turn early lays it when a
person would.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilerummy.bots.remarks import rows_apart
from tilerummy.play.commands import Play, Turn
from tilerummy.play.events import Played
from tilerummy.play.game import Game
from tilerummy.server.rooms.room import Room
from tilerummy.server.rooms.settings import BotPace

TEMPO: Mapping[BotPace, float] = {"at-once": 0.0, "fast": 0.5, "normal": 1.0, "slow": 2.0}
"""By how much the thinking time of each pace differs from a normal one."""
MOST_ROWS = 4
"""Rows taken apart in one turn that still make a bot think for longer."""
PART_OF_CLOCK = 3
"""Bots think for at most one part in so many of the turn's time."""


def looking(room: Room, game: Game, unit: int) -> int:
    """Milliseconds for which a bot looks at the table first: longer after a turn with tiles laid.

    `unit` is the time for a draw, in milliseconds.
    """
    return _within(room, game, unit * (2 if isinstance(game.last, Played) else 1))


def laid_at(room: Room, game: Game, turn: Turn, unit: int) -> int:
    """When a bot makes this turn, in the room's time: a draw at once, a play after a while, and
    a turn that takes many rows apart later."""
    units = 2 if isinstance(game.last, Played) else 1
    if isinstance(turn, Play):
        units += 1 + min(rows_apart(game.table, turn.table), MOST_ROWS)
    return game.turn_began + room.lost + _within(room, game, unit * units)


def _within(room: Room, game: Game, wanted: int) -> int:
    time = round(wanted * TEMPO[room.settings.bot_pace])
    if game.deadline is None:
        return time
    return min(time, (game.deadline - game.turn_began) // PART_OF_CLOCK)
