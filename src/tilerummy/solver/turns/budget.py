"""The budget of a search: how many states and how much time it may still spend.

Every layer of the solver shares one, and with it one deadline.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tilerummy.rules.ticks import Tick
from tilerummy.solver.cover.deadline import Deadline
from tilerummy.solver.cover.problem import CoverProblem

EFFORT_TO_ASK = 40
"""What a question to a kernel costs beside the states that it expands."""
EFFORT_TO_LIST = 4
"""What it costs to list one row."""


@dataclass(slots=True)
class Budget:
    """What a search may still spend; None means no limit.

    `nodes` limits the states that the kernels expand.
    `effort` also counts the work around the kernels, in units of about one such state.
    """

    nodes: int | None = None
    deadline: Deadline | None = None
    spent: int = 0
    most_effort: int | None = None
    effort: int = 0

    @property
    def over(self) -> bool:
        """Whether any limit is reached."""
        return (
            (self.nodes is not None and self.spent >= self.nodes)
            or (self.most_effort is not None and self.effort >= self.most_effort)
            or self.late
        )

    @property
    def late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and self.deadline.over

    @property
    def is_free(self) -> bool:
        """Whether there is no limit."""
        return self.nodes is None and self.most_effort is None and self.deadline is None

    @property
    def tick(self) -> Tick | None:
        """What enumerations call at every step; it raises TimeOverError when time is over."""
        return None if self.deadline is None else self.deadline.check

    @contextmanager
    def grace(self) -> Iterator[None]:
        """A little more time, for what has to be done with an answer."""
        deadline = self.deadline
        if deadline is not None:
            self.deadline = deadline.with_grace()
        try:
            yield
        finally:
            self.deadline = deadline

    def limit(self, problem: CoverProblem) -> CoverProblem:
        """Return the problem with what is left as its limits."""
        if self.nodes is None and self.deadline is None:
            return problem
        nodes = 0 if self.nodes is None else max(1, self.nodes - self.spent)
        deadline = None if self.deadline is None else self.deadline.monotonic
        return replace(problem, node_limit=nodes, deadline=deadline)

    def renew(self) -> None:
        """Grant as many nodes again; time that is over stays over."""
        if self.nodes is not None:
            self.nodes += self.spent

    def spend(self, nodes: int) -> None:
        """Note a question to a kernel that expanded so many states."""
        self.spent += nodes
        self.effort += nodes + EFFORT_TO_ASK
