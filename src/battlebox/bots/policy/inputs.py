"""What a network is told: an observation as a row of numbers, and in what the rules are unusual.

One network plays all rulesets of a game. Observations are laid out as for most players
(`Engine.encoder`), and columns behind them say which options are not as usual, so that a network
that has learned with usual options alone is not misled by others:

    yes or no, few values    a column for each value that is not the usual one: 1 where it is
    numbers                  how many times the usual one, as a logarithm to base 2, -1 .. 1 for
                             a thirtieth part .. thirty times
    decks                    as values; a deck from a file is as the usual one
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict

from ...core.checked import Array
from ...core.errors import RulesetError
from ...core.game import Game, Ruleset
from .candidates import Candidates

FEW = 16  # values of a number that have columns of their own
FURTHEST = 5.0  # powers of two from the usual number


class Shape(BaseModel):
    """How rows are laid out, and what actions mean: a network fits no other."""

    model_config = ConfigDict(frozen=True)

    features: tuple[tuple[str, str, tuple[int, ...]], ...]  # name, kind, sizes
    options: tuple[str, ...]  # the columns behind them
    actions: tuple[tuple[str, int, int], ...]  # name of a move, its first action, how many
    room: int  # seats

    @property
    def inputs(self) -> int:
        """How many numbers a row has."""
        return sum(math.prod(sizes) for _, _, sizes in self.features) + len(self.options)

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return max(at + count for _, at, count in self.actions)


class Inputs:
    """Makes rows of observations of one ruleset, for networks that know all rulesets of its game.

    Errors: RulesetError, if the sizes of its cards or seats are not those of the game.
    """

    def __init__(self, rules: Ruleset) -> None:
        if rules.game.base:
            raise RulesetError(
                f"{rules.name}: a learned policy knows as many kinds of cards, and places, as the "
                "game comes with; this ruleset has others"
            )
        self.rules, self.engine = rules, rules.compiled()
        self.encode = self.engine.encoder(room=rules.game.most_players)
        self.candidates = Candidates(rules)
        self._columns = list(_columns(rules.game))
        self.shape = Shape(
            features=tuple((f.name, f.kind.value, f.shape) for f in self.encode.features.values()),
            options=tuple(x.name for x in self._columns),
            actions=tuple((m.name, m.at, m.count) for m in self.engine.build.moves),
            room=rules.game.most_players,
        )

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return self.shape.inputs

    @cached_property
    def options(self) -> Array:
        """How far the options are from the usual ones: float32, the last columns of each row."""
        own = self.rules.options
        return np.array([x.said(getattr(own, x.option)) for x in self._columns], np.float32)

    def rows(self, observations: Array, out: Array | None = None) -> Array:
        """float32 [n, width] of n observations, into `out` if it is given: contiguous."""
        if out is None:
            out = np.empty((len(observations), self.width), np.float32)
        width = self.encode.width
        out[:, :width] = self.encode(observations)
        out[:, width:] = self.options
        return out


class _Column(NamedTuple):
    """What one column says of an option."""

    name: str
    option: str
    is_number: bool
    value: Any  # 1 where the option has it; of a number, the usual one

    def said(self, found: Any) -> float:
        """What stands in it."""
        if not self.is_number:
            return float(found == self.value)
        times = math.log2((found + 1) / (self.value + 1)) / FURTHEST
        return max(-1.0, min(1.0, times))


def _columns(game: Game) -> Iterator[_Column]:
    properties = game.options.model_json_schema()["properties"]
    for name, about in game.options.model_fields.items():
        least, most = (properties[name].get(k) for k in ("minimum", "maximum"))
        is_bounded = about.annotation is int and least is not None and most is not None
        values: Iterable[Any] = ()
        if name == "deck":
            values = game.decks
        elif get_origin(about.annotation) is Literal:
            values = get_args(about.annotation)
        elif about.annotation is bool:
            values = (False, True)
        elif is_bounded and most - least < FEW:
            values = range(least, most + 1)
        elif is_bounded:
            yield _Column(name, name, True, about.default)
        for x in values:
            if x != about.default:
                yield _Column(f"{name}={x}", name, False, x)
