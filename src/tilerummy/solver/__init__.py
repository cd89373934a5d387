"""The best turn, exactly, for every edition.

The names most programs need stand here; the modules hold the rest. `docs/solver.md` explains how
the answers are found and why they are right.
"""

from tilerummy.rules.position import Position
from tilerummy.solver.able import can_play
from tilerummy.solver.kernels import cover, kernel_name
from tilerummy.solver.more import best, missing, playable
from tilerummy.solver.objective import Objective, ObjectiveError, objective
from tilerummy.solver.problem import Cover, Grammar, Problem
from tilerummy.solver.solution import Solution
from tilerummy.solver.solve import solve, solve_many
from tilerummy.solver.step import Step, StepKind
from tilerummy.solver.steps import steps

__all__ = [
    "Cover",
    "Grammar",
    "Objective",
    "ObjectiveError",
    "Position",
    "Problem",
    "Solution",
    "Step",
    "StepKind",
    "best",
    "can_play",
    "cover",
    "kernel_name",
    "missing",
    "objective",
    "playable",
    "solve",
    "solve_many",
    "steps",
]
