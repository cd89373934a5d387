"""What a result is worth."""

from __future__ import annotations

from tilerummy.env.rewards import rewards_of
from tilerummy.rules.scores import Result


def test_every_winner_counts_and_a_game_without_one_is_worth_nothing() -> None:
    won = Result((30, -10, -20), (0,), blocked=False)
    assert rewards_of(won, "win") == [1, -1, -1]
    assert rewards_of(won, "score") == [30, -10, -20]
    assert rewards_of(Result((5, 5, -10), (0, 1), blocked=True), "win") == [1, 1, -1]
    assert rewards_of(Result((0, 0), (), blocked=True), "win") == [0, 0]
