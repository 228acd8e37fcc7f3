"""What is best, and what a seat may expect: the judgement of hints and reviews.

An adviser is asked by observations, so it knows what a seat knows and no more.

    Searched   by searches, each as long as `champion`'s, and by what it adds to them
    Learned    by the policy that comes with the game: what is expected, by its values, which say
               what a match between equals comes to from there; what is better, by looking ahead
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..core.game import Ruleset
from .levels import BotSpec
from .policy import LookaheadBot, PolicyFile
from .reasons import Measured, reasons
from .search import ANY, ActionStats, Prior, SearchBot, by_rounds

ADVISER = BotSpec("champion")  # whose decisions others are measured by
AGAIN = 2  # so many times fewer simulations, where two actions are searched once more,
FEWER = 4  # and for what a seat expects while others decide
SURE = 2.0  # standard errors: less may be chance
COMPARED = 3  # options of a hint whose consequences are compared
Values = tuple[float, ...]  # by seat, -1 .. 1


@dataclass(frozen=True)
class Option:
    """A legal action, as an adviser finds it."""

    action: int
    visits: int  # how many simulations followed it, or in how many worlds it was compared
    expected: float  # the return of the seat to act
    returns: Values  # of all seats,
    errors: Values  # and the standard error of each
    facts: tuple[Measured, ...] = ()  # what it led to, if the game tells (`Game.consequences`)

    def beats(self, other: Option, seat: int) -> bool:
        """Whether a seat gets more by this one than by the other, beyond chance."""
        more = self.returns[seat] - other.returns[seat]
        return more > SURE * math.hypot(self.errors[seat], other.errors[seat])


@dataclass(frozen=True)
class Verdict:
    """On a decision: what the player could expect, what was best, what the choice moved."""

    expected: float
    best: int
    moved: Values  # 0 for all, if what the player gave away may be chance
    why: str  # what the best would have led to instead, as `reasons` says it; "" if nothing is told


class Adviser(Protocol):
    """Judges by observations. The same ones, with the same seed, it judges alike."""

    by_rounds: bool  # whether it judges a round, as if that were the match

    def options(self, observation: Any, seed: int) -> tuple[Option, ...]:
        """Legal actions of the seat to act, the best first."""

    def verdict(self, observation: Any, played: int, seed: int, again: str) -> Verdict:
        """On the choice of the seat to act. again: where the dice of second looks begin."""

    def expected(self, observation: Any, seed: int) -> float:
        """The return of the observing seat, whoever is to act."""


def adviser(rules: Ruleset, simulations: int | None = None, *, compiled: bool = True) -> Adviser:
    """The judgement of `champion`; simulations: that of a search with so many a decision.

    compiled False: the plain build, the same, much slower.
    """
    if simulations is not None:
        return Searched(rules, simulations, compiled=compiled)
    if compiled and (policy := ADVISER.policy(rules.game)):
        return Learned(rules, policy)
    policy = ADVISER.prior(rules.game) if compiled else None
    prior = policy.one_look(rules, 0) if policy else None
    return Searched(rules, rules.game.simulations[-1], prior, compiled=compiled)


def judges_rounds(rules: Ruleset) -> bool:
    """Whether hints and reviews are of rounds, not of matches."""
    return not ADVISER.policy(rules.game) and by_rounds(rules)


class Searched:
    """Judges by searches."""

    def __init__(
        self,
        rules: Ruleset,
        simulations: int,
        prior: Prior | None = None,
        *,
        compiled: bool = True,
    ) -> None:
        self.rules, self.simulations, self.compiled = rules, simulations, compiled
        self.prior = prior
        self.again = max(1, simulations // AGAIN)
        self.by_rounds = by_rounds(rules)

    def options(self, observation: Any, seed: int) -> tuple[Option, ...]:
        """Those that simulations followed, the preferred one first. What the first `COMPARED`
        lead to, if the game tells, is found by a search of each, as good as the others: what is
        rarely tried is tried badly.
        """
        found = self._stats(observation, seed, self.simulations)
        ordered = [a for _, a in sorted((-w.preference, a) for a, w in found.items() if w.visits)]
        facts = _facts(self.rules, observation, ordered, self.again, seed, self.compiled)
        seat = _seat(observation)
        return tuple(_option(seat, a, found[a], facts.get(a, ())) for a in ordered)

    def verdict(self, observation: Any, played: int, seed: int, again: str) -> Verdict:
        """The best is the action that is preferred."""
        seat = _seat(observation)
        found = self._stats(observation, seed, self.simulations)
        best = max(found, key=lambda a: (found[a].preference, -a))
        one = other = found[best]
        if played != best:
            # each is searched again by itself: the best of many looks better than it is
            one, other = (
                self._stats(observation, _dice(again, a), self.again, a)[a] for a in (best, played)
            )
        moved = tuple(b - a for a, b in zip(one.returns, other.returns, strict=True))
        if moved[seat] >= -_noise(seat, one, other):
            return Verdict(one.returns[seat], best, (0.0,) * len(moved), "")
        told = self.rules.game.consequences
        why = reasons(_measured(one), _measured(other), told) if told else ""
        return Verdict(one.returns[seat], best, moved, why)

    def expected(self, observation: Any, seed: int) -> float:
        """The mean over all that may be done now."""
        fewer = max(1, self.simulations // FEWER)
        bot = SearchBot(self.rules, fewer, seed, compiled=self.compiled)
        return bot.values(observation)[_seat(observation)]

    def _stats(
        self, observation: Any, seed: int, simulations: int, only: int = ANY
    ) -> dict[int, ActionStats]:
        """A search of its own: what it finds depends on no other."""
        bot = SearchBot(
            *(self.rules, simulations, seed),
            reasons=only != ANY,
            prior=self.prior,
            compiled=self.compiled,
        )
        return bot.action_stats(observation, only)


class Learned:
    """Judges by a policy."""

    by_rounds = False

    def __init__(self, rules: Ruleset, policy: PolicyFile) -> None:
        bot = policy.make(rules, 0)
        assert isinstance(bot, LookaheadBot)
        self.rules, self._bot = rules, bot
        #: simulations of a search that only says what an action leads to
        self.simulations = max(1, rules.game.simulations[-1] // AGAIN)

    def options(self, observation: Any, seed: int) -> tuple[Option, ...]:
        """The best `COMPARED`. The first is worth what the seat may expect, the others differ from
        it by what they come to in the same worlds.
        """
        seat, values = _seat(observation), np.array(self._bot.values(observation))
        ordered = self._bot.ranked(observation, seed)[:COMPARED]
        facts = _facts(self.rules, observation, ordered, self.simulations, seed)
        found = []
        for a in ordered:
            moved, errors, worlds = self._bot.beside(observation, ordered[0], a, seed)
            returns = (values + moved).clip(-1, 1).tolist()
            told = tuple(returns), tuple(errors.tolist()), facts.get(a, ())
            found.append(Option(a, worlds, returns[seat], *told))
        return tuple(found)

    def verdict(self, observation: Any, played: int, seed: int, again: str) -> Verdict:
        """The best is what it would play, but for the lots that it draws."""
        seat, expected = _seat(observation), self._bot.values(observation)
        best, dice = self._bot.ranked(observation, seed)[0], _dice(again, played)
        moved, errors, _ = self._bot.beside(observation, best, played, dice)
        if moved[seat] >= -SURE * errors[seat]:
            return Verdict(expected[seat], best, (0.0,) * len(moved), "")
        why = ""
        if told := self.rules.game.consequences:
            acts = best, played
            facts = _facts(self.rules, observation, acts, self.simulations, dice)
            why = reasons(facts[best], facts[played], told)
        return Verdict(expected[seat], best, tuple(moved.tolist()), why)

    def expected(self, observation: Any, seed: int) -> float:
        """By its policy's values."""
        return self._bot.values(observation)[_seat(observation)]


