"""A match looked back on: by how much luck and decisions moved what a seat could expect.

Before each decision an adviser, who knows what a seat knew then and no more, is asked two things:

- what each seat can expect;
- what the decision gave away: the best action of the deciding player against the one played, by
  what they knew. A difference that may be chance counts as none. What the others gain or lose by
  it is found along with it.

Luck is what is left between one decision and the next: dice, cards, and what came to light, also
what others had put down in secret. So a review adds up by its making. As in the analysis of
backgammon, a player who plays as the adviser would has given away nothing, however it ended.

Where an adviser judges rounds (`Adviser.by_rounds`), each round is reviewed by itself, which ends
with what `evaluate` says; the last one ends as the match did. What is given are their sums.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.contract import ends_search, evaluate
from ..core.engine import Progress
from ..core.errors import BattleboxError
from ..core.game import Ruleset
from ..core.match import Match
from ..core.rules import rule
from ..core.scene import Scene
from .adviser import Adviser, Option, Values, Verdict, adviser

TURNING_POINTS = 3
LEAST = 0.1  # a turning point moves the expected return by as much at least: 5 % of a win


class Cancelled(Exception):
    """A review is no longer wanted."""


@dataclass(frozen=True)
class Step:
    """One decision of the match, and what it and all that came of it meant to the reviewed seat.

    before + decision + luck == after, expected returns of -1 .. 1.
    """

    number: int  # index in `Match.history`
    mover: int | None  # None: all, who agreed on it
    word: str  # what was played,
    label: str  # and in words
    told: str  # what the reviewed seat was told of it, in sentences
    before: float
    decision: float  # by how much the choice moved it; one's own: never above 0
    luck: float  # by how much all else did
    after: float
    best: str  # own decisions only: the word of what the adviser would have played, else ""
    best_label: str  # and in words
    why: str  # what it would have led to instead, as `reasons` says it; "" if nothing is told


@dataclass(frozen=True)
class SeatReview:
    """What a match was for one seat: start + luck + own + others == end.

    All are expected returns of -1 .. 1, or sums of as many as there are `rounds`.
    """

    seat: int
    rounds: int  # in so many parts was it judged; 1: as a whole
    start: float
    luck: float
    own: float  # what its decisions gave away: never above 0
    others: float  # what theirs came to
    end: float  # the returns; of a match that is not over, what was to be expected in the end
    steps: tuple[Step, ...]
    turning_points: tuple[Step, ...]  # three at most, in their order


@rule
def round_ended(tt: Any, o: Any, out: Any) -> bool:
    """Whether no search looks beyond o[0]; out[seat] = what has come of the round then."""
    return ends_search(tt[0], o[0]) and evaluate(tt[0], o[0], out)


def hint(rules: Ruleset, observation: Any, *, seed: int = 0, **how: Any) -> tuple[Option, ...]:
    """Legal actions of the seat to act, by its observation: first the one that `champion` would
    play. how: whose judgement else, see `adviser`.

    Errors: ValueError for what is not an observation of a seat that is to act.
    """
    o = np.asarray(observation)
    found = adviser(rules, **how).options(o, seed)
    if int(o["viewer"].reshape(())) - 1 != o["to_act"] or not found:
        raise ValueError("a hint is for the seat that is to act, in a match that is not over")
    return found


def may_end(scene: Scene) -> bool:
    """Whether the match may end with the round: somebody is a point short of what wins it."""
    seats = (z.facts for z in scene.zones if z.kind == "plaque")
    return any(x.get("goal") and x["points"] + 1 >= x["goal"] for x in seats)


def review(
    match: Match,
    seats: Sequence[int] | None = None,
    *,
    simulations: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    early: Callable[[SeatReview], None] | None = None,
    found: Findings | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    compiled: bool = True,
) -> tuple[SeatReview, ...]:
    """Reviews these seats (None: all), for after the match: what was hidden is told.

    The same match, simulations and seed give the same reviews, whatever the machine, and whichever
    other seats are asked for. The match is only read, and searches release the GIL. progress gets
    (done, of how much). early gets the review of the first of the seats when only its own
    decisions have been judged: those of others are in its luck yet. found: what was found
    of this match, with these simulations and this seed, before; what this finds is added.
    cancelled is asked before each judgement. compiled False: the plain build, the same, but slow.
    Errors: BattleboxError for a seat that is not there, or if nothing was played. Cancelled.
    """
    there = range(match.rules.players)
    chosen = tuple(there if seats is None else seats)
    if wrong := [p for p in chosen if p not in there]:
        raise BattleboxError(f"there is no seat {wrong[0]!r}; seats are 0 .. {there[-1]}")
    if not match.history:
        raise BattleboxError("nothing has been played yet: there is nothing to review")
    by = adviser(match.rules, simulations, compiled=compiled)
    judge = _Judge(by, seed, found or Findings(), cancelled)
    n, tell = len(match.history), progress or (lambda done, of: None)
    # about as many searches: for what a seat expects, and on what was decided
    first, then = (1, len(chosen)) if early else (0, 1)
    of = n * (first + then)
    tell(0, of)
    if early:
        one = chosen[:1]
        early(*_seat_reviews(_Look(match, one, judge, one), lambda k: tell(k, of)))
    reviews = _seat_reviews(
        _Look(match, chosen, judge, there), lambda k: tell(n * first + k * then, of)
    )
    tell(of, of)
    return reviews


def _seat_reviews(look: _Look, tell: Callable[[int], None]) -> tuple[SeatReview, ...]:
    """The reviews of its seats. tell gets how many decisions are done, if it asked anything."""
    seen = list[_Seen]()
    for k, (mover, word) in enumerate(look.history):
        before = look.judge.times
        seen.append(look.at(mover, word))
        if look.judge.times > before and k + 1 < len(look.history):
            tell(k + 1)
    last = look.end()
    return tuple(_seat_review(p, seen, last) for p in look.seats)


# ---- one decision after the other ----------------------------------------------------------------
@dataclass(frozen=True)
class _Seen:
    """One decision, as all seats that are asked for could judge it."""

    mover: int | None
    word: str
    label: str
    best: str
    best_label: str
    why: str
    told: dict[int, str]
    expected: dict[int, float]  # before it
    moved: Values  # by what was decided
    ended: Values | None  # what the round came to that ended before it; None: none did


@dataclass
class Findings:
    """What an adviser found of a match: who goes on with it later need not ask again."""

    verdicts: dict[int, Verdict] = field(default_factory=dict)  # by decision
    expected: dict[tuple[int, int], float] = field(default_factory=dict)  # by decision and seat


class _Judge:
    """Asks an adviser about a match, each question once."""

    def __init__(
        self, adviser: Adviser, seed: int, found: Findings, cancelled: Callable[[], bool]
    ) -> None:
        self.adviser, self.seed, self.found, self.cancelled = adviser, seed, found, cancelled
        self.times = 0  # it was asked

    def verdict(self, now: Match, mover: int, played: int) -> Verdict:
        """On the choice of the player who decides, by what they knew."""
        known = self.found.verdicts
        if (k := len(now.history)) not in known:
            self._ask()
            again = f"{self.seed}/{k}/{mover}"
            # of the same question it finds what a hint has found
            o = now.observation(mover)
            known[k] = self.adviser.verdict(o, played, self.seed, again)
        return known[k]

    def expected(self, now: Match, seat: int) -> float:
        """What a seat may expect, whoever is to act."""
        known, key = self.found.expected, (len(now.history), seat)
        if key not in known:
            self._ask()
            known[key] = self.adviser.expected(now.observation(seat), self.seed)
        return known[key]

    def _ask(self) -> None:
        if self.cancelled():
            raise Cancelled
        self.times += 1


class _Look:
    """Goes through a match once. seats: who is reviewed; judged: whose decisions are."""

    def __init__(
        self, match: Match, seats: Sequence[int], judge: _Judge, judged: Sequence[int]
    ) -> None:
        self.history, self.now = list(match.history), match.fresh_copy()
        self.seats, self.judge, self.judged = seats, judge, judged
        self.heard = {p: len(self.now.events(p)) for p in seats}
        self.fresh = True  # the decision before was the first of a round, or there was none
        engine = match.rules.plain()
        self._tt, self._ended = engine.tt, engine.bind(sys.modules[__name__]).round_ended
        self._build = engine.build

    def at(self, mover: int | None, word: str) -> _Seen:
        """Judges the decision that comes next, and does it."""
        now, ended = self.now, self.ended()
        verdict, label, best, best_label, why = None, word, "", "", ""
        if mover is not None:
            played = now.check(mover, word).number
            labels = {c.action: c.label for c in now.scene(mover).choices}
            label = labels.get(played, word)
            if len(now.legal_actions) > 1 and mover in self.judged:
                verdict = self.judge.verdict(now, mover, played)
                best, best_label = now.word(verdict.best), labels.get(verdict.best, "")
                why = verdict.why
        expected = {
            p: verdict.expected if verdict and p == mover else self.judge.expected(now, p)
            for p in self.seats
        }
        moved = verdict.moved if verdict else (0.0,) * now.rules.players
        now.repeat(mover, word)
        return _Seen(mover, word, label, best, best_label, why, self.told(), expected, moved, ended)

    def end(self) -> Values:
        """What came of it in the end, or was to be expected there."""
        if self.now.over:
            return self.now.returns
        found = {p: self.judge.expected(self.now, p) for p in self.seats}
        return tuple(found.get(p, 0.0) for p in range(self.now.rules.players))

    def ended(self) -> Values | None:
        """What the round came to that ended with the last action, if rounds are judged."""
        if not self.judge.adviser.by_rounds:
            return None
        o = self._build.states()
        o[0] = self.now.observation(None)
        out = np.zeros(self.now.rules.players)
        over = bool(self._ended(self._tt, self._build.access(o), self._build.access(out)))
        fresh, self.fresh = self.fresh, over
        return tuple(out.tolist()) if over and not fresh else None

    def told(self) -> dict[int, str]:
        """What each seat was told of the last action."""
        said = {p: " ".join(self.now.log(p, self.heard[p])) for p in self.seats}
        self.heard = {p: len(self.now.events(p)) for p in self.seats}
        return said


# ---- the review of a seat ------------------------------------------------------------------------
def _seat_review(seat: int, seen: Sequence[_Seen], last: Values) -> SeatReview:
    """What was found, added up; `last`: what came of it in the end."""
    ends = [*(x.ended for x in seen[1:]), last]  # of a round, after each decision
    then = [*(x.expected[seat] for x in seen[1:]), last[seat]]
    after = [y if x is None else x[seat] for x, y in zip(ends, then, strict=True)]
    steps = tuple(_step(seat, k, x, after[k]) for k, x in enumerate(seen))
    begun = [x.expected[seat] for k, x in enumerate(seen) if k == 0 or x.ended is not None]
    return SeatReview(
        seat,
        rounds=len(begun),
        start=sum(begun),
        luck=sum(x.luck for x in steps),
        own=sum(x.decision for x in steps if x.mover == seat),
        others=sum(x.decision for x in steps if x.mover != seat),
        end=sum(x[seat] for x in ends if x is not None),
        steps=steps,
        turning_points=_turning(steps),
    )


def _step(seat: int, number: int, x: _Seen, after: float) -> Step:
    own, before, moved = x.mover == seat, x.expected[seat], x.moved[seat]
    return Step(
        number,
        x.mover,
        x.word,
        x.label,
        x.told[seat],
        before,
        moved,
        after - before - moved,
        after,
        x.best if own else "",
        x.best_label if own else "",
        x.why if own else "",
    )


def _turning(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Where most was won or lost."""
    far = [x for x in steps if abs(x.after - x.before) >= LEAST]
    far.sort(key=lambda x: (-abs(x.after - x.before), x.number))
    return tuple(sorted(far[:TURNING_POINTS], key=lambda x: x.number))
