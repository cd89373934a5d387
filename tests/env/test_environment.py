"""The environment by PettingZoo's own tests, and by the referee."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tests.env.agents import random_decisions, same
from tilerummy.env import RummyEnv, env, raw_env
from tilerummy.env.layout import Actions
from tilerummy.play.game import Game
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.errors import OptionError
from tilerummy.rules.tiles import sorted_tiles

MODES: tuple[Actions, ...] = ("candidates", "tiles")
EXPECTED = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}
"""What PettingZoo says of every environment with several arrays, except for some of its own."""


@pytest.mark.parametrize("actions", MODES)
def test_it_passes_the_api_test(actions: Actions) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(env("taiwan", 3, actions=actions, candidates=6), num_cycles=60)
    assert {str(each.message) for each in said} == EXPECTED


@pytest.mark.parametrize("actions", MODES)
def test_it_passes_the_seed_test(actions: Actions) -> None:
    seed_test(lambda: env("taiwan", 2, actions=actions, candidates=6), num_cycles=60)


@pytest.mark.parametrize("actions", MODES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_games_of_every_edition_end(edition: str, actions: Actions) -> None:
    game = raw_env(edition, 2, actions=actions, candidates=4, steps=12, rewards="score")
    spaces = {agent: game.observation_space(agent) for agent in game.possible_agents}
    for number, (agent, seen, _) in enumerate(random_decisions(game, seed=3)):
        if number % 10 == 0:
            assert spaces[agent].contains(seen)
    assert game.game.result is not None
    assert not game.agents


@pytest.mark.soak
@pytest.mark.parametrize("actions", MODES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_many_games_of_every_number_of_players(edition: str, actions: Actions) -> None:
    rules = EDITIONS[edition]
    for seed in range(40):
        for players in range(rules.players_min, rules.players_max + 1):
            game = raw_env(edition, players, actions=actions)
            for agent, seen, _ in random_decisions(game, seed):
                assert game.observation_space(agent).contains(seen)
            assert game.game.result is not None


OPTIONS = (
    ("sabra", {"joker.declare": "explicit"}),
    ("classic", {"joker.declare": "kind", "initial.min": 0, "hand_size": 20}),
    ("twist", {"empty_pool.end": "final_round", "final_round.manipulation": False}),
    ("taiwan", {"draw.mode": "until_playable", "strict_submit": True}),
    ("classic", {"direction": "ccw", "timer.seconds": 0}),
)


@pytest.mark.parametrize(("edition", "options"), OPTIONS)
def test_options_are_those_of_the_edition(edition: str, options: dict[str, object]) -> None:
    for actions in MODES:
        game = raw_env(edition, 3, options, actions, candidates=6, steps=10)
        for _ in random_decisions(game, seed=5):
            pass
        assert game.game.edition == EDITIONS[edition].with_options(options)
        assert game.game.result is not None


# What an agent may know


def redealt(game: Game, seat: int, rng: random.Random) -> Game:
    """The same game for that seat, with all tiles exchanged that it cannot see."""
    others = [other for other in range(len(game.racks)) if other != seat]
    hidden = [*game.pool, *(tile for other in others for tile in game.racks[other])]
    rng.shuffle(hidden)
    racks = [*game.racks]
    for other in others:
        size = len(racks[other])
        racks[other], hidden = sorted_tiles(hidden[:size]), hidden[size:]
    return replace(game, racks=tuple(racks), pool=tuple(hidden), secret="00" * 32, dealt=None)


@pytest.mark.parametrize("actions", MODES)
def test_hidden_tiles_change_no_observation(actions: Actions) -> None:
    game = raw_env("classic", 3, actions=actions, candidates=6, steps=15)
    other = raw_env("classic", 3, actions=actions, candidates=6, steps=15)
    rng = random.Random(1)
    changed = 0
    for number, (agent, seen, action) in enumerate(random_decisions(game, seed=2)):
        if number % 7 == 0 and (actions == "candidates" or seen["action_mask"][0]):
            seat = game.possible_agents.index(agent)
            other.reset(seed=2)
            other.game = redealt(game.game, seat, rng)
            other._begin_turn()
            changed += other.game.racks != game.game.racks
            if actions == "tiles":
                other._draft = game._draft
            assert same(other.observe(agent), seen)
            other.step(action)  # and it stays a legal action
    assert changed > 5


def test_a_seat_that_waits_sees_its_own_rack_and_no_draft() -> None:
    game = raw_env("classic", 2, actions="tiles")
    game.reset(seed=1)
    mover = game.agent_selection
    (waiting,) = [agent for agent in game.agents if agent != mover]
    before = game.observe(waiting)
    assert not before["action_mask"].any()
    take = int(np.flatnonzero(game.observe(mover)["action_mask"])[-1])
    game.step(take)
    assert game.agent_selection == mover
    assert same(game.observe(waiting), before)
    assert not same(game.observe(mover), before)


# Rewards, ends and seeds


def test_rewards_are_those_of_the_result() -> None:
    totals: dict[str, dict[str, float]] = {}
    for kind in ("win", "score"):
        game = raw_env("taiwan", 3, candidates=6, rewards=kind)
        totals[kind] = {}
        game.reset(seed=4)
        for agent in game.agent_iter():
            seen, reward, terminated, _, _ = game.last()
            totals[kind][agent] = totals[kind].get(agent, 0) + reward
            action = None if terminated else int(np.flatnonzero(seen["action_mask"])[-1])
            game.step(action)
    result = game.game.result
    assert result is not None
    assert [totals["score"][agent] for agent in game.possible_agents] == [*result.scores]
    wins = [1.0 if seat in result.winners else -1.0 for seat in range(3)]
    assert [totals["win"][agent] for agent in game.possible_agents] == wins


def test_a_game_over_the_turn_limit_is_truncated() -> None:
    game = raw_env("taiwan", 2, candidates=6, turn_limit=5)
    decisions = [*random_decisions(game, seed=1)]
    assert len(decisions) == 5
    assert game.game.is_playing
    game.reset()
    assert not any(game.truncations.values())
    for _ in range(5):
        game.step(int(np.flatnonzero(game.last()[0]["action_mask"])[0]))
    assert all(game.truncations.values())
    assert not any(game.terminations.values())
    assert not any(game.rewards.values())


def test_one_seed_gives_one_sequence_of_deals() -> None:
    one, other = raw_env("classic"), raw_env("classic")
    one.reset(seed=8)
    other.reset(seed=8)
    first = one.game.racks
    assert first == other.game.racks
    one.reset()
    other.reset()
    assert one.game.racks == other.game.racks != first


@pytest.mark.parametrize("actions", MODES)
def test_an_action_that_the_mask_forbids_is_refused(actions: Actions) -> None:
    game = raw_env("classic", 2, actions=actions)
    game.reset(seed=1)
    forbidden = int(np.flatnonzero(game.last()[0]["action_mask"] == 0)[0])
    for action in (forbidden, -1, 100_000, None):
        with pytest.raises(ValueError, match="action_mask"):
            game.step(action)
    wrapped = env("classic", 2, actions=actions)
    wrapped.reset(seed=1)
    loser = wrapped.agent_selection
    wrapped.last()
    wrapped.step(forbidden)
    assert wrapped.rewards[loser] == -1
    assert all(wrapped.terminations.values())


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"edition": "nonesuch"}, OptionError),
        ({"options": {"hand_size": 99}}, OptionError),
        ({"players": 5}, ValueError),
        ({"actions": "moves"}, ValueError),
        ({"rewards": "fun"}, ValueError),
        ({"candidates": 1}, ValueError),
        ({"steps": 0}, ValueError),
        ({"nodes": 0}, ValueError),
        ({"turn_limit": 0}, ValueError),
        ({"render_mode": "rgb_array"}, ValueError),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        RummyEnv(**arguments)


def test_an_edition_may_be_a_value() -> None:
    rules = EDITIONS["twist"].with_options({"hand_size": 10})
    assert raw_env(rules, 2, {"initial.min": 20}).edition == rules.with_options({"initial.min": 20})
