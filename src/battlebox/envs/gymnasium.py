"""Gymnasium: one seat of a match is the learner's, opponents decide for the others.

Observations are {"observation": float32 [features], "action_mask": int8 [actions]}, rewards 0 until
a match ends, then the return of the learner's seat, -1 .. 1. Infos hold `match_seed`.
"""

from __future__ import annotations

import copy
import secrets
from pathlib import Path
from typing import Any, get_args

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import load
from ..core.batch import Autoreset, Batch
from ..core.checked import Array
from ..core.errors import BattleboxError, RulesetError
from ..core.random import checked_seed
from ..games import find, names
from .one_match import ANY_SEED, RENDER_MODES, Illegal, Observation, OneMatch
from .opponents import Others, seated
from .spaces import actions_of, observations_of

MODES: dict[Autoreset, AutoresetMode] = {
    "next_step": AutoresetMode.NEXT_STEP,
    "same_step": AutoresetMode.SAME_STEP,
    "off": AutoresetMode.DISABLED,
}


SPACES = ("observation_space", "action_space")  # of all matches; of a single one


def register() -> None:
    """Makes all games known to `gymnasium.make`: battlebox/NAME-vVERSION."""
    for name in names():
        id = f"battlebox/{name}-v{find(name).version}"
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"game": name},
            )


class SeatEnv(gymnasium.Env):  # type: ignore[misc]
    """A seat of one match after the other.

    opponents: who decides for the other seats: a bot's word ("easy"), a bot, or a policy
    (observations, mask) -> actions; then the learner's seat is drawn by lot for each match. Or
    {1: "easy", 2: "hard"}, with one seat left free. limit: most decisions of a match. illegal: what
    an illegal action does: it "lose"s the match, or "raise"s IllegalAction. ego, onehot: see
    `Encoder`. All else are options of the game.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Path,
        opponents: Others = "random",
        *,
        limit: int | None = None,
        illegal: Illegal = "lose",
        ego: bool = True,
        onehot: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        rules = load(game, **options)
        seated(opponents, rules, 0)  # errors come now
        self.match = OneMatch(rules, limit, illegal, ego, onehot, render_mode, opponents)
        self.render_mode = render_mode
        self.observation_space = observations_of(self.match.encoder)
        self.action_space = actions_of(self.match.encoder)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The learner's first decision in a new match. With a seed, all that follows is the same
        for the same actions, if opponents are named by their words. No options.
        """
        super().reset(seed=seed)
        self.match.reset(seed)
        self._show()
        return self.match.observation(self.match.actor), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner does this; then all others, until it is asked again or the match is over."""
        match, seat = self.match, self.match.actor
        match.step(action)
        self._show()
        reward = match.reward(seat)
        seen = match.observation(seat)
        return seen, reward, match.terminated, match.truncated, self._info()

    def action_masks(self) -> Array:
        """bool [actions]: the legal ones; where SB3's MaskablePPO looks for them."""
        return np.asarray(self.match.batch.mask[0], bool)

    def render(self) -> str | None:
        """The table as text, as the learner sees it."""
        return self.match.render(self.match.actor)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self) -> dict[str, Any]:
        return {"match_seed": self.match.match_seed}


class SeatVectorEnv(VectorEnv):  # type: ignore[misc]
    """A seat of each of many matches, in one batch. The same as `SeatEnv`, and:

    autoreset: "next_step", "same_step" (infos hold `final_obs` and `final_info`) or "off"
    (`reset(options={"reset_mask": bool [n]})` begins some anew). threads: see `Batch`. An illegal
    action raises IllegalAction, and changes nothing.
    """

    def __init__(
        self,
        game: str | Path,
        num_envs: int = 1,
        opponents: Others = "random",
        *,
        limit: int | None = None,
        autoreset: Autoreset = "next_step",
        threads: int = 1,
        ego: bool = True,
        onehot: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise RulesetError("render_mode: many matches are not drawn; use gymnasium.make")
        if autoreset not in MODES:
            raise RulesetError(f"autoreset = {autoreset!r}: {', '.join(get_args(Autoreset))}")
        rules = load(game, **options)
        seated(opponents, rules, 0)  # errors come now
        self.rules, self.engine = rules, rules.compiled()
        self.encoder = self.engine.encoder(ego=ego, onehot=onehot)
        self._others, self._how = opponents, (limit, autoreset, threads)
        self._batch: Batch | None = None
        self.num_envs = num_envs
        self.single_observation_space = observations_of(self.encoder)
        self.single_action_space = actions_of(self.encoder)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.autoreset_mode = MODES[autoreset]  # which TorchRL asks for
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}

    def __deepcopy__(self, memo: Any) -> SeatVectorEnv:
        found = copy.copy(self)  # opponents are shared, as by copies of a batch
        found._batch = copy.copy(self._batch)
        names = (*SPACES, *(f"single_{x}" for x in SPACES), "_np_random")
        for name in names:  # each has a generator
            setattr(found, name, copy.deepcopy(getattr(self, name), memo))
        return found

    @property
    def batch(self) -> Batch:
        """Errors: BattleboxError before the first reset."""
        if self._batch is None:
            raise BattleboxError("no match has begun: call reset()")
        return self._batch

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """All matches begin anew, or where `reset_mask` (bool [n], of options) is True. With a
        seed, the same ones.
        """
        super().reset(seed=seed)
        where = (options or {}).get("reset_mask")
        if self._batch is None or (seed is not None and where is None):
            whole = secrets.randbelow(ANY_SEED) if seed is None else checked_seed(seed)
            limit, autoreset, threads = self._how
            self._batch = self.engine.batch(
                self.num_envs,
                whole,
                limit=limit,
                autoreset=autoreset,
                threads=threads,
                opponents=seated(self._others, self.rules, whole),
            )
        else:
            drawn = self.np_random.integers(2**62, size=self.num_envs) if seed is not None else None
            self._batch.reset(where, drawn)
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """An action in each match: whole numbers [n]. Errors: IllegalAction names the first."""
        batch, each = self.batch, np.arange(self.num_envs)
        seats, seeds = batch.mine.argmax(1), batch.match_seed.copy()
        batch.step(actions)
        rewards = batch.returns[each, seats].astype(np.float64)
        terminated, truncated = batch.terminated.copy(), batch.truncated.copy()
        infos, ended = self._info(), terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            final = np.full(self.num_envs, None, object)
            numbers = self.encoder(batch.final_observation)
            for i in np.flatnonzero(ended):
                mask = np.ones(self.engine.num_actions, np.int8)
                final[i] = {"observation": numbers[i].copy(), "action_mask": mask}
            infos |= {"final_obs": final, "_final_obs": ended.copy(), "_final_info": ended.copy()}
            infos["final_info"] = {"match_seed": seeds, "_match_seed": ended.copy()}
        return self._seen(), rewards, terminated, truncated, infos

    def action_masks(self) -> Array:
        """bool [n, actions]: the legal ones."""
        return np.asarray(self.batch.mask, bool)

    def _seen(self) -> Observation:
        batch = self.batch
        return {"observation": self.encoder(batch.observation), "action_mask": batch.mask.copy()}

    def _info(self) -> dict[str, Any]:
        return {
            "match_seed": self.batch.match_seed.copy(),
            "_match_seed": np.ones(self.num_envs, bool),
        }
