"""The policies of a playout: when a seat plays its best turn, and when it draws.

A policy is one number, `least`. A seat opens as soon as it can, then draws until it can lay that
many tiles at once, or its whole rack. On an empty pool it plays what it can. That is what
`bots.solver.SolverBot` does with `least` and no time limit. A negative number is the same policy
with the smallest opening: opponents can build on fewer tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tilerummy.play.commands import Draw, Pass, Play, Turn
from tilerummy.play.game import Game
from tilerummy.playouts.limits import NO_LIMITS, Limits
from tilerummy.rules.position import Position
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import Table, faces_of
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution


def enough(least: int, rack: int, *, opened: bool, pool: int) -> int:
    """Return how many tiles a turn has to lay so that the seat plays it."""
    return min(abs(least), rack) if opened and pool else 1


def smallest_opening(position: Position, best: Solution) -> Solution:
    """Return the best opening without the new rows that it does not need.

    The best opening itself where it goes out, or where nothing smaller is legal.
    """
    if best.tiles == len(position.rack):
        return best
    for few in _fewer_rows(position, best):
        verdict = judge_turn(position, few, position.declared)
        if verdict.legal:
            return best._replace(
                tiles=len(verdict.played),
                played=verdict.played,
                table=verdict.table,
                declared=verdict.declared,
            )
    return best


def _fewer_rows(position: Position, best: Solution) -> list[Table]:
    """The tables with some of the new rows that may be worth the minimum, the smallest first."""
    read, stay = reader(position.edition).readings, len(position.table)
    if best.table[:stay] != position.table:
        return []
    rows = [(row, read(faces_of(row))[0].value) for row in best.table[stay:]]
    subsets = [
        few
        for size in range(1, len(rows))
        for few in combinations(rows, size)
        if sum([value for _, value in few]) >= position.edition.initial_min
    ]
    subsets.sort(key=lambda few: sum([len(row) for row, _ in few]))
    return [position.table + tuple([row for row, _ in few]) for few in subsets]


class Policies:
    """The seats of one game, and the proofs that its rules ask for."""

    def __init__(self, least: Sequence[int], limits: Limits = NO_LIMITS) -> None:
        self._least, self._limits = least, limits
        self._solved: dict[Position, Solution] = {}
        """Solutions that a proof needed; the next turn needs most of them again."""

    def choose(self, game: Game) -> Turn:
        """Return the turn of the seat that is to move."""
        seat, pool = game.current, len(game.pool)
        position = game.position(seat)
        # Proofs are needed on an empty pool alone, and hashing a position takes time.
        known = None if pool else self._solved.get(position)
        found = known or self._solve(position)
        if self._least[seat] < 0 and found.plays and not position.opened:
            found = smallest_opening(position, found)
        wanted = enough(self._least[seat], len(position.rack), opened=position.opened, pool=pool)
        if found.plays and found.tiles >= wanted:
            return Play(seat, found.table, found.declared)
        return Draw(seat) if pool else Pass(seat)

    def can_play(self, position: Position) -> bool | None:
        """Return whether the seat of a position can play any tile; None if no search within the
        limits says so."""
        found = self._solved[position] = self._solve(position)
        return found.plays or (False if found.exact else None)

    def _solve(self, position: Position) -> Solution:
        nodes, deadline = self._limits
        return solve(position, tidy=False, node_limit=nodes, time_limit=deadline)
