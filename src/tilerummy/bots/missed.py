"""Missed plays: what each player could still have played when a game ended."""

from __future__ import annotations

from tilerummy.play.game import Game
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution


def missed_plays(game: Game, time_limit: float | None = None) -> dict[int, Solution]:
    """The best turn of every seat that can play, by seat, as if each were to move now.

    `time_limit` is in seconds for each seat. Empty if a player went out or nothing is dealt.
    """
    if () in game.racks:
        return {}
    found = {
        seat: solve(game.position(seat), time_limit=time_limit) for seat in range(len(game.racks))
    }
    return {seat: solution for seat, solution in found.items() if solution.plays}
