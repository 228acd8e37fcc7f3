"""What a bot has before it: an observation it can ask for its legal actions, and nothing more."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.engine import Engine


class SeatView:
    """Holds one observation on an engine. `states` is its sight as drivers take it, at index 0."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._array = engine.build.states()
        self.states = engine.build.sight(self._array)
        self.acts = engine.build.sight(engine.build.list_of_actions())

    def look(self, observation: Any) -> list[int]:
        """Takes an observation in and returns the legal actions of its viewer, ascending.

        Errors: ValueError if it is none of this ruleset, nobody's, or its viewer is not to act.
        """
        o = np.asarray(observation)
        if o.dtype != self._array.dtype or o.size != 1:
            raise ValueError(f"not one observation of {self.engine.build.name}: {o.dtype}")
        if (seats := int(o["seats"].reshape(()))) != self.engine.seats:
            raise ValueError(f"an observation of {seats} players, not of {self.engine.seats}")
        viewer = int(o["viewer"].reshape(())) - 1
        if viewer < 0 or viewer != int(o["to_act"].reshape(())):
            raise ValueError("a bot chooses by the observation of the seat that is to act")
        self._array[0] = o.reshape(())
        n = self.engine.f.list_actions(self.engine.tt, self.states, 0, self.acts)
        if n == 0:
            raise ValueError("the match is over")
        return sorted(int(self.acts[k]) for k in range(n))
