"""A broken game is noticed, whether all of it is checked or only what changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.play.states import arranged, dealt, with_tiles
from tilerummy.play import invariants
from tilerummy.play.change import changed
from tilerummy.play.commands import Draw, Play
from tilerummy.play.game import Game
from tilerummy.play.invariants import InvariantError
from tilerummy.rules.editions import CLASSIC


@pytest.fixture
def before() -> Game:
    game = arranged(racks=["b7 r1", "r2"], table="b4 b5 b6 / k1 k2 k3")
    game.check()
    return game


def after_play(game: Game) -> Game:
    table = with_tiles(game, "b4 b5 b6 b7 / k1 k2 k3")
    return game.apply(Play(0, table), 1)[0]


def test_a_game_after_a_command_is_checked_and_an_event_alone_checks_nothing(before: Game) -> None:
    game, (event,) = before.apply(Draw(0), 1)
    assert game.is_checked
    assert not before.evolve(event).is_checked
    assert not replace(game).is_checked
    assert before.evolve(event) == game


def test_what_changed_is_checked_like_the_whole(before: Game) -> None:
    game = after_play(before)
    invariants.check(game)
    invariants.check(game, before)


@pytest.mark.parametrize("fault", ["lost", "doubled", "exchanged", "row twice", "not a set"])
def test_every_fault_of_a_play_is_found_in_what_changed(before: Game, fault: str) -> None:
    game = after_play(before)
    longer, other = game.table
    broken = {
        "lost": changed(game, table=(longer[:-1], other)),
        "doubled": changed(game, racks=((*game.racks[0], longer[-1]), *game.racks[1:])),
        "exchanged": changed(game, racks=((game.pool[0],), *game.racks[1:])),
        "row twice": changed(game, table=(longer, other, other)),
        "not a set": changed(game, table=(longer[:2], longer[2:], other)),
    }[fault]
    for known in (before, None):
        with pytest.raises(InvariantError):
            invariants.check(broken, known)


@pytest.mark.parametrize("fault", ["lost", "doubled", "exchanged"])
def test_every_fault_of_a_draw_is_found_in_what_changed(fault: str) -> None:
    before = dealt(CLASSIC, 2)
    before.check()
    game = before.apply(Draw(before.current), 1)[0]
    broken = {
        "lost": changed(game, pool=game.pool[:-1]),
        "doubled": changed(game, pool=before.pool),
        "exchanged": changed(game, pool=(before.pool[-1], *game.pool[1:])),
    }[fault]
    for known in (before, None):
        with pytest.raises(InvariantError):
            invariants.check(broken, known)


def test_a_game_that_was_never_checked_is_checked_whole(before: Game) -> None:
    broken = changed(before, pool=before.pool[1:], is_checked=False)
    with pytest.raises(InvariantError):
        broken.apply(Draw(0), 1)
