"""What a game itself says of positions (`evaluate`): a critic that knows nothing yet is told by it.

Written as rules are, and made to run by a game's build.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..core.checked import Array
from ..core.contract import evaluate
from ..core.engine import Engine
from ..core.rules import rule


@rule
def judge_all(tt: Any, states: Any, out: Any, said: Any) -> None:
    """out[i] = what each seat may hope for in states[i], where said[i] is 1."""
    for i in range(len(states)):
        said[i] = 1 if evaluate(tt[0], states[i], out[i]) else 0


class Judge:
    """Judges n states of an engine."""

    def __init__(self, engine: Engine, n: int) -> None:
        self.engine = engine
        self._judge_all = engine.bind(sys.modules[__name__]).judge_all
        self._states, self._said = engine.build.states(n), np.zeros(n, np.int8)
        self._out = np.zeros((n, engine.seats))

    def __call__(self, truth: Array) -> tuple[Array, Array]:
        """Where the game says something [n], and what each seat may hope for there [n, seats]."""
        access = self.engine.build.access
        self._states[:] = truth  # a copy: scratch fields are written to
        self._judge_all(self.engine.tt, access(self._states), access(self._out), access(self._said))
        return self._said == 1, self._out
