"""Proximal policy optimisation by self-play, in one file: python examples/learning/ppo.py

One network plays all seats of a game, of ours or yours. It sees each match as the seat to act does,
learns from what came of its choices, and is measured against bots in the end. Needs torch, and no
GPU: two cores take War Zone for two past `medium` within minutes (docs/learners/examples.md).
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

import battlebox as bb


class Network(nn.Module):
    """What to do, and what the seat that looks may hope for."""

    def __init__(self, features: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        with torch.no_grad():  # so that all actions are alike at first
            self.policy.weight *= 0.01

    def forward(self, rows: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logarithms of the actions' probabilities [n, actions]; values -1 .. 1 [n]."""
        found = self.body(rows)
        logits = self.policy(found).masked_fill(mask == 0, -1e9)
        return logits.log_softmax(1), self.value(found).squeeze(1).tanh()

    def act(self, rows: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """An action by lot, the logarithm of its probability, and the value; each [n]."""
        logs, values = self(rows, mask)
        actions = (logs - torch.empty_like(logs).exponential_().log()).argmax(1)
        return actions, logs.gather(1, actions[:, None]).squeeze(1), values


class SelfPlay:
    """Matches side by side that go on from rollout to rollout, and what the last one showed."""

    def __init__(self, engine: bb.Engine, matches: int, steps: int, seed: int) -> None:
        self.batch, self.encode = engine.batch(matches, seed), engine.encoder()
        self.seats, shape = engine.seats, (steps, matches)
        self.rows = torch.zeros(*shape, self.encode.width)
        self.mask = torch.zeros(*shape, engine.num_actions, dtype=torch.int8)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.logs, self.values = torch.zeros(shape), torch.zeros(shape)
        self.actor = np.zeros(shape, np.int64)
        self.ended = np.zeros(shape, bool)
        self.returns = np.zeros((*shape, engine.seats), np.float32)

    @torch.no_grad()
    def play(self, network: Network) -> None:
        """A rollout."""
        b = self.batch
        for t in range(len(self.rows)):
            self.encode(b.observation, out=self.rows[t].numpy())
            self.mask[t] = torch.from_numpy(b.mask)
            self.actor[t] = b.actor
            found = network.act(self.rows[t], self.mask[t])
            self.actions[t], self.logs[t], self.values[t] = found
            b.step(self.actions[t].numpy())
            self.ended[t], self.returns[t] = b.terminated, b.returns

    @torch.no_grad()
    def advantages(self, network: Network, trace: float) -> Tensor:
        """How much more each action brought than was hoped for (GAE) [steps, matches].

        What follows a decision is the same seat's next one, or what the match returned to it.
        """
        every, each = torch.ones_like(self.mask[0]), np.arange(self.batch.n)
        views = [self.encode(self.batch.observe(p)) for p in range(self.seats)]
        hopes = [network(torch.from_numpy(x), every)[1].numpy() for x in views]
        hope = np.stack(hopes, axis=1)  # [matches, seats], as are the traces
        traces = np.zeros_like(hope)
        found, values = np.zeros(self.actor.shape, np.float32), self.values.numpy()
        for t in reversed(range(len(found))):
            over, at = self.ended[t], (each, self.actor[t])
            hope[over], traces[over] = self.returns[t][over], 0
            found[t] = hope[at] - values[t] + trace * traces[at]
            hope[at], traces[at] = values[t], found[t]
        return torch.from_numpy(found)


def learn(
    network: Network, optimizer: torch.optim.Optimizer, seen: SelfPlay, o: argparse.Namespace
) -> str:
    """What a rollout teaches; returns how it went."""
    gains = seen.advantages(network, o.trace).flatten()
    rows, mask = seen.rows.flatten(0, 1), seen.mask.flatten(0, 1)
    actions, before = seen.actions.flatten(), seen.logs.flatten()
    targets = seen.values.flatten() + gains
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(o.epochs):
        for i in torch.randperm(len(rows)).split(o.minibatch):
            logs, values = network(rows[i], mask[i])
            ratio = (logs.gather(1, actions[i, None]).squeeze(1) - before[i]).exp()
            kept = ratio.clamp(1 - o.clip, 1 + o.clip)
            policy = -torch.min(ratio * gains[i], kept * gains[i]).mean()
            entropy = -(logs.exp() * logs).sum(1).mean()
            error = (values - targets[i]).square().mean()
            optimizer.zero_grad()
            (policy + 0.5 * error - o.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return f"entropy {entropy:.2f}, value error {error:.3f}"


@torch.no_grad()
def measure(network: Network, rules: bb.Ruleset, word: str, matches: int, seed: int) -> Measured:
    """Its share of matches against bots of a level, its seat drawn by lot for each."""
    engine, opponents = rules.compiled(), bb.bot(word, rules, seed=seed)
    batch = engine.batch(matches, seed, autoreset="off", opponents=opponents)
    mine, shares = batch.mine.astype(bool), np.full(matches, np.nan)
    while np.isnan(shares).any():
        rows = torch.from_numpy(engine.encode(batch.observation))
        batch.step(network.act(rows, torch.from_numpy(batch.mask))[0].numpy())
        shares[batch.terminated] = (1 + batch.returns[mine][batch.terminated]) / 2
    return Measured(word, shares.mean(), 1.96 * shares.std() / matches**0.5)


class Measured(NamedTuple):
    """A share of matches, and half of its 95 % interval. In a match of two, 0.5 is an equal."""

    word: str
    share: float
    half: float

    def __str__(self) -> str:
        low, high = self.share - self.half, self.share + self.half
        return f"against {self.word}: {self.share:.1%} ({low:.1%} .. {high:.1%})"


#: options of the command line: their names, what they are, what they say
OPTIONS = [
    ("decisions", 10_000_000, "how many to learn from"),
    ("against", "medium", "the bot it is measured against"),
    ("measured", 400, "in how many matches"),
    ("seed", 1, "the same seed learns the same on the same machine"),
    ("matches", 512, "how many side by side"),
    ("steps", 64, "of a rollout, in each match"),
    ("width", 128, "of the network's two layers"),
    ("rate", 1e-3, "of learning, which falls to 0"),
    ("entropy", 0.01, "what it weighs"),
    ("trace", 0.95, "lambda of the advantages"),
    ("epochs", 2, "how often a rollout is gone through"),
    ("minibatch", 4096, "decisions of a step of learning"),
    ("clip", 0.2, "how far from 1 a ratio of probabilities counts"),
    ("save", "", "a file for the network"),
]


def main(words: list[str] | None = None) -> Measured:
    """Learns, saves, measures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="war_zone", help="its name or folder")
    for name, value, text in OPTIONS:
        said = f"{text} ({value})" if value else text
        parser.add_argument(f"--{name}", type=type(value), default=value, help=said)
    o = parser.parse_args(words)
    torch.manual_seed(o.seed)
    rules = bb.load(o.game)
    seen = SelfPlay(rules.compiled(), o.matches, o.steps, o.seed)
    network = Network(seen.encode.width, rules.compiled().num_actions, o.width)
    optimizer = torch.optim.Adam(network.parameters(), o.rate, eps=1e-5)
    updates = max(1, o.decisions // seen.actions.numel())
    began = time.monotonic()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = o.rate * (1 - update / updates)
        seen.play(network)
        told = learn(network, optimizer, seen, o)
        if update % max(1, updates // 20) == 0 or update == updates - 1:
            done = (update + 1) * seen.actions.numel()
            print(f"{done:,} decisions, {time.monotonic() - began:.0f} s, {told}", flush=True)
    if o.save:
        torch.save(network.state_dict(), o.save)
    found = measure(network, rules, o.against, o.measured, o.seed)
    print(found)
    return found


if __name__ == "__main__":
    main()
