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


class Bot(Protocol):
    """A program on a seat."""

    def choose(self, observation: Any) -> int:
        """The number of a legal action of the seat to act, whose observation this is."""

    def warm(self) -> None:
        """Compiles what the first choice would compile."""


def bot(level: str, rules: Ruleset, *, seed: int = 0) -> Bot:
    """A bot of a level: random, easy, medium, hard.

    The same seed, and the same observations in the same order, give the same choices.
    Errors: RulesetError for an unknown level.
    """
    if level not in LEVELS:
        raise RulesetError(f"no bot {level!r}{nearest(level, LEVELS)}")
    simulations = LEVELS[level]
    return SearchBot(rules, simulations, seed) if simulations else RandomBot(rules, seed)
