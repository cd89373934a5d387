"""Playouts through the real `Game`: the law that the compiled lane is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from tilerummy.play import endings
from tilerummy.play.change import changed
from tilerummy.play.driver import play_turns
from tilerummy.play.game import Game, Phase
from tilerummy.playouts.limits import NO_LIMITS, Limits
from tilerummy.playouts.policies import Policies
from tilerummy.playouts.state import Outcome, Start
from tilerummy.rules.editions import Edition
from tilerummy.rules.scores import Ending, Result, rack_left, score_end
from tilerummy.rules.tiles import Row, Table

SECRET = "00" * 32
"""Nothing is shuffled here, so the dealer's secret does not matter."""


def play_by_game(
    edition: Edition,
    start: Start,
    least: Sequence[int],
    most_turns: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Outcome:
    """Play a game to its end, or for `most_turns` turns.

    Raises Refused for a number of players that the edition does not allow, and TimeOverError at
    the deadline of the limits.
    """
    game = game_at(edition, start)
    policies = Policies(least, limits)
    end = endings.outcome(game, policies.can_play).end
    if end is not None:
        return ended(edition, start, end, 0)
    turns = 0
    playing = play_turns(game, policies.choose, policies.can_play, trusted=True)
    for after, _ in islice(playing, most_turns):
        limits.check()
        game = after
        turns += 1
    return outcome_of(game.result, turns, game.racks, game.table)


def ended(edition: Edition, state: Start, end: Ending, turns: int) -> Outcome:
    """Return the outcome of a game that ended by this rule."""
    left = [
        rack_left(edition, rack, opened=opened)
        for rack, opened in zip(state.racks, state.opened, strict=True)
    ]
    return outcome_of(score_end(edition, left, state.starter, end), turns, state.racks, state.table)


def outcome_of(result: Result | None, turns: int, racks: tuple[Row, ...], table: Table) -> Outcome:
    """Return the outcome of a game with this result; None if it was not played to its end."""
    if result is None:
        return Outcome((), (0,) * len(racks), turns, racks, table, None)
    return Outcome(result.winners, result.scores, turns, racks, table, result.end)


def check_players(edition: Edition, players: int) -> None:
    """Raise Refused for a number of players that the edition does not allow."""
    _waiting_game(edition, players)


def game_at(edition: Edition, start: Start) -> Game:
    """Return the real game in this state.

    Raises Refused for a number of players that the edition does not allow.
    """
    return changed(
        _waiting_game(edition, len(start.racks)),
        phase=Phase.PLAYING,
        starter=start.starter,
        racks=start.racks,
        pool=start.pool,
        table=start.table,
        declared=start.declared,
        opened=start.opened,
        current=start.current,
        turn=1,
        passes=start.passes,
        final_turns=start.final_turns,
    )


@lru_cache(64)
def _waiting_game(edition: Edition, players: int) -> Game:
    names = [f"Player {number}" for number in range(1, players + 1)]
    return Game.create(edition, names, secret=SECRET, now=0)[0]
