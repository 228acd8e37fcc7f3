"""What a game's rules import: @rule, @move, @agreement, @allow, events. Plain Python, no Numba.

A game's module IS its plain build: the decorators only put a mark on a function and hand it back,
so tracebacks, breakpoints, coverage and pickling are those of ordinary functions. `build` makes the
compiled set of functions from the same code objects.

Rules take the table and the state, change the state in place, never raise, never allocate, never
read a clock. No generators (Numba copies the records one holds and loses what is written).
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, ParamSpec, TypeVar, cast

from .errors import GameError
from .random import draw, pick, roll, shuffle
from .state import (
    COVERED,
    Grid,
    Record,
    Row,
    Rows,
    StateRecord,
    counts,
    i8,
    i16,
    i32,
    kinds_of,
    known,
    n8,
    n16,
    n32,
    own,
    pile,
    public,
    rows,
    scratch,
    secret,
    size,
    slot,
    slots,
)

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")


# ---- actions ------------------------------------------------------------------------------------
class Domain(int):
    """What a parameter of a move ranges over: `class Card(Domain, n=13)` is 0 .. 12.

    An IntEnum that counts from 0 serves as well. A domain called Seat is of seats.
    first: what people call 0, if they count from another number. own_deck: of what lies in places,
    each seat has members of its own, which never change hands.
    """

    n: ClassVar[int]
    first: ClassVar[int]
    own_deck: ClassVar[bool]

    def __init_subclass__(cls, n: int, *, first: int = 0, own_deck: bool = False) -> None:
        cls.n, cls.first, cls.own_deck = n, first, own_deck


class Move:
    """A move's place in the action space: `at` + the mixed-radix number of its parameters."""

    def __init__(self, f: Callable[..., Any], phases: tuple[int, ...], at: int | None) -> None:
        self.name, self.doc, self.phases = f.__name__, inspect.getdoc(f) or "", phases
        self.at = -1 if at is None else at  # -1: not yet numbered
        self.sizes: list[int] = []  # how many values each parameter has
        self.domains: list[Any] = []  # what each parameter ranges over
        self.allow: Callable[..., Any] | None = None
        self.family: tuple[Move, ...] = ()  # the moves that share one allow_all condition

    def place(self, f: Callable[..., Any], free: int) -> int:
        """Reads the parameters of f; numbers from `free` on, or from `at`. Returns the end."""
        hints = typing.get_type_hints(f)
        self.domains = [hints[p] for p in list(inspect.signature(f).parameters)[2:]]
        self.sizes = [kinds_of(k) for k in self.domains]
        self.at = free if self.at < 0 else self.at
        return self.at + self.count

    @cached_property
    def count(self) -> int:
        """How many actions it has."""
        n = 1
        for k in self.sizes:
            n *= k
        return n

    @cached_property
    def strides(self) -> list[int]:
        """What one step of each parameter adds to the action number."""
        out, n = [], self.count
        for k in self.sizes:
            n //= k
            out.append(n)
        return out

    @cached_property
    def two_strides(self) -> tuple[int, int]:
        """The first two of them; 0 where there is no parameter."""
        x, y = [*self.strides, 0, 0][:2]
        return x, y

    @cached_property
    def _values(self) -> list[tuple[int, ...]]:
        return list(product(*map(range, self.sizes)))

    def number(self, *values: int) -> int:
        """The action number of these parameters."""
        return self.at + sum(x * k for x, k in zip(values, self.strides, strict=True))

    def values(self, action: int) -> tuple[int, ...]:
        """The parameters of an action number."""
        return self._values[action - self.at]


class Agreement(Move):
    """What all seats may agree on: in no list, its number after those of all actions."""

    @property
    def words(self) -> str:
        """What it is called: `halt_play` is "halt play"."""
        return self.name.replace("_", " ")


def move_of(f: Callable[..., Any]) -> Move:
    """The place of a @move function in the action space. A build numbers it."""
    m = cast(Any, f).battlebox
    assert isinstance(m, Move)
    return m


def rule(f: F) -> F:
    """A function that rules call."""
    cast(Any, f).battlebox = "rule"
    return f


