"""The budget of a search: how many states and how much time it may still spend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

from tilerummy.solver.cover.problem import CoverProblem

EFFORT_TO_ASK = 40
"""What a question to a kernel costs beside the states that it expands."""
EFFORT_TO_LIST = 4
"""What it costs to list one row."""


@dataclass(slots=True)
class Budget:
    """What a search may still spend; None means no limit.

    `nodes` limits the states that the kernels expand, `deadline` is a time on the monotonic clock.
    `effort` also counts the work around the kernels, in units of about one such state.
    """

    nodes: int | None = None
    deadline: float | None = None
    spent: int = 0
    most_effort: int | None = None
    effort: int = 0

    @property
    def over(self) -> bool:
        """Whether any limit is reached."""
        return (
            (self.nodes is not None and self.spent >= self.nodes)
            or (self.most_effort is not None and self.effort >= self.most_effort)
            or (self.deadline is not None and monotonic() >= self.deadline)
        )

    def limit(self, problem: CoverProblem) -> CoverProblem:
        """Return the problem with what is left as its limits."""
        if self.nodes is None and self.deadline is None:
            return problem
        nodes = 0 if self.nodes is None else max(1, self.nodes - self.spent)
        return replace(problem, node_limit=nodes, deadline=self.deadline)

    def renew(self) -> None:
        """Grant as many nodes again; time that is over stays over."""
        if self.nodes is not None:
            self.nodes += self.spent

    def spend(self, nodes: int) -> None:
        """Note a question to a kernel that expanded so many states."""
        self.spent += nodes
        self.effort += nodes + EFFORT_TO_ASK
