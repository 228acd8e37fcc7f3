"""Variants of a ruleset side by side, on the same deals, until it is certain how they differ."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import RulesetError
from ...core.game import Ruleset
from ..intervals import Estimate, Z, anytime_interval, estimate
from ..journal import Journal
from ..run import Progress, looks
from ..workers import processes
from .findings import (
    APART,
    begins,
    by_deal,
    counted,
    drawn,
    first_scores,
    hands_dealt,
    hands_played,
    least_squares,
    scores,
)
from .parameters import named, slug
from .recorder import MatchStats, first_hands, uses
from .study import AS_IT_IS, Job, Series, Study, lines_of, make_ready, play

MOST = 2000  # deals
CARDED = 80_000  # decisions of each variant at least, where it is asked about cards
REPEATS = 200  # of the bootstrap
Array = Any


class CardChange(NamedTuple):
    """What a card is in a variant, and by how much that differs from the ruleset as it is."""

    name: str
    what: str  # "used", "wins" or "worth"
    now: Estimate | None  # None: there were too few deals, or it never came up
    change: Estimate | None  # also None for the ruleset as it is


@dataclass(frozen=True)
class Comparison:
    """What the same deals gave in each variant; the first is the ruleset as it is. `until`: the
    margin at which a difference is known well enough.
    """

    study: Study
    seen: Mapping[str, list[MatchStats]]
    until: float
    cards: frozenset[str] = frozenset()  # what is asked about, as `named` calls cards
    same: frozenset[str] = frozenset()  # variants that are the ruleset as it is

    @property
    def length_unit(self) -> str:
        """What a match's length is counted in; empty if the game does not say."""
        return self.study.length_unit

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
        if name in self.same:
            return True
        found = self.difference(name)
        return not found.low <= 0 <= found.high or found.high - found.low <= 2 * self.until

    @cached_property
    def certain(self) -> bool:
        """All differences are known, and there is enough to say something of the cards."""
        enough = len(self.seen[AS_IT_IS]) >= 2 * self.wanted
        return enough and all(self.known(name) for name in self.seen if name != AS_IT_IS)

    # ---- the cards that are asked about ----
    @property
    def wanted(self) -> int:
        """How many deals there are to be at least: a number that does not depend on who wins."""
        if not self.cards:
            return 0
        length = mean(x.result.decisions for x in self.seen[AS_IT_IS])
        return min(MOST, max(APART * len(self.codes), round(CARDED / length / 2)))

    @cached_property
    def codes(self) -> dict[str, str]:
        """The names of all cards that came up, by their codes."""
        found: dict[str, str] = {}
        for seen in self.seen.values():
            for x in seen:
                found.update(x.names)
        return dict(sorted(found.items()))

    @cached_property
    def asked(self) -> list[str]:
        """The codes of the cards that are asked about; of pieces, whose names end with their codes,
        all that are alike.
        """
        called = {c: {c, slug(name), slug(name.removesuffix(c))} for c, name in self.codes.items()}
        return [c for c in self.codes if called[c] & self.cards]

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """What is measured of these cards; of pieces, which nobody is dealt, no worth."""
        dealt = any(any(x.dealt) for seen in self.seen.values() for x in seen)
        return ("used", "wins", "worth") if dealt else ("used", "wins")

    @cached_property
    def changes(self) -> dict[str, list[CardChange]]:
        """Of each variant, all that is known of these cards. Intervals are those of weighing deals
        anew, the same in both variants, as if the number of deals had been fixed before.
        """
        return {
            name: [self._change(name, code, what) for code in self.asked for what in self.measures]
            for name in self.seen
        }

    def _change(self, name: str, code: str, what: str) -> CardChange:
        now, was = self._measured(name, code, what), self._measured(AS_IT_IS, code, what)
        other = None if name == AS_IT_IS else _about(now - was)
        return CardChange(self.codes[code], what, _about(now), other)

    def _measured(self, name: str, code: str, what: str) -> Array:
        """[1 + REPEATS]: the measure, and what it is if deals weigh otherwise."""
        if what == "worth":
            return self._worths[name][:, list(self.codes).index(code)]
        seen, weights = self.seen[name], self._weights
        used = counted([code], seen, hands_played)[..., 0]
        if what == "used":
            return weights @ by_deal(used.sum(axis=1)) / weights.sum(axis=1)
        has = by_deal((used > 0).sum(axis=1))
        won = by_deal(((used > 0) * scores(seen)).sum(axis=1))
        return _divided(weights @ won, weights @ has)

    @cached_property
    def _weights(self) -> Array:
        """[1 + REPEATS, deals]: how much each deal weighs; first all alike."""
        deals = len(self.seen[AS_IT_IS]) // 2
        lots = np.random.default_rng(0).exponential(size=(REPEATS, deals))
        return np.concatenate([np.ones((1, deals)), lots])

    @cached_property
    def _worths(self) -> dict[str, Array]:
        """[1 + REPEATS, codes] of each variant: what one more in the first hand is worth; of a card
        that nobody was dealt, or of too few deals, not a number.
        """
        out = {}
        for name, seen in self.seen.items():
            counts = by_deal(counted(list(self.codes), seen, hands_dealt))
            known = counts.any(axis=(0, 1)) & (len(counts) >= APART * len(self.codes))
            out[name] = np.full((len(self._weights), len(self.codes)), np.nan)
            if known.any():
                each = [least_squares(counts, by_deal(scores(seen)), w)[0] for w in self._weights]
                out[name][:, known] = np.array(each)[:, known]
        return out


