"""The policy, and the critic that judges it while it learns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ..bots.policy import CriticLayers, Inputs, Layers
from ..core.checked import Array
from .sparse import Dense, SparseRows


class Policy(nn.Module):
    """What to do, and what each seat may hope for, from what one seat sees: as
    `bots.policy.network` plays it.
    """

    classes: Tensor

    def __init__(self, inputs: Inputs, width: int, deeper: int, candidate_width: int) -> None:
        super().__init__()
        shape = inputs.shape
        self.first, self.second = Dense(shape.seen, width), nn.Linear(width, deeper)
        self.choice = nn.Linear(deeper, shape.logits)
        self.value = nn.Linear(deeper, shape.room)
        self.places, wide = shape.places, candidate_width
        weighing = [Dense(shape.told, wide), Dense(deeper, wide), Dense(wide, 1)]
        #: what weighs candidates, if something is said of them
        self.weighing = nn.ModuleList(weighing if shape.told else [])
        #: of each action, which of the logits is its own
        self.register_buffer("classes", torch.from_numpy(inputs.classes), persistent=False)
        _begin(self.second, small=(self.choice, self.value, weighing[2]))

    def forward(self, rows: SparseRows) -> tuple[Tensor, Tensor]:
        """Logits [n, classes of actions + places], values -1 .. 1 [n, room], of the seats from the
        one that looks.
        """
        found = self.second(self.first(rows).relu()).relu()
        logits = self.choice(found)
        if self.weighing:
            candidate, context, score = self.weighing
            each = candidate(rows, self.places) + context(found)[:, None]
            own, places = logits.split([logits.shape[1] - self.places, self.places], 1)
            logits = torch.cat([own, places + score(each.relu())[..., 0]], 1)
        return logits, self.value(found).tanh()

    def begin_with(self, layers: Layers) -> None:
        """Takes over learned weights, of the same sizes."""
        each = self._each()
        _set(layers[: 2 * len(each)], *each)

    def layers(self) -> Layers:
        """Its weights for play."""
        return Layers(*_weights(*self._each()))

    def _each(self) -> list[Any]:
        """All layers, as files have them."""
        return [self.first, self.second, self.choice, self.value, *self.weighing]


class Critic(nn.Module):
    """What each seat may hope for, from the whole truth: for learning, and for searches."""

    def __init__(self, inputs: int, width: int, deeper: int, room: int) -> None:
        super().__init__()
        self.first, self.second = Dense(inputs, width), nn.Linear(width, deeper)
        self.value = nn.Linear(deeper, room)
        _begin(self.second, small=(self.value,))

    def forward(self, rows: SparseRows) -> Tensor:
        """Values -1 .. 1 [n, room], of the seats from the one to act."""
        value: Tensor = self.value(self.second(self.first(rows).relu()).relu())
        return value.tanh()

    def begin_with(self, layers: CriticLayers) -> None:
        """Takes over learned weights, of the same sizes."""
        _set(layers, self.first, self.second, self.value)

    def layers(self) -> CriticLayers:
        """Its weights for searches."""
        return CriticLayers(*_weights(self.first, self.second, self.value))


def _weights(*layers: Dense | nn.Linear) -> list[Array]:
    return [x.detach().cpu().numpy().copy() for x in _matrices(layers)]


@torch.no_grad()
def _set(weights: Sequence[Array], *layers: Dense | nn.Linear) -> None:
    """The other way round."""
    for matrix, known in zip(_matrices(layers), weights, strict=True):
        matrix.copy_(torch.from_numpy(known))


def _matrices(layers: Sequence[Dense | nn.Linear]) -> list[Tensor]:
    """As files have them: [inputs, outputs], and what is added."""
    found = list[Tensor]()
    for x in layers:
        found += [x.weight if isinstance(x, Dense) else x.weight.T, x.bias]
    return found


def _begin(*layers: nn.Linear, small: tuple[Dense | nn.Linear, ...]) -> None:
    """First weights: orthogonal; those of outputs so small that all actions are alike."""
    for x in (*layers, *small):
        nn.init.orthogonal_(x.weight, 0.01 if x in small else math.sqrt(2))
        nn.init.zeros_(x.bias)


class LogProbabilities:
    """Of the legal actions of n rows alone, since few of all are legal: one entry for each, row by
    row.
    """

    def __init__(self, logits: Tensor, legal: SparseRows, classes: Tensor, places: int = 0) -> None:
        """logits: of classes of actions, and of the places of candidates [n, classes + places].
        legal: [n, actions], not 0 where it is: 1, or of candidates 1 + its place. classes: of each
        action [actions].
        """
        self.n, every = logits.shape
        self.rows, self.actions, place = legal.entries()
        found = logits.flatten().gather(0, self.rows * every + classes[self.actions])
        if places:
            at = self.rows * every + every - places - 1 + place.long()
            found = found + logits.flatten().gather(0, at)
        most = self._over_rows(found.detach(), "amax")
        total = most + self._over_rows((found - most.gather(0, self.rows)).exp(), "sum").log()
        #: float32 [n]: 1 where there is a choice
        self.choices = (legal.counts() > 1).float()
        #: of each entry
        self.values = found - total.gather(0, self.rows)

    def of(self, actions: Tensor) -> Tensor:
        """Those of one legal action of each row [n]."""
        return self.values[self.actions == actions.gather(0, self.rows)]

    def entropy(self) -> Tensor:
        """In the mean of the rows with a choice."""
        return -(self.values.exp() * self.values).sum() / self.choices.sum().clamp(min=1)

    def mean(self, each: Tensor) -> Tensor:
        """Of what each row has [n], of those with a choice."""
        return (each * self.choices).sum() / self.choices.sum().clamp(min=1)

    def draw(self, dice: torch.Generator) -> Tensor:
        """A legal action of each row [n], by lot."""
        lots = torch.empty_like(self.values).exponential_(generator=dice)
        score = self.values - lots.log()  # the largest is each with its probability
        best = score == self._over_rows(score, "amax").gather(0, self.rows)
        return torch.zeros_like(self.actions[: self.n]).scatter_(
            0, self.rows[best], self.actions[best]
        )

    def _over_rows(self, values: Tensor, how: str) -> Tensor:
        found = torch.zeros(self.n, device=values.device)
        return found.scatter_reduce(0, self.rows, values, how, include_self=False)
