"""The natural player: what it sees it plays, what it overlooks it does not, and all is legal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from tests.play.states import arranged, dealt
from tests.play.wild import wild_game
from tests.rules.strategies import random_edition, randoms
from tilerummy.bots.character import ANY_ROWS, Habits, Sight
from tilerummy.bots.natural import NaturalBot
from tilerummy.bots.protocol import Budget
from tilerummy.bots.seats import play_match
from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Phase
from tilerummy.play.match import Match
from tilerummy.play.verification import verify
from tilerummy.play.views import view
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.tiles import table_text
from tilerummy.solver.turns.best_turn import can_play

RACK_ONLY = Sight(ends=False)
ENDS = Sight()
ONE_ROW = Sight(reach=1)
TWO_ROWS = Sight(reach=2)
NO_JOKERS = Sight(reach=ANY_ROWS)
ALL = Sight(reach=ANY_ROWS, jokers=True)
HALF = Sight(overlooks=0.5, reach=3, misses=0.5, jokers=True)
SIGHTS = (RACK_ONLY, ENDS, ONE_ROW, TWO_ROWS, NO_JOKERS, ALL, HALF)
MISER = Habits(keeps_jokers=True, keeps_fourths=True)

FILLER = "r1 r1 b1 b1 k13 k13"
"""Tiles that fit nowhere, so that the end of the game is not near."""


def rows_after(
    sight: Sight, rack: str, table: str, habits: Habits | None = None, *, opened: bool = True
) -> set[str] | None:
    """The rows of the table after the bot's turn; None when it does not play."""
    game = arranged(racks=[rack, "r2"], table=table, opened=opened)
    turn = NaturalBot(sight, habits or Habits()).choose(view(game, 0))
    if not isinstance(turn, Play):
        return None
    game.apply(turn, 1, can_play)
    return {*table_text(turn.table).split(" / ")}


def test_a_child_sees_the_sets_on_its_rack_alone() -> None:
    assert rows_after(RACK_ONLY, "b7 r9 r10 r11", "b4 b5 b6") == {"b4 b5 b6", "r9 r10 r11"}
    assert rows_after(RACK_ONLY, "b7 r1", "b4 b5 b6") is None


def test_tiles_are_added_to_both_ends_of_a_row() -> None:
    assert rows_after(ENDS, "b7 b3 b2 r1", "b4 b5 b6") == {"b2 b3 b4 b5 b6 b7"}
    assert rows_after(ENDS, "o4 r1", "r4 b4 k4") == {"r4 b4 k4 o4"}


def test_only_a_player_who_takes_rows_apart_splits_a_run() -> None:
    run = "b1 b2 b3 b4 b5"
    assert rows_after(ENDS, "b3 r13", run) is None
    assert rows_after(ONE_ROW, "b3 r13", run) == {"b1 b2 b3", "b3 b4 b5"}


def test_a_chain_through_two_rows_needs_a_reach_of_two() -> None:
    table = "k5 k6 k7 k8 / o5 o6 o7 o8"
    assert rows_after(ONE_ROW, "r8 r1", table) is None
    assert rows_after(TWO_ROWS, "r8 r1", table) is not None


def test_rows_with_jokers_are_left_alone_by_those_who_fear_them() -> None:
    table = "r5 J r7 / b9 b10 b11"
    rack = "r6 k9 o9"
    assert rows_after(NO_JOKERS, rack, table) is None
    assert rows_after(ALL, rack, table) is not None


def test_a_joker_is_kept_until_the_end_is_near() -> None:
    keeper = Habits(keeps_jokers=True)
    assert rows_after(ENDS, f"r9 r10 J {FILLER}", "b4 b5 b6") is not None
    assert rows_after(ENDS, f"r9 r10 J {FILLER}", "b4 b5 b6", keeper) is None
    assert rows_after(ENDS, "r9 r10 J", "b4 b5 b6", keeper) is not None


def test_a_joker_is_spent_to_open() -> None:
    keeper = Habits(keeps_jokers=True)
    opened = rows_after(ENDS, f"r11 r12 J {FILLER}", "", keeper, opened=False)
    assert opened is not None
    without = rows_after(ENDS, f"r11 r12 r13 J {FILLER}", "", keeper, opened=False)
    assert without == {"r11 r12 r13"}


