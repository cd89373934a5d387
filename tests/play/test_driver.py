"""The driver keeps a match going and records everything."""

from __future__ import annotations

import random

import pytest

from tests.bots.matches import played_match
from tests.play.states import SECRET, SEED
from tilerummy.bots.seats import play_match
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.commands import Draw, Pass
from tilerummy.play.driver import MatchDriver
from tilerummy.play.events import Revealed, Seeded
from tilerummy.play.game import Phase
from tilerummy.play.match import Match, MatchError
from tilerummy.play.refusals import Refused
from tilerummy.play.verification import verify
from tilerummy.rules.editions import CLASSIC, EDITIONS, edition
from tilerummy.solver.turns.best_turn import can_play


@pytest.mark.parametrize("name", EDITIONS)
def test_a_match_of_bots_comes_to_its_end(name: str) -> None:
    driver = played_match(EDITIONS[name].with_options({"match.games_per_round": 2}), 3)
    assert driver.match.is_over
    assert driver.match.winners
    assert len(driver.record.games) == 2
    assert driver.record.match() == driver.match
    assert verify(driver.record, can_play) == []


def test_the_number_of_games_is_that_of_the_match() -> None:
    small = {"hand_size": 4, "initial.min": 0}
    assert len(played_match(edition("classic", small), 3).match.results) == 3
    assert len(played_match(edition("sabra", small), 3).match.results) == 1
    assert len(played_match(edition("sabra", small), 2, rounds=4).match.results) == 4


def test_seeds_are_given_before_the_deal() -> None:
    driver = MatchDriver(Match(CLASSIC, ("A", "B")), can_play)
    game = driver.new_game(SECRET, 5, {1: SEED})
    assert game.seeds == (None, SEED)
    assert game.sources == ("dealer", "own")
    assert Revealed(5, 1, SEED) in driver.record.games[0]
    assert verify(driver.record) == []


def test_seeds_without_a_commitment_are_for_old_games() -> None:
    driver = MatchDriver(Match(CLASSIC, ("A", "B")), can_play)
    game = driver.new_game(SECRET, 5, {1: "mine"}, shuffle_version=1)
    assert game.seeds == (None, "mine")
    assert Seeded(5, 1, "mine") in driver.record.games[0]
    assert verify(driver.record) == []
    with pytest.raises(Refused, match="32 to 64"):
        MatchDriver(Match(CLASSIC, ("A", "B")), can_play).new_game(SECRET, 5, {1: "mine"})


def test_commands_are_applied_and_written_down() -> None:
    driver = MatchDriver(Match(CLASSIC, ("A", "B")), can_play)
    game = driver.new_game(SECRET, 0)
    held = driver.record
    with pytest.raises(Refused):
        driver.apply(Pass(game.current), 1)
    assert driver.record == held
    assert driver.game is game
    driver.apply(Draw(game.current), 2)
    assert len(driver.record.games[0]) == len(held.games[0]) + 1
    assert driver.view(0).turn == 2
    assert driver.view(None).rack == ()


def test_what_does_not_fit_the_moment_is_refused() -> None:
    driver = MatchDriver(Match(CLASSIC, ("A", "B")), can_play)
    with pytest.raises(MatchError, match="no game has been dealt"):
        driver.view(0)
    with pytest.raises(MatchError, match="no game has been dealt"):
        driver.apply(Draw(0), 0)
    driver.new_game(SECRET, 0)
    with pytest.raises(MatchError, match="not over"):
        driver.new_game(SECRET, 0)
    done = played_match(edition("sabra", {"hand_size": 3, "initial.min": 0}), 2)
    assert done.game is not None
    assert done.game.phase is Phase.OVER
    with pytest.raises(MatchError, match="the match is over"):
        done.new_game(SECRET, 0)


def test_a_refused_seed_leaves_no_game_behind() -> None:
    driver = MatchDriver(Match(CLASSIC, ("A", "B")), can_play)
    with pytest.raises(Refused):
        driver.new_game(SECRET, 0, {0: "fine", 1: ""})
    assert driver.game is None
    assert driver.record.games == ()
    driver.new_game(SECRET, 0)


def test_a_clock_that_is_set_back_between_games_does_no_harm() -> None:
    driver = MatchDriver(
        Match(edition("classic", {"hand_size": 1, "initial.min": 0}), ("A", "B")), can_play
    )
    now = 10**6
    while not driver.match.is_over:
        game = driver.new_game(f"{now:064x}", now)
        while game.phase is Phase.PLAYING:
            turn = SimpleBot().choose(driver.view(game.current))
            game = driver.apply(turn, now)
        now = 0
    assert verify(driver.record) == []


def test_every_game_is_announced() -> None:
    seen = []
    driver = MatchDriver(Match(edition("classic", {"hand_size": 4}), ("A", "B")), can_play)
    rng = random.Random(3)
    play_match(
        driver,
        [SimpleBot(), SimpleBot()],
        lambda: rng.randbytes(32).hex(),
        turn_time=10,
        on_game=lambda driver: seen.append(len(driver.match.results)),
    )
    assert seen == [1, 2]
