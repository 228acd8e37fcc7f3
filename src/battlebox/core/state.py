"""What a state is made of: marked fields that become one fixed-size NumPy record.

    class State(StateRecord):
        hands = own(n8(SEATS, KINDS))      # row i is seen by seat i only
        deck = secret(n8(CARDS))           # nobody sees it, unless the game's `reveal` opens a part
        health = public(n16(SEATS))
        heap = scratch(n8(CARDS))          # working space, blank between two calls of the engine

Numbers are stored signed: Numba types u8 - u8 as uint64 (2 - 3 = 2**64 - 1). `n8 n16 n32` are never
negative, which the plain build checks; `i8 i16 i32` take any sign.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast, overload

import numpy as np

from .errors import GameError
from .sources import caller, place_of

T = TypeVar("T")


# ---- what a type checker sees of a field (at run time: a view, or an array inside Numba) --------
class Row:
    """A 1-D field."""

    def __getitem__(self, i: int) -> int: ...  # type: ignore[empty-body]
    def __setitem__(self, i: int, value: int) -> None: ...
    def __len__(self) -> int: ...  # type: ignore[empty-body]


class Grid:
    """A 2-D field."""

    @overload
    def __getitem__(self, i: int) -> Row: ...
    @overload
    def __getitem__(self, i: tuple[int, int]) -> int: ...
    def __getitem__(self, i: Any) -> Any: ...
    def __setitem__(self, i: tuple[int, int], value: int) -> None: ...
    def __len__(self) -> int: ...  # type: ignore[empty-body]


class Rows(Generic[T]):
    """An array of records."""

    def __getitem__(self, i: int) -> T: ...  # type: ignore[empty-body]
    def __len__(self) -> int: ...  # type: ignore[empty-body]


# ---- declaring fields ---------------------------------------------------------------------------
class Field:
    """One declared field: its NumPy type, its shape, and who may see it (None: not said)."""

    def __init__(
        self, dtype: np.dtype[Any], shape: tuple[int, ...] = (), sight: str | None = None
    ) -> None:
        self.dtype, self.shape, self.sight = dtype, shape, sight


class Kind:
    """A kind of number: n8() is a number, n8(6) a row, n8(6, 14) a grid."""

    def __init__(self, code: str, low: int | None = None) -> None:
        self.dtype = np.dtype(code) if low is None else np.dtype(code, metadata={"low": low})

    @overload
    def __call__(self) -> int: ...
    @overload
    def __call__(self, n: int, /) -> Row: ...
    @overload
    def __call__(self, n: int, m: int, /) -> Grid: ...
    def __call__(self, *shape: int) -> Any:
        return Field(self.dtype, shape)


i8, i16, i32 = Kind("i1"), Kind("i2"), Kind("i4")
n8, n16, n32 = Kind("i1", 0), Kind("i2", 0), Kind("i4", 0)
_u64 = Kind("u8")  # the random generator's word; not for rules


def _mark(field: T, sight: str) -> T:
    f = cast(Any, field)
    if not isinstance(f, Field):
        what = "a kind of number" if isinstance(f, Kind) else repr(field)
        write = f"write {sight}(n8()), {sight}(n8(SEATS)) ..."
        raise GameError(f"{caller(2)}: {sight}(...) marks a field, not {what}; {write}")
    if sight == "own" and not f.shape:
        raise GameError(f"{caller(2)}: own(...) has a row for each seat; write own(n8(SEATS))")
    return cast(T, Field(f.dtype, f.shape, sight))


def public(field: T) -> T:
    """Everybody sees it."""
    return _mark(field, "public")


def own(field: T) -> T:
    """Row i is seen by seat i only."""
    return _mark(field, "own")


def secret(field: T) -> T:
    """Nobody sees it, unless the game's `reveal` opens a part of it."""
    return _mark(field, "secret")


def scratch(field: T) -> T:
    """Working space of one call; blank in observations and before states are compared."""
    return _mark(field, "scratch")


def rows(kind: type[T], n: int) -> Rows[T]:
    """An array of n records of a declared kind."""
    return cast("Rows[T]", Field(cast(Any, kind).layout, (n,)))


class Record:
    """Base of declared records; `layout` is the aligned dtype, `sight` who sees which field."""

    layout: ClassVar[np.dtype[Any]]
    sight: ClassVar[dict[str, str]]

    def __init_subclass__(cls) -> None:
        for name, f in vars(cls).items():
            if isinstance(f, Kind):
                where = f"{place_of(cls, name)}: {cls.__name__}.{name}"
                raise GameError(f"{where} is a kind of number; write it with brackets: n8()")
        fields = {
            name: f
            for base in reversed(cls.__mro__)
            for name, f in vars(base).items()
            if isinstance(f, Field)
        }
        for name, f in fields.items():
            if len(f.shape) > 2 or name.startswith("_"):
                what = f"has {len(f.shape)} sizes; write two at most, such as n8(SEATS, KINDS)"
                if name.startswith("_"):
                    what = "begins with an underscore; give the field another name"
                raise GameError(f"{place_of(cls, name)}: {cls.__name__}.{name} {what}")
        cls.layout = np.dtype(
            [(n, f.dtype, f.shape) if f.shape else (n, f.dtype) for n, f in fields.items()],
            align=True,
        )
        cls.sight = {n: f.sight or "" for n, f in fields.items()}


class StateRecord(Record):
    """What every state has. A blank record with `seats` and `rng` set is a match not yet begun."""

    rng = secret(_u64())
    phase = public(n8())  # a number of the game's Phase; 0: before the beginning
    to_act = public(n8())  # the seat that decides
    seats = public(n8())
    viewer = public(i8())  # 0: the truth; 1 + seat: what that seat may know; -1: a spectator

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if again := [n for n in vars(StateRecord) if n in vars(cls) and n in cls.sight]:
            where = f"{place_of(cls, again[0])}: {cls.__name__}.{again[0]}"
            raise GameError(f"{where} is in every state already; give the field another name")
        if bare := [n for n, sight in cls.sight.items() if not sight]:
            owner = next(c for c in cls.__mro__ if bare[0] in vars(c))
            raise GameError(
                f"{place_of(owner, bare[0])}: {cls.__name__}.{bare[0]} carries no mark: "
                "say public(...), own(...), secret(...) or scratch(...)"
            )


# ---- sizes --------------------------------------------------------------------------------------
_sizes: contextvars.ContextVar[Mapping[str, int]] = contextvars.ContextVar("sizes")


def size(name: str, usual: int) -> int:
    """A size of a game's records, `usual` unless the ruleset's data asks for another.

    Numbers are data, sizes are structure: a deck with more kinds of cards needs wider records and
    more action numbers. `Game.sized` then imports the game once more with that size in force.
    """
    return _sizes.get({}).get(name, usual)


@contextlib.contextmanager
def sizes_in_force(sizes: Mapping[str, int]) -> Iterator[None]:
    """Within it, `size` answers with these."""
    token = _sizes.set(sizes)
    try:
        yield
    finally:
        _sizes.reset(token)
