"""The exact best turn of a position, and whether there is any turn at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilerummy.rules.position import Position
from tilerummy.solver.cover.deadline import Deadline, TimeLimit
from tilerummy.solver.turns.answers import Answer
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.objectives import Objective, Wanted, objective
from tilerummy.solver.turns.position_solver import PositionSolver
from tilerummy.solver.turns.search import TurnSearch
from tilerummy.solver.turns.shortcut import Begun, answer_alone
from tilerummy.solver.turns.solution import Solution

PLAY_NODES = 2_000
"""States after which any play will do: the best one may take a thousand times as long to prove."""


def solve(
    position: Position,
    wanted: Wanted | Objective = "tiles",
    *,
    tidy: bool = True,
    node_limit: int | None = None,
    time_limit: TimeLimit = None,
) -> Solution:
    """Return the best turn of a position.

    `wanted` is what counts: `tiles` (most tiles), `value` (most points), `out` (the whole rack or
    nothing), or a weight for each tile.

    Among equally good turns `tidy` looks for the one that leaves most rows of the table alone; bots
    leave that out and save its time. After `node_limit` states, or at the `time_limit` (seconds, or
    a Deadline that several questions share), the search ends: the answer is the best at hand, with
    `exact=False` unless it was proven.

    Raises ObjectiveError for an unknown objective, and PositionError if a row of the table is not
    a set.
    """
    goal = objective(wanted)
    deadline = Deadline.of(time_limit)
    nodes = 0 if node_limit is None else max(1, node_limit)
    quick = answer_alone(position, goal, nodes, deadline, tidy=tidy)
    if isinstance(quick, Solution) and quick.exact and (not tidy or quick.tidiest):
        return quick
    return _search(position, goal, quick, Budget(node_limit, deadline), tidy=tidy)


def solve_on(
    position: Position,
    begun: Begun | None,
    node_limit: int | None = None,
    deadline: Deadline | None = None,
) -> Solution:
    """Return what `solve(position, tidy=False)` does, from the covers that the kernel has found."""
    return _search(position, objective("tiles"), begun, Budget(node_limit, deadline), tidy=False)


def _search(
    position: Position,
    goal: Objective,
    quick: Solution | Begun | None,
    budget: Budget,
    *,
    tidy: bool,
) -> Solution:
    """The best turn, from what the compiled kernel has found alone."""
    solver = PositionSolver(position, goal, budget)
    forced = solver.turns.rack if goal.forces_whole_rack else None
    if isinstance(quick, Solution):
        answer: Answer | None = solver.again(quick)
    elif quick is not None and len(quick) == 1:
        answer = solver.found(*quick)
    elif quick is not None and isinstance(solver.turns, TurnSearch):
        answer = solver.turns.best_from(*quick)
    else:
        answer = solver.turns.best(forced=forced)
    if not (solver.turns.exact if answer is None else answer.exact):
        answer = solver.in_haste(answer, forced)
    return solver.solution(answer, tidy=tidy, forced=forced)


def solve_many(
    positions: Iterable[Position], wanted: Wanted | Objective = "tiles", *, tidy: bool = False
) -> Iterator[Solution]:
    """Yield the best turn of each position, lazily and in order.

    Raises ObjectiveError for an unknown objective, and PositionError if a row of the table is not
    a set.
    """
    goal = objective(wanted)
    for position in positions:
        yield solve(position, goal, tidy=tidy)


def can_play(position: Position) -> bool:
    """Return whether any legal turn plays a tile. Both answers are proven.

    Raises PositionError if a row of the table is not a set.
    """
    found = solve(position, tidy=False, node_limit=PLAY_NODES)
    if not found.plays and not found.exact:
        found = solve(position, tidy=False)
    return found.plays


class TimedProof:
    """As `can_play`, with one deadline for all positions.

    A call returns None if the deadline came first.
    """

    def __init__(self, seconds: float | Deadline) -> None:
        self._deadline = Deadline.of(seconds)

    def __call__(self, position: Position) -> bool | None:
        for nodes in (PLAY_NODES, None):
            if self._deadline is not None and self._deadline.over:
                return None
            found = solve(position, tidy=False, node_limit=nodes, time_limit=self._deadline)
            if found.plays:
                return True  # a legal turn is a proof, the best one or not
            if found.exact:
                return False
        return None
