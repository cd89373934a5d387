"""The deadline of a search: one value that every layer of the solver is given.

Layers that can stop at any place ask `over`. Layers in the middle of an enumeration call `check`,
which raises: the layer that holds the best answer so far catches that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

GRACE = 0.005
"""Seconds after a deadline in which the answer at hand is laid out in tiles and steps."""

Clock = Callable[[], float]
"""Returns seconds; never goes back."""


class TimeOverError(Exception):
    """A deadline has passed in the middle of a search."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A time on a clock, by which a search ends."""

    at: float
    clock: Clock = monotonic

    @classmethod
    def of(cls, limit: TimeLimit) -> Deadline | None:
        """The deadline that a time limit means from now on; None for no limit."""
        if limit is None or isinstance(limit, Deadline):
            return limit
        return cls(monotonic() + limit)

    @property
    def over(self) -> bool:
        """Whether it has passed."""
        return self.clock() >= self.at

    @property
    def monotonic(self) -> float:
        """The same time on the monotonic clock, which the kernels read."""
        return self.at if self.clock is monotonic else monotonic() + self.at - self.clock()

    def check(self) -> None:
        """Raises TimeOverError if it has passed."""
        if self.clock() >= self.at:
            raise TimeOverError

    def with_grace(self) -> Deadline:
        """The later deadline for what has to be done with an answer."""
        return replace(self, at=self.at + GRACE)


TimeLimit = float | Deadline | None
"""Seconds from now, a deadline that several questions share, or None for no limit."""
