"""What a state is made of: marked fields that become one fixed-size NumPy record.

    class State(StateRecord):
        hands = own(n8(SEATS, KINDS))      # row i is seen by seat i only
        deck = secret(n8(CARDS))           # nobody sees it, unless the game's `reveal` opens a part
        health = public(n16(SEATS))
        heap = scratch(n8(CARDS))          # working space, blank between two calls of the engine

A field may also be a *place*, which holds cards or pieces of a domain:

    hand = own(counts(Card, each=SEATS))   # how many of each kind, a row for each seat
    bid = own(slot(Card, each=SEATS))      # 1 + the kind that lies there; 0: nothing
    deck = secret(pile(Card, 52))          # kinds, the first `deck_size` of them

What lies in places is counted, hidden, determinized, written and drawn without further words.

What the numbers of a field mean may be said, for learners (features.py):

    attack = public(n8(of=Card))                # a member of a domain; any other number: nothing
    owner = public(n8(of=Seat, first=1))        # 1 + a seat: of a domain that is called Seat
    health = public(n16(each=SEATS, high=40))   # a row for each seat, of quantities, 40 at most

Numbers are stored signed: Numba types u8 - u8 as uint64 (2 - 3 = 2**64 - 1). `n8 n16 n32` are never
negative, which the plain build checks; `i8 i16 i32` take any sign.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, TypedDict, TypeVar, Unpack, cast, overload

import numpy as np

from .errors import GameError
from .sources import caller, place_of

T = TypeVar("T")


# ---- what a type checker sees of a field (at run time: access to it, or an array in Numba) -----
class Row:
    """A 1-D field. Slices are for scenes, whose pictures hold lists; rules are refused them."""

    @overload
    def __getitem__(self, i: int) -> int: ...
    @overload
    def __getitem__(self, i: slice) -> list[int]: ...
    def __getitem__(self, i: Any) -> Any: ...
    def __setitem__(self, i: int, value: int) -> None: ...
    def __iter__(self) -> Iterator[int]: ...  # type: ignore[empty-body]
    def __len__(self) -> int: ...  # type: ignore[empty-body]


class Floats:
    """A row of numbers with fractions, such as returns."""

    def __getitem__(self, i: int) -> float: ...  # type: ignore[empty-body]
    def __setitem__(self, i: int, value: float) -> None: ...
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
class Form(StrEnum):
    """How a place says what lies in it."""

    COUNTS = "counts"  # of each kind, how many
    SLOTS = "slots"  # 1 + the kind, 0: nothing, COVERED: something that the viewer does not see
    PILE = "pile"  # the kinds one after the other, as many as its size says


@dataclass(frozen=True)
class Holds:
    """What lies in a place: members of a domain. each: seats that have one of their own; 0: all
    share it.
    """

    of: Any
    form: Form
    each: int = 0

    @property
    def kinds(self) -> int:
        """How many kinds there are of what may lie there."""
        return kinds_of(self.of)

    @property
    def separate(self) -> bool:
        """Each seat has pieces of its own, which never change hands."""
        return bool(getattr(self.of, "own_deck", False))

    @property
    def stem(self) -> str:
        """What the fields of the domain begin with: `Card` has `card_stock`."""
        return str(self.of.__name__).lower()


def _is_domain(of: Any) -> bool:
    return isinstance(of, type) and (hasattr(of, "n") or hasattr(of, "__members__"))


def kinds_of(domain: Any) -> int:
    """How many members a domain (a `Domain` or an IntEnum from 0) has."""
    return int(domain.n) if hasattr(domain, "n") else len(domain)


@dataclass(frozen=True)
class Meaning:
    """What the numbers of a field mean.

    of: a domain, whose members stand there as `first`, `first + 1` ...; any other number says that
    there is none, but for those of `also`, which are told apart, too: (EDGE, HOLE). in_order:
    whether it says something in which order members lie; else only how many there are of each, and
    which is the last. by: the name of the field that says, cell by cell, at which place each lies;
    then the same is said for each place. high: the largest quantity that is told apart, or most of
    a member, or a function of the table that gives it; what is more counts as that. None: not said.
    It is for learners alone: no rule reads it.
    """

    of: Any = None
    first: int = 0
    also: tuple[int, ...] = ()
    high: int | Callable[[Any], int] | None = None
    in_order: bool = True
    by: str | None = None


class Means(TypedDict, total=False):
    """What `n8` and the others take of it."""

    of: Any
    first: int
    also: tuple[int, ...]
    high: int | Callable[[Any], int]
    in_order: bool
    by: str


class Field:
    """One declared field: its NumPy type, its shape, and who may see it (None: not said).

    holds: what lies there, if it is a place. of_which: the place that it says the knowledge of.
    each, groups: its first index is `groups` times that of a seat, one after the other.
    before: what it is in matches that were recorded before there was the field.
    """

    def __init__(
        self,
        dtype: np.dtype[Any],
        shape: tuple[int, ...] = (),
        visibility: str | None = None,
        holds: Holds | None = None,
        of_which: Field | None = None,
        meaning: Meaning | None = None,
        each: int = 0,
        groups: int = 1,
        before: int | None = None,
    ) -> None:
        self.before = before
        self.dtype, self.shape, self.visibility, self.holds = dtype, shape, visibility, holds
        self.of_which, self.meaning, self.each, self.groups = of_which, meaning, each, groups

    def marked(self, visibility: str) -> Field:
        """The same, seen by these."""
        found = copy(self)
        found.visibility = visibility
        if visibility == "own":
            found.each = self.shape[0] // self.groups
        return found


class Kind:
    """A kind of number: n8() is a number, n8(6) a row, n8(6, 14) a grid, and
    n8(14, each=SEATS) a row for each seat. What the numbers mean: `Meaning`.
    """

    def __init__(self, code: str, low: int | None = None) -> None:
        self.dtype = np.dtype(code) if low is None else np.dtype(code, metadata={"low": low})

    @overload
    def __call__(self, **means: Unpack[Means]) -> int: ...
    @overload
    def __call__(self, *, each: int, groups: int = 1, **means: Unpack[Means]) -> Row: ...
    @overload
    def __call__(self, n: int, /, **means: Unpack[Means]) -> Row: ...
    @overload
    def __call__(
        self, n: int, /, *, each: int, groups: int = 1, **means: Unpack[Means]
    ) -> Grid: ...
    @overload
    def __call__(self, n: int, m: int, /, **means: Unpack[Means]) -> Grid: ...
    def __call__(self, *shape: int, each: int = 0, groups: int = 1, **means: Unpack[Means]) -> Any:
        if means:
            _check_meaning(means)
        meaning = Meaning(**means) if means else None
        shape = (each * groups, *shape) if each else shape
        return Field(self.dtype, shape, meaning=meaning, each=each, groups=groups)


def _check_meaning(means: Means) -> None:
    of = means.get("of")
    if of is None and means.get("high") is None:
        raise GameError(f"{caller(2)}: a field has members, of=Card, or a largest number, high=40")
    if of is None and means.get("by") is not None:
        raise GameError(f"{caller(2)}: by= says where members lie; name them, of=Card")
    if means.get("also") and (of is None or "by" in means or not means.get("in_order", True)):
        raise GameError(f"{caller(2)}: also= is told apart beside members in order, of=Piece")
    if of is not None and not _is_domain(of):
        raise GameError(f"{caller(2)}: of={of!r}: name the class, a Domain or IntEnum")


i8, i16, i32 = Kind("i1"), Kind("i2"), Kind("i4")
n8, n16, n32 = Kind("i1", 0), Kind("i2", 0), Kind("i4", 0)
_u64 = Kind("u8")  # the random generator's word; not for rules


def _mark(field: T, visibility: str) -> T:
    f = cast(Any, field)
    if not isinstance(f, Field):
        what = "a kind of number" if isinstance(f, Kind) else repr(field)
        write = f"write {visibility}(n8()), {visibility}(n8(SEATS)) ..."
        raise GameError(f"{caller(2)}: {visibility}(...) marks a field, not {what}; {write}")
    if visibility == "own" and not f.shape:
        raise GameError(f"{caller(2)}: own(...) has a row for each seat; write own(n8(SEATS))")
    return cast(T, f.marked(visibility))


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


def later(field: T, before: int) -> T:
    """A number of the table that came later. Where it is `before`, matches are played as they were
    before there was the number, and match files of that time can be read.
    """
    found = copy(cast(Field, field))
    found.before = before
    return cast(T, found)


# ---- places -------------------------------------------------------------------------------------
COVERED = 127  # in a slot: something lies there that the viewer may not see


@overload
def counts(of: Any) -> Row: ...
@overload
def counts(of: Any, *, each: int) -> Grid: ...
def counts(of: Any, *, each: int = 0) -> Any:
    """A place that counts what it holds: [kind], or [seat, kind].

    One that not all may look into needs a public field of its name and `_size` that says how many
    cards it holds.
    """
    return _place(of, Form.COUNTS, (kinds_of(of),), each)


@overload
def slot(of: Any) -> int: ...
@overload
def slot(of: Any, *, each: int) -> Row: ...
def slot(of: Any, *, each: int = 0) -> Any:
    """A place for one: 1 + its kind, or 0. Who may not see what lies there reads COVERED."""
    return _place(of, Form.SLOTS, (), each)


@overload
def slots(of: Any, n: int, /) -> Row: ...
@overload
def slots(of: Any, n: int, /, *, each: int) -> Grid: ...
def slots(of: Any, n: int, /, *, each: int = 0) -> Any:
    """n places for one, side by side: [place], or [seat, place]. See `slot`."""
    return _place(of, Form.SLOTS, (n,), each)


@overload
def pile(of: Any, n: int, /) -> Row: ...
@overload
def pile(of: Any, n: int, /, *, each: int) -> Grid: ...
def pile(of: Any, n: int, /, *, each: int = 0) -> Any:
    """A place for n at most, one upon the other: [i], or [seat, i]; the last one is the top.

    It needs a public field of its name and `_size` that says how many lie there.
    """
    return _place(of, Form.PILE, (n,), each)


def _place(of: Any, form: Form, shape: tuple[int, ...], each: int) -> Field:
    if not _is_domain(of):
        raise GameError(f"{form}({of!r}): name the class of what lies there, a Domain or IntEnum")
    if kinds_of(of) >= COVERED:
        raise GameError(f"{form}({of.__name__}): {kinds_of(of)} kinds; {COVERED - 1} at most")
    shape = (each, *shape) if each else shape
    return Field(n8.dtype, shape, holds=Holds(of, form, each), each=each)


def known(place: Any, seats: int = 0) -> Grid:
    """What each seat knows of a place that is hidden from it: [seat, ...] is 1 where it does.

    The rules write it: 1 for whom they show a card, 0 (for all seats) when another comes there. The
    engine opens to each seat what it knows. Its mark says whether the others see that it does:
    `public(known(hand))` where all see who looks at what, or `own(known(hand))`.
    seats: how many there are, of a place that all share.
    """
    field = cast(Any, place)
    if not isinstance(field, Field) or not field.holds or field.holds.form is Form.COUNTS:
        raise GameError("known(...) is about a slot, slots or pile, as in known(hand)")
    seats = seats or field.holds.each
    if not seats or len(field.shape) > 1:
        raise GameError(
            "known(...): say how many seats there are, as in known(deck, SEATS); of places with "
            "many cells for each seat write `reveal` in hidden.py"
        )
    return cast(Grid, Field(n8.dtype, (seats, *field.shape), of_which=field, each=seats))


def rows(kind: type[T], n: int) -> Rows[T]:
    """An array of n records of a declared kind."""
    return cast("Rows[T]", Field(cast(Any, kind).layout, (n,)))


class Record:
    """Base of declared records. `layout`: the aligned dtype; `visibility`: who sees which field."""

    layout: ClassVar[np.dtype[Any]]
    visibility: ClassVar[dict[str, str]]
    before: ClassVar[dict[str, int]]  # of fields that came later
    places: ClassVar[dict[str, Holds]]  # by the name of the field
    knowledge: ClassVar[dict[str, str]]  # of which place a field says who knows it
    fields: ClassVar[dict[str, Field]]  # as they were declared

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
        cls.fields = fields
        cls.visibility = {n: f.visibility or "" for n, f in fields.items()}
        cls.before = {n: f.before for n, f in fields.items() if f.before is not None}
        cls.places = {n: f.holds for n, f in fields.items() if f.holds}
        cls.knowledge = {
            n: next(m for m, g in vars(cls).items() if g is f.of_which)
            for n, f in fields.items()
            if f.of_which
        }


class Dice(Record):
    """A generator that belongs to no match."""

    # Numba takes a record that begins with all the fields of another for one of that kind
    unlike_a_state = n8()
    rng = secret(_u64())


class NoNumbers(Record):
    """The table of a game without numbers. (A record has one field at least.)"""

    nothing = n8()


class NoFeatures(Record):
    """What a game adds that adds nothing to what its fields say, or says nothing of candidates."""

    no_feature = n8()


def _is_place(f: Any) -> bool:
    return isinstance(f, Field) and f.holds is not None


class StateRecord(Record):
    """What every state has. A blank record with `seats` and `rng` set is a match not yet begun.

    Of each domain with places there are two fields more, for `Card` they are `card_stock`, how many
    there are of each kind in this match, and `card_unseen`, working space of `determinize`.
    """

    rng = secret(_u64())
    phase = public(n8())  # a number of the game's Phase; 0: before the beginning
    to_act = public(n8())  # the seat that decides
    seats = public(n8())
    viewer = public(i8())  # 0: the truth; 1 + seat: what that seat may know; -1: a spectator

    def __init_subclass__(cls) -> None:
        for holds in {f.holds.of: f.holds for f in vars(cls).values() if _is_place(f)}.values():
            shape = (holds.each, holds.kinds) if holds.separate else (holds.kinds,)
            setattr(cls, f"{holds.stem}_stock", public(Field(n8.dtype, shape)))
            setattr(cls, f"{holds.stem}_unseen", scratch(Field(n8.dtype, (holds.kinds,))))
        super().__init_subclass__()
        if again := [n for n in vars(StateRecord) if n in vars(cls) and n in cls.visibility]:
            where = f"{place_of(cls, again[0])}: {cls.__name__}.{again[0]}"
            raise GameError(f"{where} is in every state already; give the field another name")
        if bare := [n for n, visibility in cls.visibility.items() if not visibility]:
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
