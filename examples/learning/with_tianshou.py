"""Deep Q-learning by Tianshou, over PettingZoo: python examples/learning/with_tianshou.py

One seat learns, the others choose at random, as in Tianshou's own example of Tic-Tac-Toe. Needs
torch, tianshou and battlebox[envs].
"""

from __future__ import annotations

import argparse

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import battlebox.envs


def main(words: list[str] | None = None) -> float:
    """Learns; the mean return of matches it is tested in afterwards."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default="war_zone")
    parser.add_argument("--epochs", type=int, default=5, help="of learning (5)")
    parser.add_argument("--steps", type=int, default=10_000, help="decisions of an epoch (10000)")
    parser.add_argument("--tested", type=int, default=100, help="matches after each (100)")
    o = parser.parse_args(words)
    torch.manual_seed(1)

    def make() -> PettingZooEnv:
        return PettingZooEnv(battlebox.envs.aec(o.game))

    env = make()
    net = Net(
        state_shape=env.observation_space["observation"].shape,
        action_shape=env.action_space.n,
        hidden_sizes=[128, 128],
    )
    policy = DiscreteQLearningPolicy(
        model=net,
        action_space=env.action_space,
        observation_space=env.observation_space,
        eps_training=0.1,
    )
    learner = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=3,
        target_update_freq=300,
    )
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents[1:]]
    table = MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=env)
    playing, tested = DummyVectorEnv([make] * 10), DummyVectorEnv([make] * 10)
    buffer = VectorReplayBuffer(50_000, 10)
    played = Collector(table, playing, buffer, exploration_noise=True)
    played.reset()
    table.run_training(
        OffPolicyTrainerParams(
            training_collector=played,
            test_collector=Collector(table, tested),
            max_epochs=o.epochs,
            epoch_num_steps=o.steps,
            collection_step_num_env_steps=100,
            test_step_num_episodes=o.tested,
            batch_size=64,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
        )
    )
    last = Collector(table, tested)
    last.reset()
    found = float(last.collect(n_episode=o.tested).returns[:, 0].mean())
    print(f"mean return {found:+.2f}")
    return found


if __name__ == "__main__":
    main()
