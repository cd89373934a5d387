"""The bot protocol: a life cycle of `start`, `see` and `choose`.

A bot gets projections (`View`) of its own seat and nothing else, so it cannot cheat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from tilerummy.play.commands import Draw, Pass, Turn
from tilerummy.play.views import View


@dataclass(frozen=True, slots=True)
class Budget:
    """What one decision may cost. None means no limit beyond the bot's own.

    Only `nodes` and `samples` are reproducible: a limit in seconds depends on the machine. So a
    budget without seconds also lifts the time limit that a bot sets itself.
    """

    seconds: float | None = None
    nodes: int | None = None
    """States of the solver for one of its searches."""
    samples: int | None = None
    """Games that a bot which searches may play out, for all candidates together."""

    def seconds_within(self, most: float) -> float | None:
        """The time limit in seconds, at most `most`; None for a budget that counts alone."""
        if self.seconds is None:
            return most if self.nodes is None and self.samples is None else None
        return min(most, self.seconds)

    def capped(self, seconds: float) -> Budget:
        """The same budget with a time limit of at most `seconds`."""
        return replace(
            self, seconds=seconds if self.seconds is None else min(seconds, self.seconds)
        )


NO_LIMIT = Budget()


class Bot(Protocol):
    """A player that decides alone.

    Deterministic: the same parameters, the same seed and the same calls give the same turns, as
    long as no time limit cuts a search short.
    """

    def start(self, view: View) -> None:
        """Begin a game, as the seat `view.seat`.

        This may be in the middle of a game: a server that was started again has no memory of it.
        """
        ...

    def see(self, view: View) -> None:
        """Observe the table after a turn of any seat. `view.last` is that turn."""
        ...

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        """Return the turn of `view.seat`, which is to move. Does not change the bot's memory."""
        ...


class StatelessBot:
    """A base class for bots that decide by the current view alone."""

    def start(self, view: View) -> None:
        """Nothing to prepare."""

    def see(self, view: View) -> None:
        """Nothing to remember."""


def idle_turn(view: View) -> Turn:
    """The turn of the seat to move if it does not play: draw, or pass once the pool is empty."""
    seat = view.current
    return Draw(seat) if view.pool_size else Pass(seat)
