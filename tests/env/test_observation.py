"""Observations: every array says what the view says, and the document names it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from gymnasium import spaces

from tests.env.agents import random_decisions
from tilerummy.env import FEATURES, SLOTS, raw_env
from tilerummy.env.candidates import candidates_of
from tilerummy.env.environment import CANDIDATES, NODES
from tilerummy.env.layout import Actions, Layout
from tilerummy.env.observation import fields_of
from tilerummy.play.views import view
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.tiles import ALL_FACES, FACES, faces_of

DOCUMENT = (Path(__file__).parents[2] / "docs" / "env.md").read_text("utf-8")


def test_the_arrays_of_a_view() -> None:
    game = raw_env("classic", 3, candidates=6)
    seen_table = 0
    for agent, seen, _ in random_decisions(game, seed=3):
        seat = game.possible_agents.index(agent)
        arrays, now = seen["observation"], view(game.game, seat)
        rack = [face for face in ALL_FACES for _ in range(arrays["rack"][face])]
        assert rack == sorted(faces_of(now.rack))
        assert [*arrays["rack_sizes"]] == [len(game.game.racks[(seat + n) % 3]) for n in range(3)]
        assert [*arrays["opened"]] == [game.game.opened[(seat + n) % 3] for n in range(3)]
        assert [*arrays["to_move"]] == [1, 0, 0]
        assert arrays["pool"] == [len(game.game.pool)]
        rows = [[int(face) - 1 for face in row if face] for row in arrays["rows"] if row.any()]
        assert rows == [[tile % FACES for tile in row] for row in now.table]
        assert arrays["table"].sum() == sum(map(len, rows))
        seen_table += len(rows)
    assert seen_table > 50
    last = game.observe("player_0")["observation"]
    assert not last["to_move"].any(), "the game is over"


def test_the_last_turn_is_seen_from_every_seat() -> None:
    game = raw_env("classic", 3, candidates=6)
    game.reset(seed=1)
    assert [*game.last()[0]["observation"]["last_turn"]] == [-1, 0, 0]
    mover = game.game.current
    game.step(0)
    for seat, agent in enumerate(game.possible_agents):
        last = game.observe(agent)["observation"]["last_turn"]
        assert [*last] == [(mover - seat) % 3, 2, 1], "drew one tile"


def test_seats_follow_the_direction_of_play() -> None:
    game = raw_env("classic", 3, {"direction": "ccw"}, candidates=6)
    game.reset(seed=1)
    mover = game.game.current
    game.step(0)
    following = game.possible_agents[game.game.current]
    assert game.game.current == (mover - 1) % 3
    assert [*game.observe(following)["observation"]["last_turn"]] == [2, 2, 1]


def test_candidates_are_described_in_the_order_of_the_actions() -> None:
    game = raw_env("taiwan", 2)
    for number, (_, seen, _) in enumerate(random_decisions(game, seed=2)):
        if number % 5:
            continue
        found = candidates_of(view(game.game, game.game.current), CANDIDATES, NODES)
        assert [*seen["action_mask"]] == [each is not None for each in found]
        for row, tiles, each in zip(
            seen["observation"]["candidates"],
            seen["observation"]["candidate_tiles"],
            found,
            strict=True,
        ):
            assert [*row] == pytest.approx([0] * len(FEATURES) if each is None else each.features)
            assert tiles.sum() == (0 if each is None else len(each.played))


@pytest.mark.parametrize("actions", ["candidates", "tiles"])
def test_an_observation_flattens_into_a_vector(actions: Actions) -> None:
    game = raw_env("classic", 2, actions=actions)
    game.reset(seed=1)
    space = game.observation_space("player_0")
    assert isinstance(space, spaces.Dict)
    flat = spaces.flatten(space["observation"], game.last()[0]["observation"])
    assert isinstance(flat, np.ndarray)
    assert flat.ndim == 1


@pytest.mark.parametrize("actions", ["candidates", "tiles"])
def test_the_document_describes_every_array_with_its_shape(actions: Actions) -> None:
    layout = Layout.of(EDITIONS["classic"], 4, actions, candidates=10, steps=60)
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\([^`]*\))` \|", DOCUMENT, re.MULTILINE))
    names = {"players": 4, "rows": 35, "length": 13, "N": 10}
    for name, field in fields_of(layout).items():
        assert eval(rows[name], names) == field.shape(layout), name


def test_the_document_lists_slots_and_features_in_order() -> None:
    assert re.findall(r"^\| \d \| `(\w+)` \|", DOCUMENT, re.MULTILINE) == [*SLOTS]
    column = re.findall(r"^\| (\d) \| (\w+) \|", DOCUMENT, re.MULTILINE)
    assert [name for _, name in column] == [*FEATURES]
    assert [int(number) for number, _ in column] == [*range(len(FEATURES))]
