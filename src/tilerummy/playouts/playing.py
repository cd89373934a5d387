"""Playouts, one or many, by the fastest way there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilerummy.playouts.by_game import check_players, ended, outcome_of, play_by_game
from tilerummy.playouts.lane import play_on, serves
from tilerummy.playouts.limits import NO_LIMITS, Limits
from tilerummy.playouts.state import Outcome, Start
from tilerummy.rules.editions import Edition
from tilerummy.rules.scores import Ending


def play_out(
    edition: Edition,
    start: Start,
    least: Sequence[int],
    *,
    most_turns: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Outcome:
    """Play a game to its end, or for `most_turns` turns. Deterministic.

    `least` is the policy of each seat (see `policies`): 1 plays whatever it can, 1000 only goes
    out. The caller guarantees that the state is one of a game of this edition: nothing is judged.

    Raises Refused for a number of players that the edition does not allow, and TimeOverError at
    the deadline of the limits.
    """
    if not _is_for_lane(edition, start):
        return play_by_game(edition, start, least, most_turns, limits)
    check_players(edition, len(start.racks))
    reached, turns, _, _ = play_on(edition, start, least, most_turns, limits)
    if () in reached.racks:
        return ended(edition, reached, Ending.OUT, turns)
    if reached.pool:
        return outcome_of(None, turns, reached.racks, reached.table)
    rest = None if most_turns is None else most_turns - turns
    outcome = play_by_game(edition, reached, least, rest, limits)
    return outcome._replace(turns=turns + outcome.turns)


def _is_for_lane(edition: Edition, start: Start) -> bool:
    """Whether the next turn is one for the lane; a joker that is declared binds the solver."""
    is_on = bool(start.pool) and () not in start.racks
    return is_on and start.final_turns is None and not start.declared and serves(edition)


def play_out_many(edition: Edition, starts: Iterable[Start], least: Sequence[int]) -> list[Outcome]:
    """Play a game to its end from each of these states."""
    return [play_out(edition, start, least) for start in starts]
