"""Win rates, points and the cross table, from results that are easy to count by hand."""

from __future__ import annotations

import json

import pytest

from tests.lab.results import game
from tilerummy.lab.game_summary import GameSummary
from tilerummy.lab.line_ups import LineUp, pair_line_ups
from tilerummy.lab.ratings import rate
from tilerummy.lab.scoreboard import Scoreboard, scoreboard_of
from tilerummy.lab.tournament import DealResult, Tournament
from tilerummy.rules.editions import edition
from tilerummy.rules.scores import Ending

NAMES = {"a": "solver", "b": "simple"}
ONE_TABLE: tuple[LineUp, ...] = (("solver", "simple"),)


def named(summary: GameSummary) -> GameSummary:
    return summary._replace(players=tuple(NAMES[player] for player in summary.players))


def board(
    line_ups: tuple[LineUp, ...], *results: list[GameSummary], pairs: bool = False
) -> Scoreboard:
    """A scoreboard of deals; the results of one deal at all tables follow each other."""
    tournament = Tournament(edition("taiwan"), line_ups, pairs)
    return scoreboard_of(
        tournament,
        [
            DealResult(number // len(line_ups), number % len(line_ups), tuple(map(named, games)))
            for number, games in enumerate(results)
        ],
    )


def test_wins_and_points_are_means_over_deals() -> None:
    found = board(
        ONE_TABLE,
        [game("ab", (10, -10)), game("ba", (-4, 4))],
        [game("ab", (-6, 6)), game("ba", (-2, 2))],
    )
    first, second = found.standings
    assert (first.bot, first.wins.mean, first.points.mean, first.games) == ("solver", 0.75, 2.5, 4)
    assert (second.bot, second.wins.mean, second.points.mean) == ("simple", 0.25, -2.5)
    assert (found.deals, found.games, found.fair_share) == (2, 4, 0.5)
    assert dict(found.running)["solver"] == (1.0, 0.75)


def test_a_shared_win_is_split_and_nobody_may_win() -> None:
    found = board(
        ONE_TABLE,
        [game("ab", (0, 0), end=Ending.ALL_PASSED), game("ba", (0, 0), (), end=Ending.ALL_PASSED)],
    )
    assert [row.wins.mean for row in found.standings] == [0.25, 0.25]
    assert [cell.share.mean for cell in found.cells] == [0.5, 0.5]


def test_at_a_mixed_table_a_pair_is_compared_by_its_scores() -> None:
    found = board(
        (("solver", "simple", "simple"),),
        [game("abb", (5, -2, -3)), game("bab", (9, -5, -4)), game("bba", (7, -4, -3))],
    )
    ahead = found.cell("solver", "simple")
    assert ahead is not None
    assert ahead.share.mean == pytest.approx((1 + 0 + 0.5) / 3)
    assert found.cell("solver", "solver") is None
    assert found.standings[0].bot == "simple"
    assert {row.bot: row.wins.mean for row in found.standings} == {
        "solver": pytest.approx(1 / 3),
        "simple": pytest.approx(1 / 3),
    }


def test_in_a_cross_table_a_bot_is_measured_where_it_is_alone() -> None:
    found = board(
        pair_line_ups(("solver", "simple"), 3),
        [game("abb", (4, -2, -2)), game("bab", (4, -2, -2)), game("bba", (-2, -2, 4))],
        [game("baa", (-2, 4, -2)), game("aba", (4, -2, -2)), game("aab", (4, -2, -2))],
        pairs=True,
    )
    shares = {row.bot: row.wins.mean for row in found.standings}
    assert shares == {"solver": pytest.approx(2 / 3), "simple": 0.0}
    worst = found.worst_case("simple")
    assert worst is not None
    assert (worst.against, worst.share.mean, worst.games) == ("solver", 0.0, 3)


def test_the_json_says_what_was_measured() -> None:
    found = board(ONE_TABLE, [game("ab", (10, -10)), game("ba", (-4, 4))])
    data = json.loads(json.dumps(found.to_json()))
    assert data["tournament"]["line_ups"] == [["solver", "simple"]]
    assert {*data["tournament"]["bots"]} == {"solver", "simple"}
    assert data["standings"][0]["wins"] == {"mean": 1.0, "low": None, "high": None}
    assert data["standings"][0]["worst_case"] == "simple"
    assert data["stats"]["games"] == 2


def test_who_wins_is_rated_higher_and_copies_share_a_rating() -> None:
    games = [game("abb", (4, -2, -2)), game("bab", (-2, 4, -2)), game("bba", (-1, -3, 4))]
    found = rate("ab", games * 5)
    assert {*found} == {"a", "b"}
    assert found["a"].cautious > found["b"].cautious
    assert found["a"].sigma < 25 / 3


def test_a_draw_leaves_equal_ratings_equal() -> None:
    found = rate("ab", [game("ab", (0, 0))])
    assert found["a"].mu == pytest.approx(found["b"].mu)
