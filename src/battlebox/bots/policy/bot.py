"""A bot that plays by a learned policy: one look, no search."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.checked import Array
from ...core.random import checked_seed
from ..seat import SeatView
from .inputs import Inputs
from .network import Layers, Network
from .weighing import Weighing

#: actions less likely than this part of the likeliest are never taken: learning tries everything
#: now and then, which costs matches
LEAST = 0.05


class PolicyBot:
    """Draws lots among the legal actions, as its network weighs them.

    Where what others cannot see is decided, always to do the same would be found out. even: it
    thinks as long about a lone legal action, so that nobody who waits for it learns that it had no
    choice.
    """

    def __init__(
        self, inputs: Inputs, layers: Layers, seed: int = 0, *, even: bool = False
    ) -> None:
        self.inputs, self.even = inputs, even
        engine = inputs.engine
        self._seat = SeatView(engine)
        self._many = Network(layers)
        self._weighing = Weighing(inputs, layers)
        self._random = random.Random(checked_seed(seed))
        self._dice = np.random.default_rng(seed)

    def choose(self, observation: Any) -> int:
        """The number of a legal action of the observing seat."""
        legal = self._seat.legal(observation)
        if len(legal) == 1 and not self.even:
            return legal[0]
        found, _ = self._weighing(self._seat.states)
        return int(self._random.choices([*found], probabilities([*found.values()]))[0])

    def probabilities(self, observation: Any) -> dict[int, float]:
        """How likely it is to take each legal action."""
        legal = self._seat.legal(observation)
        found = self._weighing(self._seat.states)[0]
        each = zip(found, probabilities([*found.values()]), strict=True)
        return dict.fromkeys(legal, 0.0) | dict(each)

    def logits(self, observation: Any) -> dict[int, float]:
        """What its network says of each action that it weighs, those that it would not take
        included: logarithms of probabilities, but for what is added to all.
        """
        self._seat.legal(observation)
        return self._weighing(self._seat.states)[0]

    def values(self, observation: Any) -> tuple[float, ...]:
        """What its network expects each seat to get, -1 .. 1, on any seat's turn."""
        self._seat.take(observation)
        _, values = self._weighing(self._seat.states)
        me, seats = self._seat.seat, self.inputs.engine.seats
        return tuple(values[(p - me) % seats] for p in range(seats))

    def __call__(self, observations: Array, mask: Array) -> Array:
        """The same for many at once, as a policy: mask [n, actions] -> actions [n]."""
        weighed = mask.copy()
        every, _ = self._many(self.inputs.rows(observations, weighed=weighed))
        logits = every[:, self.inputs.classes]
        if places := self.inputs.shape.places:
            at = np.maximum(weighed - 1, 0)
            logits += np.take_along_axis(every[:, -places:], at, axis=1)
        logits[weighed == 0] = -np.inf
        found = np.exp(logits - logits.max(axis=1, keepdims=True))
        found[found < LEAST] = 0
        ends = found.cumsum(axis=1)
        drawn = self._dice.random(len(ends)) * ends[:, -1]
        return np.asarray((ends > drawn[:, None]).argmax(axis=1))

    def warm(self) -> None:
        """Compiles (or fetches) what the first choice would."""
        m = self.inputs.rules.match(seed=0)
        self.probabilities(m.observation(m.to_act))


def probabilities(logits: Sequence[float]) -> list[float]:
    """Of the actions of one decision, by their logits; 0 for those that are never taken. Few
    numbers, which Python adds up sooner than NumPy begins.
    """
    most = max(logits)
    each = (math.exp(x - most) for x in logits)
    found = [x if x >= LEAST else 0.0 for x in each]
    total = sum(found)
    return [x / total for x in found]
