"""One match on an engine, for searches of your own.

state = engine.determinize(observation, seed=3)  # a truth that fits what a seat sees
while legal := state.legal():
    state.apply(legal[0])
state.returns()

Unlike a `Match` it keeps no log, and runs on both builds.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .checked import Array
from .errors import IllegalAction
from .random import checked_seed

if TYPE_CHECKING:
    from .engine import Engine

NO_LIMIT = 2**31 - 1
#: what is added to a seed, so that what it draws has nothing in common with a deal of that seed:
#: random actions (as in `play_many`), hidden cards, chance that is to come
ACTIONS, HIDDEN, CHANCE = 1 << 40, 2 << 40, 3 << 40


class EngineState:
    """A state of a match: the whole truth. The same state and actions give the same states.

    array: the state, an array of one record, of a match that waits for a decision or is over; it is
    not copied. Each thread needs a state of its own.
    """

    __slots__ = ("_acts", "_legal", "_states", "array", "engine")

    def __init__(self, engine: Engine, array: Array) -> None:
        self.engine, self.array = engine, array
        self._states = engine.build.access(array)
        self._acts = engine.build.action_buffer()
        self._legal: tuple[int, ...] | None = None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.array["phase"][0] == self.engine.build.over)

    @property
    def to_act(self) -> int | None:
        """The seat that decides; None when the match is over."""
        return None if self.over else int(self.array["to_act"][0])

    def legal(self) -> tuple[int, ...]:
        """The numbers of the legal actions, ascending; none when the match is over."""
        if self._legal is None:
            engine = self.engine
            n = engine.f.list_actions(engine.tt, self._states, 0, engine.build.access(self._acts))
            self._legal = tuple(sorted(self._acts[:n].tolist()))
        return self._legal

    def apply(self, action: int) -> None:
        """Does an action, and goes on to the next decision. Errors: IllegalAction."""
        number = self.check(action)
        self._legal = None
        self.engine.f.take(self.engine.tt, self._states, 0, number)

    def check(self, action: int) -> int:
        """The number of a legal action. Errors: IllegalAction."""
        number = operator.index(action)
        if number not in self.legal():
            raise IllegalAction(f"action {number} is not legal; legal are {self.legal()}")
        return number

    def observe(self, seat: int | None) -> Array:
        """The state as this seat may know it (None: a spectator), a record of shape ().

        Errors: ValueError if there is no such seat.
        """
        engine, viewer = self.engine, -1 if seat is None else seat
        if not -1 <= viewer < engine.seats or (viewer < 0 and seat is not None):
            raise ValueError(f"seat {seat!r}: seats are 0 .. {engine.seats - 1}, or None")
        seen = engine.build.states()
        engine.f.observe(engine.tt, self._states, 0, engine.build.access(seen), 0, viewer)
        return seen.reshape(())

    def determinize(self, seat: int | None, seed: int) -> EngineState:
        """Another truth that fits what this seat sees now: see `Engine.determinize`."""
        return self.engine.determinize(self.observe(seat), seed)

    def clone(self, seed: int | None = None) -> EngineState:
        """A copy of its own. seed: for the chance that is to come; None: the same will come."""
        # byte by byte, as what lies between the fields has to stay blank
        array = np.frombuffer(bytearray(self.array.tobytes()), self.array.dtype)
        copy = EngineState(self.engine, array)
        copy._legal = self._legal
        if seed is not None:
            copy.array["rng"] = checked_seed(seed) + CHANCE
        return copy

    def playout(self, seed: int, limit: int = NO_LIMIT) -> tuple[float, ...]:
        """Does random legal actions to the end, or so many: the returns then. This state moves on;
        `clone` it to play from it again.
        """
        engine, build = self.engine, self.engine.build
        dice, out = build.states(), np.zeros(engine.seats)
        dice["rng"] = checked_seed(seed) + ACTIONS
        self._legal = None
        acts = build.access(self._acts)
        engine.f.finish(
            engine.tt, self._states, 0, build.access(dice), acts, limit, build.access(out)
        )
        return tuple(out.tolist())

    def returns(self) -> tuple[float, ...]:
        """Each seat's return, -1 .. 1; zeros until the match is over."""
        out = np.zeros(self.engine.seats)
        if self.over:
            self.engine.f.results(self.engine.tt, self._states, 0, self.engine.build.access(out))
        return tuple(out.tolist())

    def to_bytes(self) -> bytes:
        """All of it, for `engine.from_bytes` of the same ruleset: equal states, equal bytes."""
        self.engine.f.clear_scratch_at(self._states, 0)
        return self.array.tobytes()

    def __copy__(self) -> EngineState:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> EngineState:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an EngineState cannot be pickled, as its engine cannot: keep to_bytes()")

    def __repr__(self) -> str:
        where = "over" if self.over else f"seat {self.to_act} is to act"
        return f"<EngineState, {where}>"
