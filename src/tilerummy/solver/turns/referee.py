"""The referee's objection to a new table, as the search needs it.

`rules/jokers` states the joker rules of a turn as a matching problem. The search needs to know
whether that problem can be solved for rows in faces, and if not, which rules are broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow, has_joker_rules, joker_problem, lay
from tilerummy.rules.matching import Problem
from tilerummy.rules.openings import Opening
from tilerummy.rules.position import Position
from tilerummy.rules.quick_jokers import QuickJokers, face_set
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import ALL_FACES, unidentified
from tilerummy.rules.turn_openings import obvious_opening
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.turns.branch import Branch
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts, counter
from tilerummy.solver.turns.meanings import all_meanings, asks, statements

SPECIAL_EXCHANGE = "special-exchange"
"""The code of the reason that names a row robbed of its joker."""


NO_OPENING = Branch(b"", b"")
"""A branch of a search in which nothing was laid first."""


class _Before(NamedTuple):
    """The rows that count as old with some opening, which is kept so that its id is its own."""

    opening: Opening
    rows: list[LaidRow]
    quick: QuickJokers


class Referee:
    """Judges new tables against one old table and one rack.

    Every question raises TimeOverError when the deadline of the budget has passed.
    """

    def __init__(
        self, edition: Edition, table: Sequence[LaidRow], rack: Counts, budget: Budget
    ) -> None:
        self.edition = edition
        self.table = [
            LaidRow(
                unidentified(row.faces), row.faces, row.readings, row.first, row.said, row.named
            )
            for row in table
        ]
        self._rack = rack
        self._rack_set = face_set(counter(rack))
        self._budget = budget
        self._asks = asks(edition, table)
        self._declared = {row.tiles: row.said for row in self.table if row.said is not None}
        self._readings = reader(edition).readings
        self._has_rules = has_joker_rules(edition)
        self._known: dict[int, _Before] = {}

    def old_rows(self, branch: Branch) -> list[LaidRow]:
        """Return the rows that count as old: those of the table, and an opening laid first."""
        return self._before(branch).rows

    def quick(self, branch: Branch) -> QuickJokers:
        """Return the quick verdicts on tables after the rows that count as old."""
        return self._before(branch).quick

    def _before(self, branch: Branch) -> _Before:
        opening = branch.opening or ()
        known = self._known.get(id(opening))
        if known is None:
            rows = self.table
            if opening:
                laid = [(row.tiles, row.readings) for row in rows]
                laid += [(unidentified(row.row), row.readings) for row in opening]
                rows = [*rows, *lay(laid)[len(rows) :]]
            known = _Before(opening, rows, QuickJokers(self.edition, rows))
            self._known[id(opening)] = known
        return known

    def objection(self, branch: Branch, rows: tuple[Faces, ...]) -> Problem | None:
        """Return what the joker rules ask of a new table that breaks them, None if it is legal."""
        if branch.extended or (branch.opening is None and not self._is_explained(rows)):
            return Problem({})
        if branch.opening is None or not self._has_rules:
            return None
        before = self.old_rows(branch)
        if not any(row.jokers() for row in before):
            return None
        quick = None if self._asks else self.quick(branch).verdict(rows, self._rack_set)
        if quick:
            return None
        if quick is False and branch.locks:
            return Problem({})  # the locks are treated next, whatever the objection is
        if self._is_quickly_legal(before, rows, len(branch.opening)):
            return None
        objection: Problem | None = None
        for after in self._meanings(rows, before):
            opening = len(branch.opening)
            problem = joker_problem(self.edition, before, after, opening, tick=self._budget.tick)
            if problem.solvable():
                return None
            if objection is None:
                objection = problem
            else:
                objection.forbids += problem.forbids
                objection.needs_rack += problem.needs_rack
                objection.requires += problem.requires
        return objection

    def _is_quickly_legal(
        self, before: list[LaidRow], rows: tuple[Faces, ...], opening: int
    ) -> bool:
        """Whether the rules agree when rows that look the same are taken to be the same.

        False says little: equal tiles may have to change places with those rows.
        """
        if self._asks:
            return False
        standing = Counter(row.faces for row in before[: len(before) - opening]) & Counter(rows)
        kept, old = Counter(standing), []
        for row in before:
            if kept[row.faces]:
                kept[row.faces] -= 1
            else:
                old.append((row.tiles, row.readings))
        kept, new = Counter(standing), []
        for faces in rows:
            if kept[faces]:
                kept[faces] -= 1
            else:
                new.append((unidentified(faces), self._readings(faces)))
        tick = self._budget.tick
        return joker_problem(self.edition, lay(old), lay(new), opening, tick=tick).solvable()

    def _meanings(self, rows: tuple[Faces, ...], before: list[LaidRow]) -> Iterator[list[LaidRow]]:
        """The new table with its readings; where the player has to choose, each choice."""
        for chosen in all_meanings(self.edition, rows, before, self._budget.tick):
            readings = [meaning.readings for meaning in chosen]
            yield lay(list(zip(map(unidentified, rows), readings, strict=True)))

    def _is_explained(self, rows: tuple[Faces, ...]) -> bool:
        """Whether some opening explains the new table (for turns that go on after it)."""
        if not self._asks:
            if self._is_obviously_explained(rows):
                return True
            if self.quick(NO_OPENING).verdict(rows, self._rack_set) is False:
                return False
        rack = unidentified([face for face in ALL_FACES for _ in range(self._rack[face])])
        table = tuple(map(unidentified, rows))
        before = tuple([row.tiles for row in self.table])
        position = Position(self.edition, before, rack, opened=False, declared=self._declared)
        tick = self._budget.tick
        return any(
            judge_turn(position, table, declared, tick).legal
            for declared in (statements(self.edition, table, tick) if self._asks else [None])
        )

    def _is_obviously_explained(self, rows: tuple[Faces, ...]) -> bool:
        """Whether the new rows that consist of rack tiles open, and no joker rule objects then."""
        played = Counter(face for row in rows for face in row)
        played.subtract(face for row in self.table for face in row.faces)
        opening = obvious_opening(self.edition, rows, +played)
        if opening is None:
            return False
        laid = [(row.tiles, row.readings) for row in self.table]
        laid += [(unidentified(row.row), row.readings) for row in opening]
        quick = QuickJokers(self.edition, lay(laid))
        return quick.verdict(rows, self._rack_set) is True
