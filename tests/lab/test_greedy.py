"""Greedy games are games by the rules, judged or trusted."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tilerummy.lab.greedy import deal_tiles, greedy_games, play_greedily
from tilerummy.play.commands import Command, Draw, Pass, Play, Start
from tilerummy.play.game import Game, Phase
from tilerummy.play.shuffle import Deal
from tilerummy.rules.editions import CLASSIC, SABRA, SIXPLAYER, TAIWAN, TWIST, Edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import FACE_OF
from tilerummy.solver import Solution, solve

ONE_LAST_ROUND_OF_ADDING = TAIWAN.with_options({"final_round.manipulation": False})
HOUSES = (
    TAIWAN,
    CLASSIC,
    SABRA,
    TWIST,
    ONE_LAST_ROUND_OF_ADDING,
    CLASSIC.with_options({"draw.mode": "until_playable", "direction": "ccw"}),
    CLASSIC.with_options({"joker.declare": "kind", "initial.min": 45, "hand_size": 20}),
    SABRA.with_options({"joker.declare": "explicit", "hand_size": 20}),
)


def can_play(position: Position) -> bool:
    return solve(position, tidy=False).plays


@pytest.mark.parametrize("rules", HOUSES, ids=range(len(HOUSES)))
@pytest.mark.parametrize("seed", range(3))
def test_the_referee_lets_every_game_pass(rules: Edition, seed: int) -> None:
    game, _ = Game.create(rules, "abcd", secret=random.Random(seed).randbytes(32).hex(), now=0)
    game, _ = game.apply(Start(), 0)
    assert game.starter is not None
    turns: list[tuple[int, Position, Solution]] = []
    outcome = play_greedily(
        rules,
        Deal(game.racks, game.pool),
        game.starter,
        lambda seat, position, found: turns.append((seat, position, found)),
    )
    for seat, position, found in turns:
        assert game.phase is Phase.PLAYING
        assert (seat, position.table, position.opened, position.manipulation) == (
            game.current,
            game.table,
            game.opened[seat],
            game.manipulation,
        )
        assert Counter(position.rack) == Counter(game.racks[seat])
        command: Command = Draw(seat) if game.pool else Pass(seat)
        if found.plays:
            command = Play(seat, found.table, found.declared)
        game, _ = game.apply(command, 0, can_play)
    assert game.phase is Phase.OVER
    assert game.result == outcome.result
    assert [Counter(rack) for rack in outcome.racks] == [Counter(rack) for rack in game.racks]
    assert outcome.turns == len(turns)


@pytest.mark.parametrize("rules", HOUSES, ids=range(len(HOUSES)))
@pytest.mark.parametrize("seed", range(3))
def test_trusted_turns_lead_to_the_same_game_as_judged_ones(rules: Edition, seed: int) -> None:
    deal = deal_tiles(rules, 3, random.Random(seed))
    assert play_greedily(rules, deal, seed) == play_greedily(rules, deal, seed, judged=True)


@pytest.mark.parametrize("end", ["all_pass", "nobody_can", "first_unable", "final_round"])
def test_a_game_without_a_pool_ends_as_the_rules_say(end: str) -> None:
    rules = CLASSIC.with_options({"empty_pool.end": end, "hand_size": 26})
    deal = deal_tiles(rules, 4, random.Random(1))
    outcome = play_greedily(rules, Deal(deal.racks, ()), judged=False)
    assert sum(outcome.result.scores) == 0


@pytest.mark.parametrize("rules", [SIXPLAYER, TWIST], ids=lambda rules: rules.name)
def test_no_tile_is_lost(rules: Edition) -> None:
    players = rules.players_max
    box = Counter(FACE_OF[tile] for tile in rules.box(players).tiles())
    deal = deal_tiles(rules, players, random.Random(5))
    outcome = play_greedily(rules, deal)
    drawn = Counter(FACE_OF[tile] for rack in outcome.racks for tile in rack)
    laid = Counter(FACE_OF[tile] for row in outcome.table for tile in row)
    assert sum(map(len, deal.racks)) + len(deal.pool) == box.total()
    assert drawn + laid <= box
    assert len({*map(len, deal.racks)}) == 1


def test_the_seed_tells_the_games() -> None:
    once, again, other = (list(greedy_games(TAIWAN, 3, seed)) for seed in (1, 1, 2))
    assert once == again != other
