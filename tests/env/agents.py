"""Agents for tests: random play, and a record of what they did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tilerummy.env import RummyEnv


class Decision(NamedTuple):
    """One decision: who, what it saw, and what it chose."""

    agent: str
    seen: dict[str, Any]
    action: int


def random_decisions(game: RummyEnv, seed: int) -> Iterator[Decision]:
    """Deal a game and play it at random; yields every decision before it is taken."""
    rng = np.random.default_rng(seed)
    game.reset(seed=seed)
    for agent in game.agent_iter():
        seen, _, terminated, truncated, _ = game.last()
        if terminated or truncated:
            game.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        yield Decision(agent, seen, action)
        game.step(action)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two observations are equal in every array."""
    arrays = [{**seen["observation"], "mask": seen["action_mask"]} for seen in (one, other)]
    assert arrays[0].keys() == arrays[1].keys()
    return all(np.array_equal(arrays[0][name], arrays[1][name]) for name in arrays[0])
