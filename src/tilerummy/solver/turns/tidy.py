"""The tidiest turn: among equally good ones, the one that leaves most rows of the table alone.

A set of rows is a *conflict* when no best turn keeps all of them. A minimum hitting set of the
known conflicts, the fewest rows with one of each, either is what the tidiest turn changes or leads
to another conflict. The search goes back and forth between the two questions until they agree.

Where joker rules bind, the same is asked first as if there were none (`relaxed`). That is quick,
its conflicts are conflicts under the rules as well, and mostly its turn is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.rows import Faces
from tilerummy.rules.ticks import Tick
from tilerummy.solver.cover.deadline import TimeOverError
from tilerummy.solver.turns.answers import Answer, Rows, Turns
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts
from tilerummy.solver.turns.relaxed import RelaxedTurns
from tilerummy.solver.turns.row_matching import holds, match_rows
from tilerummy.solver.turns.search import TurnSearch

EFFORT = 20_000
"""What it may cost, in states of the kernels, before the best turn so far must do."""

Ask = Callable[[Rows, Rows, int], Answer | None]
"""A turn that keeps some rows, at most adds to others, and costs less than that; or None."""


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

    def ask(kept: Rows, extended: Rows, below: int) -> Answer | None:
        return turns.best(
            kept=kept, extended=extended, forced=forced, excluded=excluded, below=below
        )

    search = _LeastChange(ask, turns.budget, table, answer)
    budget, exact = turns.budget, turns.exact
    began = budget.effort
    proven = False
    takes_apart = isinstance(turns, TurnSearch) and not turns.only_adds
    try:
        if isinstance(turns, TurnSearch) and takes_apart:
            budget.most_effort = began + (effort // 2 if turns.has_rules else effort)
            search.start_from(RelaxedTurns(turns, forced, excluded))
        budget.most_effort = began + effort
        search.keep_more()
        search.prove()
        proven = exact
        search.extend()
    except (_GaveUp, TimeOverError):
        pass
    budget.most_effort, turns.exact = None, exact
    rows = search.kept_first() if takes_apart else search.best.rows
    return replace(search.best, rows=rows, exact=answer.exact), proven


class _LeastChange:
    def __init__(self, ask: Ask, budget: Budget, table: Sequence[LaidRow], answer: Answer) -> None:
        self.ask = ask
        self.budget = budget
        self.laid = table
        self.table = [row.faces for row in table]
        self.everything = frozenset(range(len(table)))
        self.best = answer
        self.conflicts: list[Rows] = []
        self.kept = self._kept(answer)

    def kept_first(self) -> tuple[Faces, ...]:
        """The rows of the best turn, those that it keeps first: so they keep their tiles, too."""
        kept, new_rows = match_rows(self.table, self.best.rows)
        return (*[self.table[number] for number in kept], *new_rows)

    def _kept(self, answer: Answer) -> Rows:
        return frozenset(match_rows(self.table, answer.rows)[0])

    def start_from(self, relaxed: RelaxedTurns) -> None:
        """Begin with what is the tidiest turn without the joker rules, and with its conflicts."""
        search = _LeastChange(relaxed.best, self.budget, self.laid, self.best)
        try:
            search.keep_more()
            search.prove()
        except _GaveUp:
            pass
        self.conflicts = search.conflicts
        if relaxed.is_lawful(search.kept):
            self.best, self.kept = search.best, search.kept
        elif not self.budget.over:
            self._keeps(search.kept)

    def keep_more(self) -> None:
        """A good start: one row after another is kept where that costs nothing."""
        if self._is_least():
            return
        for row in sorted(self.everything - self.kept, key=lambda number: len(self.table[number])):
            self._keeps(self.kept | {row})

    def prove(self) -> None:
        """Change as few rows as possible."""
        for row in sorted(self.everything - self.kept):
            if self._is_least():
                return
            if not self._keeps(frozenset({row})):
                self.conflicts.append(frozenset({row}))
        while len(self.kept) < len(self.everything):
            fewer = len(self.everything) - len(self.kept)
            changed = fewest_hitting(self.conflicts, fewer, self.budget.tick)
            if changed is None:
                return  # no fewer rows can be changed than the best turn so far changes
            if not self._keeps(self.everything - changed):
                self.conflicts.append(self._conflict(self.everything - changed))

    def extend(self) -> None:
        """Of the rows that change, rather add to one than take it apart."""
        extended: Rows = frozenset()
        for row in sorted(self.everything - self.kept):
            if self._adds_to(extended | {row}):
                extended |= {row}
                continue
            found = self._ask(self.kept, extended | {row})
            if found is not None:
                self.best, extended = found, extended | {row}

    def _adds_to(self, rows: Rows) -> bool:
        """Whether the best turn so far adds to all of these rows already."""
        _, new_rows = match_rows(self.table, self.best.rows)
        for number in rows:
            longer = next((new for new in new_rows if holds(new, self.table[number])), None)
            if longer is None:
                return False
            new_rows.remove(longer)
        return True

    def _ask(self, kept: Rows, extended: Rows = frozenset()) -> Answer | None:
        if self.budget.over:
            raise _GaveUp
        found = self.ask(kept, extended, self.best.loss + 1)
        if found is None and self.budget.over:
            raise _GaveUp
        return found

    def _keeps(self, rows: Rows) -> bool:
        """Whether a best turn keeps these rows; if so it may be the best so far."""
        if rows <= self.kept:
            return True
        if any(conflict <= rows for conflict in self.conflicts):
            return False
        found = self._ask(rows)
        if found is None:
            return False
        kept = self._kept(found)
        if len(kept) > len(self.kept):
            self.best, self.kept = found, kept
        return True

    def _is_least(self) -> bool:
        """Whether the known conflicts prove that no turn changes fewer rows."""
        changed = len(self.everything) - len(self.kept)
        return not changed or fewest_hitting(self.conflicts, changed, self.budget.tick) is None

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
