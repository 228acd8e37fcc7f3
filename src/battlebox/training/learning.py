"""What a policy makes of the decisions of a rollout: proximal policy optimisation, with entropy."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from .networks import Critic, LogProbabilities, Policy
from .self_play import Decisions
from .settings import Settings


class Lesson(NamedTuple):
    """How an update went, in the mean; what is of the policy, of decisions with a choice."""

    entropy: float
    moved: float  # Kullback-Leibler divergence of the new policy from the old one, about
    value_error: float  # of the policy's own values, squared,
    critic_error: float  # and of the critic's


def learn(
    policy: Policy,
    critic: Critic,
    optimizer: torch.optim.Optimizer,
    seen: Decisions,
    settings: Settings,
    done: float,
    dice: torch.Generator,
) -> Lesson:
    """Changes both networks by what a rollout showed. done: the part of the run that is over."""
    weight = settings.entropy_coef + (settings.final_entropy_coef - settings.entropy_coef) * done
    for group in optimizer.param_groups:
        group["lr"] = settings.learning_rate * (1 - done)
    seen = seen._replace(advantages=normal(seen)).to(next(policy.parameters()).device)
    told = list[Tensor]()
    for _ in range(settings.epochs):
        order = torch.randperm(len(seen.actions), generator=dice).to(seen.actions.device)
        for which in order.split(settings.minibatch_size):
            x = seen.of(which)
            logits, values = policy(x.rows)
            log_probs = LogProbabilities(logits, x.legal, policy.classes, policy.places)
            change = log_probs.of(x.actions) - x.log_probs
            ratio = change.exp()
            kept = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
            better = log_probs.mean(torch.min(ratio * x.advantages, kept * x.advantages))
            entropy = log_probs.entropy()
            error = _error(values, x)
            judged = _error(critic(x.truth), x)
            loss = 0.5 * (error + judged) - better - weight * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), settings.max_grad_norm)
            nn.utils.clip_grad_norm_(critic.parameters(), settings.max_grad_norm)
            optimizer.step()
            moved = log_probs.mean(ratio - 1 - change)
            told.append(torch.stack([entropy, moved, error, judged]).detach())
    return Lesson(*torch.stack(told).mean(0).tolist())


def normal(seen: Decisions) -> Tensor:
    """Advantages, those of decisions with a choice about 0, with a spread of 1. What is forced is
    nobody's merit, and in some games most decisions are.
    """
    choice = seen.legal.counts() > 1
    n, found = choice.sum().clamp(min=1), seen.advantages
    found = found - (found * choice).sum() / n
    return found / (((found.square() * choice).sum() / n).sqrt() + 1e-8)


def _error(values: Tensor, x: Decisions) -> Tensor:
    """Of values, squared, of the seats there are."""
    return ((values - x.targets).square() * x.there).sum() / x.there.sum()
