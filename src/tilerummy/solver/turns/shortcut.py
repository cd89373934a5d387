"""The shortcut: turns that the compiled kernel answers alone, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import has_joker_rules
from tilerummy.rules.position import Position
from tilerummy.rules.quick_jokers import Watch
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import ALL_FACES, HIGHEST, IS_JOKER, JOKER, NUMBER, Table, faces_of
from tilerummy.rules.turn_jokers import keeps_joker_rules
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.abi import pack_plan
from tilerummy.solver.cover.deadline import Deadline
from tilerummy.solver.cover.kernels import Covers, Kernel, Plans, Rules, nanoseconds_left
from tilerummy.solver.cover.problem import Cover, Grammar
from tilerummy.solver.turns.lock_data import lock_data
from tilerummy.solver.turns.objectives import (
    OBJECTIVES,
    Objective,
    Prices,
    opening_prices,
    turn_prices,
)
from tilerummy.solver.turns.solution import Solution

Begun = tuple[Cover] | tuple[Cover, Cover | None]
"""The best turn of which the tiles have to be laid; or the best covers without the joker rules, and
with the rows that hold jokers left alone."""


def answer_alone(
    position: Position,
    goal: Objective,
    node_limit: int,
    deadline: Deadline | None,
    *,
    tidy: bool = False,
) -> Solution | Begun | None:
    """Return the best turn, or None if it takes more than the compiled kernel alone.

    Where rules bind the jokers of the table and may matter, return what is known: one cover or two.
    """
    kernel = kernels.compiled
    plan = _plan(position.edition, goal)
    if kernel is None or not plan.turn:
        return None
    if not position.opened:
        if plan.opening:
            return _opening(kernel, plan, position, node_limit, deadline)
        nodes = _cannot_open(kernel, plan, position, node_limit, deadline)
        if nodes is not None:
            return _draw(position.table, nodes)
        if node_limit or tidy:
            return None
        return _opening_that_goes_on(kernel, plan, position, deadline)
    if not position.manipulation:
        return None
    time = 0 if deadline is None else nanoseconds_left(deadline.monotonic)
    rules = None if position.declared else plan.rules
    if rules is not None and tidy:
        rules = rules._replace(locks=None)
    found = kernel.turn(plan.turn, position.table, position.rack, node_limit, time, rules)
    if found is None:
        return None
    if len(found) <= 2:
        return covers(found)
    return _new(Solution, found)


def covers(found: Covers) -> Begun:
    """Return the covers of the kernel's answer."""
    if len(found) == 1:
        return (Cover(*found[0]),)
    first, around = found
    return Cover(*first), None if around is None else Cover(*around)


def _opening(
    kernel: Kernel, plan: _Plan, position: Position, node_limit: int, deadline: Deadline | None
) -> Solution | None:
    """The best opening: mostly the best rows reach the minimum, or the richest do not."""
    edition, rack, table = position.edition, position.rack, position.table
    jokers = [face for face in faces_of(rack) if IS_JOKER[face]]
    plans: tuple[bytes, ...]
    if not jokers:
        plans = plan.opening, plan.richest
    elif max(jokers) == JOKER:
        plans = plan.richest, plan.joker_opening
    else:
        plans = (plan.joker_opening,)
    nodes = 0
    for packed in plans:
        time = 0 if deadline is None else nanoseconds_left(deadline.monotonic)
        found = kernel.turn(packed, (), rack, node_limit, time)
        if found is None:
            if node_limit or deadline is not None:
                return None
            break
        assert len(found) > 2, "no joker lies on an empty table"
        tiles, value, played, rows, _, exact, _, spent, _ = found
        nodes += spent
        if not exact:
            return None
        if packed is plan.richest:
            if value + HIGHEST * len(jokers) < edition.initial_min:
                break
            if not jokers:
                return None
            continue
        if jokers:
            read = reader(edition).readings
            value = sum([read(faces_of(row))[0].value for row in rows])
        if not tiles:
            break
        if value >= edition.initial_min:
            return Solution(tiles, value, played, table + rows, len(table), True, True, nodes)
    return _draw(table, nodes)


def _opening_that_goes_on(
    kernel: Kernel, plan: _Plan, position: Position, deadline: Deadline | None
) -> Solution | None:
    """The best turn, where rows of the rack in it open by themselves and no joker rule matters."""
    edition = position.edition
    if not edition.initial_same_turn_manipulation or edition.initial_single_set:
        return None
    if position.declared or not position.manipulation:
        return None
    minimum = edition.initial_min
    time = 0 if deadline is None else nanoseconds_left(deadline.monotonic)
    found = kernel.opening_turn(plan.turn, position.table, position.rack, minimum, time)
    return None if found is None else _new(Solution, found)


