"""How a run stands: what it says after each round, and how strong the policy is by then."""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel, ConfigDict

from ..arena.intervals import share
from ..bots import PolicyFile, bot
from ..core.game import Ruleset
from .learning import Lesson


class Rating(BaseModel):
    """A share of matches against a bot, with its 95 % interval. With two players, half is equal."""

    model_config = ConfigDict(frozen=True)

    against: str
    matches: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.0%} ({self.low:.0%} .. {self.high:.0%}) against {self.against}"


class Note(BaseModel):
    """How a run stands after a round."""

    model_config = ConfigDict(frozen=True)

    round: int
    decisions: int
    seconds: float  # that it has taken so far, without pauses
    lesson: Lesson
    ratings: tuple[Rating, ...] = ()


def rate(file: PolicyFile, rules: Ruleset, word: str, matches: int, seed: int) -> Rating:
    """A policy's share of matches against bots, on a seat by lot, all side by side."""
    mine, others = file.make(rules, seed), bot(word, rules, seed=seed)
    batch = rules.compiled().batch(matches, seed, autoreset="off", opponents=others)
    seats, shares = batch.mine.astype(bool), np.full(matches, np.nan)
    while np.isnan(shares).any():
        batch.step(mine(batch.observation, batch.mask))
        ended = batch.terminated
        shares[ended] = (1 + batch.returns[seats][ended]) / 2
    found = share(shares)
    return Rating(against=word, matches=matches, share=found.value, low=found.low, high=found.high)
