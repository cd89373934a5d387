"""The compiled lane: playouts whose turns the kernel finds without the interpreter.

The kernel plays while there are tiles in the pool, by the same searches as the solver. It asks
Python for a turn that takes more than that. What an empty pool means is left to the real `Game`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilerummy.playouts.limits import NO_LIMITS, Limits
from tilerummy.playouts.policies import smallest_opening
from tilerummy.playouts.state import Start
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Table
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.kernels import Covers, nanoseconds_left
from tilerummy.solver.turns.best_turn import solve_on
from tilerummy.solver.turns.shortcut import covers, playout_plans
from tilerummy.solver.turns.solution import Solution


class PlayedOn(NamedTuple):
    """A state that the lane has come to, and what that took."""

    start: Start
    turns: int
    searches: int
    """Questions to the kernel."""
    calls: int
    """Turns that it could not find alone."""


def serves(edition: Edition) -> bool:
    """Return whether the compiled lane can play an edition; the real `Game` plays the others."""
    return (
        kernels.compiled is not None
        and edition.draw_mode == "one"
        and edition.joker_declare == "position"
    )


def play_on(
    edition: Edition,
    start: Start,
    least: Sequence[int],
    most_turns: int | None = None,
    limits: Limits = NO_LIMITS,
) -> PlayedOn:
    """Play on until a rack or the pool is empty, or for `most_turns` turns.

    The caller guarantees that the lane serves the edition and that there are tiles in the pool.
    Raises TimeOverError at the deadline of the limits.
    """
    kernel = kernels.compiled
    assert kernel is not None, "see `serves`"

    def solve_turn(
        table: Table, rack: Row, opened: bool, small: bool, found: Covers | None
    ) -> Solution:
        begun = None if found is None else covers(found)
        position = Position(edition, table, rack, opened)
        turn = solve_on(position, begun, limits.nodes, limits.deadline)
        return smallest_opening(position, turn) if small and not opened else turn

    plans, finds_openings, rules = playout_plans(edition)
    opening = (
        edition.initial_min,
        finds_openings,
        edition.initial_same_turn_manipulation,
        edition.initial_jokers,
        edition.initial_single_set,
    )
    table, racks, left, opened, current, turns, searches, calls = kernel.playout(
        plans,
        rules,
        opening,
        start.table,
        start.racks,
        start.pool,
        start.opened,
        start.current,
        edition.step,
        tuple(least),
        -1 if most_turns is None else most_turns,
        solve_turn,
        limits.nodes or 0,
        0 if limits.deadline is None else nanoseconds_left(limits.deadline.monotonic),
    )
    limits.check()
    final = edition.empty_pool_end == "final_round" and not left
    reached = start._replace(
        table=table,
        racks=racks,
        pool=start.pool[:left],
        opened=opened,
        current=current,
        passes=0 if turns else start.passes,
        final_turns=len(racks) if final else None,
    )
    return PlayedOn(reached, turns, searches, calls)
