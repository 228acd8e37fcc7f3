"""PettingZoo: the seats of a match as agents `player_0` ..., one after the other or all at once.

Observations are {"observation": float32 [features], "action_mask": int8 [actions]}; rewards are 0
until a match ends, then each seat's return, -1 .. 1. Infos hold `match_seed`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from .. import load
from ..core.checked import Array
from ..core.errors import BattleboxError
from .one_match import RENDER_MODES, Illegal, Observation, OneMatch
from .spaces import actions_of, observations_of

Seed = int | None


class _Seats:
    """What both have: a match, its agents and their spaces."""

    def __init__(
        self,
        game: str | Path,
        limit: int | None,
        illegal: Illegal,
        ego: bool,
        onehot: bool,
        render_mode: str | None,
        options: dict[str, Any],
    ) -> None:
        rules = load(game, **options)
        self.match = OneMatch(rules, limit, illegal, ego, onehot, render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{p}" for p in range(rules.players)]
        self.agents: list[str] = []
        self.seats = {agent: p for p, agent in enumerate(self.possible_agents)}
        encoder = self.match.encoder
        self.observation_spaces = {a: observations_of(encoder) for a in self.possible_agents}
        self.action_spaces = {a: actions_of(encoder) for a in self.possible_agents}
        low, high = np.tile(encoder.low, rules.players), np.tile(encoder.high, rules.players)
        self.state_space = spaces.Box(low, high, dtype=np.float32)
        self.metadata = {
            "name": f"battlebox_{rules.game.name}_v{rules.game.version}",
            "render_modes": RENDER_MODES,
            "render_fps": 1,
            "is_parallelizable": True,
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """What `observe` gives."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions of the game; which are legal now, the mask says."""
        return self.action_spaces[agent]

    def state(self) -> Array:
        """float32: what all seats know, one after the other; for a critic that sees them all."""
        return np.concatenate(
            [self.match.observation(p)["observation"] for p in range(len(self.possible_agents))]
        )

    def render(self) -> str | None:
        """The table as text, as the seat to act sees it."""
        return self.match.render(self.match.actor)

    def close(self) -> None:
        """Nothing is kept open."""

    def _info(self) -> dict[str, Any]:
        return {"match_seed": self.match.match_seed}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class AecMatch(_Seats, AECEnv):  # type: ignore[misc]
    """A match as PettingZoo's AECEnv."""

    def reset(self, seed: Seed = None, options: dict[str, Any] | None = None) -> None:
        """A new match; with a seed it is `battlebox.load(...).match(seed)`. No options."""
        self.match.reset(seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {a: self._info() for a in self.agents}
        self.agent_selection = self.agents[self.match.actor]
        self._skip_agent_selection = None
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now."""
        return self.match.observation(self.seats[agent])

    def step(self, action: Any) -> None:
        """The agent to act does this; None, once it is terminated or truncated.

        Errors: IllegalAction, unless that loses.
        """
        if not self.agents:
            raise BattleboxError("no match is being played: call reset()")
        now = self.agent_selection
        if self.terminations[now] or self.truncations[now]:
            self._was_dead_step(action)
            return
        self.match.step(action)
        self._cumulative_rewards[now] = 0.0
        self.agent_selection = self.agents[self.match.actor]
        if self.match.over:
            for agent in self.agents:
                self.rewards[agent] = self.match.reward(self.seats[agent])
                self.terminations[agent] = self.match.terminated
                self.truncations[agent] = self.match.truncated
            self._accumulate_rewards()
            self._deads_step_first()
        self._show()


class ParallelMatch(_Seats, ParallelEnv):  # type: ignore[misc]
    """A match as PettingZoo's ParallelEnv. Only the action of the seat to act counts."""

    def reset(
        self, seed: Seed = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new match; with a seed it is `battlebox.load(...).match(seed)`. No options."""
        self.match.reset(seed)
        self.agents = [*self.possible_agents]
        self._show()
        return self._seen(), {a: self._info() for a in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """An action of each agent. Errors: IllegalAction, unless that loses."""
        match, there = self.match, self.agents
        match.step(actions[self.possible_agents[match.actor]])
        self._show()
        seen = self._seen()
        rewards = {a: match.reward(self.seats[a]) for a in there}
        terminated = dict.fromkeys(there, match.terminated)
        truncated = dict.fromkeys(there, match.truncated)
        infos = {a: self._info() for a in there}
        self.agents = [] if match.over else there
        return seen, rewards, terminated, truncated, infos

    def _seen(self) -> dict[str, Observation]:
        return {a: self.match.observation(self.seats[a]) for a in self.agents}
