"""The limits of a playout."""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.solver.cover.deadline import Deadline


class Limits(NamedTuple):
    """What a playout may cost; None means no limit.

    A turn takes the best found within `nodes` states, which is the same on any machine. A playout
    that is not over at the `deadline` raises TimeOverError.
    """

    nodes: int | None = None
    deadline: Deadline | None = None

    def check(self) -> None:
        """Raises TimeOverError if the deadline has passed."""
        if self.deadline is not None:
            self.deadline.check()


NO_LIMITS = Limits()
