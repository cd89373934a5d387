"""The limit of a Python kernel: when it hurries, and when it stops. See `kernel/limit.h`."""

from __future__ import annotations

from math import inf
from time import monotonic

from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import HIGHEST, JOKER
from tilerummy.solver.cover.problem import CoverProblem

NODES_BETWEEN_LOOKS = 16
"""At the clock."""
NODES_IN_A_HURRY = 16
MOST_HURRIES = 24
HURRIES_TO_LOSE_ALL = 10
MOST_LATE_WAYS = 2048
"""Within nodes and after the deadline: then it stops."""


class StoppedError(Exception):
    """A hurrying kernel found no answer."""


class Limit:
    """Counts the nodes of a kernel, and makes it hurry when a limit is reached.

    A hurrying kernel takes the first answer that loses no more than `willing`, which grows every
    few nodes. `tick` is called within a node, and stops a while after the deadline.
    """

    def __init__(self, problem: CoverProblem, nodes: int = 0) -> None:
        self.nodes = nodes
        self.willing = 0
        self._everything = _everything(problem)
        self._hurries = 0
        self._late = 0
        self._most = problem.node_limit or inf
        self._deadline = inf if problem.deadline is None else problem.deadline
        self._look = self._most if problem.deadline is None else 0
        self.tick: Tick | None = None
        if problem.deadline is not None:
            self.tick = self._stop_in_time

    def count(self, proven: int) -> None:
        """Count one node, while no answer can lose less than `proven`.

        Raises StoppedError once even hurrying has found no answer.
        """
        if self.nodes >= self._look:
            self._look_again(proven)
        self.nodes += 1

    def _stop_in_time(self) -> None:
        if monotonic() >= self._deadline:
            self._late += 1
            if self._late > MOST_LATE_WAYS:
                raise StoppedError

    def _look_again(self, proven: int) -> None:
        if not self._hurries and self.nodes < self._most and monotonic() < self._deadline:
            self._look = min(self._most, self.nodes + NODES_BETWEEN_LOOKS)
            return
        if self._hurries == MOST_HURRIES:
            raise StoppedError
        self._hurries += 1
        self._look = self.nodes + NODES_IN_A_HURRY
        self.willing = proven + (self._everything >> max(0, HURRIES_TO_LOSE_ALL - self._hurries))


def _everything(problem: CoverProblem) -> int:
    """No answer loses more."""
    rack = sum(count * weight for count, weight in zip(problem.may, problem.weights, strict=True))
    jokers = sum(problem.must[JOKER:]) + sum(problem.may[JOKER:])
    return rack + problem.stand * HIGHEST * 2 * jokers