def move(*phases: int, at: int | None = None) -> Callable[[F], F]:
    """f(t, s, x: X, y: Y) is a move of these phases; its actions are at + len(Y) * x + y.

    Without `at` it takes the next free numbers. Moves of different phases may share numbers.
    """

    def mark(f: F) -> F:
        cast(Any, f).battlebox = Move(f, tuple(map(int, phases)), at)
        return f

    return mark


def agreement(*phases: int) -> Callable[[F], F]:
    """f(t, s) may be agreed on by all seats in these phases; its @allow reads what all know.

    It is not an action: no list has it, no bot is asked. Its name is what one agrees to do.
    """

    def mark(f: F) -> F:
        cast(Any, f).battlebox = Agreement(f, tuple(map(int, phases)), None)
        return f

    return mark


def allow(mv: Callable[P, None]) -> Callable[[Callable[P, bool]], Callable[P, bool]]:
    """The condition of a move, asked for each combination of its parameters."""

    def mark(f: Callable[P, bool]) -> Callable[P, bool]:
        cast(Any, mv).battlebox.allow = rule(f)
        return f

    return mark


def allow_all(*mvs: Callable[..., None]) -> Callable[[F], F]:
    """One condition for whole moves, asked once: f(t, s, can) offers every allowed combination."""

    def mark(f: F) -> F:
        family = tuple(cast(Any, m).battlebox for m in mvs)
        for m in family:
            m.allow, m.family = rule(f), family
        return f

    return mark


def offer(can: Row, mv: Callable[..., None], x: int = 0, y: int = 0) -> None:
    """Adds the action mv(x, y) to the list. (The list's length stands in its last place.)"""
    m = cast(Any, mv).battlebox
    n, (dx, dy) = can[len(can) - 1], m.two_strides
    can[n] = m.at + dx * x + dy * y
    can[len(can) - 1] = n + 1


# ---- events -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Sight:
    """What an event tells, and whom: made by `event`."""

    names: tuple[str, ...]
    own: tuple[str, ...]
    alone: bool
    reveals: bool
    chosen: bool

    @cached_property
    def hidden(self) -> dict[str, None]:
        """What others are told in place of `own`."""
        return dict.fromkeys(self.own)


def event(
    *names: str,
    own: tuple[str, ...] = (),
    alone: bool = False,
    reveals: bool = False,
    chosen: bool = False,
) -> Sight:
    """Declares an event by the names of its arguments; the first is always a seat.

    `own`: arguments that only that seat is told. `alone`: nobody else is told of the event at all.
    `reveals`: somebody learns what was hidden before, so that nothing before it can be undone.
    `chosen`: what it reveals that seat knew, and chose to show, as a card from its hand; who plays
    bots alone may undo it.
    """
    if not 1 <= len(names) <= 4 or not {*own} <= {*names}:
        raise GameError(f"event{names}: a seat and up to three more; `own` is some of them: {own}")
    return Sight(names, own, alone, reveals, chosen)


class Events(IntEnum):
    """Base of a game's Event: what may happen while an action is applied, and who may know it.

    class Event(Events):
        ATTACKED = event("seat", "card", "target")
        DREW = event("seat", "card", own=("card",), reveals=True)
    """

    sight: Sight

    def __new__(cls, sight: Sight) -> Events:
        self = int.__new__(cls, len(cls.__members__))
        self._value_ = len(cls.__members__)
        self.sight = sight
        return self


def tell(s: Any, event: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Something happened. Plain: the view's listener hears it; compiled: the call vanishes."""
    if s._listener is not None:
        s._listener(event, a, b, c, d)


__all__ = [
    "COVERED",
    "Domain",
    "Events",
    "Grid",
    "IntEnum",
    "Record",
    "Row",
    "Rows",
    "StateRecord",
    "agreement",
    "allow",
    "allow_all",
    "counts",
    "draw",
    "event",
    "i8",
    "i16",
    "i32",
    "known",
    "move",
    "n8",
    "n16",
    "n32",
    "offer",
    "own",
    "pick",
    "pile",
    "public",
    "roll",
    "rows",
    "rule",
    "scratch",
    "secret",
    "shuffle",
    "size",
    "slot",
    "slots",
    "tell",
]
