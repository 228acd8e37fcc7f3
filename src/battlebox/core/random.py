"""Chance, as the rules call it: draw, roll, pick, shuffle. The plain text; `jit` has the compiled
one.

The generator is splitmix64; its one word lies in the record, so (seed, actions) replays for ever.
In the plain build a `ChanceSource` can say the outcomes instead: a `Script`, or `Fair` (fair.py).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Protocol

from .errors import RulesetError, ScriptError
from .state import Row

MASK = (1 << 64) - 1


def checked_seed(seed: Any) -> int:
    """A seed as a plain number. Errors: RulesetError for what is none."""
    try:
        word = operator.index(seed)
    except TypeError:
        word = -1
    if isinstance(seed, bool) or not 0 <= word < 2**62:
        raise RulesetError(f"seed {seed!r}: a seed is a whole number 0 .. 2**62 - 1")
    return word


class ChanceSource(Protocol):
    """Says the outcomes in place of the generator, in the plain build."""

    def number(self, low: int, high: int) -> int: ...
    def one_of(self, values: list[int]) -> int: ...
    def order(self, values: list[int]) -> list[int]: ...
    @property
    def count(self) -> int: ...  # how many outcomes were given
    def rewind(self, count: int) -> None: ...  # as if it had been only so many
    def fresh_copy(self) -> ChanceSource: ...  # the same, before its first outcome


class Script:
    """Random outcomes to come, in order: numbers for draw, roll and pick, lists for shuffle.

    rest: gives what is asked for after them; None: that is an error.
    """

    def __init__(self, *outcomes: int | list[int], rest: Random | None = None) -> None:
        self.outcomes, self.count, self.rest = list(outcomes), 0, rest

    @property
    def left(self) -> list[int | list[int]]:
        """Those that nobody has asked for yet."""
        return self.outcomes[self.count :]

    def rewind(self, count: int) -> None:
        self.count = count

    def fresh_copy(self) -> Script:
        return Script(*self.outcomes, rest=deepcopy(self.rest))

    def _take(self, wanted: str, by_lot: Callable[[Random], int | list[int]]) -> int | list[int]:
        if not self.left:
            if self.rest is None:
                raise ScriptError(f"no outcome is left; the rules ask for {wanted}")
            self.outcomes.append(by_lot(self.rest))
        self.count += 1
        return self.outcomes[self.count - 1]

    def number(self, low: int, high: int) -> int:
        x = self._take(f"a number {low}..{high}", lambda dice: dice.randint(low, high))
        if not isinstance(x, int) or not low <= x <= high:
            raise ScriptError(
                f"the next outcome is {x!r}; the rules ask for a number {low}..{high}"
            )
        return x

    def one_of(self, values: list[int]) -> int:
        x = self._take(f"one of {values}", lambda dice: dice.choice(values))
        if x not in values or not isinstance(x, int):
            raise ScriptError(f"the next outcome is {x!r}; the rules ask for one of {values}")
        return x

    def order(self, values: list[int]) -> list[int]:
        x = self._take(
            f"an order of {len(values)} cards", lambda dice: dice.sample(values, len(values))
        )
        if not isinstance(x, list) or sorted(x) != sorted(values):
            raise ScriptError(f"the next outcome is {x!r}; the rules ask for an order of {values}")
        return x


class Recorder:
    """The outcomes that the generator gives from its word `rng` on, written down: what a `Script`
    needs to give them again.
    """

    _chance = None  # it gives what a state without a source would

    def __init__(self, rng: int) -> None:
        self.first = self.rng = rng
        self.outcomes: list[int | list[int]] = []

    @property
    def count(self) -> int:
        return len(self.outcomes)

    def rewind(self, count: int) -> None:
        raise NotImplementedError("what is written down is not taken back")

    def fresh_copy(self) -> Recorder:
        return Recorder(self.first)

    def number(self, low: int, high: int) -> int:
        self.outcomes.append(x := low + _next(self, high - low + 1))
        return x

    def one_of(self, values: list[int]) -> int:
        self.outcomes.append(x := values[_next(self, len(values))])
        return x

    def order(self, values: list[int]) -> list[int]:
        cards: Any = values
        shuffle(self, cards, len(values))
        self.outcomes.append(values[:])
        return values


def _next(s: Any, n: int) -> int:
    """splitmix64, then Lemire's multiply-shift to 0 .. n-1 (its bias, n / 2**32, is left)."""
    z = (s.rng + 0x9E3779B97F4A7C15) & MASK
    s.rng = z
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    z ^= z >> 31
    return int(((z >> 32) * int(n)) >> 32)


def draw(s: Any, n: int) -> int:
    """A number 0 .. n-1."""
    return _next(s, n) if s._chance is None else int(s._chance.number(0, n - 1))


def roll(s: Any, sides: int) -> int:
    """The face of a die, 1 .. sides."""
    return 1 + _next(s, sides) if s._chance is None else int(s._chance.number(1, sides))


def pick(s: Any, values: Row, n: int) -> int:
    """One of the first n values."""
    if s._chance is not None:
        return int(s._chance.one_of([values[i] for i in range(n)]))
    return values[_next(s, n)]


def shuffle(s: Any, cards: Row, n: int) -> None:
    """The first n cards in random order (Fisher and Yates)."""
    if s._chance is not None:
        for i, card in enumerate(s._chance.order([cards[i] for i in range(n)])):
            cards[i] = card
        return
    for i in range(n - 1, 0, -1):
        j = _next(s, i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held
