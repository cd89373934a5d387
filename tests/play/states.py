"""Games in a wanted state, with every tile of the box still in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilerummy.play.commands import Start
from tilerummy.play.events import Event
from tilerummy.play.game import Game
from tilerummy.rules.editions import CLASSIC, Edition
from tilerummy.rules.tiles import FACE_OF, Table, Tile, parse_row, parse_table, sorted_tiles
from tilerummy.solver.turns.best_turn import can_play

SECRET = "5a" * 32
SEED = "5eed" * 8
NAMES = ("Ann", "Ben", "Cem", "Dee", "Eve", "Fay")


def dealt(
    rules: Edition = CLASSIC, players: int = 2, *, starter: int | None = 0, secret: str = SECRET
) -> Game:
    """A game just dealt; seat 0 begins unless a draw decides."""
    return started(rules, players, starter=starter, secret=secret)[0]


def started(
    rules: Edition = CLASSIC,
    players: int = 2,
    *,
    starter: int | None = None,
    secret: str = SECRET,
    now: int = 0,
) -> tuple[Game, tuple[Event, ...]]:
    """A game just dealt, with its events."""
    game, events = Game.create(rules, NAMES[:players], secret=secret, now=now, starter=starter)
    game, more = game.apply(Start(), now, can_play)
    return game, (*events, *more)


def arranged(
    rules: Edition = CLASSIC,
    *,
    racks: Sequence[str],
    table: str = "",
    pool: int | None = None,
    opened: Sequence[bool] | bool = True,
    current: int = 0,
    filler: int = 0,
    final_turns: int | None = None,
) -> Game:
    """A game with these racks and this table.

    The other tiles lie in the pool, as many as `pool` says, and the rest on the rack of seat
    `filler`; the deal is that of `dealt`, so the state need not be reachable.
    """
    players = len(racks)
    game = dealt(rules, players)
    left = list(rules.box(players).tiles())

    def take(face: int) -> Tile:
        tile = next(tile for tile in left if FACE_OF[tile] == face)
        left.remove(tile)
        return tile

    laid: Table = tuple(tuple(take(face) for face in row) for row in parse_table(table))
    hands = [[take(face) for face in parse_row(rack)] for rack in racks]
    in_pool = len(left) if pool is None else pool
    assert in_pool <= len(left), "not so many tiles are left"
    hands[filler] += left[in_pool:]
    flags = (opened,) * players if isinstance(opened, bool) else tuple(opened)
    game = replace(
        game,
        racks=tuple(sorted_tiles(hand) for hand in hands),
        table=laid,
        pool=tuple(left[:in_pool]),
        opened=flags,
        current=current,
        final_turns=final_turns,
    )
    game.check()
    return game


def with_tiles(game: Game, text: str) -> Table:
    """A table in faces as the current player could lay it: tiles of the table first, then rack."""
    stock = [tile for row in game.table for tile in row] + list(game.racks[game.current])

    def take(face: int) -> Tile:
        tile = next(tile for tile in stock if FACE_OF[tile] == face)
        stock.remove(tile)
        return tile

    return tuple(tuple(take(face) for face in row) for row in parse_table(text))
