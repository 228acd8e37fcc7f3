"""Words of actions: forms such as `{card}>{seat}`, whose parts are the parameters of a move."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .codes import code, is_seat, member
from .rules import Move


@dataclass(frozen=True)
class WordPart:
    """How a parameter of a move is written within a word.

    pattern: a regular expression of what it may look like, without groups. Both functions get the
    ruleset, the state, and a value or its text; `read` raises ValueError for what is none.
    stable: all it needs of the state is who plays, and the seat to act.
    """

    pattern: str
    write: Callable[[Any, Any, int], str]
    read: Callable[[Any, Any, str], int]
    stable: bool = True


def usual_part(domain: Any) -> WordPart:
    """A member of a domain by its code; a seat by its number."""

    def read(r: Any, s: Any, text: str) -> int:
        found = member(r, domain, text)
        if is_seat(domain) and found >= s.seats:
            raise ValueError(f"there is no seat {found}; seats are 0 .. {s.seats - 1}")
        return found

    return WordPart("[^>:]+", lambda r, s, x: code(r, domain, x), read)


def seat_ahead(first: int, myself: str = "") -> WordPart:
    """A seat, counted from the one to act to its left: 0 is the `first` one there.

    myself: why it cannot be the one to act.
    """

    def read(r: Any, s: Any, text: str) -> int:
        if int(text) >= s.seats:
            raise ValueError(f"there is no seat {text}; seats are 0 .. {s.seats - 1}")
        ahead = int((int(text) - s.to_act) % s.seats)
        if ahead < first:
            raise ValueError(myself)
        return ahead - first

    return WordPart(r"\d", lambda r, s, x: str((s.to_act + first + x) % s.seats), read)


def card_part(domain: Any, first: int, last: int, wrong: str, pattern: str) -> WordPart:
    """A kind of card of a domain, from `first` to before `last`, counted from `first`.

    wrong: what is said of another, with `{}` for it.
    """

    def read(r: Any, s: Any, text: str) -> int:
        card = member(r, domain, text)
        if not first <= card < last:
            raise ValueError(wrong.format(text))
        return card - first

    return WordPart(pattern, lambda r, s, x: code(r, domain, first + x), read)


def number_part(low: int, high: int, wrong: str) -> WordPart:
    """A number from `low` on. wrong: what is said of another, with `{}` for it."""

    def read(r: Any, s: Any, text: str) -> int:
        if not low <= int(text) <= high:
            raise ValueError(wrong.format(text))
        return int(text) - low

    return WordPart(r"\d{1,2}", lambda r, s, x: str(low + x), read)


class Form:
    """A text with `{parameter}` for each parameter of a move: how its actions are written."""

    def __init__(self, text: str, move: Move, parts: Mapping[Any, WordPart]) -> None:
        self.text, self.move = text, move
        self.head = re.split("[^A-Za-z0-9-]", text)[0]
        self.names: list[str] = re.findall(r"\{(\w+)\}", text)
        found = [parts.get(d) or usual_part(d) for d in move.domains]
        self.parts = [found[move.parameters.index(name)] for name in self.names]
        self.stable = all(part.stable for part in self.parts)
        pieces = re.split(r"\{\w+\}", text)
        between = [f"({part.pattern})" for part in self.parts] + [""]
        self.pattern = re.compile(
            "".join(re.escape(x) + y for x, y in zip(pieces, between, strict=True))
        )

    @property
    def shown(self) -> str:
        """How people are told of it: `look>SEAT`."""
        domains = dict(zip(self.move.parameters, self.move.domains, strict=True))
        return re.sub(r"\{(\w+)\}", lambda x: str(domains[x[1]].__name__).upper(), self.text)

    def write(self, r: Any, s: Any, action: int) -> str:
        """The word of an action of this move."""
        values = dict(zip(self.move.parameters, self.move.values(action), strict=True))
        texts = {
            name: part.write(r, s, values[name])
            for name, part in zip(self.names, self.parts, strict=True)
        }
        return self.text.format(**texts)

    def read(self, r: Any, s: Any, word: str) -> int | None:
        """The number of a word of this form; None if it is not of this form.

        Errors: ValueError says what is wrong with a part of it.
        """
        if not (found := self.pattern.fullmatch(word)):
            return None
        values = {
            name: part.read(r, s, text)
            for name, part, text in zip(self.names, self.parts, found.groups(), strict=True)
        }
        return self.move.number(*(values[name] for name in self.move.parameters))


def usual_form(move: Move) -> str:
    """`guard>{seat}:{card}`: its name, then a seat after `>`, all else after `:`."""
    name = move.name.strip("_").replace("_", "-")
    signs = [">" if is_seat(d) else ":" for d in move.domains]
    return name + "".join(f"{sign}{{{x}}}" for sign, x in zip(signs, move.parameters, strict=True))
