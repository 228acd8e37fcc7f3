"""What a bot has before it: an observation it can ask for its legal actions, and nothing more."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ..core.engine import Engine


class SeatView:
    """Holds one observation on an engine. `states` is what drivers take of it, at index 0."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._array = engine.build.states()
        self.states = engine.build.access(self._array)
        self.acts = engine.build.access(engine.build.action_buffer())

    def __reduce__(self) -> NoReturn:
        raise TypeError("a bot is neither copied nor pickled: make another one, by its word")

    def take(self, observation: Any) -> None:
        """Takes an observation in, no matter which seat is to act.

        Errors: ValueError if it is none of this ruleset, or nobody's.
        """
        o = np.asarray(observation)
        if o.dtype != self._array.dtype or o.size != 1:
            raise ValueError(f"not one observation of {self.engine.build.name}: {o.dtype}")
        if (seats := int(o["seats"].reshape(()))) != self.engine.seats:
            raise ValueError(f"an observation of {seats} players, not of {self.engine.seats}")
        if int(o["viewer"].reshape(())) < 1:
            raise ValueError("a spectator's observation: a bot needs that of a seat")
        self._array[0] = o.reshape(())

    @property
    def seat(self) -> int:
        """The viewer's."""
        return int(self._array["viewer"][0]) - 1

    @property
    def to_act(self) -> bool:
        """Whether the viewer is to act."""
        return self.seat == int(self._array["to_act"][0])

    def legal_actions(self) -> list[int]:
        """The legal actions of the viewer, who is to act, ascending; none: the match is over."""
        n = self.engine.f.list_actions(self.engine.tt, self.states, 0, self.acts)
        return sorted(int(self.acts[k]) for k in range(n))

    def legal(self, observation: Any) -> list[int]:
        """Takes an observation in and returns the legal actions of its viewer, ascending.

        Errors: ValueError if it is none of this ruleset, nobody's, or its viewer is not to act.
        """
        self.take(observation)
        if not self.to_act:
            raise ValueError("a bot chooses by the observation of the seat that is to act")
        if not (legal := self.legal_actions()):
            raise ValueError("the match is over")
        return legal