def _seat(observation: Any) -> int:
    return int(np.asarray(observation)["viewer"].reshape(())) - 1


def _dice(again: str, action: int) -> int:
    """A seed: of the same question the same, of each question another."""
    return random.Random(f"{again}/{action}").getrandbits(48)


def _option(seat: int, action: int, w: ActionStats, facts: tuple[Measured, ...]) -> Option:
    errors = tuple(math.sqrt(x / w.visits) for x in w.variances)
    return Option(action, w.visits, w.returns[seat], w.returns, errors, facts)


def _noise(seat: int, a: ActionStats, b: ActionStats) -> float:
    """What may be chance in the difference between what a seat gets by the one and the other."""
    return SURE * math.sqrt(a.variances[seat] / a.visits + b.variances[seat] / b.visits)


def _facts(
    rules: Ruleset,
    observation: Any,
    acts: Sequence[int],
    simulations: int,
    seed: int,
    compiled: bool = True,
) -> dict[int, tuple[Measured, ...]]:
    """What the first `COMPARED` of several actions lead to, if the game tells."""
    if not rules.game.consequences or len(acts) < 2:
        return {}
    bot = SearchBot(rules, simulations, seed, reasons=True, compiled=compiled)
    return {a: _measured(bot.action_stats(observation, a)[a]) for a in acts[:COMPARED]}


def _measured(w: ActionStats) -> tuple[Measured, ...]:
    return tuple(
        Measured(mean, math.sqrt(x / max(1, w.visits)))
        for mean, x in zip(w.facts, w.fact_variances, strict=True)
    )
