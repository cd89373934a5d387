"""Statistics of games, and where they come from: records and events."""

from __future__ import annotations

import pytest

from tests.lab.results import game
from tilerummy.bots.roster import BOTS
from tilerummy.bots.seats import play_match
from tilerummy.lab.game_summary import GameSummary, summaries_of
from tilerummy.lab.stats import MOST_NAMES, Spread, stats_of
from tilerummy.play.driver import MatchDriver
from tilerummy.play.match import Match
from tilerummy.play.record import Record
from tilerummy.rules.editions import edition
from tilerummy.rules.scores import Ending
from tilerummy.solver.turns.best_turn import can_play


def match_record(name: str = "taiwan", players: int = 3) -> tuple[Record, Match]:
    names = tuple(f"Bot {number}" for number in range(players))
    driver = MatchDriver(Match(edition(name), names), can_play)
    secrets = iter(f"{number:064x}" for number in range(1, 99))
    play_match(driver, [BOTS["solver"].make() for _ in names], lambda: next(secrets))
    return driver.record, driver.match


def test_a_record_gives_the_results_of_its_games_in_the_order_of_play() -> None:
    record, match = match_record()
    found, unfinished = summaries_of(record)
    assert (len(found), unfinished) == (len(match.results), 0)
    for number, (summary, result) in enumerate(zip(found, match.results, strict=True)):
        played = record.game(number)
        assert played.starter is not None
        assert summary.players[0] == record.players[played.starter]
        by_name = dict(zip(summary.players, summary.scores, strict=True))
        assert [by_name[name] for name in record.players] == [*result.scores]
        winners = {summary.players[place] for place in summary.winners}
        assert winners == {record.players[seat] for seat in result.winners}
        assert (summary.turns, summary.end) == (played.turn - 1, result.end)
        opened = dict(zip(summary.players, summary.opened, strict=True))
        for seat, name in enumerate(record.players):
            assert (opened[name] is not None) == played.opened[seat]


def test_the_order_of_play_may_go_the_other_way_round() -> None:
    record, _ = match_record()
    clockwise, _ = summaries_of(record)
    other = Record(record.edition, {"direction": "ccw"}, record.players, 1, record.games)
    (first, *_), _ = summaries_of(other)
    assert first.players[0] == clockwise[0].players[0]
    assert first.players[1:] == clockwise[0].players[:0:-1]


def test_a_game_that_did_not_end_is_counted_apart() -> None:
    record, _ = match_record(players=2)
    cut = Record(record.edition, {}, record.players, 1, (record.games[0], record.games[1][:-1]))
    found, unfinished = summaries_of(cut)
    assert (len(found), unfinished) == (1, 1)


def test_a_summary_survives_json() -> None:
    before = game("abc", (4, -4, 0), turns=7, opened=(1, None, 2), end=Ending.NOBODY_CAN)
    assert GameSummary.from_json(before.to_json()) == before


def test_what_is_counted() -> None:
    found = stats_of(
        [
            [game("ab", (3, -3), turns=10, opened=(1, 4))],
            [game("ba", (3, -3), turns=12, opened=(2, None))],
            [game("ab", (-1, 1), turns=12, opened=(1, 1), end=Ending.ALL_PASSED)],
        ]
    )
    assert found.games == 3
    assert found.turns == {10: 1, 12: 2}
    assert found.opened == {1: 3, 2: 1, 4: 1}
    assert found.never_opened == 1
    assert found.ends == {Ending.OUT: 2, Ending.ALL_PASSED: 1}
    assert [share.mean for share in found.places[2]] == pytest.approx([2 / 3, 1 / 3])
    assert found.behind == ()


def test_who_sits_behind_whom() -> None:
    found = stats_of([[game("abc", (4, -2, -2)), game("acb", (-2, -2, 4))]])
    wins = {(item.player, item.before): item.wins.mean for item in found.behind}
    assert wins[("a", "c")] == 1.0
    assert wins[("a", "b")] == 0.0
    assert wins[("b", "c")] == 1.0
    assert sum(item.games for item in found.behind) == 6


def test_with_too_many_names_nobody_could_read_who_sits_behind_whom() -> None:
    letters = "abcdefghijklmnop"
    assert len(letters) > MOST_NAMES
    games = [game(letters[at : at + 3], (2, -1, -1)) for at in range(len(letters) - 2)]
    assert stats_of([games]).behind == ()


def test_a_spread_names_its_quantiles() -> None:
    found = Spread.of(dict.fromkeys(range(1, 102), 1))
    assert found == Spread(51.0, 1, 11, 51, 91, 101)
    assert Spread.of({}) is None
