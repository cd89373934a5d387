"""The best opening: rows from the rack alone that reach the minimum, the table left as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tilerummy.rules.editions import Edition
from tilerummy.rules.openings import Valued, rows_from
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import (
    ALL_FACES,
    HIGHEST,
    IS_JOKER,
    JOKER,
    JOKER_FACES,
    NUMBER,
    SLOTS,
    Face,
)
from tilerummy.solver.cover.deadline import TimeOverError
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar, without
from tilerummy.solver.turns.answers import Answer, Rows, ask
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts, counter, split_rack
from tilerummy.solver.turns.objectives import Prices


class Openings:
    """All openings of one rack."""

    def __init__(
        self,
        edition: Edition,
        table: tuple[Faces, ...],
        rack: Counts,
        prices: Prices,
        budget: Budget | None = None,
    ) -> None:
        self.edition = edition
        self.table = table
        self.rack = rack
        self.prices = prices
        self.budget = budget or Budget()
        self.exact = True
        self._grammar = Grammar.of(edition)

    def best(
        self,
        *,
        kept: Rows = frozenset(),
        extended: Rows = frozenset(),
        forced: Counts | None = None,
        excluded: Counts | None = None,
        below: int | None = None,
    ) -> Answer | None:
        """Return the cheapest opening, or None; the rows of the table are kept in any case."""
        must, may, lost = split_rack(self.rack, self.prices, forced, excluded)
        if not self.edition.initial_jokers:
            if any(must[JOKER:]):
                return None
            for face in JOKER_FACES:
                lost += may[face] * self.prices.weights[face]
                may[face] = 0
        problem = CoverProblem(
            self._grammar,
            bytes(must),
            bytes(may),
            self.prices.weights,
            self.prices.stand,
            self.edition.initial_min,
        )
        single = self.edition.initial_single_set and self.edition.initial_min
        found = self._single(problem) if single else self._several(problem)
        if found is None or (below is not None and found.loss + lost >= below):
            return None
        return Answer(found.loss + lost, self.table + found.rows, (), self.exact)

    def _several(self, problem: CoverProblem) -> Cover | None:
        if any(problem.must[JOKER:]) or any(problem.may[JOKER:]):
            return ask(self, problem)
        # Without jokers the value of the rows is that of their tiles: mostly the best turn
        # reaches the minimum by itself, or the most valuable one does not.
        plain = replace(problem, stand=0, floor=0)
        found = ask(self, plain)
        if found is None or _points(found) >= problem.floor:
            return found
        richest = ask(self, replace(plain, weights=tuple(NUMBER)))
        if richest is None or (richest.exact and _points(richest) < problem.floor):
            return None
        dearer = ask(self, replace(problem, stand=0))
        if dearer is None and _points(richest) >= problem.floor:
            return richest._replace(loss=_loss(problem, richest))
        return dearer

    def _rows(self, stock: Counter[Face]) -> list[Valued]:
        try:
            return rows_from(self.edition, stock, tick=self.budget.tick)
        except TimeOverError:
            self.exact = False
            return []

    def _single(self, problem: CoverProblem) -> Cover | None:
        """One row alone reaches the minimum; more rows may join it."""
        best: Cover | None = None
        stock = counter(problem.must) + counter(problem.may)
        read = reader(self.edition).readings
        for value, row in self._rows(stock):
            if value < problem.floor:
                continue
            left = without(problem.must, problem.may, row)
            if left is None:
                continue
            must, may = left
            rest = ask(self, replace(problem, must=must, may=may, floor=0))
            if rest is None:
                continue
            slots = sum(SLOTS[face] for face in row if IS_JOKER[face])
            shown = sum(NUMBER[face] for face in row)
            stood = read(row)[0].value - shown
            loss = rest.loss + problem.stand * (HIGHEST * slots - stood)
            if best is None or loss < best.loss:
                best = Cover(loss, (row, *rest.rows), rest.nodes, rest.exact)
            if self.budget.over:
                self.exact = False
                break
        return best


def _loss(problem: CoverProblem, found: Cover) -> int:
    """What stays on the rack costs."""
    laid = Counter(face for row in found.rows for face in row)
    return sum(
        (problem.must[face] + problem.may[face] - laid[face]) * weight
        for face, weight in zip(ALL_FACES, problem.weights, strict=True)
    )


def _points(found: Cover) -> int:
    return sum(NUMBER[face] for row in found.rows for face in row)
