"""The policy, and the critic that judges it while it learns."""

from __future__ import annotations

import math

from torch import Tensor, nn

from ..bots.policy import CriticLayers, Layers
from ..core.checked import Array


class Policy(nn.Module):
    """What to do, and what each seat may hope for, from what one seat sees: as
    `bots.policy.network` plays it.
    """

    def __init__(self, inputs: int, width: int, deeper: int, actions: int, room: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(inputs, width), nn.Linear(width, deeper)
        self.choice, self.value = nn.Linear(deeper, actions), nn.Linear(deeper, room)
        _begin(self.first, self.second, small=(self.choice, self.value))

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [n, actions], values -1 .. 1 [n, room], of the seats from the one that looks."""
        found = self.second(self.first(rows).relu()).relu()
        return self.choice(found), self.value(found).tanh()

    def layers(self) -> Layers:
        """Its weights for play."""
        return Layers(*_weights(self.first, self.second, self.choice, self.value))


class Critic(nn.Module):
    """What each seat may hope for, from the whole truth: for learning, and for searches."""

    def __init__(self, inputs: int, width: int, deeper: int, room: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(inputs, width), nn.Linear(width, deeper)
        self.value = nn.Linear(deeper, room)
        _begin(self.first, self.second, small=(self.value,))

    def forward(self, rows: Tensor) -> Tensor:
        """Values -1 .. 1 [n, room], of the seats from the one to act."""
        value: Tensor = self.value(self.second(self.first(rows).relu()).relu())
        return value.tanh()

    def layers(self) -> CriticLayers:
        """Its weights for searches."""
        return CriticLayers(*_weights(self.first, self.second, self.value))


def _weights(*layers: nn.Linear) -> list[Array]:
    found = list[Array]()
    for x in layers:
        found += [x.weight.detach().cpu().numpy().T.copy(), x.bias.detach().cpu().numpy().copy()]
    return found


def _begin(*layers: nn.Linear, small: tuple[nn.Linear, ...]) -> None:
    """First weights: orthogonal; those of outputs so small that all actions are alike."""
    for x in (*layers, *small):
        nn.init.orthogonal_(x.weight, 0.01 if x in small else math.sqrt(2))
        nn.init.zeros_(x.bias)


def log_probabilities(logits: Tensor, mask: Tensor) -> Tensor:
    """Logarithms of the probabilities of the legal actions [n, actions]."""
    return logits.masked_fill(mask == 0, -1e9).log_softmax(1)
