"""Alternatives to the best turn: the next best turns, turns with one tile, missing tiles."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace

from tilerummy.rules.errors import PositionError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import ALL_FACES, FACE_OF, FACES, Face, Tile, face_text, unidentified
from tilerummy.solver.cover.deadline import Deadline, TimeLimit
from tilerummy.solver.turns.answers import Answer
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts
from tilerummy.solver.turns.objectives import Objective, Wanted, objective
from tilerummy.solver.turns.position_solver import PositionSolver
from tilerummy.solver.turns.solution import Solution


def best(
    position: Position,
    n: int,
    wanted: Wanted | Objective = "tiles",
    *,
    tidy: bool = True,
    node_limit: int | None = None,
    time_limit: TimeLimit = None,
) -> list[Solution]:
    """Return up to `n` best turns that differ in what they play, the best first.

    After `node_limit` states, or at the `time_limit`, the list ends with what was found by then: at
    least the best turn at hand, with `exact=False`. Turns between two of the list may be missing.

    Raises ObjectiveError for an unknown objective, and PositionError if a row of the table is not
    a set.

    The turns are split by how many tiles of each face they play: after each answer the rest falls
    into parts that agree with it up to some face and differ there, each with a best turn of its
    own.
    """
    goal, deadline = objective(wanted), Deadline.of(time_limit)
    budget = Budget(node_limit, deadline)
    solver = PositionSolver(position, goal, budget)
    rack = solver.turns.rack
    queue: list[tuple[int, int, Answer, Counts, Counts]] = []
    number = 0

    def ask(least: Counts, most: Counts) -> None:
        nonlocal number
        if budget.over:
            return
        answer = solver.turns.best(forced=least, excluded=_minus(rack, most))
        if answer is not None:
            number += 1
            heapq.heappush(queue, (answer.loss, number, answer, least, most))

    if n > 0:
        ask(bytes(FACES), rack)
    found: list[Solution] = []
    while queue and len(found) < n:
        _, _, answer, least, most = heapq.heappop(queue)
        played = _minus(_count(answer), _table_count(position))
        if any(played):
            rest = _minus(rack, played)
            turn = solver.solution(answer, tidy=tidy, forced=played, excluded=rest)
            if turn.plays:  # or there was no time to lay it
                found.append(turn)
        fixed_least, fixed_most = bytearray(least), bytearray(most)
        for face in ALL_FACES:
            if least[face] == most[face]:
                continue
            if played[face] > least[face]:
                fewer = bytearray(fixed_most)
                fewer[face] = played[face] - 1
                ask(bytes(fixed_least), bytes(fewer))
            if played[face] < most[face]:
                more = bytearray(fixed_least)
                more[face] = played[face] + 1
                ask(bytes(more), bytes(fixed_most))
            fixed_least[face] = fixed_most[face] = played[face]
        if budget.late:
            break
    if not found and n > 0 and budget.over:
        hasty = solve(position, goal, tidy=False, node_limit=node_limit, time_limit=deadline)
        return [hasty] if hasty.plays else []
    return found


def playable(
    position: Position,
    tile: Tile,
    wanted: Wanted | Objective = "tiles",
    *,
    tidy: bool = True,
    time_limit: TimeLimit = None,
) -> Solution | None:
    """Return the best turn that plays this tile of the rack, or None if no legal turn does.

    None may also mean that none was found within the `time_limit`.

    Raises PositionError if the tile is not on the rack or a row of the table is not a set, and
    ObjectiveError for an unknown objective.
    """
    if tile not in position.rack:
        raise PositionError(
            "{tile} is not on the rack", key="error.position.not-on-rack", tile=face_text(tile)
        )
    solver = PositionSolver(position, objective(wanted), Budget(deadline=Deadline.of(time_limit)))
    forced = bytes([face == FACE_OF[tile] for face in ALL_FACES])
    answer = solver.turns.best(forced=forced)
    if answer is None:
        return None
    found = solver.solution(answer, tidy=tidy, forced=forced)
    return found if found.plays else None


@dataclass(frozen=True, slots=True, repr=False)
class Missing:
    """A tile that the player does not have.

    With it `tiles` could be played; `out` says whether that is the whole rack.
    """

    face: Face
    tiles: int
    out: bool

    def __repr__(self) -> str:
        out = ", out" if self.out else ""
        return f"<Missing {face_text(self.face)}: plays {self.tiles} tiles{out}>"


def missing(position: Position, *, time_limit: TimeLimit = None) -> list[Missing]:
    """Return the single tiles with which the player could play more, the most helpful first.

    Only tiles that are still elsewhere in the box count. Those for which the `time_limit` leaves no
    proof are left out. Raises PositionError if a row of the table
    is not a set.
    """
    deadline = Deadline.of(time_limit)
    now = solve(position, tidy=False, time_limit=deadline)
    if not now.exact:
        return []
    box = position.edition.box()
    seen = _table_count(position)
    for tile in position.rack:
        seen[FACE_OF[tile]] += 1
    found = []
    for face in ALL_FACES:
        if deadline is not None and deadline.over:
            break
        if seen[face] >= box.count(face):
            continue
        rack = position.rack + unidentified((face,))
        tiles = solve(replace(position, rack=rack), tidy=False, time_limit=deadline).tiles
        if tiles > now.tiles:
            found.append(Missing(face, tiles, tiles == len(rack)))
    return sorted(found, key=lambda item: (not item.out, -item.tiles, item.face))


def _table_count(position: Position) -> bytearray:
    counts = bytearray(FACES)
    for row in position.table:
        for tile in row:
            counts[FACE_OF[tile]] += 1
    return counts


def _count(answer: Answer) -> bytearray:
    counts = bytearray(FACES)
    for row in answer.rows:
        for face in row:
            counts[face] += 1
    return counts


def _minus(counts: Counts | bytearray, others: Counts | bytearray) -> bytes:
    return bytes([count - other for count, other in zip(counts, others, strict=True)])
