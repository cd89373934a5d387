"""The exact best turn of a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_OF,
    FACES,
    HIGHEST,
    IS_JOKER,
    JOKER,
    NUMBER,
    faces_of,
)
from tilerummy.rules.turns import has_joker_rules, read_table
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.abi import pack_plan
from tilerummy.solver.cover.kernels import Kernel, nanoseconds_left
from tilerummy.solver.cover.problem import Cover, Grammar
from tilerummy.solver.turns.assignment import lay_tiles
from tilerummy.solver.turns.objective import (
    Objective,
    Prices,
    Wanted,
    objective,
    opening_prices,
    turn_prices,
)
from tilerummy.solver.turns.openings import Openings
from tilerummy.solver.turns.search import Answer, Budget, Counts, Turns, TurnSearch
from tilerummy.solver.turns.solution import Solution
from tilerummy.solver.turns.tidy import tidiest


def solve(
    position: Position,
    wanted: Wanted | Objective = "tiles",
    *,
    tidy: bool = True,
    node_limit: int | None = None,
    time_limit: float | None = None,
) -> Solution:
    """The best turn: `tiles`, `value`, `out`, or by free weights.

    Among equally good turns `tidy` looks for the one that leaves most rows of the table alone; who
    does not care (bots) saves its time. After `node_limit` states or `time_limit` seconds the
    search comes to an end: the answer is the best at hand, `exact=False` unless it was proven.
    """
    goal = objective(wanted)
    deadline = None if time_limit is None else monotonic() + time_limit
    nodes = 0 if node_limit is None else max(1, node_limit)
    quick = _quick(position, goal, nodes, deadline)
    if isinstance(quick, Solution) and quick.exact and (not tidy or quick.tidiest):
        return quick
    question = Question(position, goal, Budget(node_limit, deadline))
    forced = question.turns.rack if goal.name == "out" else None
    if isinstance(quick, Solution):
        answer: Answer | None = question.again(quick)
    elif quick is not None and isinstance(question.turns, TurnSearch):
        answer = question.turns.best_from(*quick)
    else:
        answer = question.turns.best(forced=forced)
    if not (question.turns.exact if answer is None else answer.exact):
        answer = question.in_haste(answer, forced)
    return question.solution(answer, tidy=tidy, forced=forced)


def solve_many(
    positions: Iterable[Position], wanted: Wanted | Objective = "tiles", *, tidy: bool = False
) -> Iterator[Solution]:
    """The best turn of each position, one after another as they come."""
    goal = objective(wanted)
    for position in positions:
        yield solve(position, goal, tidy=tidy)


class Question:
    """A position with an objective, ready to be asked for turns."""

    def __init__(self, position: Position, goal: Objective, budget: Budget | None = None) -> None:
        self.position = position
        self.goal = goal
        self.table = read_table(position.edition, position.table, position.declared)
        self.turns = _turns(position, goal, self.table, budget or Budget())

    def again(self, quick: Solution) -> Answer:
        """The answer that the compiled kernel gave as a solution."""
        faces = {row: read.faces for row, read in zip(self.position.table, self.table, strict=True)}
        rows = tuple([faces.get(row) or faces_of(row) for row in quick.table])
        weights = turn_prices(self.position.edition, self.goal).weights
        loss = sum([weights[FACE_OF[tile]] for tile in self.position.rack])
        loss -= sum([weights[FACE_OF[tile]] for tile in quick.played])
        self.turns.budget.spent += quick.nodes
        self.turns.exact = quick.exact
        return Answer(loss, rows, (), quick.exact)

    def in_haste(self, answer: Answer | None, forced: Counts | None) -> Answer | None:
        """The answer, or a turn that leaves the table alone if that is as good."""
        turns, edition = self.turns, self.position.edition
        if isinstance(turns, Openings):
            return answer
        turns.budget.renew()
        if not self.position.opened:
            faces, prices = _faces(self.table), turn_prices(edition, self.goal)
            turns = Openings(edition, faces, turns.rack, prices, turns.budget)
        everything = frozenset(range(len(self.table)))
        other = turns.best(kept=everything, forced=forced)
        if other is None or (answer is not None and answer.loss < other.loss):
            return answer
        return replace(other, exact=False)

    @property
    def counts_rows(self) -> bool:
        """Whether the value of a turn is that of the rows laid: a plain opening."""
        edition = self.position.edition
        return not self.position.opened and not edition.initial_same_turn_manipulation

    def solution(
        self,
        answer: Answer | None,
        *,
        tidy: bool,
        forced: Counts | None = None,
        excluded: Counts | None = None,
    ) -> Solution:
        """The answer in tiles; no answer, or one that plays nothing, means to draw."""
        position = self.position
        is_tidiest = False
        if answer is not None and tidy:
            answer, is_tidiest = tidiest(
                self.turns, self.table, answer, forced=forced, excluded=excluded
            )
        nodes = self.turns.budget.spent
        drawn = Solution(
            0, 0, (), position.table, len(position.table), self.turns.exact, True, nodes
        )
        if answer is None:
            return drawn
        laid, declared = lay_tiles(position, self.table, answer.rows, answer.opening)
        table, played, kept = laid
        if not played:
            return drawn
        if self.counts_rows:
            read = reader(position.edition).readings
            value = sum(read(faces_of(row))[0].value for row in table[kept:])
        else:
            value = rack_points(position.edition, played)
        return Solution(
            len(played),
            value,
            played,
            table,
            kept,
            answer.exact,
            is_tidiest,
            nodes,
            declared,
        )


def _turns(position: Position, goal: Objective, table: list[LaidRow], budget: Budget) -> Turns:
    edition = position.edition
    rack = bytearray(FACES)
    for tile in position.rack:
        rack[FACE_OF[tile]] += 1
    if not position.opened and not edition.initial_same_turn_manipulation:
        prices = opening_prices(edition, goal)
        return Openings(edition, _faces(table), bytes(rack), prices, budget)
    prices = turn_prices(edition, goal)
    return TurnSearch(
        edition,
        table,
        bytes(rack),
        prices,
        opened=position.opened,
        manipulation=position.manipulation,
        budget=budget,
    )


def _faces(table: list[LaidRow]) -> tuple[Faces, ...]:
    return tuple([row.faces for row in table])


# What the compiled kernel can answer alone. None = it takes more than that.

Begun = tuple[Cover, Cover | None]
"""The best covers without the joker rules, and with the rows that hold jokers left alone."""


def _quick(
    position: Position, goal: Objective, node_limit: int, deadline: float | None
) -> Solution | Begun | None:
    """The best turn, or what is known of it where rules that bind jokers may matter."""
    kernel = kernels.compiled
    plan = _plan(position.edition, goal)
    if kernel is None or not plan.turn:
        return None
    if not position.opened:
        if not plan.opening:
            return None
        return _quick_opening(kernel, plan, position, node_limit, deadline)
    if not position.manipulation:
        return None
    time = 0 if deadline is None else nanoseconds_left(deadline)
    found = kernel.turn(plan.turn, position.table, position.rack, node_limit, time)
    if found is None:
        return None
    if len(found) == 2:
        first, around = found
        return Cover(*first), None if around is None else Cover(*around)
    return _new(Solution, found)


def _quick_opening(
    kernel: Kernel, plan: _Plan, position: Position, node_limit: int, deadline: float | None
) -> Solution | None:
    """The best opening: mostly the best rows reach the minimum, or the richest do not."""
    edition, rack, table = position.edition, position.rack, position.table
    jokers = [FACE_OF[tile] for tile in rack if IS_JOKER[FACE_OF[tile]]]
    plans: tuple[bytes, ...]
    if not jokers:
        plans = plan.opening, plan.richest
    elif max(jokers) == JOKER:
        plans = plan.richest, plan.joker_opening
    else:
        plans = (plan.joker_opening,)
    nodes = 0
    for packed in plans:
        found = kernel.turn(packed, (), rack, node_limit, nanoseconds_left(deadline))
        if found is None:
            if node_limit or deadline is not None:
                return None
            break
        assert len(found) != 2, "no joker lies on an empty table"
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
    return Solution(0, 0, (), table, len(table), True, True, nodes)


_new = tuple.__new__


class _Plan(NamedTuple):
    """What the kernel has to know of an edition and an objective, packed by `abi.pack_plan`."""

    turn: bytes = b""
    opening: bytes = b""
    richest: bytes = b""
    joker_opening: bytes = b""


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
    if goal.name == "out" or edition.joker_declare != "position":
        return _Plan()
    points = [NUMBER[face] or edition.joker_rack_penalty for face in ALL_FACES]
    turn = _packed(edition, turn_prices(edition, goal), points)
    if edition.initial_same_turn_manipulation or edition.initial_single_set:
        return _Plan(turn)
    if not edition.initial_jokers:
        return _Plan(turn)
    opening = opening_prices(edition, goal)
    plain = replace(opening, stand=0)
    numbers = tuple(NUMBER)
    richest = replace(plain, weights=numbers)
    return _Plan(
        turn,
        _packed(edition, plain, numbers),
        _packed(edition, richest, numbers),
        _packed(edition, opening, numbers, edition.initial_min),
    )


def _packed(edition: Edition, prices: Prices, points: Sequence[int], floor: int = 0) -> bytes:
    bound, grammar = has_joker_rules(edition), Grammar.of(edition)
    return pack_plan(prices.weights, points, prices.stand, floor, bound, grammar)
