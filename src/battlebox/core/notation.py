"""The notation that a game has without writing one: words, positions and facts from its marks.

Words are moves with their parameters: `fold`, `bid:5`, `guard>1:baron`; a seat stands after `>`,
all else after `:`. Positions: `kuhn_poker n=2 phase=PLAY hand=queen/jack paid=1.1`: the fields of
the state by name, in any order; what is blank may be left out. Lists are joined by `.`, what is of
different seats by `/`; `-` is empty.

A game's notation.py replaces what it has of its own, function by function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .errors import InvalidWord, PositionError
from .keys import read_keys, take_number
from .places import Place, places_of
from .rules import Move
from .state import COVERED, Form, StateRecord, kinds_of
from .table import nearest

EMPTY = "-"  # a list of nothing, a slot with nothing in it
HIDDEN = "?"  # a slot with something that the viewer may not see
SEAT = "Seat"  # the name of a domain of seats


# ---- what the members of a domain are called ----------------------------------------------------
def is_seat(domain: Any) -> bool:
    """It is a domain of seats."""
    return bool(domain.__name__ == SEAT)


def code(r: Any, domain: Any, i: int) -> str:
    """A member of a domain in the notation: its name in small letters, or its number.

    Of a domain called Card in a game with a deck it is the code of the card there.
    """
    if (deck := deck_of(r, domain)) is not None:
        return str(deck[i].code)
    if hasattr(domain, "__members__"):
        return str(domain(i).name).lower()
    return str(i + domain.first)


def title(r: Any, domain: Any, i: int) -> str:
    """The same for people: "Queen", "5"."""
    if (deck := deck_of(r, domain)) is not None:
        return str(deck[i].name)
    text = code(r, domain, i).replace("_", " ")
    return text[:1].upper() + text[1:]


def deck_of(r: Any, domain: Any) -> Sequence[Any] | None:
    """The entries of the ruleset's deck, if the domain is of its cards."""
    cards = getattr(r.names, "cards", None)
    return cards if cards is not None and domain.__name__ == "Card" else None


def member(r: Any, domain: Any, text: str) -> int:
    """The number of a member by its code. ValueError says which there are."""
    known = [code(r, domain, i) for i in range(kinds_of(domain))]
    if text in known:
        return known.index(text)
    listed = f": {', '.join(known)}" if len(known) <= 20 else ""
    raise ValueError(f"no {domain.__name__.lower()} {text!r}{nearest(text, known) or listed}")


# ---- one field as text, and back ----------------------------------------------------------------
@dataclass(frozen=True)
class Codec:
    """How one part of a state is written, and read again into a blank one."""

    write: Callable[[Any, Any], str]  # (ruleset, state or observation)
    read: Callable[[Any, Any, str], None]  # (ruleset, state, text), or ValueError


def number_codec(name: str, domain: Any = None) -> Codec:
    """A field that is one number; of an IntEnum its name."""
    if domain is not None:
        return Codec(
            lambda r, s: str(domain(getattr(s, name)).name),
            lambda r, s, text: setattr(s, name, int(_enum(domain, text))),
        )
    return Codec(
        lambda r, s: str(getattr(s, name)),
        lambda r, s, text: setattr(s, name, _number(text)),
    )


def _enum(domain: Any, text: str) -> Any:
    if text not in domain.__members__:
        raise ValueError(f"one of {', '.join(domain.__members__)}")
    return domain[text]


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,10}", text):
        raise ValueError("a number")
    return int(text)


def seats_codec(name: str) -> Codec:
    """A row with a number for each seat, joined by `.`."""

    def write(r: Any, s: Any) -> str:
        return ".".join(str(getattr(s, name)[p]) for p in range(s.seats))

    def read(r: Any, s: Any, text: str) -> None:
        found = text.split(".")
        if len(found) != s.seats:
            raise ValueError(f"a number for each of {s.seats} seats, joined by .")
        for p, x in enumerate(found):
            getattr(s, name)[p] = _number(x)

    return Codec(write, read)


def row_codec(name: str, shape: tuple[int, ...]) -> Codec:
    """A field of numbers, joined by `.`, rows by `/`."""

    def write(r: Any, s: Any) -> str:
        field = getattr(s, name)
        if len(shape) == 1:
            return ".".join(str(field[i]) for i in range(shape[0]))
        return "/".join(
            ".".join(str(field[i, j]) for j in range(shape[1])) for i in range(shape[0])
        )

    def read(r: Any, s: Any, text: str) -> None:
        found = [[_number(x) for x in row.split(".")] for row in text.split("/")]
        wanted = shape if len(shape) == 2 else (1, *shape)
        if (len(found), *{len(row) for row in found}) != wanted:
            raise ValueError(f"{' by '.join(map(str, shape))} numbers, joined by . (and rows by /)")
        for i, row in enumerate(found):
            for j, x in enumerate(row):
                getattr(s, name)[(j,)[0] if len(shape) == 1 else (i, j)] = x

    return Codec(write, read)


