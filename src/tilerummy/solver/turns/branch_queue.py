"""The queue of a search: branches that wait, the most promising first, the newest among equals."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from tilerummy.rules.matching import Problem
from tilerummy.solver.cover.problem import Cover
from tilerummy.solver.turns.branch import Branch, Parts


class Waiting(NamedTuple):
    """A branch in the queue, with what it promises; `number` decides among equals."""

    promised: int
    number: int
    branch: Branch | Parts
    found: Cover | None = None
    objection: Problem | None = None
    hinted: bool = False
    """The answer to it without the joker rules and the objection to that, once they are known;
    and whether its hints were followed."""


class BranchQueue:
    """Branches that wait. What is added later has a smaller number: it is nearer to an answer."""

    def __init__(self) -> None:
        self._heap: list[Waiting] = []
        self._number = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def pop(self) -> Waiting:
        """Take out the most promising branch."""
        return heapq.heappop(self._heap)

    def number(self, count: int = 1) -> int:
        """Return a new number, the last of so many."""
        self._number -= count
        return self._number

    def put(self, waiting: Waiting) -> None:
        """Let a branch wait with a number that it has already."""
        heapq.heappush(self._heap, waiting)

    def add(
        self,
        promised: int,
        branch: Branch | Parts,
        found: Cover | None = None,
        objection: Problem | None = None,
        *,
        hinted: bool = False,
    ) -> None:
        """Let a branch wait. Each of several parts has a number, and they wait with the last."""
        number = self.number(len(branch.rows) if isinstance(branch, Parts) else 1)
        self.put(Waiting(promised, number, branch, found, objection, hinted))
