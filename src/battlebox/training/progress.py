"""How a run stands: what it says after each update, and how strong the policy is by then."""

from __future__ import annotations

import math
import time

import numpy as np
from pydantic import BaseModel, ConfigDict

from ..arena.intervals import share
from ..bots import PolicyBot, PolicyFile, bot
from ..bots.policy import Inputs
from ..core.game import Ruleset
from .learning import Lesson

ABREAST = 20  # matches at a time
HALF = 0.5


class Rating(BaseModel):
    """A share of matches against a bot, with its 95 % interval. equal: what its equal would have,
    which is less than half where more than two play.
    """

    model_config = ConfigDict(frozen=True)

    against: str
    matches: int
    share: float
    low: float
    high: float
    equal: float

    def __str__(self) -> str:
        said = f"{self.share:.0%} ({self.low:.0%} .. {self.high:.0%}) against {self.against}"
        return said if self.equal == HALF else f"{said} (an equal: {self.equal:.0%})"


class Note(BaseModel):
    """How a run stands after an update."""

    model_config = ConfigDict(frozen=True)

    update: int
    decisions: int
    seconds: float  # that it has taken so far, without pauses
    lesson: Lesson
    ratings: tuple[Rating, ...] = ()


def rate(
    file: PolicyFile, rules: Ruleset, word: str, matches: int, seed: int, seconds: float = math.inf
) -> Rating:
    """A policy's share of matches against bots, on a seat by lot, twenty side by side; fewer
    matches, where they take longer than so many seconds.
    """
    mine, others = PolicyBot(Inputs(rules), file.layers, seed), bot(word, rules, seed=seed)
    shares, every, until = np.empty(0), np.empty(0), time.monotonic() + seconds
    for first in range(0, matches, ABREAST):
        n = min(ABREAST, matches - first)
        batch = rules.compiled().batch(n, seed + first, autoreset="off", opponents=others)
        found, seats = np.full(n, np.nan), batch.mine.astype(bool)
        while np.isnan(found).any():
            batch.step(mine(batch.observation, batch.mask))
            ended = batch.terminated & np.isnan(found)  # in this step: they stay so
            found[ended] = (1 + batch.returns[seats][ended]) / 2
            every = np.append(every, (1 + batch.returns[ended]) / 2)
        shares = np.append(shares, found)
        if time.monotonic() > until:
            break
    known = share(shares)
    return Rating(
        against=word,
        matches=len(shares),
        share=known.value,
        low=known.low,
        high=known.high,
        equal=round(float(every.mean()), 3),
    )