def knowledge_codec(name: str, shape: tuple[int, ...]) -> Codec:
    """Who knows which cells of a place: `0@8.2@7`, seat 0 the one of number 8."""

    def write(r: Any, s: Any) -> str:
        field = getattr(s, name)
        found = [f"{p}@{i}" for p in range(shape[0]) for i in range(shape[1]) if field[p, i]]
        return ".".join(found) or EMPTY

    def read(r: Any, s: Any, text: str) -> None:
        for x in items(text):
            if not (parts := re.fullmatch(r"(\d{1,3})@(\d{1,3})", x)) or int(parts[1]) >= s.seats:
                raise ValueError("a seat @ the number of the cell that it knows, joined by .")
            getattr(s, name)[int(parts[1]), int(parts[2])] = 1

    return Codec(write, read)


def place_codec(place: Place) -> Codec:
    """What lies in a place, by the codes of its domain; for each seat, joined by `/`."""
    write_one, read_one = _FORMS[place.holds.form]

    def write(r: Any, s: Any) -> str:
        n = s.seats if place.holds.each else 1
        return "/".join(write_one(r, s, place, p) for p in range(n))

    def read(r: Any, s: Any, text: str) -> None:
        n = s.seats if place.holds.each else 1
        parts = text.split("/")
        if len(parts) != n:
            raise ValueError(f"what lies there for each of {n} seats, joined by /")
        for p, part in enumerate(parts):
            read_one(r, s, place, p, part)

    return Codec(write, read)


def items(text: str) -> list[str]:
    """The members of a list: `queen.jack`, `-` for none."""
    return [] if text in (EMPTY, "") else text.split(".")


def _at(place: Place, p: int, i: int | None) -> Any:
    """The index of a cell; None: the field is a single number."""
    index = ([p] if place.holds.each else []) + ([] if i is None else [i])
    return index[0] if len(index) == 1 else tuple(index) if index else None


def _get(s: Any, place: Place, p: int, i: int | None = None) -> int:
    field, at = getattr(s, place.name), _at(place, p, i)
    return int(field if at is None else field[at])


def _set(s: Any, place: Place, p: int, i: int | None, value: int) -> None:
    at = _at(place, p, i)
    if at is None:
        setattr(s, place.name, value)
    else:
        getattr(s, place.name)[at] = value


def _size(s: Any, place: Place, p: int) -> int:
    field = getattr(s, place.size)
    return int(field[p] if place.holds.each else field)


def _has_size(s: Any, place: Place) -> bool:
    return hasattr(s, place.size)


def _set_size(s: Any, place: Place, p: int, n: int) -> None:
    if not _has_size(s, place):
        return
    if place.holds.each:
        getattr(s, place.size)[p] = n
    else:
        setattr(s, place.size, n)


def _write_counts(r: Any, s: Any, place: Place, p: int) -> str:
    of = place.holds.of
    found = [code(r, of, k) for k in range(place.holds.kinds) for _ in range(_get(s, place, p, k))]
    return ".".join(found) or EMPTY


def _read_counts(r: Any, s: Any, place: Place, p: int, text: str) -> None:
    found = [member(r, place.holds.of, x) for x in items(text)]
    for k in found:
        _set(s, place, p, k, _get(s, place, p, k) + 1)
    _set_size(s, place, p, len(found))


def _write_slots(r: Any, s: Any, place: Place, p: int) -> str:
    cells: Sequence[int | None] = range(place.cells) if place.cells else [None]
    return ".".join(_slot(r, place, _get(s, place, p, i)) for i in cells)


def _slot(r: Any, place: Place, value: int) -> str:
    if value in (0, COVERED):
        return HIDDEN if value else EMPTY
    return code(r, place.holds.of, value - 1)


def _read_slots(r: Any, s: Any, place: Place, p: int, text: str) -> None:
    parts = text.split(".")
    cells: list[int | None] = [*range(place.cells)] if place.cells else [None]
    if len(parts) != len(cells):
        raise ValueError(f"{len(cells)} places, joined by ., with {EMPTY} for an empty one")
    for i, x in zip(cells, parts, strict=True):
        _set(s, place, p, i, 0 if x == EMPTY else 1 + member(r, place.holds.of, x))


