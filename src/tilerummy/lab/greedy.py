"""Monte Carlo games: complete games of players who always play as many tiles as possible.

They run through the same game driver as every other game. The solver has proven each turn, so the
judge does not look at it again unless `judged` asks for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tilerummy.play.commands import Draw, Pass, Play, Start, Turn
from tilerummy.play.driver import play_turns
from tilerummy.play.game import Game
from tilerummy.play.shuffle import Deal
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Result
from tilerummy.rules.tiles import Table, Tile, sorted_tiles
from tilerummy.solver import Solution, solve

Watch = Callable[[int, Position, Solution], None]
"""Called for every turn with the seat, its position and its decision."""

SECRET = "00" * 32
"""These games are dealt from a seed, so the dealer's secret does not matter."""


class Outcome(NamedTuple):
    """The end of a game: its result, the number of turns, the table and the racks."""

    result: Result
    turns: int
    table: Table
    racks: tuple[tuple[Tile, ...], ...]

    def __repr__(self) -> str:
        return f"<Outcome: {self.turns} turns, {self.result}>"


def deal_tiles(edition: Edition, players: int, rng: random.Random) -> Deal:
    """A random deal of the box of an edition: sorted racks, and the pool in drawing order."""
    order = list(edition.box(players).tiles())
    number = rng.random
    order.sort(key=lambda _: number())  # half the price of rng.shuffle
    size = edition.hand_size
    hands = [sorted_tiles(order[seat * size : (seat + 1) * size]) for seat in range(players)]
    return Deal(tuple(hands), tuple(order[players * size :]))


def greedy_games(
    edition: Edition, count: int, seed: int = 1, players: int = 4, watch: Watch | None = None
) -> Iterator[Outcome]:
    """Yield the outcomes of `count` games. The same seed gives the same games.

    `watch` is called for every turn. Raises Refused for a number of players that the edition does
    not allow.
    """
    rng = random.Random(seed)
    for _ in range(count):
        starter = rng.randrange(players)
        yield play_greedily(edition, deal_tiles(edition, players, rng), starter, watch)


def play_greedily(
    edition: Edition,
    deal: Deal,
    starter: int = 0,
    watch: Watch | None = None,
    *,
    judged: bool = False,
) -> Outcome:
    """Play one game to its end.

    `watch` is called for every turn. Raises Refused for a number of racks that the edition does not
    allow. With `judged` the judge and the invariants check every turn; the outcome is the same.
    """
    trusted = not judged
    players = _Players(watch)
    waiting = _waiting_game(edition, len(deal.racks), starter)
    game, _ = waiting.apply(Start(deal), 0, players.can_play, trusted=trusted)
    turns = 0
    for after, _ in play_turns(game, players.choose, players.can_play, trusted=trusted):
        game = after
        turns += 1
    assert game.result is not None, "the driver plays to the end"
    return Outcome(game.result, turns, game.table, game.racks)


@lru_cache(64)
def _waiting_game(edition: Edition, players: int, starter: int) -> Game:
    names = [f"Player {number}" for number in range(1, players + 1)]
    return Game.create(edition, names, secret=SECRET, now=0, starter=starter)[0]


class _Players:
    """The greedy players of one game, and the proofs that its rules ask for."""

    def __init__(self, watch: Watch | None) -> None:
        self._watch = watch
        self._solved: dict[Position, Solution] = {}
        """Solutions that a proof needed; the next turn needs most of them again."""

    def choose(self, game: Game) -> Turn:
        seat = game.current
        position = game.position(seat)
        # Proofs are needed on an empty pool alone, and hashing a position takes time.
        known = None if game.pool else self._solved.get(position)
        found = known or solve(position, tidy=False)
        if self._watch is not None:
            self._watch(seat, position, found)
        if found.plays:
            return Play(seat, found.table, found.declared)
        return Draw(seat) if game.pool else Pass(seat)

    def can_play(self, position: Position) -> bool:
        found = solve(position, tidy=False)
        self._solved[position] = found
        return found.plays
