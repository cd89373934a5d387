"""A position with an objective: its turns in faces, and its solutions in tiles."""

from __future__ import annotations

from dataclasses import replace

from tilerummy.rules.declarations import Declaration
from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import FACE_OF, FACES, Row, faces_of
from tilerummy.rules.turns import read_table
from tilerummy.solver.cover.deadline import TimeOverError
from tilerummy.solver.cover.problem import Cover
from tilerummy.solver.turns.answers import Answer, Turns
from tilerummy.solver.turns.assignment import LaidTable, lay_beside, lay_tiles
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts
from tilerummy.solver.turns.objectives import Objective, opening_prices, turn_prices
from tilerummy.solver.turns.openings import Openings
from tilerummy.solver.turns.search import TurnSearch
from tilerummy.solver.turns.solution import Solution
from tilerummy.solver.turns.tidy import tidiest

Laid = tuple[LaidTable, dict[Row, Declaration]]


class PositionSolver:
    """A position with an objective, ready to answer for its turns.

    `turns` searches in faces; `solution` turns what it finds into tiles.
    """

    def __init__(self, position: Position, goal: Objective, budget: Budget | None = None) -> None:
        self.position = position
        self.goal = goal
        self.table = read_table(position.edition, position.table, position.declared)
        self.turns = _turns(position, goal, self.table, budget or Budget())

    def again(self, quick: Solution) -> Answer:
        """Return the answer that the compiled kernel gave as a solution."""
        faces = {row: read.faces for row, read in zip(self.position.table, self.table, strict=True)}
        rows = tuple([faces.get(row) or faces_of(row) for row in quick.table])
        weights = turn_prices(self.position.edition, self.goal).weights
        loss = sum([weights[FACE_OF[tile]] for tile in self.position.rack])
        loss -= sum([weights[FACE_OF[tile]] for tile in quick.played])
        self.turns.budget.spent += quick.nodes
        self.turns.exact = quick.exact
        return Answer(loss, rows, (), quick.exact)

    def found(self, cover: Cover) -> Answer:
        """Return the answer that the compiled kernel found, of which the tiles have to be laid."""
        self.turns.budget.spent += cover.nodes
        return Answer(cover.loss, cover.rows, (), cover.exact)

    def in_haste(self, answer: Answer | None, forced: Counts | None) -> Answer | None:
        """Return the answer, or a turn that leaves the table alone if that is as good."""
        turns, edition = self.turns, self.position.edition
        if isinstance(turns, Openings):
            return answer
        turns.budget.renew()
        if not self.position.opened:
            faces, prices = _faces(self.table), turn_prices(edition, self.goal)
            turns = Openings(edition, faces, turns.rack, prices, turns.budget)
        everything = frozenset(range(len(self.table)))
        with turns.budget.grace():
            other = turns.best(kept=everything, forced=forced)
        if other is None or (answer is not None and answer.loss < other.loss):
            return answer
        return replace(other, exact=False)

    @property
    def counts_rows(self) -> bool:
        """Whether the value of a turn is that of the rows laid: a plain opening."""
        edition = self.position.edition
        return not self.position.opened and not edition.initial_same_turn_manipulation

    def solution(
        self,
        answer: Answer | None,
        *,
        tidy: bool,
        forced: Counts | None = None,
        excluded: Counts | None = None,
    ) -> Solution:
        """Return the answer in tiles; no answer, or one that plays nothing, means to draw."""
        position = self.position
        found, is_tidiest = None, False
        if answer is not None and not tidy and self._plays_nothing(answer):
            return self._drawn(answer.exact)
        if answer is not None and tidy:
            answer, found, is_tidiest = self._tidied(answer, forced, excluded)
        elif answer is not None:
            found = self._laid(answer)
        nodes = self.turns.budget.spent
        if answer is None:
            return self._drawn(True)
        if found is None:  # in time, that is
            answer = self.in_haste(None, forced)
            found = None if answer is None else self._laid_beside(answer)
        if answer is None or found is None:
            return self._drawn(False)
        (table, played, kept), declared = found
        if not played:
            return self._drawn(answer.exact)
        if self.counts_rows:
            read = reader(position.edition).readings
            value = sum(read(faces_of(row))[0].value for row in table[kept:])
        else:
            value = rack_points(position.edition, played)
        return Solution(
            len(played),
            value,
            played,
            table,
            kept,
            answer.exact,
            is_tidiest,
            nodes,
            declared,
        )

    def _plays_nothing(self, answer: Answer) -> bool:
        return sum(map(len, answer.rows)) == sum(map(len, self.position.table))

    def _drawn(self, exact: bool) -> Solution:
        """The answer to draw, if the search was exact and what it found is."""
        table, nodes = self.position.table, self.turns.budget.spent
        exact = exact and self.turns.exact
        return Solution(0, 0, (), table, len(table), exact, True, nodes)

    def _tidied(
        self, answer: Answer, forced: Counts | None, excluded: Counts | None
    ) -> tuple[Answer, Laid | None, bool]:
        """The tidiest of the turns that are as good, in tiles, and whether it is proven to be that.

        Tidying may use up the time. So where there is a limit, the answer is laid before, too.
        """
        before = None if self.turns.budget.deadline is None else self._laid(answer)
        tidier, is_tidiest = tidiest(
            self.turns, self.table, answer, forced=forced, excluded=excluded
        )
        found = self._laid(tidier)
        if found is None and before is not None:
            return answer, before, False
        return tidier, found, is_tidiest

    def _laid(self, answer: Answer) -> Laid | None:
        """The answer in tiles; None where time is over first."""
        budget = self.turns.budget
        try:
            with budget.grace():
                return lay_tiles(
                    self.position, self.table, answer.rows, answer.opening, budget.tick
                )
        except TimeOverError:
            return None

    def _laid_beside(self, answer: Answer) -> Laid | None:
        """As `_laid` for an answer that leaves the table alone."""
        budget = self.turns.budget
        try:
            with budget.grace(), budget.grace():
                return lay_beside(self.position, self.table, answer.rows, budget.tick)
        except TimeOverError:
            return None


def _turns(position: Position, goal: Objective, table: list[LaidRow], budget: Budget) -> Turns:
    edition = position.edition
    rack = bytearray(FACES)
    for tile in position.rack:
        rack[FACE_OF[tile]] += 1
    if not position.opened and not edition.initial_same_turn_manipulation:
        prices = opening_prices(edition, goal)
        return Openings(edition, _faces(table), bytes(rack), prices, budget)
    prices = turn_prices(edition, goal)
    return TurnSearch(
        edition,
        table,
        bytes(rack),
        prices,
        opened=position.opened,
        manipulation=position.manipulation,
        budget=budget,
    )


def _faces(table: list[LaidRow]) -> tuple[Faces, ...]:
    return tuple([row.faces for row in table])
