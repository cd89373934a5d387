"""Complete games of players who always lay as many tiles as they can.

A lean driver: no clock, no events, no referee, only the order of play, so that thousands of games
a second can be watched. Tiles may be physical or bare faces; nothing here looks at them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending, Result, rack_left, score_blocked, score_out
from tilerummy.rules.tiles import FACES, Table
from tilerummy.solver import Solution, solve

Watch = Callable[[int, Position, Solution], None]
"""Is told of every turn: the seat, what lay before it and what it decided."""


class Deal(NamedTuple):
    """The racks, and the pool in the order of the shuffle: tiles are drawn from its end."""

    racks: tuple[tuple[int, ...], ...]
    pool: tuple[int, ...]


class Outcome(NamedTuple):
    """How a game ended."""

    result: Result
    turns: int
    table: Table
    racks: tuple[tuple[int, ...], ...]


def deal_faces(edition: Edition, players: int, rng: random.Random) -> Deal:
    """A fresh deal of bare faces."""
    order = [tile % FACES for tile in edition.box(players).tiles()]
    number = rng.random
    order.sort(key=lambda _: number())  # a shuffle at half its price
    size = edition.hand_size
    hands = [tuple(order[seat * size : (seat + 1) * size]) for seat in range(players)]
    return Deal(tuple(hands), tuple(order[players * size :]))


def greedy_games(
    edition: Edition, count: int, seed: int = 1, players: int = 4, watch: Watch | None = None
) -> Iterator[Outcome]:
    """So many games, one after another; the same seed gives the same games."""
    rng = random.Random(seed)
    for _ in range(count):
        starter = rng.randrange(players)
        yield play_greedily(edition, deal_faces(edition, players, rng), starter, watch)


def play_greedily(
    edition: Edition, deal: Deal, starter: int = 0, watch: Watch | None = None
) -> Outcome:
    """One game to its end, as `play.Game` would have it."""
    racks = [*deal.racks]
    pool = [*deal.pool]
    players = len(racks)
    step = 1 if edition.direction == "cw" else -1
    draws_on = edition.draw_mode == "until_playable"
    mode = edition.empty_pool_end
    opened = [False] * players
    table: Table = ()
    declared: Declared = {}
    seat, turns, passes = starter, 0, 0
    waiting: list[tuple[int, Position, Solution]] = []
    final = players if mode == "final_round" and not pool else None
    while True:
        rack = racks[seat]
        free = final is None or edition.final_round_manipulation
        position = Position(edition, table, rack, opened[seat], free, declared)
        found = solve(position, tidy=False)
        unable = not pool and not found.tiles  # greedy players pass only then
        if unable and mode in ("final_round", "first_unable"):
            end = Ending(mode)
            break
        waiting.append((seat, position, found))
        if not unable or mode != "nobody_can":  # else the turn may never come: the game may be over
            turns += len(waiting)
            if watch is not None:
                for turn in waiting:
                    watch(*turn)
            waiting.clear()
        if found.tiles:
            declared = found.declared
            table = found.table
            left = [*rack]
            for tile in found.played:
                left.remove(tile)
            racks[seat] = tuple(left)
            opened[seat] = True
            passes = 0
            if not left:
                end = Ending.OUT
                break
        elif pool:
            rack = (*rack, pool.pop())
            while draws_on and pool and not _plays(position, rack):
                rack = (*rack, pool.pop())
            racks[seat] = rack
        else:
            passes += 1
            if passes == players:
                end = Ending.NOBODY_CAN if mode == "nobody_can" else Ending.ALL_PASSED
                break
        if final is not None:
            final -= 1
            if not final:
                end = Ending.FINAL_ROUND
                break
        elif not pool and mode == "final_round":
            final = players
        seat = (seat + step) % players
    points = [
        rack_left(edition, rack, opened=has_opened)
        for rack, has_opened in zip(racks, opened, strict=True)
    ]
    if end is Ending.OUT:
        result = score_out(points, seat)
    else:
        result = score_blocked(edition, points, starter, end)
    return Outcome(result, turns, table, tuple(racks))


def _plays(position: Position, rack: tuple[int, ...]) -> bool:
    """Whether the player of this position could play with another rack."""
    edition, table = position.edition, position.table
    asked = Position(
        edition, table, rack, position.opened, position.manipulation, position.declared
    )
    return solve(asked, tidy=False).plays
