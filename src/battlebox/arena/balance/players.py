"""Who plays the matches of a study, if nobody says, and who judges in them: the policy that comes
with the game, which plays well and takes little time, and in most games tells more than a search
does (bench/RATINGS.md); searches where nothing was learned.
"""

from __future__ import annotations

from typing import Any, Protocol

from ...bots.levels import QUICK, BotSpec, has_quick
from ...bots.search import SearchBot, by_rounds
from ...core.game import Ruleset

CHEAP = "so-ismcts:20"  # who plays the series of which there are many: it adapts to any options
SENSIBLE = 100  # simulations of who plays where many matches are needed, and of who judges


class Appraiser(Protocol):
    """Says what is to be expected."""

    def values(self, observation: Any) -> tuple[float, ...]:
        """What each seat may expect to get, -1 .. 1, as far as the observing seat can know."""


def usual_bots(rules: Ruleset) -> str:
    """Who plays."""
    return QUICK if has_quick(rules.game) else "expert"


def thrifty(rules: Ruleset) -> str:
    """Who plays the matches that say what cards are worth."""
    return QUICK if has_quick(rules.game) else f"so-ismcts:{SENSIBLE}"


def appraiser(rules: Ruleset, seed: int) -> Appraiser:
    """Who says how a seat stands."""
    if has_quick(rules.game) and (policy := BotSpec(QUICK).policy(rules.game)):
        return policy.make(rules, seed)
    return SearchBot(rules, SENSIBLE, seed)


def appraised_by(rules: Ruleset) -> str:
    """The same in words."""
    return f"what {QUICK} expects" if has_quick(rules.game) else f"{SENSIBLE} simulations"


def appraises_rounds(rules: Ruleset) -> bool:
    """Whether what is said is of the round, not of the match."""
    return not has_quick(rules.game) and by_rounds(rules)