def _write_pile(r: Any, s: Any, place: Place, p: int) -> str:
    of = place.holds.of
    found = [code(r, of, _get(s, place, p, i)) for i in range(_size(s, place, p))]
    return ".".join(found) or EMPTY


def _read_pile(r: Any, s: Any, place: Place, p: int, text: str) -> None:
    found = [member(r, place.holds.of, x) for x in items(text)]
    if len(found) > place.cells:
        raise ValueError(f"{place.cells} at most")
    for i, k in enumerate(found):
        _set(s, place, p, i, k)
    _set_size(s, place, p, len(found))


_FORMS: dict[Form, tuple[Callable[..., str], Callable[..., None]]] = {
    Form.COUNTS: (_write_counts, _read_counts),
    Form.SLOTS: (_write_slots, _read_slots),
    Form.PILE: (_write_pile, _read_pile),
}


def codecs_of(record: type[StateRecord], phase: Any, seats: int) -> dict[str, Codec]:
    """A codec for each field of a state that a position says, by its name.

    seats: how many may play; a row of so many numbers is one for each seat.
    """
    places = {x.name: x for x in places_of(record)}
    own = set(StateRecord.layout.names or ())
    derived = {f"{x.holds.stem}_{what}" for x in places.values() for what in ("stock", "unseen")}
    sizes = {x.size for x in places.values() if x.holds.form is not Form.SLOTS}
    out = {"phase": number_codec("phase", phase), "to_act": number_codec("to_act")}
    for name, sight in record.sight.items():
        d = record.layout[name]
        base = d.base if d.subdtype else d
        if name in own | derived | sizes or sight == "scratch" or base.names:
            continue
        if name in places:
            out[name] = place_codec(places[name])
        elif name in record.knowledge and len(d.shape) == 2:
            out[name] = knowledge_codec(name, d.shape)
        elif d.shape == (seats,):
            out[name] = seats_codec(name)
        elif len(d.shape) <= 2:
            out[name] = row_codec(name, d.shape) if d.shape else number_codec(name)
    return out