def test_the_fourth_tile_of_a_group_is_kept_while_there_is_something_else() -> None:
    keeper = Habits(keeps_fourths=True)
    laid = rows_after(ENDS, f"r8 b8 k8 o8 {FILLER}", "b4 b5 b6", keeper)
    assert laid == {"b4 b5 b6", "r8 b8 k8"}
    later = rows_after(ENDS, f"o8 b7 {FILLER}", "b4 b5 b6 / r8 b8 k8", keeper)
    assert later == {"b4 b5 b6 b7", "r8 b8 k8"}
    last = rows_after(ENDS, f"o8 {FILLER}", "b4 b5 b6 / r8 b8 k8", keeper)
    assert last == {"b4 b5 b6", "r8 b8 k8 o8"}


def test_what_was_kept_goes_out_with_the_rest() -> None:
    keeper = Habits(keeps_fourths=True)
    rack = "r8 b8 k8 o8 r9 b9 k9"
    assert rows_after(ENDS, rack, "b4 b5 b6", keeper) == {"b4 b5 b6", "r8 b8 k8 o8", "r9 b9 k9"}


def test_what_is_overlooked_depends_on_the_seed_and_the_turn_alone() -> None:
    rack = "r9 r10 r11 b9 b10 b11 k9 k10 k11"
    game = arranged(racks=[rack, "r2"], table="b4 b5 b6")
    blind = Sight(overlooks=0.4)
    turns = [NaturalBot(blind, seed=seed).choose(view(game, 0)) for seed in range(20)]
    assert turns == [NaturalBot(blind, seed=seed).choose(view(game, 0)) for seed in range(20)]
    played = {str(turn) for turn in turns}
    assert len(played) > 1


@pytest.mark.parametrize("sight", SIGHTS)
def test_a_play_that_the_rules_demand_is_one_tile(sight: Sight) -> None:
    table = "r5 r6 r7 / o5 o6 o7 / k5 k6 k7 k8 k9 k10"
    game = arranged(racks=["b5 k13", "r2"], table=table, pool=0, filler=1)
    turn = NaturalBot(sight).choose(view(game, 0))
    assert isinstance(turn, Play)
    game.apply(turn, 1, can_play)
    stuck = arranged(racks=["k1 b13", "r2"], table="", pool=0, filler=1)
    assert NaturalBot(sight).choose(view(stuck, 0)) == Pass(0)


def test_a_blind_player_plays_one_tile_where_the_rules_demand_a_play() -> None:
    table = "b4 b5 b6 / r8 b8 k8"
    game = arranged(racks=["b7 o8 r1", "r2"], table=table, pool=0, filler=1)
    turn = NaturalBot(Sight(overlooks=1.0)).choose(view(game, 0))
    assert isinstance(turn, Play)
    assert sum(map(len, turn.table)) == 7


def test_out_of_time_it_draws() -> None:
    game = arranged(racks=["k1", "r2"], table="b4 b5 b6")
    assert NaturalBot(ALL).choose(view(game, 0), Budget(seconds=0.0, nodes=1)) == Draw(0)


@pytest.mark.parametrize("name", EDITIONS)
def test_it_plays_legal_matches_of_every_edition(name: str) -> None:
    rules = edition(name, {"match.games_per_round": 1})
    players = min(rules.players_max, 4)
    driver = MatchDriver(Match(rules, ("Ann", "Ben", "Cem", "Dee")[:players]), can_play)
    sights = (ENDS, TWO_ROWS, HALF, ALL)
    bots = [NaturalBot(sight, MISER, seed=seat) for seat, sight in enumerate(sights[:players])]
    play_match(driver, list(bots), lambda: "5a" * 32)
    assert verify(driver.record, can_play) == []


@settings(max_examples=12)
@given(randoms)
def test_every_turn_is_legal_in_any_position(rng: random.Random) -> None:
    wild = wild_game(rng, random_edition(rng), mischief=0.05)
    for step in wild.steps():
        game = step.after
        if game.phase is not Phase.PLAYING or rng.random() < 0.5:
            continue
        habits = Habits(rng.random() < 0.5, rng.random() < 0.5)
        bot = NaturalBot(rng.choice(SIGHTS), habits, seed=rng.randrange(9))
        turn = bot.choose(view(game, game.current))
        game.apply(turn, game.turn_began, lambda *_: False)


def test_the_same_view_gives_the_same_turn() -> None:
    for rules in EDITIONS.values():
        shown = view(dealt(rules, 2), 0)
        assert NaturalBot(HALF).choose(shown) == NaturalBot(HALF).choose(shown)