def _draw(table: Table, nodes: int) -> Solution:
    return Solution(0, 0, (), table, len(table), True, True, nodes)


def _cannot_open(
    kernel: Kernel, plan: _Plan, position: Position, node_limit: int, deadline: Deadline | None
) -> int | None:
    """Return how many states prove that the rack alone cannot reach the minimum, or None."""
    edition, rack = position.edition, position.rack
    jokers = [face for face in faces_of(rack) if IS_JOKER[face]]
    if not plan.richest or (jokers and max(jokers) != JOKER):
        return None
    time = 0 if deadline is None else nanoseconds_left(deadline.monotonic)
    found = kernel.turn(plan.richest, (), rack, node_limit, time)
    if found is None:
        return None
    assert len(found) > 2, "no joker lies on an empty table"
    _, value, _, _, _, exact, _, nodes, _ = found
    if not exact:
        return None
    if value + HIGHEST * len(jokers) < edition.initial_min:
        return nodes
    is_limited = node_limit or deadline is not None
    if not jokers or is_limited or kernel.turn(plan.joker_opening, (), rack, 0, 0) is not None:
        return None
    return nodes


_new = tuple.__new__


class _Plan(NamedTuple):
    """What the kernel has to know of an edition and an objective, packed by `abi.pack_plan`.

    Where a turn goes on after the opening, there is no plan for the best opening.
    """

    turn: bytes = b""
    opening: bytes = b""
    richest: bytes = b""
    joker_opening: bytes = b""
    rules: Rules | None = None


def _plan(edition: Edition, goal: Objective) -> _Plan:
    """The plan; found by identity, which is quicker than to compare fifty options."""
    global _latest
    latest = _latest  # once, as another thread may change it
    if latest[0] is edition and latest[1] is goal:
        return latest[2]
    found = _plans.get((id(edition), id(goal)))
    if found is None:
        if len(_plans) >= MOST_PLANS:
            _plans.clear()
        found = edition, goal, _make_plan(edition, goal)  # which keeps both ids theirs
        _plans[id(edition), id(goal)] = found
    _latest = found
    return found[2]


MOST_PLANS = 256
_plans: dict[tuple[int, int], tuple[Edition, Objective, _Plan]] = {}
_latest: tuple[Edition | None, Objective | None, _Plan] = None, None, _Plan()


@lru_cache(MOST_PLANS)
def _make_plan(edition: Edition, goal: Objective) -> _Plan:
    if goal.forces_whole_rack or edition.joker_declare != "position":
        return _Plan()
    points = [NUMBER[face] or edition.joker_rack_penalty for face in ALL_FACES]
    turn = _packed(edition, turn_prices(edition, goal), points)
    rules = _rules(edition) if has_joker_rules(edition) else None
    if edition.initial_single_set or not edition.initial_jokers:
        return _Plan(turn, rules=rules)
    opening, richest, joker_opening = _opening_plans(edition, goal)
    if edition.initial_same_turn_manipulation:
        opening = b""
    return _Plan(turn, opening, richest, joker_opening, rules)


@lru_cache(MOST_PLANS)
def _rules(edition: Edition) -> Rules:
    """What the kernel asks, with all that is remembered of rows: the same for all objectives."""
    return Rules(Watch(edition), lock_data(edition), partial(keeps_joker_rules, edition))


def _opening_plans(edition: Edition, goal: Objective) -> tuple[bytes, bytes, bytes]:
    opening = opening_prices(edition, goal)
    plain = replace(opening, stand=0)
    numbers = tuple(NUMBER)
    richest = replace(plain, weights=numbers)
    return (
        _packed(edition, plain, numbers),
        _packed(edition, richest, numbers),
        _packed(edition, opening, numbers, edition.initial_min),
    )


class PlayoutPlans(NamedTuple):
    """What a compiled playout has to know of an edition."""

    plans: Plans
    finds_openings: bool
    """Whether the kernel finds the best opening alone. If not, it still finds whether any is."""
    rules: Rules | None


@lru_cache(MOST_PLANS)
def playout_plans(edition: Edition) -> PlayoutPlans:
    """Return the plans for players who play as many tiles as they can."""
    goal = OBJECTIVES["tiles"]
    found = _make_plan(edition, goal)
    plans = found.turn, *_opening_plans(edition, goal)
    return PlayoutPlans(plans, bool(found.opening), found.rules)


def _packed(edition: Edition, prices: Prices, points: Sequence[int], floor: int = 0) -> bytes:
    bound, grammar = has_joker_rules(edition), Grammar.of(edition)
    return pack_plan(prices.weights, points, prices.stand, floor, bound, grammar)
