"""What a bot is: it sees what its seat sees and answers with a turn."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.play.views import View

Turn: TypeAlias = Play | Draw | Pass


class Bot(Protocol):
    name: str

    def choose(self, view: View) -> Turn:
        """The turn of `view.seat`, whose turn it is."""
        ...


def idle_turn(view: View) -> Turn:
    """The turn of somebody who does not play: draw, or pass once the pool is empty."""
    seat = view.current
    return Draw(seat) if view.pool_size else Pass(seat)
