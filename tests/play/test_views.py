"""What a seat may see: its own rack, the table, and nothing that others hide."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given, settings

from tests.play.invariants import check_view
from tests.play.states import NAMES, SECRET, SEED, arranged, dealt, with_tiles
from tests.play.wild import wild_game
from tests.rules.strategies import random_edition, randoms
from tilerummy.play.commands import (
    Commit,
    Draw,
    FixCommitments,
    Pass,
    Play,
    Reveal,
    TimeOut,
)
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.game import Game, Phase
from tilerummy.play.refusals import Refused
from tilerummy.play.views import Final, LastTurn, View, view
from tilerummy.rules.editions import CLASSIC, SABRA, edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import tile_text


@settings(max_examples=6)
@given(randoms)
def test_no_seat_ever_sees_a_hidden_tile_or_the_secret(rng: random.Random) -> None:
    rules = random_edition(rng, changes=3).with_options({"timer.seconds": 60})
    wild = wild_game(rng, rules)
    for step in wild.steps():
        for seat in (None, *range(len(step.after.players))):
            check_view(step.after, seat)


def test_the_type_has_no_place_for_secrets() -> None:
    names = {item.name for item in dataclasses.fields(View)}
    assert not names & {"racks", "pool", "secret", "draft"}
    assert {item.name for item in dataclasses.fields(Final)} >= {"racks", "pool", "secret"}
    assert "draft" not in {item.name for item in dataclasses.fields(LastTurn)}


def test_before_the_deal_a_view_shows_who_has_given_a_seed() -> None:
    game, _ = Game.create(CLASSIC, NAMES[:2], secret=SECRET, now=0)
    made = seat_commitment(game.transcript, 1, SEED)
    for command in (Commit(1, made), FixCommitments(), Reveal(1, SEED)):
        game, _ = game.apply(command, 0)
    seen = view(game, 0)
    assert seen.phase is Phase.WAITING
    assert seen.commitments == (None, made)
    assert seen.sources == ("default", "own")
    assert seen.seeds == (None, SEED)
    assert seen.rack == ()
    assert seen.commitment == game.commitment
    assert SECRET not in repr(seen)
    assert not seen.my_turn


def test_a_view_shows_the_table_and_what_can_be_counted() -> None:
    game = arranged(racks=["r1 r2", "b7 k1 k2", "o1"], table="b4 b5 b6", current=1)
    seen = view(game, 1)
    assert seen.my_turn
    assert not view(game, 0).my_turn
    assert not view(game, None).my_turn
    assert seen.rack == game.racks[1]
    assert seen.rack_sizes == (2, 3, 1)
    assert seen.pool_size == len(game.pool)
    assert seen.table == game.table
    assert seen.deadline == game.deadline
    assert view(game, None).rack == ()


def test_a_drawn_tile_is_shown_to_its_owner_only() -> None:
    game, _ = dealt().apply(Draw(0), 1)
    own, other, nobody = (view(game, seat).last for seat in (0, 1, None))
    assert own is not None
    assert own.own_drawn == (dealt().pool[-1],)
    assert other == nobody == LastTurn(0, "drew", "choice", drawn=1)


def test_the_draft_of_a_penalty_is_not_shown() -> None:
    game = arranged(racks=["r9 b9", "r2"], table="b4 b5 b6", pool=20, filler=1)
    draft = with_tiles(game, "b4 b5 b6 / r9 b9")
    after, _ = game.apply(TimeOut(1, draft), 60_000)
    seen = view(after, 1)
    assert seen.last == LastTurn(0, "drew", "penalty", drawn=3)
    check_view(after, 1)
    assert tile_text(draft[1][0]) not in repr(seen)


def test_the_last_turn_says_what_everybody_saw() -> None:
    game = arranged(racks=["b7 b8 r1", "r2", "r3"], table="b4 b5 b6", pool=0, filler=2)

    def ben_can(position: Position) -> bool:
        return position.rack == game.racks[1]

    played, _ = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1, ben_can)
    assert view(played, 1).last == LastTurn(
        0, "played", "choice", played=(with_tiles(game, "b7")[0][0],)
    )
    passed, _ = game.apply(Pass(0), 1, ben_can)
    assert view(passed, 1).last == LastTurn(0, "passed", "choice")
    by_clock, _ = game.apply(TimeOut(1, with_tiles(game, "b4 b5 b6 b7")), 60_000, ben_can)
    last = view(by_clock, 1).last
    assert last is not None
    assert (last.action, last.why) == ("played", "clock")


def test_everything_is_laid_open_when_the_game_is_over() -> None:
    game = arranged(racks=["b7", "r2"], table="b4 b5 b6")
    assert view(game, 1).final is None
    game, _ = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1)
    final = view(game, None).final
    assert final is not None
    assert final.secret == SECRET
    assert final.racks == game.racks
    assert final.pool == game.pool
    assert final.result == game.result


def test_whether_rows_may_be_taken_apart_is_shown() -> None:
    for allowed in (True, False):
        rules = edition("taiwan", {"final_round.manipulation": allowed})
        game = arranged(rules, racks=["k1", "r6 k2"], table="r4 r5 r6 r7 r8", pool=1)
        assert view(game, 0).manipulation
        game, _ = game.apply(Draw(0), 1, lambda _: True)
        assert view(game, 1).final_turns == 2
        assert view(game, 1).manipulation is allowed


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(Refused) as refused:
        view(dealt(), seat)
    assert refused.value.code == "unknown-seat"


def test_the_draw_for_the_start_was_open() -> None:
    game = dealt(SABRA, 3, starter=None)
    assert view(game, 1).starter_draws == game.starter_draws
    assert game.starter_draws
