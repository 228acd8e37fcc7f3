"""Variants of a ruleset side by side, on the same deals, until it is certain how they differ."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ...core.errors import RulesetError
from ...core.game import Ruleset
from ..proof import Estimate, anytime_interval, estimate
from ..run import Progress, looks
from ..workers import processes
from .findings import begins, by_deal, drawn, first_scores
from .study import AS_IT_IS, Job, Series, Study, make_ready, play
from .witness import Seen

MOST = 2000  # deals


@dataclass(frozen=True)
class Comparison:
    """What the same deals gave in each variant; the first is the ruleset as it is. `until`: the
    margin at which a difference is known well enough.
    """

    study: Study
    seen: Mapping[str, list[Seen]]
    until: float

    @property
    def pace(self) -> str:
        """What a match's length is counted in; empty if the game does not say."""
        return self.study.pace

    @property
    def begins(self) -> bool:
        """Somebody has the first turn, and not always the same seat."""
        return begins(self.seen[AS_IT_IS])

    def first(self, name: str) -> Estimate:
        """The score of who has the first turn, or else of seat 0; it holds at any look."""
        score = by_deal(first_scores(self.seen[name]))
        return Estimate(float(np.mean(score)), *anytime_interval(score, self.until))

    def difference(self, name: str) -> Estimate:
        """How much more that is than in the ruleset as it is; it holds at any look."""
        new, old = (by_deal(first_scores(self.seen[n])) for n in (name, AS_IT_IS))
        low, high = anytime_interval((1 + new - old) / 2, self.until / 2)
        return Estimate(float(np.mean(new - old)), 2 * low - 1, 2 * high - 1)

    def turns(self, name: str) -> Estimate:
        """How many turns a match has."""
        return estimate(by_deal(x.turns for x in self.seen[name]))

    def decisions(self, name: str) -> Estimate:
        """How many decisions a match has."""
        return estimate(by_deal(x.result.decisions for x in self.seen[name]))

    def draws(self, name: str) -> Estimate:
        """The share of matches that nobody won; it holds at any look."""
        each = by_deal(drawn(x) for x in self.seen[name])
        return Estimate(float(np.mean(each)), *anytime_interval(each, self.until))

    def known(self, name: str) -> bool:
        """The difference is certain to be one, or known within the margin."""
        found = self.difference(name)
        return not found.low <= 0 <= found.high or found.high - found.low <= 2 * self.until

    @cached_property
    def certain(self) -> bool:
        """All differences are known."""
        return all(self.known(name) for name in self.seen if name != AS_IT_IS)


def compare(
    study: Study,
    variants: Mapping[str, Ruleset],
    *,
    until: float = 0.05,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Plays the ruleset of a study and these variants of it, the study's bots against themselves,
    till all differences are known; `study.matches` of each at most, usually 4000.

    Errors: RulesetError for a margin that is none.
    """
    if not 0 < until < 0.5:
        raise RulesetError(f"until = {until}: a margin between 0 and 0.5")
    every = {AS_IT_IS: study.rules, **variants}
    for rules in every.values():
        make_ready(rules, study.bots)
    most = (study.matches or 2 * MOST) // 2
    plans = {name: study.plan(study.bots, rules=rules) for name, rules in every.items()}
    series = {name: Series(plan, 0, 2 * most) for name, plan in plans.items()}
    found = Comparison(study, {name: [] for name in series}, until)
    with processes(partial(play, series), workers or os.cpu_count() or 1) as playing:
        for deals in looks(most):
            found = _played_on(found, playing, deals, progress or (lambda done, expected: None))
            if found.certain:
                break
    return found


def _played_on(
    found: Comparison,
    playing: Callable[[Iterable[Job]], Iterator[tuple[Job, Seen]]],
    deals: int,
    report: Progress,
) -> Comparison:
    """The same, after so many deals of each variant."""
    before = sum(map(len, found.seen.values()))
    jobs = [(name, k) for name, seen in found.seen.items() for k in range(len(seen), 2 * deals)]
    new: dict[Job, Seen] = {}
    for job, x in playing(jobs):
        new[job] = x
        report(before + len(new), None)
    seen = {
        name: [*old, *(new[name, k] for k in range(len(old), 2 * deals))]
        for name, old in found.seen.items()
    }
    return replace(found, seen=seen)