def compare(
    study: Study,
    variants: Mapping[str, Ruleset],
    *,
    until: float = 0.05,
    paths: Collection[str] = (),
    workers: int | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Plays the ruleset of a study and these variants of it, the study's bots against themselves,
    till all differences are known; `study.matches` of each at most, usually 4000.

    paths: of the numbers that differ; what is found of the cards whose numbers they are is in
    `changes`. workers, out, progress: as `measure` has them.
    Errors: RulesetError for a margin that is none, as well as those of `measure`.
    """
    if not 0 < until < 0.5:
        raise RulesetError(f"until = {until}: a margin between 0 and 0.5")
    every = {AS_IT_IS: study.rules, **variants}
    asked = frozenset(name for path in paths for name in named(study.rules, path))
    same = frozenset(n for n, rules in variants.items() if rules.digest == study.rules.digest)
    found = Comparison(study, {name: [] for name in every}, until, asked, same)
    most = (study.matches or 2 * MOST) // 2
    plans = {name: study.plan(study.bots, rules=rules) for name, rules in every.items()}
    look = (uses, first_hands) if asked else ()
    series = {name: Series(plan, 0, 2 * most, look) for name, plan in plans.items()}
    report = progress or (lambda done, expected: None)
    with Journal(lines_of(study, (study.bots, study.bots), variants), out) as journal:
        report(0, None)
        for rules in every.values():
            make_ready(rules, study.bots)
        with processes(partial(play, series), workers or os.cpu_count() or 1) as playing:
            for deals in looks(most):
                found = _played_on(found, journal, playing, deals, report)
                if found.certain:
                    break
    return found


def _played_on(
    found: Comparison,
    journal: Journal[Job, MatchStats],
    playing: Callable[[Iterable[Job]], Iterator[tuple[Job, MatchStats]]],
    deals: int,
    report: Progress,
) -> Comparison:
    """The same, after so many deals of each variant."""
    sources = {name: AS_IT_IS if name in found.same else name for name in found.seen}
    jobs = [(name, k) for name in dict.fromkeys(sources.values()) for k in range(2 * deals)]
    left = [job for job in jobs if job not in journal.results]
    count = len(jobs) - len(left)
    report(count, None)
    for job, seen in playing(left):
        journal.add(job, seen)
        count += 1
        report(count, None)
    every = {
        name: [journal.results[source, k] for k in range(2 * deals)]
        for name, source in sources.items()
    }
    return replace(found, seen=every)


def _about(values: Array) -> Estimate | None:
    """The first of these, and how far the others lie apart; None if it could not be measured."""
    if not np.all(np.isfinite(values)):
        return None
    spread = Z * float(np.std(values[1:], ddof=1))
    return Estimate(float(values[0]), float(values[0]) - spread, float(values[0]) + spread)


def _divided(a: Array, b: Array) -> Array:
    """a / b, and not a number where b is 0."""
    return np.divide(a, b, out=np.full_like(a, np.nan), where=b > 0)
