"""What sentences about any game are made of: seats as subjects, lists, numbers of things; what is
said of a choice's consequences.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

PERCENT = "\u00a0%"  # no line ends before it


def opening(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def plural(n: int, thing: str) -> str:
    """ "1 step", "2 steps"."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def cards(n: int) -> str:
    """ "1 card", "2 cards"."""
    return plural(n, "card")


@lru_cache(4096)
def percent(p: Fraction | float, *, sure: bool = True) -> str:
    """ "62 %"; what is possible is never "0 %", and what is not certain never "100 %".

    sure: that 0 and 1 are known to be so, and not only estimated.
    """
    if p < Fraction(1, 200) and (p or not sure):
        return f"under 1{PERCENT}"
    if p > Fraction(199, 200) and (p != 1 or not sure):
        return f"over 99{PERCENT}"
    return f"{round(100 * p)}{PERCENT}"


def points(p: Fraction | float) -> str:
    """ "+6 points", "−1 point": by how much a chance moved, in hundredths."""
    n = round(100 * p)
    sign = "+" if n > 0 else "−" if n < 0 else ""
    return f"{sign}{plural(abs(n), 'point')}".replace(" ", "\u00a0")


def listed(things: Sequence[str], word: str = "and") -> str:
    """ "A", "A and B", "A, B and C"."""
    return f" {word} ".join([", ".join(things[:-1]), things[-1]] if len(things) > 1 else things)


def either(things: Sequence[str]) -> str:
    """ "A", "A or B", "A, B or C"."""
    return listed(things, "or")


class Saying:
    """One event of a game (what a game's `say` is given), and how to speak of its seats.

    A game's own has a method for each of its events, called as the event is in small letters, that
    gives the sentence, or "" for what goes without saying.
    """

    def __init__(self, r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> None:
        self.r, self.told, self.viewer, self.x, self.names = r, told, viewer, told.args, names
        self.p = int(told.args["seat"])

    def text(self) -> str:
        """The sentence."""
        return str(getattr(self, str(self.told.event.name).lower())())

    def seat(self, p: int) -> str:
        """A seat within a sentence: "you", or its name."""
        return "you" if p == self.viewer else self.names[p]

    def whose(self, p: int) -> str:
        """What is a seat's: "your", "Ada's"."""
        return "your" if p == self.viewer else f"{self.names[p]}'s"

    @property
    def own(self) -> str:
        """What is the event's seat's, after it was named: "your", "their"."""
        return "your" if self.p == self.viewer else "their"

    def name(self, card: int | None) -> str:
        """The name of a kind of card of the deck; "a card" for one that is not told."""
        return "a card" if card is None else str(self.r.names.cards[card].name)

    def owned(self, what: str) -> str:
        """A thing of the event's seat as the subject: "Your deck", "Ada's deck"."""
        return f"{opening(self.whose(self.p))} {what}"

    def unsaid(self) -> str:
        """What goes without saying."""
        return ""

    def does(self, verb: str, others: str = "") -> str:
        """The event's seat as the subject: "You draw", "Ada draws" (`others`, if given)."""
        verb = verb if self.p == self.viewer else others or verb + "s"
        return f"{opening(self.seat(self.p))} {verb}"


# ---- what a choice leads to ----------------------------------------------------------------------
class Consequence(NamedTuple):
    """Something that a choice may lead to, as a number: the more of it, the better for the seat.

    It is spoken of where two choices differ in it. In the words `{n}` is by how much, and `{s}` the
    ending of what so many are of. Of what is 0 or 1 each time (or 0 or -1), so that its mean is a
    chance, `{a}` and `{b}` are the chances with the one and with the other, `{d}` is how far they
    are apart.
    """

    more: str  # "{n} more damage done": said of the choice that leads to more of it,
    less: str  # "{n} less damage done": and of the one that leads to less
    weight: float = 1.0  # what one of it is worth beside the others; 0.25 in all is worth a word


class Consequences(NamedTuple):
    """What a game's hook `consequences` tells of a choice: a number for each."""

    when: str  # as it stands "at the end of the turn"
    each: tuple[Consequence, ...]
