"""Playouts to compare, drawn from a seed."""

from __future__ import annotations

import random
from itertools import islice
from typing import NamedTuple

from tilerummy.play.driver import play_turns
from tilerummy.play.game import Game
from tilerummy.playouts.by_game import game_at, play_by_game
from tilerummy.playouts.policies import Policies
from tilerummy.playouts.state import Start
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import sorted_tiles

HOLD = 1000
"""More tiles than any rack holds."""
LEAST = (1, 1, 3, 6, 12, HOLD, -1, -HOLD)


class Case(NamedTuple):
    """A playout, to be played by the lane and by the real game."""

    edition: Edition
    start: Start
    least: tuple[int, ...]


def dealt(edition: Edition, players: int, seed: int) -> Start:
    """A deal, with a random seat to begin."""
    rng = random.Random(f"{edition.name} {players} {seed}")
    order = list(edition.box(players).tiles())
    rng.shuffle(order)
    size = edition.hand_size
    racks = tuple([sorted_tiles(order[n * size : (n + 1) * size]) for n in range(players)])
    starter = rng.randrange(players)
    pool = tuple(order[players * size :])
    return Start((), racks, pool, (False,) * players, starter, starter=starter)


def begin(edition: Edition, seed: int) -> Case:
    """A deal, with a random number of players and a random policy for each."""
    rng = random.Random(f"begin {seed}")
    players = rng.randint(edition.players_min, edition.players_max)
    return Case(edition, dealt(edition, players, seed), policies(rng, players))


def go_on(edition: Edition, seed: int) -> Case:
    """A state of a game that has begun, where other policies take over."""
    rng = random.Random(f"go on {seed}")
    begun = begin(edition, seed)
    turns = play_by_game(edition, begun.start, begun.least).turns
    start = state_after(begun, rng.randrange(turns)) if turns else begun.start
    return Case(edition, start, policies(rng, len(start.racks)))


def state_after(begun: Case, turns: int) -> Start:
    """The state of a game after so many turns."""
    game = game_at(begun.edition, begun.start)
    players = Policies(begun.least)
    playing = play_turns(game, players.choose, players.can_play, trusted=True)
    for after, _ in islice(playing, turns):
        game = after
    return start_of(game)


def policies(rng: random.Random, players: int) -> tuple[int, ...]:
    return tuple([rng.choice(LEAST) for _ in range(players)])


def start_of(game: Game) -> Start:
    """The state of a game that is being played."""
    return Start(
        game.table,
        game.racks,
        game.pool,
        game.opened,
        game.current,
        game.passes,
        game.final_turns,
        game.starter or 0,
        game.declared,
    )
