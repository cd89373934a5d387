"""Relaxed turns: the turns of a position without the joker rules, which are quickly asked for.

They are a relaxation: a turn that the rules allow is one of them, and costs the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilerummy.rules.tiles import FACES, Face
from tilerummy.solver.cover.problem import CoverProblem, Grammar
from tilerummy.solver.turns.answers import Answer, Rows, ask
from tilerummy.solver.turns.counts import Counts, split_rack
from tilerummy.solver.turns.search import TurnSearch


class RelaxedTurns:
    """The turns of a search without the joker rules; `forced` and `excluded` as in `Turns`."""

    def __init__(
        self, turns: TurnSearch, forced: Counts | None = None, excluded: Counts | None = None
    ) -> None:
        self.is_lawful = turns.is_free
        """Whether no rule can object to a turn that keeps these rows."""
        self._turns = turns
        self._grammar = Grammar.of(turns.edition)
        self._faces = [row.faces for row in turns.table]
        self._counts = [_packed(row) for row in self._faces]
        must, may, self._lost = split_rack(turns.rack, turns.prices, forced, excluded)
        self._all = int.from_bytes(must, "little") + sum(self._counts)
        self._may = bytes(may)

    def best(self, kept: Rows, extended: Rows, below: int) -> Answer | None:
        """Return the cheapest turn that keeps these rows and costs less than `below`, or None."""
        assert not extended, "the relaxation only keeps rows"
        must = self._all - sum([self._counts[number] for number in kept])
        problem = CoverProblem(
            self._grammar,
            must.to_bytes(FACES, "little"),
            self._may,
            self._turns.prices.weights,
            below=below - self._lost,
        )
        found = ask(self._turns, problem)
        if found is None:
            return None
        settled = tuple([self._faces[number] for number in sorted(kept)])
        return Answer(found.loss + self._lost, settled + found.rows, (), found.exact)


def _packed(row: Sequence[Face]) -> int:
    """The counts of a row in one number, eight bits for each face: quick to add and subtract."""
    return sum([1 << 8 * face for face in row])
