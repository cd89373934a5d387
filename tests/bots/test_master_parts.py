"""The parts of one decision of Master: the belief, the worlds, the candidates and the race."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.play.states import arranged, dealt
from tilerummy.bots.master import worlds
from tilerummy.bots.master.belief import GREEDY, HOLDER, STYLES, Belief, Opponent
from tilerummy.bots.master.candidates import Candidates
from tilerummy.bots.master.race import Race
from tilerummy.bots.master.worlds import Worlds
from tilerummy.bots.seats import BotSeats
from tilerummy.bots.solver import WHOLE_RACK, SolverBot
from tilerummy.play.driver import play_turns
from tilerummy.play.game import Game
from tilerummy.play.views import view
from tilerummy.rules.editions import TAIWAN
from tilerummy.solver.cover.deadline import Deadline, TimeOverError
from tilerummy.solver.turns.best_turn import can_play, solve


def watched(turns: int) -> tuple[Belief, Game]:
    """What seat 0 believes after some turns of a game with a greedy player and a holder."""
    bots = {0: SolverBot(), 1: SolverBot(), 2: SolverBot(least=WHOLE_RACK)}
    seats = BotSeats(bots)
    game = dealt(TAIWAN, 3)
    belief = Belief.begin(view(game, 0))
    for number, (after, _) in enumerate(play_turns(game, seats.choose, can_play)):
        if number == turns or after.is_over:
            break
        game = after
        belief = belief.after(view(game, 0))
    return belief, game


def probability(opponent: Opponent, style: int) -> float:
    return opponent.styles[STYLES.index(style)]


def test_what_players_do_tells_how_they_play() -> None:
    belief, game = watched(36)
    assert game.opened[1]
    assert game.opened[2]
    assert probability(belief.opponents[1], GREEDY) > 0.9
    assert probability(belief.opponents[2], HOLDER) > 0.6


def test_in_the_middle_of_a_game_the_racks_tell_how_players_play() -> None:
    _, game = watched(36)
    belief = Belief.begin(view(game, 0))
    greedy, holder = belief.opponents[1:]
    assert probability(greedy, GREEDY) > probability(greedy, HOLDER)
    assert probability(holder, HOLDER) > probability(holder, GREEDY)


def test_a_belief_that_missed_a_turn_begins_again() -> None:
    belief, game = watched(30)
    later, _ = watched(33)
    assert belief.after(view(game, 0)) == belief
    shown = view(watched(33)[1], 0)
    assert belief.after(shown) == Belief.begin(shown) != later


def test_every_hidden_tile_is_in_one_place_of_a_world() -> None:
    belief, game = watched(30)
    shown = view(game, 0)
    sample = Worlds(shown, belief, TAIWAN, Random(1))
    for number in range(5):
        world = sample[number]
        assert world is sample[number]
        assert tuple(map(len, world.racks)) == shown.rack_sizes
        assert len(world.pool) == shown.pool_size
        assert world.racks[0] == shown.rack
        tiles = [*world.pool, *(tile for rack in world.racks for tile in rack)]
        tiles += [tile for row in shown.table for tile in row]
        assert sorted(tiles) == sorted(TAIWAN.box(3).tiles())


def test_a_greedy_player_holds_nothing_that_it_could_have_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worlds, "OVERLOOKED", 0.0)
    game = arranged(
        racks=["k1 k1 o1", "r1 r1 b1 b1 k13 o13"], table="b4 b5 b6 / r8 b8 k8 / o5 o6 o7"
    )
    shown = view(game, 0)
    certain = Opponent((1.0, 0.0, 0.0, 0.0), shown.table, 1, opened=True)

    def playing(opponent: Opponent) -> int:
        belief = replace(Belief.begin(shown), opponents=(opponent, opponent))
        sample = Worlds(shown, belief, game.edition, Random(2))
        racks = [sample[number].racks[1][:-1] for number in range(40)]
        position = view(game, 0).position
        return sum(solve(replace(position, rack=rack), tidy=False).plays for rack in racks)

    assert playing(replace(certain, table=None)) > 12
    assert playing(certain) <= 2


def test_candidates_differ_are_legal_and_begin_with_the_best_turn() -> None:
    game = arranged(
        racks=["r9 r10 r11 b9 b10 b11 J k4 o12", "r2"], table="b4 b5 b6 / k5 k6 k7 k8 / o9 o10 o11"
    )
    position = view(game, 0).position
    best = solve(position, tidy=False)
    found = Candidates(position, None, None).plays(best, 8)
    assert found[0].played == best.played
    assert len({frozenset(turn.played) for turn in found}) == len(found) > 3
    for turn in found:
        verdict = game.judge(turn.table, turn.declared)
        assert verdict.legal
        assert {*verdict.played} == {*turn.played}


def test_turns_of_one_tile_come_before_larger_ones() -> None:
    game = arranged(racks=["b7 b8 k8 k9 r9 r10 r11", "r2"], table="b4 b5 b6 / k5 k6 k7")
    position = view(game, 0).position
    found = Candidates(position, None, None).plays(solve(position, tidy=False), 6)
    assert [len(turn.played) for turn in found[:3]] == [7, 1, 1]


def test_an_opening_may_keep_rows_back() -> None:
    game = arranged(racks=["r10 r11 r12 b10 b11 b12 k1", "r2"], opened=False)
    best = solve(view(game, 0).position, tidy=False)
    found = Candidates(view(game, 0).position, None, None).plays(best, 8)
    assert sorted(len(turn.played) for turn in found) == [3, 3, 6]


def noisy(choice: float, world: int) -> float:
    return choice + Random(world).random()


def test_the_best_arm_wins_within_the_budget() -> None:
    race = Race([0.0, 0.1, 0.3, 0.2, 0.25], noisy, 200)
    assert race.winner() == 0.3
    assert race.spent <= 200


def test_without_samples_or_beyond_doubt_the_default_is_chosen() -> None:
    assert Race([0.0, 1.0], noisy, 0).winner() == 0.0
    assert Race([0.0, 0.0, 0.0], lambda _, world: float(world % 2), 90).winner() == 0.0
    assert Race([7.0], noisy, 90).winner() == 7.0


def test_a_few_worlds_that_agree_prove_little() -> None:
    assert Race([0.0, 0.3], lambda choice, _: choice, 4).winner() == 0.0
    assert Race([0.0, 0.3], lambda choice, _: choice, 100).winner() == 0.3


def test_a_race_ends_at_its_deadline() -> None:
    ticks = iter(range(100))
    late = Deadline(10.0, lambda: float(next(ticks)))
    race = Race([0.0, 1.0], noisy, 1_000, late)
    race.winner()
    assert race.spent == 2 * 10


def test_a_world_that_is_not_played_to_its_end_counts_for_no_arm() -> None:
    def late(choice: float, world: int) -> float:
        if (choice, world) == (0.2, 3):
            raise TimeOverError
        return choice

    race = Race([0.1, 0.0, 0.2], late, 1_000)
    assert race.winner() == 0.1
    assert [len(arm.values) for arm in race.arms] == [3, 3, 3]


def test_one_world_decides_where_nothing_is_hidden() -> None:
    race = Race([0.0, 0.5, 0.2], lambda choice, _: choice, 3)
    assert race.winner_in_one_world() == 0.5
    assert race.spent == 3
    assert Race([0.0, 0.5, 0.9], lambda choice, _: choice, 2).winner_in_one_world() == 0.5
