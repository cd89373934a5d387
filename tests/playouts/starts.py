"""States to play on from, drawn from a seed."""

from __future__ import annotations

import random

from tilerummy.play.game import Game
from tilerummy.playouts.state import Start
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import sorted_tiles

HOLD = 1000
"""More tiles than any rack holds."""


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
