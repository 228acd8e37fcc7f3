"""PPO by RLlib, over Gymnasium: python examples/learning/with_rllib.py

A learner's seat against bots, with RLlib's own module for action masks. Needs torch, ray[rllib] and
battlebox[envs].
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


class Masked(gymnasium.ObservationWrapper):  # type: ignore[misc]
    """What RLlib calls observations and masks."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        space, actions = env.observation_space, env.action_space.n
        masks = gymnasium.spaces.Box(0.0, 1.0, (actions,))
        seen = {"action_mask": masks, "observations": space["observation"]}
        self.observation_space = gymnasium.spaces.Dict(seen)

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The same under other names; masks as RLlib takes the logarithm of."""
        mask = observation["action_mask"].astype("float32")
        return {"action_mask": mask, "observations": observation["observation"]}


def main(words: list[str] | None = None) -> float:
    """Learns; the mean return of the matches of late."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("env", nargs="?", default="battlebox/war_zone-v1")
    parser.add_argument("--opponents", default="random", help="a bot's word (random)")
    parser.add_argument("--rounds", type=int, default=20, help="of playing and learning (20)")
    parser.add_argument("--decisions", type=int, default=4_000, help="of a round (4000)")
    o = parser.parse_args(words)
    name = f"battlebox.envs:{o.env}"  # processes of RLlib's own have to import it
    register_env("table", lambda _: Masked(gymnasium.make(name, opponents=o.opponents)))
    config = (
        PPOConfig()
        .environment("table")
        .env_runners(num_env_runners=0)  # in this process; more of them play side by side
        .training(gamma=1.0, lr=1e-3, train_batch_size_per_learner=o.decisions, num_epochs=2)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": [128]},
            )
        )
        .debugging(seed=1)
    )
    algorithm, found = config.build_algo(), 0.0
    for k in range(o.rounds):
        told = algorithm.train()["env_runners"]
        found = told.get("episode_return_mean", found)  # there is none before a match has ended
        print(f"{(k + 1) * o.decisions:,} decisions, mean return {found:+.2f}", flush=True)
    algorithm.stop()
    ray.shutdown()
    return found


if __name__ == "__main__":
    main()
