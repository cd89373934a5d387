"""Among equally good turns, the one that leaves most rows of the table alone.

A set of rows is a *conflict* when no best turn keeps all of them. Whoever changes at least one row
of every known conflict, and as few rows as possible, has either the tidiest turn or finds another
conflict; so the search goes back and forth between the two questions until they agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tilerummy.rules.jokers import LaidRow
from tilerummy.solver.laying import match_rows
from tilerummy.solver.search import Answer, Counts

TRIES = 2000
"""How many turns are asked for before the best so far must do."""


class _Turns(Protocol):
    exact: bool
    rack: Counts

    def best(
        self,
        *,
        kept: frozenset[int] = ...,
        forced: Counts | None = ...,
        excluded: Counts | None = ...,
        below: int | None = ...,
    ) -> Answer | None: ...


class _GaveUp(Exception):  # noqa: N818 - a signal within this module
    pass


def tidiest(
    turns: _Turns,
    table: Sequence[LaidRow],
    answer: Answer,
    *,
    forced: Counts | None = None,
    excluded: Counts | None = None,
    tries: int = TRIES,
) -> tuple[Answer, bool]:
    """The tidiest turn that costs no more, and whether it is proven to be that.

    `forced` and `excluded` are as the answer was asked for.
    """
    search = _Search(turns, table, answer, forced, excluded, tries)
    try:
        search.run()
    except _GaveUp:
        return search.best, False
    return search.best, turns.exact


class _Search:
    def __init__(
        self,
        turns: _Turns,
        table: Sequence[LaidRow],
        answer: Answer,
        forced: Counts | None,
        excluded: Counts | None,
        tries: int,
    ) -> None:
        self.turns = turns
        self.table = [row.faces for row in table]
        self.everything = frozenset(range(len(table)))
        self.best = answer
        self.forced = forced
        self.excluded = excluded
        self.tries = tries
        self.conflicts: list[frozenset[int]] = []
        self.kept = self._kept(answer)

    def _kept(self, answer: Answer) -> frozenset[int]:
        return frozenset(match_rows(self.table, answer.rows)[0])

    def run(self) -> None:
        while len(self.kept) < len(self.everything):
            changed = fewest_hitting(self.conflicts, len(self.everything) - len(self.kept))
            if changed is None:
                return  # no fewer rows can be changed than the best turn so far changes
            if not self._keeps(self.everything - changed):
                self.conflicts.append(self._conflict(self.everything - changed))

    def _keeps(self, rows: frozenset[int]) -> bool:
        """Whether a best turn keeps these rows; if so it may be the best so far."""
        if rows <= self.kept:
            return True
        if self.tries <= 0:
            raise _GaveUp
        self.tries -= 1
        found = self.turns.best(
            kept=rows, forced=self.forced, excluded=self.excluded, below=self.best.loss + 1
        )
        if found is None:
            return False
        kept = self._kept(found)
        if len(kept) > len(self.kept):
            self.best, self.kept = found, kept
        return True

    def _conflict(self, rows: frozenset[int]) -> frozenset[int]:
        """A smallest part of these rows that no best turn keeps."""
        for row in sorted(rows, key=lambda number: len(self.table[number]), reverse=True):
            fewer = rows - {row}
            if not self._keeps(fewer):
                rows = fewer
        return rows


def fewest_hitting(conflicts: Sequence[frozenset[int]], below: int) -> frozenset[int] | None:
    """The fewest rows, fewer than `below`, with one of each conflict; None if that is too few."""
    for size in range(below):
        found = _hitting(conflicts, frozenset(), size)
        if found is not None:
            return found
    return None


def _hitting(
    conflicts: Sequence[frozenset[int]], chosen: frozenset[int], size: int
) -> frozenset[int] | None:
    missed = [conflict for conflict in conflicts if not conflict & chosen]
    if not missed:
        return chosen
    if size == len(chosen):
        return None
    for row in sorted(min(missed, key=len)):
        found = _hitting(missed, chosen | {row}, size)
        if found is not None:
            return found
    return None
