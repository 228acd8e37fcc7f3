"""The bot that draws lots: the yardstick of all others."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ..core.checked import Array
from ..core.game import Ruleset
from ..core.random import checked_seed
from .seat import SeatView


class RandomBot:
    """Any legal action, each as likely as the other. On the plain build: compiles nothing."""

    def __init__(self, rules: Ruleset, seed: int = 0) -> None:
        self._seat = SeatView(rules.plain())
        self._random = random.Random(checked_seed(seed))
        self._many = np.random.default_rng(seed)

    def choose(self, observation: Any) -> int:
        """The number of a legal action of the observing seat."""
        return self._random.choice(self._seat.legal(observation))

    def __call__(self, observations: Array, mask: Array) -> Array:
        """The same for many at once, as a policy: mask [n, actions] -> actions [n]."""
        ends = mask.cumsum(1, dtype=np.int32)
        drawn = self._many.integers(ends[:, -1])
        return np.asarray((ends > drawn[:, None]).argmax(1))

    def warm(self) -> None:
        """Nothing to do."""
