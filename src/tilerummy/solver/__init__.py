"""The best turn, exactly, for every edition.

The names that most programs need are here; the modules hold the rest. `docs/solver.md` explains how
the answers are found and why they are right.
"""

from tilerummy.rules.position import Position
from tilerummy.solver.cover.kernels import find_cover, kernel_name
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar
from tilerummy.solver.steps.planner import plan_steps
from tilerummy.solver.steps.step import Step, StepKind
from tilerummy.solver.turns.alternatives import best, missing, playable
from tilerummy.solver.turns.best_turn import can_play, solve, solve_many
from tilerummy.solver.turns.objectives import Objective, ObjectiveError, objective
from tilerummy.solver.turns.solution import Solution

__all__ = [
    "Cover",
    "CoverProblem",
    "Grammar",
    "Objective",
    "ObjectiveError",
    "Position",
    "Solution",
    "Step",
    "StepKind",
    "best",
    "can_play",
    "find_cover",
    "kernel_name",
    "missing",
    "objective",
    "plan_steps",
    "playable",
    "solve",
    "solve_many",
]
