"""The environment: games of the real referee as a PettingZoo AEC environment.

Every turn goes through `Game.apply`. What an agent observes comes from the view of its seat alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.protocol import Budget
from tilerummy.env import drafts, text
from tilerummy.env.candidates import Candidates, candidates_of
from tilerummy.env.drafts import Draft
from tilerummy.env.layout import Actions, Layout
from tilerummy.env.observation import (
    candidate_arrays,
    draft_arrays,
    observation_space,
    view_arrays,
)
from tilerummy.env.rewards import Rewards, rewards_of
from tilerummy.play.commands import FixCommitments, Play, Start, Turn
from tilerummy.play.game import Game
from tilerummy.play.shuffle import SECRET_BYTES
from tilerummy.play.views import view
from tilerummy.rules.editions import Edition
from tilerummy.rules.editions import edition as edition_of
from tilerummy.solver import can_play

CANDIDATES = 10
STEPS = 60
NODES = 2_000
RenderMode = Literal["ansi", "human"]


class RummyEnv(AECEnv):  # type: ignore[misc]
    """A game as an AEC environment, without wrappers. `env` is what most programs need.

    `game` is the complete state, hidden tiles included: for evaluation and tests, not for agents.
    """

    metadata = {  # noqa: RUF012  # PettingZoo's interface
        "name": "tilerummy_v0",
        "render_modes": [*get_args(RenderMode)],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str | Edition = "classic",
        players: int = 4,
        options: Mapping[str, object] | None = None,
        actions: Actions = "candidates",
        *,
        rewards: Rewards = "win",
        candidates: int = CANDIDATES,
        steps: int = STEPS,
        nodes: int = NODES,
        turn_limit: int | None = None,
        render_mode: RenderMode | None = None,
    ) -> None:
        """Raises OptionError for an unknown edition or option, and ValueError for other values.

        `candidates` is the number of candidates, `steps` that of the sub-actions of a turn.
        `nodes` limits the states that the solver expands for one answer. After `turn_limit` turns
        a game is truncated.
        """
        name, changes = (
            (edition.name, edition.changed_options())
            if isinstance(edition, Edition)
            else (edition, {})
        )
        self.edition = edition_of(name, {**changes, **(options or {})})
        self.layout = Layout.of(self.edition, players, actions, candidates=candidates, steps=steps)
        if rewards not in get_args(Rewards):
            raise ValueError(f"rewards={rewards!r}: choose from {get_args(Rewards)}")
        if nodes < 1 or (turn_limit is not None and turn_limit < 1):
            raise ValueError("nodes and turn_limit are at least 1")
        if render_mode is not None and render_mode not in get_args(RenderMode):
            raise ValueError(f"render_mode={render_mode!r}: choose from {get_args(RenderMode)}")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._reward_kind: Rewards = rewards
        self._nodes, self._turn_limit = nodes, turn_limit
        by_candidates = actions == "candidates"
        count = self.layout.candidates if by_candidates else drafts.action_count(self.layout)
        self.observation_spaces = {
            agent: observation_space(self.layout, count) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._actions = count
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent observes; the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent; the same object at every call."""
        return self.action_spaces[agent]

    # Games

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game. A seed decides this deal and all later ones; `options` has no effect."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.game = self._deal(self._random.bytes(SECRET_BYTES).hex())
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._begin_turn()
        self._show()

    def _deal(self, secret: str) -> Game:
        seats = tuple(range(self.layout.players))
        names = [f"Player {seat + 1}" for seat in seats]
        game, _ = Game.create(self.edition, names, secret=secret, now=0)
        for command in (FixCommitments(seats), Start()):
            game, _ = game.apply(command, 0, can_play)
        return game

    def _begin_turn(self) -> None:
        """Prepare the decision of the seat that is to move."""
        self._candidates: Candidates | None = None
        self._draft: Draft | None = None
        self._mask: NDArray[np.int8] | None = None
        self.agent_selection = self.possible_agents[self.game.current]
        if self.layout.actions == "tiles" and self.game.is_playing:
            self._draft = Draft.of(self.game.position(self.game.current), self.layout)

    def step(self, action: int | None) -> None:
        """Take an action for `agent_selection`. Raises ValueError if the mask forbids it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self._actions or not self._legal()[action]:
            raise ValueError(f"{agent} cannot take the action {action!r} now: see action_mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        turn = self._turn(int(action))
        if turn is not None:
            self.game, _ = self.game.apply(turn, 0, can_play)
            self._begin_turn()
            self._end_game()
        self._accumulate_rewards()
        self._show()

    def _turn(self, action: int) -> Turn | None:
        """The turn that an action completes; None for a step of a draft."""
        seat = self.game.current
        if self._draft is None:
            chosen = self._slots()[action]
            assert chosen is not None, "the mask allows only candidates that exist"
            return chosen.turn
        if action == drafts.IDLE:
            return last_resort(view(self.game, seat), Budget(nodes=self._nodes))
        if action == drafts.END:
            move = self._draft.move()
            assert move is not None, "the mask allows the end of a legal draft only"
            return Play(seat, *move)
        self._draft, self._mask = self._draft.after(action), None
        return None

    def _end_game(self) -> None:
        result = self.game.result
        if result is not None:
            rewards = rewards_of(result, self._reward_kind)
            self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._turn_limit is not None and self.game.turn > self._turn_limit:
            self.truncations = dict.fromkeys(self.agents, True)

    # Observations

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent knows: `observation`, arrays by name, and `action_mask`."""
        seat = self.possible_agents.index(agent)
        moves = self.game.is_playing and seat == self.game.current
        draft = self._draft if moves else None
        arrays = view_arrays(view(self.game, seat), self.layout, draft)
        if self.layout.actions == "tiles":
            arrays |= draft_arrays(draft, self.layout)
        else:
            arrays |= candidate_arrays(self._slots() if moves else [], self.layout)
        mask = self._legal().copy() if moves else np.zeros(self._actions, np.int8)
        return {"observation": arrays, "action_mask": mask}

    def _slots(self) -> Candidates:
        """The candidates of the seat that is to move."""
        if self._candidates is None:
            seen = view(self.game, self.game.current)
            self._candidates = candidates_of(seen, self.layout.candidates, self._nodes)
        return self._candidates

    def _legal(self) -> NDArray[np.int8]:
        """The mask of the seat that is to move."""
        if self._mask is None:
            if self._draft is None:
                exists = [candidate is not None for candidate in self._slots()]
                self._mask = np.array(exists, np.int8)
            else:
                self._mask = self._draft.mask()
        return self._mask

    # Rendering

    def render(self) -> str | None:
        """The game as text: returned with `ansi`, printed with `human`."""
        shown = text.game_text(self.game, self.possible_agents, self._draft)
        if self.render_mode == "human":
            print(shown, end="\n\n")
            return None
        return shown

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing to release."""


def env(*args: Any, **keywords: Any) -> Any:
    """`RummyEnv` with PettingZoo's usual wrappers; takes the same arguments.

    An action that the mask forbids ends the game with a reward of -1 for its player. Raises
    OptionError for an unknown edition or option, and ValueError for other values.
    """
    made: Any = RummyEnv(*args, **keywords)
    for wrap in (
        partial(wrappers.TerminateIllegalWrapper, illegal_reward=-1),
        wrappers.AssertOutOfBoundsWrapper,
        wrappers.OrderEnforcingWrapper,
    ):
        made = wrap(made)
    return made
