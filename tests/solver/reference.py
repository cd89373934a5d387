"""Two exact methods that know nothing of the solver.

`best_cover` answers the bare question of covering with a row-template model.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.solver.templates import Faces, Grammar, Stock, whole_rows
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import Face


def best_cover(
    edition: Edition, must: Counter[Face], may: Counter[Face], weights: Sequence[int]
) -> tuple[int, list[Faces]] | None:
    """The least weight of `may` that stays behind while all of `must` lies in rows, and the rows.

    None where `must` cannot be covered at all.
    """
    model = Model(Grammar.of(edition), must, may)
    model.maximise({face: weights[face] for face in may})
    if not model.solve():
        return None
    played = model.played()
    loss = sum(weights[face] * (count - played[face]) for face, count in may.items())
    return loss, model.laid()


class Model:
    """Rows as integer variables; every tile of `must` and any of `may` lies in one of them."""

    def __init__(
        self,
        grammar: Grammar,
        must: Stock,
        may: Stock,
        templates: Mapping[Faces, int] | None = None,
    ) -> None:
        cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self.cp, self.model = cp, cp.CpModel()
        self.must, self.may = +must, +may
        stock = self.must + self.may
        self.templates = whole_rows(grammar, stock) if templates is None else dict(templates)
        self.rows: dict[Faces, Any] = {}
        self.out: dict[Face, Any] = {}  # how many of each face leave the rack
        terms: dict[Face, list[Any]] = {face: [] for face in stock}
        for row in self.templates:
            need = Counter(row)
            most = min(stock[face] // count for face, count in need.items())
            variable = self.rows[row] = self.model.new_int_var(0, most, "")
            for face, count in need.items():
                terms[face].append(variable * count if count > 1 else variable)
        for face, laid in terms.items():
            out = self.out[face] = self.model.new_int_var(0, self.may[face], "")
            self.model.add(cp.LinearExpr.sum(laid) == out + self.must[face])
        self.solver: Any = None

    def maximise(self, weights: Mapping[Face, int], row_points: int = 0) -> None:
        """Weights of the tiles that leave the rack, and of each point of the rows laid."""
        total = self.cp.LinearExpr.sum([weights[face] * self.out[face] for face in self.may])
        if row_points:
            points = [value * self.rows[row] for row, value in self.templates.items()]
            total += row_points * self.cp.LinearExpr.sum(points)
        self.model.maximize(total)

    def solve(self) -> bool:
        solver = self.solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.random_seed = 1
        status = solver.solve(self.model)
        if status == self.cp.INFEASIBLE:
            return False
        if status != self.cp.OPTIMAL:
            raise RuntimeError(f"the model ended as {solver.status_name(status)}")
        return True

    def played(self) -> Stock:
        return +Counter({face: self.solver.value(out) for face, out in self.out.items()})

    def laid(self) -> list[Faces]:
        return [
            row for row, variable in self.rows.items() for _ in range(self.solver.value(variable))
        ]
