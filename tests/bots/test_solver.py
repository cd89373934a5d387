"""The bot that asks the solver."""

from __future__ import annotations

import pytest

from tests.play.states import arranged
from tilerummy.bots.seats import play_match
from tilerummy.bots.simple import SimpleBot
from tilerummy.bots.solver import WHOLE_RACK, SolverBot
from tilerummy.play.commands import Draw, Play
from tilerummy.play.driver import MatchDriver
from tilerummy.play.match import Match
from tilerummy.play.refusals import Refused
from tilerummy.play.verification import verify
from tilerummy.play.views import view
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.solver.turns.best_turn import can_play, solve


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_it_plays_legal_matches_of_every_edition(name: str) -> None:
    rules = edition(name, {"match.games_per_round": 1})
    driver = MatchDriver(Match(rules, ("Solver", "Simple")), can_play)
    play_match(driver, [SolverBot(), SimpleBot()], lambda: "5a" * 32)
    assert verify(driver.record, can_play) == []


def test_it_lays_as_many_tiles_as_can_be_laid() -> None:
    driver = MatchDriver(Match(edition("taiwan"), ("Ann", "Bo")), can_play)
    game = driver.new_game("5a" * 32, 0)
    for turn in range(30):
        view = driver.view(game.current)
        chosen = SolverBot().choose(view)
        best = solve(view.position, tidy=False)
        laid = len(view.rack) - len(driver.apply(chosen, turn).racks[view.current])
        assert isinstance(chosen, Play) == best.plays
        assert laid == (best.tiles if best.plays else -1)
        assert driver.game is not None
        game = driver.game
        if game.result is not None:
            break


def test_a_spectator_has_no_position() -> None:
    driver = MatchDriver(Match(edition("taiwan"), ("Ann", "Bo")), can_play)
    driver.new_game("5a" * 32, 0)
    with pytest.raises(Refused):
        _ = driver.view(None).position


@pytest.mark.parametrize("least", [1, 3, 6, WHOLE_RACK])
def test_it_waits_until_it_can_lay_enough(least: int) -> None:
    table = "b4 b5 b6"
    three = arranged(racks=["r9 r10 r11 k1", "r2"], table=table)
    turn = SolverBot(least=least).choose(view(three, 0))
    assert turn == Draw(0) if least > 3 else isinstance(turn, Play)
    whole = arranged(racks=["r9 r10 r11", "r2"], table=table)
    assert isinstance(SolverBot(least=least).choose(view(whole, 0)), Play)


def test_a_player_who_waits_opens_at_once_and_plays_on_an_empty_pool() -> None:
    closed = arranged(racks=["r9 r10 r11 k1", "r2"], table="b4 b5 b6", opened=False)
    assert isinstance(SolverBot(least=WHOLE_RACK).choose(view(closed, 0)), Play)
    empty = arranged(racks=["b7 k1", "r2"], table="b4 b5 b6", pool=0, filler=1)
    assert isinstance(SolverBot(least=WHOLE_RACK).choose(view(empty, 0)), Play)
