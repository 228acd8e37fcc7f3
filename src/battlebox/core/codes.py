"""What cards, seats and other members of domains are called in a notation, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .state import kinds_of
from .table import nearest

EMPTY = "-"  # a list of nothing, a slot with nothing in it
SEAT = "Seat"  # the name of a domain of seats


def is_seat(domain: Any) -> bool:
    """It is a domain of seats."""
    return bool(domain.__name__ == SEAT)


def deck_of(r: Any, domain: Any) -> Sequence[Any] | None:
    """The entries of the ruleset's deck, if the domain is of its cards."""
    cards = getattr(r.names, "cards", None)
    return cards if cards is not None and domain.__name__ == "Card" else None


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


@lru_cache(maxsize=256)
def members(r: Any, domain: Any) -> dict[str, int]:
    """The numbers of all members by their codes."""
    deck = deck_of(r, domain)
    return {code(r, domain, i): i for i in range(kinds_of(domain) if deck is None else len(deck))}


def member(r: Any, domain: Any, text: str) -> int:
    """The number of a member by its code. ValueError if there is none.

    Names may be written in capitals, as they are shown to people; codes of a deck as they are.
    """
    known = members(r, domain)
    if (found := known.get(text)) is not None:
        return found
    if deck_of(r, domain) is None and (found := known.get(text.lower())) is not None:
        return found
    if deck_of(r, domain) is not None:
        raise ValueError(f"no card has the code {text!r}")
    listed = f": {', '.join(known)}" if len(known) <= 20 else ""
    raise ValueError(f"no {domain.__name__.lower()} {text!r}{nearest(text, known) or listed}")


def spread(counts: Iterable[int]) -> list[int]:
    """What is counted by kind, one after the other: each kind as often as it is there."""
    return [kind for kind, n in enumerate(counts) if n for _ in range(n)]


@dataclass(frozen=True)
class Lists:
    """How a game writes lists: what joins their members, and what stands for one without any.

    never: characters that no list has, because they mean something else.
    """

    joint: str = "."
    empty: str = EMPTY
    never: str = ""

    def items(self, text: str) -> list[str]:
        """The members of a list."""
        if text in (self.empty, ""):
            return []
        return text.split(self.joint) if self.joint else [*text]

    def join(self, members: Iterable[object]) -> str:
        """A list of these."""
        return self.joint.join(map(str, members)) or self.empty

    def write(self, r: Any, domain: Any, kinds: Iterable[int]) -> str:
        """A list of members of a domain."""
        return self.join(code(r, domain, k) for k in kinds)

    def read(self, r: Any, domain: Any, text: str) -> list[int]:
        """Their numbers. ValueError if one is unknown."""
        if {*text} & {*self.never}:
            raise ValueError("a list of cards")
        return [member(r, domain, x) for x in self.items(text)]


DOTTED = Lists()  # A.B, or -
