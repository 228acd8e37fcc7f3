"""What `hard` would do in a person's place, who plays against bots alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..bots import LEVELS
from ..bots.search import SearchBot
from ..core.game import Ruleset

LEVEL = "hard"
MOST = 3  # choices that a hint tells of


class Option(NamedTuple):
    """A choice, and what the seat may expect of it: -1 .. 1."""

    action: int
    value: float


def think(rules: Ruleset, observation: Any) -> list[Option]:
    """What `hard` would choose first of all, then what it liked next. It knows what the seat knows,
    and the same observation gives the same hint.
    """
    weighed = SearchBot(rules, LEVELS[LEVEL]).weigh(observation)
    liked = sorted((a for a in weighed if weighed[a].visits), key=lambda a: -weighed[a].visits)
    return [Option(a, weighed[a].value) for a in liked[:MOST]]
