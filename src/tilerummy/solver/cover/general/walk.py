"""The walk: A* over the numbers."""

from __future__ import annotations

import heapq
from math import inf

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    HIGHEST,
    JOKER,
)
from tilerummy.solver.cover.general.layout import Layout
from tilerummy.solver.cover.general.open_rows import (
    NOTHING,
    State,
)
from tilerummy.solver.cover.general.search import Search
from tilerummy.solver.cover.general.successors import Successors
from tilerummy.solver.cover.limit import Limit, StoppedError
from tilerummy.solver.cover.problem import Cover, CoverProblem


def general_cover(problem: CoverProblem) -> Cover | None:
    """The cheapest rows, or None; a loss of -1 where a limit was reached without any answer."""
    grammar = problem.grammar
    counts = [must + may for must, may in zip(problem.must, problem.may, strict=True)]
    usual = (
        grammar.min_natural == 1
        and grammar.max_jokers >= sum(counts[JOKER:])
        and grammar.mirror_min_side == 1
        and grammar.adjacent_c
        and not problem.stand
    )
    nodes = 0
    # The mode that comes first is cheap, the last one decides.
    for lean, valued in ((usual, False), (False, problem.floor > 0)):
        search = _Walk(problem, lean, valued, nodes)
        try:
            answer = search.answer()
        except StoppedError:
            answer = 0, None
        nodes = search.limit.nodes
        if answer is None:
            return None
        loss, rows = answer
        if rows is not None:
            return Cover(loss, rows, nodes, search.exact)
    return Cover(-1, (), nodes, False)


class _Walk(Search):
    """A search on its way to the goal."""

    def __init__(self, problem: CoverProblem, lean: bool, valued: bool, nodes: int) -> None:
        super().__init__(problem, lean, valued)
        self.limit = Limit(problem, nodes)
        self.tick = self.limit.tick
        self.proven = 0
        self.exact = True
        self.heap: list[tuple[int, int, State, int]] = []
        self.known: dict[tuple[object, ...], list[State]] = {}
        self.dropped: set[int] = set()
        self.pushes = 0

    def answer(self) -> tuple[int, tuple[Faces, ...] | None] | None:
        """Loss and rows; no rows if this mode cannot decide; None if nothing can be laid."""
        base = self.remove_hopeless()
        if base is None:
            return None
        self.bound_losses()
        below = self.problem.below
        goal = self._search(inf if below is None else below - base)
        if goal is None:
            return None
        self.exact = goal.loss <= self.proven
        layout = Layout(goal)
        if self.lean and not layout.place_left_over(self, goal):
            return 0, None
        if not self.valued and layout.value < self.problem.floor:
            return 0, None
        return base + goal.loss, tuple(laid.faces() for laid in layout.rows)

    def _search(self, cutoff: float) -> State | None:
        start = State(1, (), NOTHING, 0, 0, None, None, ())
        self._is_new(start)
        self.proven = self.bound[1]
        if self.proven >= cutoff:
            return None
        goal = self._explore(start, self.proven)
        while goal is None and self.heap and self.heap[0][0] < cutoff:
            self.proven, _, state, made = heapq.heappop(self.heap)
            if id(state) not in self.dropped:
                goal = self._explore(state, self.proven, made)
        if goal is not None and goal.loss >= cutoff:  # in a hurry
            raise StoppedError
        return goal

    def _explore(self, state: State, least_loss: int, made: int = -1) -> State | None:
        """Expand a state as far as the whole loss may be `least_loss`; the goal if it is met.

        Successors of at most the additional loss `made` were made before.
        """
        if state.number > HIGHEST:
            return state
        self.limit.count(self.proven)
        least_loss = max(least_loss, self.limit.willing)
        after = state.loss + self.bound[state.number + 1]
        level = least_loss - after
        step = Successors(self, state, level, made)
        for successor in step.successors():
            if self._is_new(successor):
                goal = self._explore(successor, least_loss)
                if goal is not None:
                    return goal
        if step.next is not None:
            self.pushes += 1  # last in, first out among equals
            heapq.heappush(self.heap, (after + step.next, -self.pushes, state, level))
        return None

    def _is_new(self, state: State) -> bool:
        """Whether no known state is as good; worse ones are dropped."""
        key = (state.number, state.rows, state.used[3] if self.lean else state.used)
        chain = self.known.setdefault(key, [])
        if any(no_worse(other, state) for other in chain):
            return False
        worse = [other for other in chain if no_worse(state, other)]
        self.dropped.update(map(id, worse))
        chain.append(state)  # the dropped ones stay here, so that no other state takes their id
        return True


def no_worse(a: State, b: State) -> bool:
    """Whether a serves as well as b, which has the same open rows."""
    return (
        a.loss <= b.loss
        and a.value >= b.value
        and all(one <= two for one, two in zip(a.used, b.used, strict=True))
    )
