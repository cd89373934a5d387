"""Candidate turns: a fixed number of whole turns that the solver finds, each in its own slot.

A slot has a meaning of its own, so that an agent can learn it by its number. A turn that plays the
same tiles as one in an earlier slot leaves its slot empty. Searches have a budget of states and no
time limit, so a position has the same candidates on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from tilerummy.bots.protocol import idle_turn
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.rules.position import Position
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import FACE_OF, IS_JOKER, NUMBER, Faces, Row, faces_of, sorted_tiles
from tilerummy.solver import Solution, best, can_play, solve

SLOTS = ("idle", "most_tiles", "most_points", "no_jokers", "rack_only", "one_tile")
"""The meaning of the first slots. All others hold the next best turns by tiles."""

FEATURES = (
    "tiles",
    "points",
    "jokers",
    "tiles_left",
    "points_left",
    "goes_out",
    "opens",
    "rows_new",
    "rows_kept",
)
"""The columns of the array `candidates`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that the rules allow, the tiles that it plays, and its features."""

    turn: Turn
    played: Row
    features: tuple[float, ...]


Candidates: TypeAlias = list[Candidate | None]
"""The turn of each slot; None for an empty slot."""


def candidates_of(view: View, count: int, nodes: int) -> Candidates:
    """The candidates of the seat that is to move, in `count` slots.

    `nodes` limits the states that the solver expands for one answer. There is always a candidate.
    """
    position = view.position
    must_play = _must_play(view)
    most = solve(position, tidy=False, node_limit=nodes)
    if must_play and not most.plays:
        most = solve(position, tidy=False)
    found: Candidates = [None if must_play else _idle(view)]
    if most.plays:
        seen: set[Faces] = set()
        for turn in _named(position, most, nodes):
            found.append(_new(view, turn, seen))
        others = count - len(found)
        ranked = best(position, 1 + others, tidy=False, node_limit=nodes) if others > 0 else []
        found += [new for turn in ranked if (new := _new(view, turn, seen)) is not None]
    return [*found, *[None] * count][:count]


def _new(view: View, turn: Solution | None, seen: set[Faces]) -> Candidate | None:
    """The candidate of a turn, unless an earlier one plays the same tiles."""
    if turn is None:
        return None
    faces = faces_of(sorted_tiles(turn.played))
    if faces in seen:
        return None
    seen.add(faces)
    return _candidate(view, turn)


def _must_play(view: View) -> bool:
    """Whether the rules forbid a pass: the pool is empty, and the seat can play."""
    if view.pool_size or view.edition.empty_pool_pass != "forced_if_able":
        return False
    return can_play(view.position)


def _named(position: Position, most: Solution, nodes: int) -> list[Solution | None]:
    """The turns of the slots from `most_tiles` to `one_tile`."""
    numbered = tuple([tile for tile in position.rack if not IS_JOKER[FACE_OF[tile]]])
    no_jokers = rack_only = None
    if len(numbered) < len(position.rack):
        no_jokers = _solved(replace(position, rack=numbered), nodes)
    if position.opened and position.table:
        rack_only = _beside(position, nodes)
    points = solve(position, "value", tidy=False, node_limit=nodes)
    one = _one_tile(position, nodes) if position.opened else None
    return [most, points if points.plays else None, no_jokers, rack_only, one]


def _solved(position: Position, nodes: int) -> Solution | None:
    found = solve(position, tidy=False, node_limit=nodes)
    return found if found.plays else None


def _beside(position: Position, nodes: int) -> Solution | None:
    """The best turn that leaves the table alone."""
    found = _solved(replace(position, table=(), declared={}), nodes)
    if found is None:
        return None
    table = (*position.table, *found.table)
    declared = {**position.declared, **found.declared}
    return found._replace(table=table, declared=declared, rows_kept=len(position.table))


def _one_tile(position: Position, nodes: int) -> Solution | None:
    """A turn that plays one tile, the one with the highest number that can be played alone."""
    by_number = sorted(position.rack, key=lambda tile: -NUMBER[FACE_OF[tile]])
    for tile in {FACE_OF[tile]: tile for tile in reversed(by_number)}.values():
        found = _solved(replace(position, rack=(tile,)), nodes)
        if found is not None:
            return found
    return None


def _idle(view: View) -> Candidate:
    return Candidate(idle_turn(view), (), _features(view, (), None))


def _candidate(view: View, turn: Solution) -> Candidate:
    play = Play(view.current, turn.table, dict(turn.declared))
    return Candidate(play, turn.played, _features(view, turn.played, turn))


def _features(view: View, played: Row, turn: Solution | None) -> tuple[float, ...]:
    edition, laid = view.edition, {*played}
    left = [tile for tile in view.rack if tile not in laid]
    opens = bool(played) and not view.opened[view.current]
    before = {*view.table}
    return (
        len(played),
        rack_points(edition, played),
        sum([IS_JOKER[FACE_OF[tile]] for tile in played]),
        len(left),
        rack_points(edition, left),
        float(bool(played) and not left),
        float(opens),
        0 if turn is None else sum([row not in before for row in turn.table]),
        len(view.table) if turn is None else sum([row in before for row in turn.table]),
    )
