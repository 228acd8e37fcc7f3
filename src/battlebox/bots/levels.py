"""The bots by name: each level thinks about ten times as long as the one before."""

from __future__ import annotations

from typing import Any, Protocol

from ..core.errors import RulesetError
from ..core.game import Ruleset
from ..core.table import nearest
from .chance import RandomBot
from .search import SearchBot

#: simulations a decision; `random` does not think at all
LEVELS: dict[str, int] = {"random": 0, "easy": 20, "medium": 400, "hard": 10_000}
MOST = 1_000_000  # simulations a decision: their nodes fill 64 MB


class Bot(Protocol):
    """A program on a seat."""

    def choose(self, observation: Any) -> int:
        """The number of a legal action of the seat to act, whose observation this is."""

    def warm(self) -> None:
        """Compiles what the first choice would compile."""


def simulations(word: str) -> int:
    """How many simulations a decision the bot of this word makes; 0: it draws lots.

    Errors: RulesetError for a word that names none.
    """
    kind, colon, budget = str(word).partition(":")  # whatever a caller gave
    if kind != "search" or not colon:
        if word not in LEVELS:
            raise RulesetError(f"no bot {word!r}{nearest(word, [*LEVELS, 'search:N'])}")
        return LEVELS[word]
    number = int(budget) if budget.isascii() and budget.isdecimal() and len(budget) < 9 else 0
    if not 1 <= number <= MOST:
        raise RulesetError(f"no bot {word!r}: search:N makes N = 1 .. {MOST} simulations")
    return number


def bot(word: str, rules: Ruleset, *, seed: int = 0) -> Bot:
    """A bot by its word: a level (random, easy, medium, hard), or a search with so many simulations
    a decision, as in search:800.

    The same seed, and the same observations in the same order, give the same choices.
    Errors: RulesetError for a word that names none.
    """
    number = simulations(word)
    return SearchBot(rules, number, seed) if number else RandomBot(rules, seed)
