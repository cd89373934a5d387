"""Playouts, one or many, by the fastest way there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilerummy.playouts.by_game import play_by_game
from tilerummy.playouts.state import Outcome, Start
from tilerummy.rules.editions import Edition


def play_out(
    edition: Edition, start: Start, least: Sequence[int], *, most_turns: int | None = None
) -> Outcome:
    """Play a game to its end, or for `most_turns` turns. Deterministic.

    `least` is the policy of each seat (see `policies`): 1 plays whatever it can, 1000 only goes
    out. The caller guarantees that the state is one of a game of this edition: nothing is judged.

    Raises Refused for a number of players that the edition does not allow.
    """
    return play_by_game(edition, start, least, most_turns)


def play_out_many(edition: Edition, starts: Iterable[Start], least: Sequence[int]) -> list[Outcome]:
    """Play a game to its end from each of these states."""
    return [play_out(edition, start, least) for start in starts]
