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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict

from ...core.checked import Array
from ...core.errors import RulesetError
from ...core.features import Feature
from ...core.game import Game, Ruleset
from ...core.rules import Move
from .candidates import Candidates

FEW = 16  # values of a number that have columns of their own
FURTHEST = 5.0  # powers of two from the usual number


_Shapes = tuple[tuple[str, str, tuple[int, ...]], ...]


class Shape(BaseModel):
    """How rows are laid out, and what actions mean: a network fits no other."""

    model_config = ConfigDict(frozen=True)

    features: _Shapes  # name, kind, sizes
    options: tuple[str, ...]  # the columns behind them
    actions: tuple[tuple[str, int, int], ...]  # name of a move, its first action, how many
    room: int  # seats
    #: of each action, which of the logits is its own: one for all cells that it may name, where the
    #: game says something of each; empty: each action has its own
    classes: tuple[int, ...] = ()
    #: how many candidates are told apart; 0: all legal actions are weighed,
    places: int = 0
    #: and what is said of each of them, behind the options: name, kind, sizes
    candidate_features: _Shapes = ()

    @property
    def inputs(self) -> int:
        """How many numbers a row has."""
        return self.seen + self.places * self.told

    @property
    def seen(self) -> int:
        """How many of them are of what the seat sees, before what is said of candidates."""
        return _width(self.features) + len(self.options)

    @property
    def told(self) -> int:
        """How many of them are said of each candidate."""
        return _width(self.candidate_features)

    @property
    def logits(self) -> int:
        """How many logits a policy has: of classes of actions, then of the places of candidates."""
        return 1 + max(self.classes, default=self.num_actions - 1) + self.places

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return max(at + count for _, at, count in self.actions)


def _width(features: _Shapes) -> int:
    return sum(math.prod(sizes) for _, _, sizes in features)


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
        build, room = self.engine.build, rules.game.most_players
        self.encode = self.engine.encoder(room=room, without=build.left_out)
        self.candidates = Candidates(rules)
        self._columns = list(_columns(rules.game))
        self.shape = Shape(
            features=_shapes(self.encode.features),
            options=tuple(x.name for x in self._columns),
            actions=tuple((m.name, m.at, m.count) for m in build.moves),
            room=room,
            classes=_classes(build.moves) if self.candidates.features else (),
            places=self.candidates.places,
            candidate_features=_shapes(self.candidates.features),
        )
        #: how many numbers a row has
        self.width = self.shape.inputs
        #: of each action, which of the logits is its own: int64 [actions]
        self.classes = np.array(self.shape.classes or range(self.shape.num_actions))

    @cached_property
    def options(self) -> Array:
        """How far the options are from the usual ones: float32, columns behind what is encoded."""
        own = self.rules.options
        return np.array([x.said(getattr(own, x.option)) for x in self._columns], np.float32)

    def rows(
        self, observations: Array, out: Array | None = None, weighed: Array | None = None
    ) -> Array:
        """float32 [n, width] of n observations, into `out` if it is given: contiguous. They are
        of those who are to act, where candidates are told.

        weighed: int8 [n, actions], the legal actions. What is written to it are those that are
        weighed: 1, or of candidates 1 + the place of each (`Candidates.weigh`).
        """
        out = self.judged(observations, out)
        found, n = self.candidates, len(out)
        if found.places:
            told = np.zeros((n * found.places, found.width), np.float32)
            if weighed is None:
                weighed = np.zeros((n, self.engine.num_actions), np.int8)
            found.weigh(observations, weighed, told)
            end = found.places * found.width
            out[:, self.width - end :] = told.reshape(n, end)
        return out

    def judged(self, truths: Array, out: Array | None = None) -> Array:
        """The same of what no action is chosen in: nothing is said of candidates."""
        if out is None:
            out = np.empty((len(truths), self.width), np.float32)
        width, end = self.encode.width, self.encode.width + len(self._columns)
        out[:, :width] = self.encode(truths)
        out[:, width:end] = self.options
        out[:, end:] = 0
        return out


def _classes(moves: Sequence[Move]) -> tuple[int, ...]:
    """Actions that differ alone in members of a sided domain, such as cells, are of one class; but
    not numbers that stand for something else in another phase.
    """
    first = np.arange(max(m.at + m.count for m in moves))
    apart = np.zeros(len(first), bool)
    for m in moves:
        each, same = np.arange(m.at, m.at + m.count), np.arange(m.at, m.at + m.count)
        for stride, size, domain in zip(m.strides, m.sizes, m.domains, strict=True):
            if getattr(domain, "sided", False):
                same -= (each - m.at) // stride % size * stride
        first[each] = np.minimum(first[each], same)
        apart[each] |= not any(getattr(x, "sided", False) for x in m.domains)
    first[apart] = np.flatnonzero(apart)
    return tuple(np.unique(first, return_inverse=True)[1].tolist())


def _shapes(features: Mapping[str, Feature]) -> _Shapes:
    return tuple((f.name, f.kind.value, f.shape) for f in features.values())


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
