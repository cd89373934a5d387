"""A match: how many games, who begins, who has won."""

from __future__ import annotations

import pytest

from tilerummy.play.match import Match, MatchError
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, edition
from tilerummy.rules.scores import Result

A_WINS = Result((10, -10), (0,), blocked=False)
B_WINS = Result((-10, 10), (1,), blocked=False)
NOBODY = Result((0, 0), (), blocked=True)


@pytest.mark.parametrize(
    ("games", "players", "rounds", "agreed"),
    [("players", 2, 1, 2), ("players", 4, 3, 12), (1, 3, 2, 2), (5, 2, 2, 10)],
)
def test_the_number_of_games(games: object, players: int, rounds: int, agreed: int) -> None:
    rules = edition("classic", {"match.games_per_round": games})
    match = Match(rules, tuple("ABCDEF"[:players]), rounds)
    assert match.games_agreed == agreed


def test_a_match_counts_its_rounds_and_ends() -> None:
    match = Match(CLASSIC, ("A", "B"), 2)
    rounds = []
    for result in (A_WINS, B_WINS, A_WINS, A_WINS):
        assert not match.is_over
        assert match.winners == ()
        rounds.append(match.round_number)
        match = match.with_result(result, 0)
    assert rounds == [1, 1, 2, 2]
    assert match.is_over
    assert match.winners == (0,)
    with pytest.raises(MatchError, match="the match is over"):
        match.with_result(A_WINS)


def test_a_tie_is_shared_or_played_out() -> None:
    shared = Match(CLASSIC, ("A", "B"), results=(A_WINS, B_WINS))
    assert shared.is_over
    assert shared.winners == (0, 1)
    rules = edition("classic", {"match.final_tie": "extra_game"})
    open_ = Match(rules, ("A", "B"), results=(A_WINS, B_WINS))
    assert not open_.is_over
    still_open = open_.with_result(NOBODY)
    assert not still_open.is_over
    assert still_open.round_number == 1
    decided = still_open.with_result(B_WINS)
    assert decided.winners == (1,)


def test_the_winner_is_counted_by_games_or_by_points() -> None:
    results = (A_WINS, A_WINS, Result((-50, 50), (1,), blocked=False))
    options: dict[str, object] = {"match.games_per_round": 3}
    assert Match(edition("classic", options), ("A", "B"), results=results).winners == (0,)
    options["match.winner"] = "score"
    assert Match(edition("classic", options), ("A", "B"), results=results).winners == (1,)


def test_who_begins_the_next_game() -> None:
    def starter(rule: str, **options: object) -> int | None:
        rules = edition("classic", {"match.next_starter": rule, **options})
        match = Match(rules, ("A", "B", "C"))
        assert match.next_starter() is None
        result = Result((-1, -1, 2), (2,), blocked=False)
        return match.with_result(result, 1).next_starter()

    assert starter("draw") is None
    assert starter("winner") == 2
    assert starter("rotate") == 2
    assert starter("rotate", direction="ccw") == 0
    rules = edition("classic", {"match.next_starter": "winner"})
    assert Match(rules, ("A", "B"), results=(NOBODY,)).next_starter() is None
    rules = edition("classic", {"match.next_starter": "rotate"})
    assert Match(rules, ("A", "B"), results=(NOBODY,)).next_starter() is None


def test_what_does_not_fit_the_match_is_refused() -> None:
    with pytest.raises(MatchError, match="is for 2 to 4 players, not") as refused:
        Match(CLASSIC, ("A",))
    assert refused.value.code == "bad-players"
    for rounds in (0, -1, 1001):
        with pytest.raises(MatchError, match="a match has 1 to 1000 rounds"):
            Match(CLASSIC, ("A", "B"), rounds)
    with pytest.raises(MatchError, match="2 scores for 3 players"):
        Match(CLASSIC, ("A", "B", "C")).with_result(A_WINS)


def test_sabra_plays_one_game_and_the_others_one_for_each_player() -> None:
    assert Match(SABRA, ("A", "B", "C")).games_agreed == 1
    for name in ("classic", "taiwan", "sixplayer", "twist"):
        assert Match(EDITIONS[name], ("A", "B", "C")).games_agreed == 3
