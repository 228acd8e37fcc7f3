"""How parts of a state are written in positions and facts, and read again: one `Codec` for each.

{
    "turn": seat("turn"),
    "health": per_seat("health"),
    "hand{}": lambda p: CARDS.counted("hands", p, size="hand_size"),  # hand0, hand1 ...
    "deck": CARDS.piled("deck"),
    "count": fact(lambda r, s: s.deck_size),  # only for scenarios
}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .codes import DOTTED, EMPTY, Lists, spread
from .errors import PositionError
from .state import COVERED

HIDDEN = "?"  # a slot with something that the viewer may not see
Bound = int | Callable[[Any, Any], int]  # or a function of ruleset and state


def unread(r: Any, s: Any, text: str) -> None:
    """Of what no position says."""


@dataclass(frozen=True)
class Codec:
    """How one part of a state is written, and read again into a blank one.

    read: `unread` where no position says it, but scenarios may ask for it. usual: what a position
    means that does not say it (None: it stays blank); like: that is what it says under this key.
    shown: whether a position that is written says it. fact: scenarios may ask for it.
    """

    write: Callable[[Any, Any], str]  # (ruleset, state or observation)
    read: Callable[[Any, Any, str], None] = unread  # (ruleset, state, text), or ValueError
    usual: Callable[[Any, Any], str] | str | None = None
    like: str = ""
    shown: Callable[[Any, str], bool] | None = None  # (state, text)
    fact: bool = True

    @property
    def said(self) -> bool:
        """Positions may say it."""
        return self.read is not unread


#: by key; `hand{}` stands for a key of each seat, and its codec is made for a seat
Codecs = Mapping[str, Codec | Callable[[int], Codec]]


def fact(find: Callable[[Any, Any], object]) -> Codec:
    """What scenarios may ask for and no position says, by ruleset and state; "": there is none."""
    return Codec(lambda r, s: str(find(r, s)))


# ---- numbers -------------------------------------------------------------------------------------
def read_number(text: str, low: int | None = None, high: int | None = None) -> int:
    """A number within these bounds. ValueError if it is none."""
    if low is None or high is None:
        if not re.fullmatch(r"-?\d{1,10}", text):
            raise ValueError("a number")
    elif not re.fullmatch(r"\d{1,10}", text) or not low <= int(text) <= high:
        raise ValueError(f"a number {low} .. {high}")
    return int(text)


def number(
    field: str,
    low: Bound | None = None,
    high: Bound | None = None,
    *,
    p: int | None = None,
    usual: Bound | None = None,
    **more: Any,
) -> Codec:
    """A field that is one number; p: or that of a seat in a row. more: of `Codec`."""

    def now(x: Bound | None, r: Any, s: Any) -> int | None:
        return x(r, s) if callable(x) else x

    return Codec(
        lambda r, s: str(_of(s, field, p)),
        lambda r, s, text: _put(s, field, p, read_number(text, now(low, r, s), now(high, r, s))),
        None if usual is None else lambda r, s: str(now(usual, r, s)),
        **more,
    )


def read_seat(s: Any, text: str) -> int:
    """A seat of those who play. ValueError if it is none."""
    if not re.fullmatch(r"\d{1,2}", text) or int(text) >= s.seats:
        raise ValueError(f"seats are 0 .. {s.seats - 1}")
    return int(text)


def seat(field: str, **more: Any) -> Codec:
    """A field that is a seat. more: of `Codec`."""
    return Codec(
        lambda r, s: str(getattr(s, field)),
        lambda r, s, text: setattr(s, field, read_seat(s, text)),
        **more,
    )


def named(field: str, names: Mapping[str, int], rest: str = "", **more: Any) -> Codec:
    """A field by the names of its values. rest: what others are called, which no position says.
    more: of `Codec`.
    """
    texts = {value: name for name, value in names.items()}

    def read(r: Any, s: Any, text: str) -> None:
        if text not in names:
            raise ValueError(f"one of {', '.join(names)}")
        setattr(s, field, names[text])

    return Codec(lambda r, s: texts.get(getattr(s, field), rest), read, **more)


def phase_of(kind: Any, but: Iterable[Any] = (), **more: Any) -> Codec:
    """The phase, by its name. but: in which no position is. more: of `Codec`."""
    known = named("phase", {x.name: int(x) for x in kind if x not in [*but]})
    return Codec(lambda r, s: str(kind(s.phase).name), known.read, fact=False, **more)


def per_seat(field: str, high: Bound | None = None, **more: Any) -> Codec:
    """A row with a number for each who plays, joined by `.`. more: of `Codec`."""

    def write(r: Any, s: Any) -> str:
        return ".".join(str(getattr(s, field)[p]) for p in range(s.seats))

    def read(r: Any, s: Any, text: str) -> None:
        most = high(r, s) if callable(high) else high
        found = text.split(".")
        if len(found) != s.seats:
            raise ValueError(f"a number for each of {s.seats} seats, joined by .")
        for p, x in enumerate(found):
            getattr(s, field)[p] = read_number(x, None if most is None else 0, most)

    return Codec(write, read, **more)


def row(field: str, shape: tuple[int, ...]) -> Codec:
    """A field of numbers, joined by `.`, rows by `/`."""

    def write(r: Any, s: Any) -> str:
        cells = getattr(s, field)
        if len(shape) == 1:
            return ".".join(str(cells[i]) for i in range(shape[0]))
        return "/".join(
            ".".join(str(cells[i, j]) for j in range(shape[1])) for i in range(shape[0])
        )

    def read(r: Any, s: Any, text: str) -> None:
        found = [[read_number(x) for x in cells.split(".")] for cells in text.split("/")]
        wanted = shape if len(shape) == 2 else (1, *shape)
        if (len(found), *{len(cells) for cells in found}) != wanted:
            raise ValueError(f"{' by '.join(map(str, shape))} numbers, joined by . (and rows by /)")
        for i, cells in enumerate(found):
            for j, x in enumerate(cells):
                getattr(s, field)[j if len(shape) == 1 else (i, j)] = x

    return Codec(write, read)


def knowledge(field: str, shape: tuple[int, ...]) -> Codec:
    """Who knows which cells of a place: `0@8.2@7`, seat 0 the one of number 8."""

    def write(r: Any, s: Any) -> str:
        cells = getattr(s, field)
        found = [f"{p}@{i}" for p in range(shape[0]) for i in range(shape[1]) if cells[p, i]]
        return ".".join(found) or EMPTY

    def read(r: Any, s: Any, text: str) -> None:
        for x in DOTTED.items(text):
            if not (parts := re.fullmatch(r"(\d{1,3})@(\d{1,3})", x)) or int(parts[1]) >= s.seats:
                raise ValueError("a seat @ the number of the cell that it knows, joined by .")
            getattr(s, field)[int(parts[1]), int(parts[2])] = 1

    return Codec(write, read)


def seats(field: str, **more: Any) -> Codec:
    """A row that is 1 for some seats: the numbers of these, joined by `.`. more: of `Codec`."""

    def read(r: Any, s: Any, text: str) -> None:
        for p in read_seats(s, text):
            getattr(s, field)[p] = 1

    return Codec(lambda r, s: those(s, lambda p: getattr(s, field)[p]), read, **more)


def those(s: Any, which: Callable[[int], Any]) -> str:
    """The seats for which something holds, as a list."""
    return DOTTED.join(p for p in range(s.seats) if which(p))


def read_seats(s: Any, text: str) -> list[int]:
    """Seats of those who play, ascending. ValueError if they are not."""
    found = [int(p) for p in DOTTED.items(text) if re.fullmatch(r"\d", p) and int(p) < s.seats]
    if len(found) != len(DOTTED.items(text)) or found != sorted({*found}):
        raise ValueError(f"seats 0 .. {s.seats - 1}, ascending")
    return found


# ---- cards ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Cards:
    """Cards of a domain, or pieces, as lists.

    room: of a state that counts all its cards in `stock`, for how many it has room. own: letters of
    the seats, if each has cards of its own, and a row of `stock`.
    """

    of: Any
    lists: Lists = DOTTED
    room: int = 0
    own: str = ""

    def write(self, r: Any, kinds: Iterable[int]) -> str:
        """A list of these."""
        return self.lists.write(r, self.of, kinds)

    def read(self, r: Any, s: Any, text: str, p: int | None = None) -> list[int]:
        """The cards of a list (of seat p), which are counted among all that there are.

        Errors: ValueError for an unknown one; PositionError if there is no room for them.
        """
        found = self.lists.read(r, self.of, text)
        if self.room:
            stock, who = s.stock, ""
            if p is not None and self.own:
                stock, who = s.stock[p], f"{self.own[p]}: "
            if sum(stock) + len(found) > self.room:
                raise PositionError(f"position: {who}more than {self.room} cards in all")
            for card in found:
                stock[card] += 1
        return found

    def counted(self, field: str, p: int | None = None, *, size: str = "", **more: Any) -> Codec:
        """A field that counts cards by kind, [kind] or [p, kind]; and the one that says how many
        there are. more: of `Codec`.
        """

        def write(r: Any, s: Any) -> str:
            return self.write(r, spread(_of(s, field, p)))

        def read(r: Any, s: Any, text: str) -> None:
            found = self.read(r, s, text, p)
            for card in found:
                _of(s, field, p)[card] += 1
            if size:
                _put(s, size, p, _of(s, size, p) + len(found))

        return Codec(write, read, **more)

    def piled(
        self,
        field: str,
        p: int | None = None,
        *,
        size: str,
        down: bool = False,
        owner: int | None = None,
        **more: Any,
    ) -> Codec:
        """A field of cards in their order, [i] or [p, i]; down: the last one is written first.

        size: the field that says how many there are. owner: whose they are, if not of seat p.
        more: of `Codec`.
        """

        def write(r: Any, s: Any) -> str:
            found = [_of(s, field, p)[i] for i in range(_of(s, size, p))]
            return self.write(r, reversed(found) if down else found)

        def read(r: Any, s: Any, text: str) -> None:
            found = self.read(r, s, text, p if owner is None else owner)
            cells = _of(s, field, p)
            if len(found) > len(cells):
                raise ValueError(f"{len(cells)} at most")
            for i, card in enumerate(reversed(found) if down else found):
                cells[i] = card
            _put(s, size, p, len(found))

        return Codec(write, read, **more)

    def slots(self, field: str, p: int | None = None, n: int = 0) -> Codec:
        """Places for one each, 1 + its kind or 0, [i] or [p, i]; n 0: a single one.

        The last ones may be left out if they are empty.
        """

        def write(r: Any, s: Any) -> str:
            cells = _of(s, field, p)
            found = [cells[i] for i in range(n)] or [cells]
            return self.lists.joint.join(self._slot(r, x) for x in found)

        def read(r: Any, s: Any, text: str) -> None:
            parts = text.split(self.lists.joint) if self.lists.joint else [*text]
            if len(parts) > (n or 1):
                raise ValueError(f"{n or 1} places at most; {EMPTY} stands for an empty one")
            for i, x in enumerate(parts):
                value = 0 if x == EMPTY else 1 + self.read(r, s, x, p)[0]
                if n:
                    _of(s, field, p)[i] = value
                else:
                    _put(s, field, p, value)

        return Codec(write, read)

    def _slot(self, r: Any, value: int) -> str:
        if value in (0, COVERED):
            return HIDDEN if value else EMPTY
        return self.write(r, [value - 1])


def _of(s: Any, field: str, p: int | None) -> Any:
    """A field, or its row (or number) of a seat."""
    found = getattr(s, field)
    return found if p is None else found[p]


def _put(s: Any, field: str, p: int | None, value: int) -> None:
    if p is None:
        setattr(s, field, value)
    else:
        getattr(s, field)[p] = value


def joined(make: Callable[[int], Codec]) -> Codec:
    """What each who plays has, joined by `/`."""

    def write(r: Any, s: Any) -> str:
        return "/".join(make(p).write(r, s) for p in range(s.seats))

    def read(r: Any, s: Any, text: str) -> None:
        parts = text.split("/")
        if len(parts) != s.seats:
            raise ValueError(f"what lies there for each of {s.seats} seats, joined by /")
        for p, part in enumerate(parts):
            make(p).read(r, s, part)

    return Codec(write, read)