# ---- the whole ----------------------------------------------------------------------------------
class MarkedNotation:
    """The notation that follows from a game's moves and fields.

    rules: the game's rules.py. head: what its positions begin with. seats: how many may play.
    """

    def __init__(self, rules: Any, head: str, title: str, seats: int) -> None:
        self.rules, self.head, self.title, self.seats = rules, head, title, seats

    @cached_property
    def codecs(self) -> dict[str, Codec]:
        """How each field is written, by its name."""
        return codecs_of(self.rules.State, self.rules.Phase, self.seats)

    # ---- words ----
    def word(self, r: Any, s: Any, action: int) -> str:
        """The word of an action of the seat to act."""
        move = r.plain().build.move_of(action, int(s.phase))
        return move_word(r, move, move.values(action))

    def action(self, r: Any, s: Any, word: str) -> int:
        """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
        parts = re.fullmatch(r"([^>:]+)((?:[>:][^>:]+)*)", word)
        here = [m for m in r.plain().build.moves if int(s.phase) in m.phases]
        names = [_name(m) for m in here]
        if not parts or parts[1] not in names:
            known = ", ".join(_form(m) for m in here)
            raise InvalidWord(f"{word!r} is not an action now; write {known}")
        move = here[names.index(parts[1])]
        found = re.findall(r"([>:])([^>:]+)", parts[2])
        if [sign for sign, _ in found] != [_sign(d) for d in move.domains]:
            raise InvalidWord(f"{word!r}: write {_form(move)}")
        try:
            values = [
                _read_member(r, s, d, x) for d, (_, x) in zip(move.domains, found, strict=True)
            ]
        except ValueError as e:
            raise InvalidWord(f"{word!r}: {e}") from None
        return int(move.number(*values))

    def outcome(self, r: Any, word: str) -> int | list[int]:
        """A random outcome: a number, a card, or shuffle(queen.jack), the new order."""
        if parts := re.fullmatch(r"shuffle\((.*)\)", word):
            return [self._drawn(r, x) for x in items(parts[1])]
        return self._drawn(r, word)

    def _drawn(self, r: Any, text: str) -> int:
        """A number, or a member of a domain of places by its code."""
        for domain in {x.of: None for x in self.rules.State.places.values()}:
            try:
                return member(r, domain, text)
            except ValueError:
                continue
        if re.fullmatch(r"\d{1,9}", text):
            return int(text)
        raise InvalidWord(f"{text!r} is not a random outcome: write a number, or a card")

    def argument(self, r: Any, told: Any, name: str) -> str:
        """The word of an event's argument, for scenarios."""
        domain, value = domain_of_argument(self.rules, name), told.args[name]
        return str(value) if domain is None else code(r, domain, value)

    # ---- positions ----
    def items(self, value: str) -> Sequence[str]:
        """The members of a list, for comparison without order."""
        return items(value)

    def players(self, position: str) -> int:
        """How many play in this position."""
        keys = read_keys(position, self.head, self.title)
        if "n" not in keys:
            raise PositionError("position: n=, the number of players, is missing")
        return take_number(keys, "n", 1, 99, 0)

    def read(self, r: Any, s: Any, position: str) -> None:
        """Puts a position into a blank state. PositionError says what is not well formed."""
        keys, n = read_keys(position, self.head, self.title), self.players(position)
        if n != s.seats:
            raise PositionError(f"position: n={n}, but the match has {s.seats} players")
        del keys["n"]
        for key, text in keys.items():
            if key not in self.codecs:
                raise PositionError(
                    f"position: {key!r} is not a key of {self.title}{nearest(key, self.codecs)}"
                )
            try:
                self.codecs[key].read(r, s, text)
            except (ValueError, IndexError, OverflowError) as e:
                raise PositionError(f"position: {key}={text}: {e}") from None
        if not 0 <= s.to_act < n:
            raise PositionError(f"position: to_act={s.to_act}: seats are 0 .. {n - 1}")

    def write(self, r: Any, s: Any) -> str:
        """The position of a state: all that is not blank."""
        blank = self._blank(r, int(s.seats))
        said = {name: codec.write(r, s) for name, codec in self.codecs.items()}
        body = [f"{k}={x}" for k, x in said.items() if k == "phase" or x != blank[k]]
        return " ".join([self.head, f"n={s.seats}", *body])

    def _blank(self, r: Any, seats: int) -> dict[str, str]:
        """How the fields of a blank state are written."""
        build = r.plain().build
        s = build.sight(build.states())[0]
        s.seats = seats
        return {name: codec.write(r, s) for name, codec in self.codecs.items()}

    def facts(self, r: Any, s: Any) -> dict[str, str]:
        """What scenarios may expect: each field by its name, and of a seat's own row `hand0`."""
        header = StateRecord.layout.names or ()  # scenarios know whose turn it is
        out = {name: x.write(r, s) for name, x in self.codecs.items() if name not in header}
        for name, text in list(out.items()):
            parts = text.split("/")
            holds = self.rules.State.places.get(name)
            if holds is not None and holds.each and len(parts) == s.seats:
                out |= {f"{name}{p}": x for p, x in enumerate(parts)}
        for place in places_of(self.rules.State):
            if place.size in self.rules.State.layout.names:
                sizes = [_size(s, place, p) for p in range(s.seats if place.holds.each else 1)]
                out[place.size] = ".".join(map(str, sizes))
        return out


def _name(move: Move) -> str:
    """What a move is called in words: `play_guard` is `play-guard`."""
    return move.name.strip("_").replace("_", "-")


def _sign(domain: Any) -> str:
    return ">" if is_seat(domain) else ":"


def _form(move: Move) -> str:
    """How a move is written: `guard>SEAT:CARD`."""
    return _name(move) + "".join(f"{_sign(d)}{d.__name__.upper()}" for d in move.domains)


def _read_member(r: Any, s: Any, domain: Any, text: str) -> int:
    found = member(r, domain, text)
    if is_seat(domain) and found >= s.seats:
        raise ValueError(f"there is no seat {found}; seats are 0 .. {s.seats - 1}")
    return found


def move_word(r: Any, move: Move, values: Sequence[int]) -> str:
    """A move with its parameters: `guard>1:baron`."""
    return _name(move) + "".join(
        f"{_sign(d)}{code(r, d, x)}" for d, x in zip(move.domains, values, strict=True)
    )


def domain_of_argument(rules: Any, name: str) -> Any:
    """The domain of an event's argument: that of its last word, `prize_card` is a Card.

    None: it is a plain number. A seat is a number, too.
    """
    found = getattr(rules, name.rpartition("_")[2].capitalize(), None)
    return (
        found if isinstance(found, type) and issubclass(found, int) and found is not int else None
    )


class Override:
    """What a module has of its own, and for all else a default: a game replaces it piece by
    piece.
    """

    def __init__(self, module: Any, default: Any) -> None:
        self.module, self.default = module, default

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.module, name, None) or getattr(self.default, name)
