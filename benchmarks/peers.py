"""Peer solvers: other solvers of the same problem, each timed against ours in one process.

    python -m benchmarks.peers NAME < positions.jsonl

The peers answer for boxes of two copies and two jokers without joker rules (taiwan):

- `rummikub-solver` 1.0.0 with GLPK, the fastest solver on PyPI: most tiles;
- HiGHS and CP-SAT on a row-template model, tuned: most tiles, then most points. Rows of three to
  five tiles are enough, since longer runs fall into such.

They are imported by name because each needs its own process: highspy and OR-tools cannot be
loaded together.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from itertools import combinations
from typing import Any, NamedTuple, Protocol, TypeVar

from benchmarks.positions import as_position
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import HIGHEST, JOKER, NUMBER, NUMBERED_FACES, Face, numbered
from tilerummy.rules.turns import judge_turn
from tilerummy.solver import Solution, solve

REPEATS, SPAN = 20, 50_000
"""A time is the best of this many runs, or of as many as fit into this many microseconds, which
filters out the noise of other processes."""
TILE = 1000
"""The weight of a tile against a point: more than all points of a rack."""
COPIES, JOKERS, JOKER_POINTS = 2, 2, 30

T = TypeVar("T")


class Answer(NamedTuple):
    tiles: int
    value: int | None = None
    """The points, if the peer maximises them."""


class Peer(Protocol):
    """A peer: constructed once, prepared outside the timing, solved inside it."""

    def ask(self, position: Position) -> Callable[[], Answer]: ...


class RummikubSolver:
    """Its model is built once, too; only the counts change."""

    def __init__(self) -> None:
        package = import_module("rummikub_solver")
        self.rules = package.RuleSet(solver_backend=package.MILPSolver.GLPK_MI)
        self.mode = package.SolverMode.TILE_COUNT

    def ask(self, position: Position) -> Callable[[], Answer]:
        state = self.rules.new_game()  # its tiles count from 1, colours first, then the joker
        state.add_table(*[face + 1 for row in position.table for face in row])
        state.add_rack(*[face + 1 for face in position.rack])
        state.initial = False

        def answer() -> Answer:
            found = self.rules.solve(state, self.mode)
            return Answer(0 if found is None else len(found.tiles))

        return answer


class Counts(NamedTuple):
    """Tiles by face: as many as `must` lie in rows, `may` can."""

    must: list[int]
    may: list[int]

    @staticmethod
    def of(position: Position) -> Counts:
        must, may = [0] * (JOKER + 1), [0] * (JOKER + 1)
        for row in position.table:
            for face in row:
                must[face] += 1
                may[face] += 1
        for face in position.rack:
            may[face] += 1
        return Counts(must, may)

    def answer(self, gain: float) -> Answer:
        """Converts a gain over the whole table to the gain of the rack."""
        there = sum(PRICE[face] * count for face, count in enumerate(self.must))
        tiles, value = divmod(round(gain) - there, TILE)
        return Answer(tiles, value)


FACES_IN_PLAY = (*NUMBERED_FACES, JOKER)
PRICE = [TILE + (NUMBER[face] or JOKER_POINTS) for face in FACES_IN_PLAY]


def row_templates() -> list[Counter[Face]]:
    """Every group, and every run of three to five, with up to two of its tiles as jokers."""
    found = set()
    for number in range(1, HIGHEST + 1):
        for size in (3, 4):
            for row in combinations([numbered(colour, number) for colour in range(4)], size):
                found |= with_jokers(row)
    for colour in range(4):
        for size in (3, 4, 5):
            for first in range(1, HIGHEST + 2 - size):
                run = [numbered(colour, number) for number in range(first, first + size)]
                found |= with_jokers(tuple(run))
    return [Counter(row) for row in sorted(found)]


def with_jokers(row: tuple[Face, ...]) -> set[tuple[Face, ...]]:
    return {
        (*kept, *[JOKER] * jokers)
        for jokers in range(JOKERS + 1)
        for kept in combinations(row, len(row) - jokers)
    }


class Highs:
    """The rows that the tiles allow as columns, the faces as rows; no presolve, one thread."""

    def __init__(self) -> None:
        self.highspy = import_module("highspy")
        self.numpy = numpy = import_module("numpy")
        templates = row_templates()
        self.uses = numpy.array([[row[face] for face in FACES_IN_PLAY] for row in templates])
        self.gain = (self.uses @ numpy.array(PRICE)).astype(float)
        self.highs = self.highspy.Highs()
        for name, value in (
            ("output_flag", False),
            ("presolve", "off"),  # it took feasible models for infeasible
            ("threads", 1),
            ("parallel", "off"),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", 0.5),  # gains are whole numbers
        ):
            self.highs.setOptionValue(name, value)

    def ask(self, position: Position) -> Callable[[], Answer]:
        numpy, highs = self.numpy, self.highs
        counts = Counts.of(position)

        def answer() -> Answer:
            may = numpy.array(counts.may)
            fits = (self.uses <= may).all(axis=1)
            uses = self.uses[fits]
            columns, faces = numpy.nonzero(uses)
            model = self.highspy.HighsLp()
            model.num_col_, model.num_row_ = len(uses), JOKER + 1
            model.sense_ = self.highspy.ObjSense.kMaximize
            model.col_cost_ = self.gain[fits]
            model.col_lower_ = numpy.zeros(len(uses))
            model.col_upper_ = numpy.full(len(uses), float(COPIES))
            model.row_lower_ = numpy.array(counts.must, dtype=float)
            model.row_upper_ = may.astype(float)
            model.a_matrix_.format_ = self.highspy.MatrixFormat.kColwise
            model.a_matrix_.start_ = numpy.concatenate(
                ([0], numpy.cumsum(numpy.bincount(columns, minlength=len(uses))))
            )
            model.a_matrix_.index_ = faces
            model.a_matrix_.value_ = uses[columns, faces].astype(float)
            model.integrality_ = [self.highspy.HighsVarType.kInteger] * len(uses)
            highs.passModel(model)
            highs.run()
            if highs.getModelStatus() != self.highspy.HighsModelStatus.kOptimal:
                return Answer(-1)
            highs.getSolution()
            return counts.answer(highs.getInfo().objective_function_value)

        return answer


class CpSat:
    """The same model; one worker, no probing, no symmetry, linearisation 2."""

    def __init__(self) -> None:
        self.cp: Any = import_module("ortools.sat.python.cp_model")
        self.templates = [
            (row, sum(PRICE[f] * n for f, n in row.items())) for row in row_templates()
        ]
        self.solver = self.cp.CpSolver()
        self.solver.parameters.num_workers = 1
        self.solver.parameters.cp_model_probing_level = 0
        self.solver.parameters.symmetry_level = 0
        self.solver.parameters.linearization_level = 2

    def ask(self, position: Position) -> Callable[[], Answer]:
        cp, counts = self.cp, Counts.of(position)

        def answer() -> Answer:
            model = cp.CpModel()
            rows: list[Any] = []
            gains: list[int] = []
            of_face: list[tuple[list[Any], list[int]]] = [([], []) for _ in range(JOKER + 1)]
            for row, gain in self.templates:
                if all(counts.may[face] >= count for face, count in row.items()):
                    laid = model.new_int_var(0, COPIES, "")
                    rows.append(laid)
                    gains.append(gain)
                    for face, count in row.items():
                        of_face[face][0].append(laid)
                        of_face[face][1].append(count)
            for face, (laid_rows, uses) in zip(FACES_IN_PLAY, of_face, strict=True):
                if laid_rows or counts.must[face]:
                    model.add_linear_constraint(
                        cp.LinearExpr.weighted_sum(laid_rows, uses),
                        counts.must[face],
                        counts.may[face],
                    )
            model.maximize(cp.LinearExpr.weighted_sum(rows, gains))
            if self.solver.solve(model) != cp.OPTIMAL:
                return Answer(-1)
            return counts.answer(self.solver.objective_value)

        return answer


PEERS: dict[str, Callable[[], Peer]] = {
    "rummikub-solver": RummikubSolver,
    "highs": Highs,
    "cp-sat": CpSat,
}
ALONE = "alone"
"""Placeholder for a peer, to time ours alone."""


def micros(run: Callable[[], T]) -> tuple[float, T]:
    """Processor time of one run, and its answer."""
    began = time.process_time_ns()
    found = run()
    return (time.process_time_ns() - began) / 1000, found


@cache
def clock_micros() -> float:
    """The cost of reading the clock, which is not small beside our times."""
    return min(micros(lambda: None)[0] for _ in range(1000))


def best_time(run: Callable[[], T]) -> tuple[float, T]:
    best, found = micros(run)
    spent, repeats = best, 1
    while spent < SPAN and repeats < REPEATS:
        again, found = micros(run)
        best = min(best, again)
        spent += again
        repeats += 1
    return best - clock_micros(), found


def is_legal(position: Position, found: Solution) -> bool:
    verdict = judge_turn(position, found.table)
    return verdict.legal and len(verdict.played) == found.tiles


def main() -> None:
    """Reads positions, writes the times and answers of both sides, a line each."""
    name = sys.argv[1]
    peer = None if name == ALONE else PEERS[name]()
    positions = [as_position(json.loads(line)) for line in sys.stdin]
    for position in positions[:3]:  # the first calls fill caches on both sides
        solve(position, tidy=False)
        if peer is not None:
            peer.ask(position)()
    for position in positions:  # interleaved, so that both see the same load
        our_time, found = best_time(partial(solve, position, tidy=False))
        line: dict[str, object] = {
            "ours": {"micros": our_time, "tiles": found.tiles, "value": found.value},
            "nodes": found.nodes,
            "legal": not found.tiles or is_legal(position, found),
        }
        if peer is not None:
            their_time, answer = best_time(peer.ask(position))
            line["peer"] = {"micros": their_time, **answer._asdict()}
            line["tidy"] = {"micros": best_time(partial(solve, position))[0]}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
