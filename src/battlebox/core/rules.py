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
from .sources import caller, place
from .state import (
    COVERED,
    Floats,
    Grid,
    Record,
    Row,
    Rows,
    StateRecord,
    counts,
    i8,
    i16,
    i32,
    known,
    later,
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
    each seat has members of its own, which never change hands. by_seat: its members belong to the
    seats, equally many to each, those of seat 0 first. sided: what a member means depends on whose
    seat one looks from, as of the cells of a field with a goal at each end.
    """

    n: ClassVar[int]
    first: ClassVar[int]
    own_deck: ClassVar[bool]
    by_seat: ClassVar[bool]
    sided: ClassVar[bool]

    def __init_subclass__(
        cls,
        n: int = 0,
        *,
        first: int = 0,
        own_deck: bool = False,
        by_seat: bool = False,
        sided: bool = False,
    ) -> None:
        if type(n) is not int or n < 1:
            write = f"class {cls.__name__}(Domain, n=6)"
            raise GameError(f"{caller()}: {cls.__name__} needs a number of values; write {write}")
        cls.n, cls.first, cls.own_deck = n, first, own_deck
        cls.by_seat, cls.sided = by_seat, sided


class Move:
    """A move's place in the action space: `at` + the mixed-radix number of its parameters."""

    def __init__(
        self, f: Callable[..., Any], phases: tuple[int, ...], at: int | None, always: bool
    ) -> None:
        self.name, self.doc, self.phases = f.__name__, inspect.getdoc(f) or "", phases
        self.where = place(f)  # file and line
        self.parameters = [*inspect.signature(f).parameters][2:]
        self.at = -1 if at is None else at  # -1: not yet numbered
        self.always = always  # its phase is all it needs
        self.sizes: list[int] = []  # how many values each parameter has
        self.domains: list[Any] = []  # what each parameter ranges over
        self.allow: Callable[..., Any] | None = None
        self.family: tuple[Move, ...] = ()  # the moves that share one allow_all condition

    def place(self, f: Callable[..., Any], free: int) -> int:
        """Reads the parameters of f; numbers from `free` on, or from `at`. Returns the end."""
        first = [*inspect.signature(f).parameters][:2]
        if first != ["t", "s"]:
            text = inspect.signature(f).parameters.values()
            rest = [str(p).replace("'", "") for p in text if p.name not in ("t", "s")]
            write = ", ".join(["t: Table", "s: State", *rest])
            raise GameError(
                f"{self.where}: {self.name} takes the table and the state first; "
                f"write def {self.name}({write})"
            )
        try:
            hints = typing.get_type_hints(f) if self.parameters else {}
        except NameError as e:
            raise GameError(
                f"{self.where}: {self.name}: an annotation is unknown: {e}; import it, but "
                "not under TYPE_CHECKING"
            ) from None
        self.domains = [hints.get(p) for p in self.parameters]
        self.sizes = [self._size(p, hints.get(p)) for p in self.parameters]
        self.at = free if self.at < 0 else self.at
        return self.at + self.count

    def _size(self, parameter: str, kind: Any) -> int:
        """How many values a parameter of this type has."""
        name = parameter.title().replace("_", "")
        write = f"write `{parameter}: {name}`, after class {name}(Domain, n=6)"
        where = f"{self.where}: {self.name}: the parameter `{parameter}`"
        if kind is None:
            raise GameError(f"{where} has no type; {write}")
        if isinstance(kind, type) and issubclass(kind, Domain) and kind is not Domain:
            return kind.n
        said = getattr(kind, "__name__", str(kind))
        if not (isinstance(kind, type) and issubclass(kind, IntEnum)):
            raise GameError(
                f"{where} is {said}, which does not say how many values there are; {write}"
            )
        if [*map(int, kind)] != [*range(len(kind))] or not len(kind):
            numbers = ", ".join(str(int(x)) for x in kind)
            raise GameError(
                f"{where}: the members of {said} count {numbers}; let them count 0, 1, 2 ..."
            )
        return len(kind)

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
    _mark(f, "rule", "rule")
    return f


def _mark(f: Any, mark: Any, name: str) -> None:
    """Puts a mark on a function, which has at most one."""
    if not inspect.isfunction(f):
        raise GameError(f"{caller(2)}: @{name} marks functions, not {f!r}; write it before a def")
    if getattr(f, "battlebox", mark) != mark:
        cure = "name all its phases in one @move" if name == "move" else f"leave @{name} out"
        raise GameError(f"{place(f)}: {f.__name__} is marked twice: it is a move already; {cure}")
    cast(Any, f).battlebox = mark


def _phases(mark: str, phases: tuple[Any, ...]) -> tuple[int, ...]:
    """The phases of a mark, as numbers."""
    if not phases or not all(isinstance(p, int) for p in phases):
        raise GameError(f"{caller(2)}: @{mark} names no phase; write @{mark}(Phase.X)")
    return tuple(map(int, phases))


def move(*phases: int, at: int | None = None, always: bool = False) -> Callable[[F], F]:
    """f(t, s, x: X, y: Y) is a move of these phases; its actions are at + len(Y) * x + y.

    Without `at` it takes the next free numbers. Moves of different phases may share numbers.
    always: it may be taken whenever it is its phase, and has no condition (`allow`).
    """
    numbers = _phases("move", phases)

    def mark(f: F) -> F:
        _mark(f, Move(f, numbers, at, always), "move")
        return f

    return mark


def agreement(*phases: int, always: bool = False) -> Callable[[F], F]:
    """f(t, s) may be agreed on by all seats in these phases; its @allow reads what all know.

    It is not an action: no list has it, no bot is asked. Its name is what one agrees to do.
    always: as of `move`.
    """
    numbers = _phases("agreement", phases)

    def mark(f: F) -> F:
        _mark(f, Agreement(f, numbers, None, always), "agreement")
        return f

    return mark


def _moves(mark: str, mvs: tuple[Any, ...]) -> tuple[Move, ...]:
    """The moves that a condition is for; none of them has one yet."""
    found = []
    for mv in mvs:
        m, name = getattr(mv, "battlebox", None), getattr(mv, "__name__", repr(mv))
        if not isinstance(m, Move):
            write = f"@move(Phase.X) before it, or @{mark}(a_move)"
            raise GameError(f"{caller(2)}: @{mark}({name}): {name} is no move; write {write}")
        if m.allow:
            raise GameError(
                f"{caller(2)}: @{mark}({name}): {name} has a condition, {m.allow.__name__}; "
                "write one condition for each move"
            )
        found.append(m)
    if not found:
        raise GameError(f"{caller(2)}: @{mark}() names no move; write @{mark}(a_move)")
    return tuple(found)


def allow(mv: Callable[P, None]) -> Callable[[Callable[P, bool]], Callable[P, bool]]:
    """The condition of a move, asked for each combination of its parameters."""
    (m,) = _moves("allow", (mv,))

    def mark(f: Callable[P, bool]) -> Callable[P, bool]:
        m.allow = rule(f)
        return f

    return mark


def allow_all(*mvs: Callable[..., None]) -> Callable[[F], F]:
    """One condition for whole moves, asked once: f(t, s, can) offers every allowed combination."""
    family = _moves("allow_all", mvs)

    def mark(f: F) -> F:
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
class Telling:
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
) -> Telling:
    """Declares an event by the names of its arguments; the first is always a seat.

    `own`: arguments that only that seat is told. `alone`: nobody else is told of the event at all.
    `reveals`: somebody learns what was hidden before, so that nothing before it can be undone.
    `chosen`: what it reveals that seat knew, and chose to show, as a card from its hand; who plays
    bots alone may undo it.
    """
    said = f"{caller()}: event({', '.join(map(repr, names))})"
    if not 1 <= len(names) <= 4 or len({*names}) < len(names):
        raise GameError(f"{said}: name a seat and up to three more, each differently")
    if names[0] != "seat":
        raise GameError(f'{said}: its first argument is a seat; write event("seat", ...)')
    if isinstance(own, str) or not {*own} <= {*names[1:]}:
        raise GameError(
            f"{said}: own={own!r} is not some of the others; write own=({names[-1]!r},)"
        )
    if alone and own:
        raise GameError(f"{said}: alone=True tells nobody else of it; leave out own={own!r}")
    if chosen and not reveals:
        raise GameError(f"{said}: chosen=True is of what it reveals; write reveals=True as well")
    return Telling(names, own, alone, reveals, chosen)


class Events(IntEnum):
    """Base of a game's Event: what may happen while an action is applied, and who may know it.

    class Event(Events):
        ATTACKED = event("seat", "card", "target")
        DREW = event("seat", "card", own=("card",), reveals=True)
    """

    telling: Telling

    def __new__(cls, telling: Telling) -> Events:
        self = int.__new__(cls, len(cls.__members__))
        self._value_ = len(cls.__members__)
        self.telling = telling
        return self


def tell(s: Any, event: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Something happened. Plain: the view's listener hears it; compiled: the call vanishes."""
    if s._listener is not None:
        s._listener(event, a, b, c, d)


__all__ = [
    "COVERED",
    "Domain",
    "Events",
    "Floats",
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
    "later",
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
