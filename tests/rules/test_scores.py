"""Scores and standings, on the tables of the rules and by their properties."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.examples import positions
from tests.rules.strategies import any_editions
from tilerummy.rules.editions import CLASSIC, TWIST, Edition, edition
from tilerummy.rules.scores import (
    Rack,
    Result,
    ScoreError,
    rack_left,
    rack_points,
    score_blocked,
    score_out,
    standing,
)
from tilerummy.rules.tiles import parse_row, parse_tiles

SCORES = positions("score")


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case["id"])
def test_score_table_of_the_rules(case: dict[str, Any]) -> None:
    if "games" in case:
        results = [
            Result(tuple(scores), (scores.index(max(scores)),), blocked=False)
            for scores in case["games"]
        ]
        found = standing(CLASSIC, 4, results)
        assert list(found.totals) == case["totals"]
        assert ["ABCD"[result.winners[0]] for result in results] == case["game_winners"]
        assert ["ABCD"[seat] for seat in found.leaders] == [case["match_winner"]]
        return
    rules = TWIST.with_options({"joker.rack_penalty": case.get("joker_penalty", 30)})
    racks = [rack_left(rules, parse_tiles(rack)) for rack in case["racks"]]
    if case.get("blocked"):
        result = score_blocked(rules, racks)
        assert list(result.winners) == case["winners"]
    else:
        result = score_out(racks, case["winner"])
        assert result.winners == (case["winner"],)
    assert list(result.scores) == case["scores"]


RACKS = st.lists(st.builds(Rack, st.integers(0, 500), st.integers(1, 40)), min_size=2, max_size=6)


@given(RACKS, any_editions, st.data())
def test_every_game_sums_to_zero(racks: list[Rack], rules: Edition, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, len(racks) - 1))
    out = score_out(racks, seat)
    assert sum(out.scores) == 0
    assert out.scores[seat] == max(out.scores)
    blocked = score_blocked(rules, racks, seat)
    assert sum(blocked.scores) == 0
    lowest = min(rack.points for rack in racks)
    assert all(racks[winner].points == lowest for winner in blocked.winners)
    assert all(blocked.scores[winner] >= 0 for winner in blocked.winners)


@given(RACKS)
def test_a_pot_is_split_evenly_but_for_odd_points(racks: list[Rack]) -> None:
    result = score_blocked(CLASSIC, racks)
    shares = [result.scores[winner] for winner in result.winners]
    assert max(shares) - min(shares) <= 1


def test_odd_points_go_round_from_the_first_player() -> None:
    racks = [Rack(4, 1), Rack(4, 1), Rack(9, 1)]
    assert score_blocked(CLASSIC, racks, starter=0).scores == (3, 2, -5)
    assert score_blocked(CLASSIC, racks, starter=1).scores == (2, 3, -5)
    assert score_blocked(CLASSIC, racks, starter=2).scores == (3, 2, -5)
    backwards = edition("classic", {"direction": "ccw"})
    assert score_blocked(backwards, racks, starter=2).scores == (2, 3, -5)


@pytest.mark.parametrize(
    ("tie", "scores", "winners"),
    [
        ("split", (3, 3, -6), (0, 1)),
        ("fewest_tiles", (0, 6, -6), (1,)),
        ("no_score", (0, 0, 0), ()),
    ],
)
def test_a_tie_for_the_lowest_rack(
    tie: str, scores: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    racks = [Rack(4, 2), Rack(4, 1), Rack(10, 1)]
    result = score_blocked(edition("classic", {"blocked_tie": tie}), racks)
    assert result == Result(scores, winners, blocked=True)


def test_a_tie_rule_does_not_touch_a_clear_win() -> None:
    racks = [Rack(4, 9), Rack(5, 1)]
    for tie in ("split", "fewest_tiles", "no_score"):
        rules = edition("classic", {"blocked_tie": tie})
        assert score_blocked(rules, racks) == Result((1, -1), (0,), blocked=True)


def test_jokers_cost_what_the_edition_says() -> None:
    rack = parse_row("r7 J D C M")
    assert rack_points(TWIST, rack) == 127
    assert rack_points(edition("twist", {"joker.rack_penalty": 25}), rack) == 107
    assert rack_points(edition("twist", {"joker.rack_penalty": 0}), rack) == 7


def test_not_having_opened_may_cost_extra() -> None:
    rules = edition("classic", {"tournament.unopened_penalty": 100})
    assert rack_left(rules, parse_row("r7"), opened=False) == Rack(107, 1)
    assert rack_left(rules, parse_row("r7"), opened=True) == Rack(7, 1)
    assert rack_left(CLASSIC, parse_row("r7"), opened=False) == Rack(7, 1)


def test_the_standing_counts_games_before_points_by_default() -> None:
    results = [
        Result((5, -5), (0,), blocked=False),
        Result((5, -5), (0,), blocked=False),
        Result((-50, 50), (1,), blocked=False),
    ]
    assert standing(CLASSIC, 2, results).ranking == ((0,), (1,))
    by_score = edition("classic", {"match.winner": "score"})
    assert standing(by_score, 2, results).ranking == ((1,), (0,))


def test_equal_players_share_a_place() -> None:
    found = standing(CLASSIC, 3, [Result((0, 0, 0), (), blocked=True)])
    assert found.ranking == ((0, 1, 2),)
    assert found.leaders == (0, 1, 2)


def test_scores_that_cannot_be_are_refused() -> None:
    with pytest.raises(ScoreError, match="sum to zero"):
        Result((1, 2), (0,), blocked=False)
    with pytest.raises(ScoreError, match="no seat 2"):
        score_out([Rack(1, 1), Rack(2, 1)], 2)
    with pytest.raises(ScoreError, match="2 scores for 3 players"):
        standing(CLASSIC, 3, [Result((0, 0), (), blocked=True)])
