"""The tidiest turn: among equally good ones, the one that leaves most rows of the table alone.

A set of rows is a *conflict* when no best turn keeps all of them. A minimum hitting set of the
known conflicts, the fewest rows with one of each, either is what the tidiest turn changes or leads
to another conflict. The search goes back and forth between the two questions until they agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.ticks import Tick
from tilerummy.solver.cover.deadline import TimeOverError
from tilerummy.solver.turns.answers import Answer, Rows, Turns
from tilerummy.solver.turns.counts import Counts
from tilerummy.solver.turns.row_matching import match_rows

EFFORT = 20_000
"""What it may cost, in states of the kernels, before the best turn so far must do."""


class _GaveUp(Exception):  # noqa: N818 - a signal within this module
    pass


def tidiest(
    turns: Turns,
    table: Sequence[LaidRow],
    answer: Answer,
    *,
    forced: Counts | None = None,
    excluded: Counts | None = None,
    effort: int = EFFORT,
) -> tuple[Answer, bool]:
    """Return the tidiest turn that costs no more, and whether that is proven.

    `forced` and `excluded` are those with which the answer was found.
    """
    search = _LeastChange(turns, table, answer, forced, excluded)
    budget, exact = turns.budget, turns.exact
    budget.most_effort = budget.effort + effort
    proven = False
    try:
        search.keep_more()
        search.prove()
        proven = exact
        search.extend()
    except (_GaveUp, TimeOverError):
        pass
    budget.most_effort, turns.exact = None, exact
    return replace(search.best, exact=answer.exact), proven


class _LeastChange:
    def __init__(
        self,
        turns: Turns,
        table: Sequence[LaidRow],
        answer: Answer,
        forced: Counts | None,
        excluded: Counts | None,
    ) -> None:
        self.turns = turns
        self.table = [row.faces for row in table]
        self.everything = frozenset(range(len(table)))
        self.best = answer
        self.forced = forced
        self.excluded = excluded
        self.conflicts: list[Rows] = []
        self.kept = self._kept(answer)

    def _kept(self, answer: Answer) -> Rows:
        return frozenset(match_rows(self.table, answer.rows)[0])

    def keep_more(self) -> None:
        """A good start: one row after another is kept where that costs nothing."""
        for row in sorted(self.everything - self.kept, key=lambda number: len(self.table[number])):
            self._keeps(self.kept | {row})

    def prove(self) -> None:
        """Change as few rows as possible."""
        while len(self.kept) < len(self.everything):
            fewer = len(self.everything) - len(self.kept)
            changed = fewest_hitting(self.conflicts, fewer, self.turns.budget.tick)
            if changed is None:
                return  # no fewer rows can be changed than the best turn so far changes
            if not self._keeps(self.everything - changed):
                self.conflicts.append(self._conflict(self.everything - changed))

    def extend(self) -> None:
        """Of the rows that change, rather add to one than take it apart."""
        extended: Rows = frozenset()
        for row in sorted(self.everything - self.kept):
            found = self._ask(self.kept, extended | {row})
            if found is not None:
                self.best, extended = found, extended | {row}

    def _ask(self, kept: Rows, extended: Rows = frozenset()) -> Answer | None:
        if self.turns.budget.over:
            raise _GaveUp
        found = self.turns.best(
            kept=kept,
            extended=extended,
            forced=self.forced,
            excluded=self.excluded,
            below=self.best.loss + 1,
        )
        if found is None and self.turns.budget.over:
            raise _GaveUp
        return found

    def _keeps(self, rows: Rows) -> bool:
        """Whether a best turn keeps these rows; if so it may be the best so far."""
        if rows <= self.kept:
            return True
        found = self._ask(rows)
        if found is None:
            return False
        kept = self._kept(found)
        if len(kept) > len(self.kept):
            self.best, self.kept = found, kept
        return True

    def _conflict(self, rows: Rows) -> Rows:
        """A smallest part of these rows that no best turn keeps."""
        for row in sorted(rows, key=lambda number: len(self.table[number]), reverse=True):
            fewer = rows - {row}
            if not self._keeps(fewer):
                rows = fewer
        return rows


def fewest_hitting(conflicts: Sequence[Rows], below: int, tick: Tick | None = None) -> Rows | None:
    """The fewest rows, fewer than `below`, with one of each conflict; None if that is too few."""
    for size in range(below):
        found = _hitting(conflicts, frozenset(), size, tick)
        if found is not None:
            return found
    return None


def _hitting(conflicts: Sequence[Rows], chosen: Rows, size: int, tick: Tick | None) -> Rows | None:
    if tick is not None:
        tick()
    missed: list[Rows] = [conflict for conflict in conflicts if not conflict & chosen]
    if not missed:
        return chosen
    if size == len(chosen):
        return None
    smallest = min(missed, key=lambda conflict: len(conflict))
    for row in sorted(smallest):
        found = _hitting(missed, chosen | {row}, size, tick)
        if found is not None:
            return found
    return None
