"""An answer of the search: a whole new table; and what every search of turns offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tilerummy.rules.openings import Opening
from tilerummy.rules.rows import Faces
from tilerummy.solver.cover.kernels import find_cover
from tilerummy.solver.cover.problem import Cover, CoverProblem
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts

Rows = frozenset[int]
"""Rows of the table before the turn, by their place."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole new table in faces; `opening` are its rows that had to be laid first."""

    loss: int
    rows: tuple[Faces, ...]
    opening: Opening
    exact: bool = True


class Turns(Protocol):
    """All turns of a position.

    `exact` is false once a limit was reached, `rack` counts the tiles of the rack.
    """

    exact: bool
    budget: Budget
    rack: Counts

    def best(
        self,
        *,
        kept: Rows = ...,
        extended: Rows = ...,
        forced: Counts | None = ...,
        excluded: Counts | None = ...,
        below: int | None = ...,
    ) -> Answer | None:
        """Return the cheapest turn, or None.

        Rows of the table named in `kept` stay as they are, those in `extended` are at most added
        to, `forced` tiles leave the rack and `excluded` ones do not. Only turns that cost less than
        `below` count.
        """


def ask(turns: Turns, problem: CoverProblem) -> Cover | None:
    """Return the kernel's answer, within the budget of a search; None if there is none.

    The search is no longer exact when the kernel reached a limit.
    """
    found = find_cover(turns.budget.limit(problem))
    if found is None:
        return None
    turns.budget.spend(found.nodes)
    if not found.exact:
        turns.exact = False
    return found if found.loss >= 0 else None
