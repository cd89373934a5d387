"""The game as an environment for reinforcement learning: PettingZoo's AEC interface.

Needs the extra `env`: `pip install 'tilerummy[env]'`. `docs/env.md` explains every array.

from tilerummy.env import env

game = env(edition="classic", players=4)
game.reset(seed=1)
for agent in game.agent_iter():
    seen, reward, terminated, truncated, info = game.last()
    over = terminated or truncated
    game.step(None if over else game.action_space(agent).sample(seen["action_mask"]))
"""

from tilerummy.env.candidates import FEATURES, SLOTS
from tilerummy.env.environment import RummyEnv, env
from tilerummy.env.layout import Layout
from tilerummy.env.observation import view_arrays

raw_env = RummyEnv
"""PettingZoo's name for the environment without wrappers."""

__all__ = ["FEATURES", "SLOTS", "Layout", "RummyEnv", "env", "raw_env", "view_arrays"]
