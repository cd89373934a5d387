"""Candidates: the few turns of a position that are worth a search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from tilerummy.rules.declarations import Declared
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import FACE_OF, IS_JOKER, Row, Table
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.cover.deadline import Deadline, TimeOverError
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution

FIRST_SINGLES = 4
"""Turns of one tile that come before larger ones: they give away least."""


class Candidate(NamedTuple):
    """A turn: the new table and what is played; nothing for a turn without a play."""

    played: Row
    table: Table
    declared: Declared


class Candidates:
    """Finds turns that differ in what they play, the best first."""

    def __init__(self, position: Position, nodes: int | None, deadline: Deadline | None) -> None:
        self._position, self._nodes, self._deadline = position, nodes, deadline
        self.idle = Candidate((), position.table, position.declared)

    def plays(self, best: Solution, most: int) -> list[Candidate]:
        """The best turn and others, at most this many."""
        found: dict[frozenset[int], Candidate] = {}
        for candidate in self._all(best):
            found.setdefault(frozenset(candidate.played), candidate)
            if len(found) >= most or (self._deadline is not None and self._deadline.over):
                break
        return [*found.values()]

    def _all(self, best: Solution) -> Iterator[Candidate]:
        yield Candidate(best.played, best.table, best.declared)
        if self._position.opened:
            yield from islice(self._single_tiles(best), FIRST_SINGLES)
            yield from self._loose_tiles()
            yield from self._sets_of_the_rack()
        yield from self._fewer_rows(best)
        yield from self._without_jokers()
        if self._position.opened:
            yield from self._without_one(best)
            yield from self._single_tiles(best)

    def _solve(self, rack: Row) -> Iterator[Candidate]:
        """The best turn with some tiles of the rack."""
        position = replace(self._position, rack=rack)
        found = solve(position, tidy=False, node_limit=self._nodes, time_limit=self._deadline)
        if found.plays:
            yield Candidate(found.played, found.table, found.declared)

    def _fewer_rows(self, best: Solution) -> Iterator[Candidate]:
        """The turn without some of the new rows that come from the rack alone, if that is legal."""
        played = {*best.played}
        own = [row for row in best.table if played.issuperset(row)]
        if len(own) > 1 or (own and len(own[0]) < len(played)):
            by_size = sorted(own, key=len)
            subsets = [[row] for row in by_size]
            if len(own) > 2:
                subsets += [[row for row in own if row != kept] for kept in by_size]
            for dropped in subsets:
                table = tuple([row for row in best.table if row not in dropped])
                yield from self._judged(table)

    def _judged(self, table: Table) -> Iterator[Candidate]:
        tick = None if self._deadline is None else self._deadline.check
        try:
            verdict = judge_turn(self._position, table, self._position.declared, tick)
        except TimeOverError:
            return
        if verdict.legal:
            yield Candidate(verdict.played, verdict.table, verdict.declared)

    def _without_jokers(self) -> Iterator[Candidate]:
        rack = self._position.rack
        numbered = tuple([tile for tile in rack if not IS_JOKER[FACE_OF[tile]]])
        if len(numbered) < len(rack):
            yield from self._solve(numbered)

    def _own_sets(self) -> Solution:
        """The best rows of the rack alone."""
        alone = replace(self._position, table=(), declared={})
        return solve(alone, tidy=False, node_limit=self._nodes, time_limit=self._deadline)

    def _sets_of_the_rack(self) -> Iterator[Candidate]:
        yield from self._solve(self._own_sets().played)

    def _loose_tiles(self) -> Iterator[Candidate]:
        """What fits the table now; the sets of the rack stay, as they can be laid at any time."""
        sets = {*self._own_sets().played}
        loose = tuple([tile for tile in self._position.rack if tile not in sets])
        if len(loose) < len(self._position.rack):
            yield from self._solve(loose)

    def _without_one(self, best: Solution) -> Iterator[Candidate]:
        for kept in islice(best.played, 4):
            yield from self._solve(tuple([t for t in self._position.rack if t != kept]))

    def _single_tiles(self, best: Solution) -> Iterator[Candidate]:
        for tile in best.played:
            yield from self._solve((tile,))
