"""Train an agent for about a minute, and measure it against random play. NumPy is all it needs.

python examples/train_agent.py --seed 1

The agent plays the candidate with the highest score, a linear function of its features. It learns
by the cross-entropy method: many agents around the present one play the same deals, and the present
one moves to the mean of the best of them.
"""

import argparse
from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilerummy.env import FEATURES, SLOTS, raw_env

Array = NDArray[np.float64]
Policy = Callable[[dict[str, Any]], int]

CANDIDATES = len(SLOTS)
DEALS = 6
"""In a round of learning."""
SCALE = np.array([10, 100, 2, 20, 200, 1, 1, 10, 10], np.float64)
"""Divides the features, so that all of them are around 1."""


def linear_policy(weights: Array) -> Policy:
    """Play the candidate with the highest score: the sum of its weighted features."""

    def choose(seen: dict[str, Any]) -> int:
        scores = seen["observation"]["candidates"] / SCALE @ weights
        return int(np.where(seen["action_mask"] == 1, scores, -np.inf).argmax())

    return choose


def random_policy(seed: int) -> Policy:
    """Every candidate is equally likely."""
    rng = np.random.default_rng(seed)
    return lambda seen: int(rng.choice(np.flatnonzero(seen["action_mask"])))


def play(game: Any, seed: int, policies: list[Policy]) -> list[float]:
    """Play one deal; returns the reward of each seat."""
    game.reset(seed=seed)
    rewards = [0.0] * len(policies)
    for agent in game.agent_iter():
        seat = game.possible_agents.index(agent)
        seen, reward, terminated, truncated, _ = game.last()
        if terminated or truncated:
            rewards[seat] = reward
            game.step(None)
        else:
            game.step(policies[seat](seen))
    return rewards


class Share(NamedTuple):
    """A share of wins over deals, with its 95 % interval."""

    mean: float
    half: float
    deals: int

    def __str__(self) -> str:
        return f"{100 * self.mean:5.1f} % ± {100 * self.half:.1f} of {2 * self.deals} games"


def measure(game: Any, policy: Policy, other: Policy, deals: int, first_seed: int) -> Share:
    """The share of wins over paired deals: each deal is played twice, with seats exchanged."""
    shares = []
    for seed in range(first_seed, first_seed + deals):
        won = play(game, seed, [policy, other])[0] > 0
        won_back = play(game, seed, [other, policy])[1] > 0
        shares.append((won + won_back) / 2)
    half = 1.96 * float(np.std(shares, ddof=1)) / sqrt(deals)
    return Share(float(np.mean(shares)), half, deals)


def train(game: Any, rng: np.random.Generator, rounds: int, size: int, seed: int) -> Array:
    """The weights after some rounds; in each, `size` agents play the same deals."""
    mean = np.zeros(len(FEATURES))
    spread = np.ones_like(mean)
    for number in range(rounds):
        agents = mean + spread * rng.standard_normal((size, len(mean)))
        first = seed + number * DEALS
        shares = [
            measure(game, linear_policy(agent), random_policy(number), DEALS, first).mean
            for agent in agents
        ]
        elite = agents[np.argsort(shares)[-size // 4 :]]
        mean, spread = elite.mean(axis=0), elite.std(axis=0) + 0.1
        print(
            f"round {number + 1:2}: wins {100 * np.mean(shares):5.1f} % on average, "
            f"{100 * max(shares):5.1f} % the best",
            flush=True,
        )
    return mean


def run(game: Any, rounds: int, size: int, deals: int, seed: int) -> dict[str, Share]:
    """Train, measure and print; returns the shares of wins before and after."""
    first = 1_000_000 * seed
    weights = train(game, np.random.default_rng(seed), rounds, size, first)
    print("\nwhat it has learnt")
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"  {name:12} {weight:+.2f}")
    fresh = first + rounds * DEALS  # deals that it has not learnt from
    print("\nwins against random play, over paired deals")
    policies = {
        "random": random_policy(1),
        "untrained": linear_policy(np.zeros_like(weights)),
        "trained": linear_policy(weights),
    }
    found = {}
    for name, policy in policies.items():
        found[name] = measure(game, policy, random_policy(2), deals, fresh)
        print(f"  {name:10} {found[name]}", flush=True)
    return found


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description="Train an agent against random play.")
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--rounds", type=int, default=6, help="of learning")
    parser.add_argument("--size", type=int, default=16, help="agents in each round")
    parser.add_argument("--deals", type=int, default=100, help="to measure with, each played twice")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = raw_env(given.edition, players=2, candidates=CANDIDATES)
    run(game, given.rounds, given.size, given.deals, given.seed)


if __name__ == "__main__":
    main()
