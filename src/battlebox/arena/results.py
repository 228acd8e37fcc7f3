"""What a tournament gave: who was above whom, by how much, and how sure that is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..bots import AnswerStats, LanguageSpec
from .intervals import Estimate, anytime_interval, estimate, interval, share, strengths
from .plan import Plan, Result

ANCHOR = "random"  # its rating is 0, if it takes part


@lru_cache(maxsize=4096)
def above(seats: tuple[int, ...], returns: tuple[float, ...], entrants: int) -> Any:
    """[entrants, entrants]: how many seats of i ended above one of j. A match that nobody won gives
    half for each.
    """
    out = np.zeros((entrants, entrants))
    drawn = len(set(returns)) == 1
    for p, i in enumerate(seats):
        for q, j in enumerate(seats):
            if i != j:
                out[i, j] += 0.5 if drawn else returns[p] > returns[q]
    out.flags.writeable = False  # it is handed out again
    return out


@dataclass(frozen=True)
class Pair:
    """Two of the entrants, from the first one's side."""

    first: str
    second: str
    scores: tuple[float, ...]  # of each deal that says which of both is better, 0 .. 1
    matches: int  # that say it
    until: float | None = None  # the margin at which it was to end, if it was not fixed when

    @property
    def share(self) -> float:
        """How much of its matches against the second the first won."""
        return float(np.mean(self.scores))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the share; it holds at any look if looks decide when to stop."""
        if self.until is not None:
            return anytime_interval(self.scores, self.until)
        return interval(self.scores)

    @property
    def margin(self) -> float:
        """Half of the interval's width."""
        low, high = self.interval
        return (high - low) / 2

    def __str__(self) -> str:
        low, high = self.interval
        kind = "interval" if self.until is None else "interval at any look"
        return (
            f"{self.first} against {self.second}: {100 * self.share:.1f} % of {self.matches} "
            f"matches, 95 % {kind} {100 * low:.1f} .. {100 * high:.1f} %"
        )


class Rating(NamedTuple):
    """An entrant's strength in Elo points, with a 95 % interval."""

    name: str
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Reader:
    """How an entrant that reads has answered."""

    name: str
    spec: LanguageSpec
    stats: AnswerStats  # of all its matches
    illegal: Estimate  # the share of the answers of a match
    seconds: Estimate  # for a decision of a match
    cost: Estimate | None  # of a match; None: it never said


@dataclass(frozen=True)
class Results:
    """All matches of some first deals of a plan, in their order.

    `until`: the margin up to which it was to go on, which makes the intervals of shares such that
    hold at any look.
    """

    plan: Plan
    matches: tuple[Result, ...]
    until: float | None = None

    @cached_property
    def _above(self) -> Any:
        """[deals, matches of a deal, entrants, entrants]"""
        n = len(self.plan.entrants)
        each = [above(self.plan.seats(m.match), m.returns, n) for m in self.matches]
        return np.array(each).reshape(-1, self.plan.table, n, n)

    def pair(self, i: int, j: int) -> Pair:
        """Two entrants, by their numbers. What a match says of them is the share of the first among
        their seats that did not end alike; one in which all did says nothing of them.
        """
        won, lost = self._above[..., i, j], self._above[..., j, i]
        says = won + lost > 0
        share = np.divide(won, won + lost, out=np.zeros_like(won), where=says)
        count = says.sum(axis=1)
        told = count > 0
        scores = tuple((share.sum(axis=1)[told] / count[told]).tolist())
        names = self.plan.names
        return Pair(names[i], names[j], scores, int(count[told].sum()), self.until)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], Pair]:
        """Those who met, and did not always end alike, by their numbers."""
        every = combinations(range(len(self.plan.entrants)), 2)
        found = {(i, j): self.pair(i, j) for i, j in every}
        return {who: pair for who, pair in found.items() if pair.scores}

    @property
    def forfeited(self) -> Counter[str]:
        """How many matches each entrant forfeited, by its name."""
        names, plan = self.plan.names, self.plan
        lost = [m for m in self.matches if m.forfeited is not None]
        return Counter(names[plan.seats(m.match)[m.forfeited or 0]] for m in lost)

    @cached_property
    def readers(self) -> tuple[Reader, ...]:
        """The entrants that read, in the order of the plan."""
        return tuple(map(self._reader, self.plan.readers))

    def _reader(self, entrant: int) -> Reader:
        spec = self.plan.specs[entrant]
        assert isinstance(spec, LanguageSpec), "the plan says so"
        each = [self._answers(m, entrant) for m in self.matches]
        costs = [x.cost for x in each if x.cost is not None]
        return Reader(
            self.plan.names[entrant],
            spec,
            stats=sum(each, AnswerStats()),
            illegal=share([x.illegal / x.answers for x in each if x.answers]),
            seconds=estimate([x.seconds / x.decisions for x in each if x.decisions]),
            cost=estimate(costs) if costs else None,
        )

    def _answers(self, m: Result, entrant: int) -> AnswerStats:
        """How an entrant has answered in a match, on all of its seats."""
        seats = zip(self.plan.seats(m.match), m.answers, strict=False)  # none: nobody reads there
        return sum((x for who, x in seats if who == entrant and x), AnswerStats())

    @property
    def margin(self) -> float:
        """That of the least certain pair; of one that has not met a half."""
        n = len(self.plan.entrants)
        met = len(self.pairs) == n * (n - 1) // 2
        return max(p.margin for p in self.pairs.values()) if met else 0.5

    @cached_property
    def ratings(self) -> tuple[Rating, ...]:
        """Of each entrant, the strongest first; `random`, or else the first entrant, has 0.

        Bradley-Terry over seats that did not end alike, where each match weighs one.
        """
        names, entrants = self.plan.names, self.plan.entrants
        weight = self._above.sum(axis=(2, 3), keepdims=True)
        anchor = entrants.index(ANCHOR) if ANCHOR in entrants else 0
        found = strengths((self._above / weight).sum(axis=1), anchor)
        rated = [Rating(names[i], *(float(x[i]) for x in found)) for i in range(len(names))]
        return tuple(sorted(rated, key=lambda r: -r.elo))
