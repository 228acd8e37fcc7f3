"""PPO by TorchRL: python examples/learning/with_torchrl.py

A learner's seat against bots, in one batch of matches: Gymnasium's vector environment as TorchRL
wraps it, without a line between. Needs torch and torchrl. ppo.py beside it, which plays against
itself, learns more in the same time.
"""

from __future__ import annotations

import argparse

import gymnasium
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import battlebox.envs  # noqa: F401 - makes the games known


def layers(features: int, out: int) -> nn.Sequential:
    """A small network."""
    return nn.Sequential(
        nn.Linear(features, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, out)
    )


def actor_of(features: int, actions: int) -> ProbabilisticActor:
    """Chooses among the legal actions, by lot."""
    policy = TensorDictSequential(
        TensorDictModule(layers(features, actions), ["observation"], ["logits"]),
        TensorDictModule(torch.Tensor.bool, ["action_mask"], ["mask"]),
    )
    keys = {"logits": "logits", "mask": "mask"}
    return ProbabilisticActor(
        policy, keys, distribution_class=MaskedCategorical, return_log_prob=True
    )


def won(played: TensorDictBase) -> float:
    """The mean return of the matches that ended, -1 .. 1; 0 if none did."""
    returns = played["next", "reward"][played["next", "done"]]
    return float(returns.mean()) if len(returns) else 0.0


def main(words: list[str] | None = None) -> float:
    """Learns; the mean return of the last rollout."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("env", nargs="?", default="battlebox/war_zone-v1")
    parser.add_argument("--opponents", default="random", help="a bot's word (random)")
    parser.add_argument("--decisions", type=int, default=400_000, help="to learn from (400000)")
    parser.add_argument("--matches", type=int, default=128, help="side by side (128)")
    parser.add_argument("--steps", type=int, default=64, help="of a rollout (64)")
    o = parser.parse_args(words)
    torch.manual_seed(1)
    made = gymnasium.make_vec(
        o.env, num_envs=o.matches, vectorization_mode="vector_entry_point",
        opponents=o.opponents, autoreset="off",
    )  # fmt: skip
    env = GymWrapper(made, categorical_action_encoding=True)
    env.set_seed(1)
    features, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    actor = actor_of(features, actions)
    critic = ValueOperator(layers(features, 1), ["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    frames, found = o.matches * o.steps, 0.0
    rollouts = Collector(
        env, actor, frames_per_batch=frames, total_frames=o.decisions,
        auto_register_policy_transforms=False,
    )  # fmt: skip
    for k, played in enumerate(rollouts):
        with torch.no_grad():
            advantage(played)
        flat = played.reshape(-1)
        for _ in range(2):
            for i in torch.randperm(len(flat)).split(2048):
                told = loss(flat[i])
                optimizer.zero_grad()
                (told["loss_objective"] + told["loss_critic"] + told["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        found = won(played)
        print(f"{(k + 1) * frames:,} decisions, mean return {found:+.2f}", flush=True)
    rollouts.shutdown()
    return found


if __name__ == "__main__":
    main()
