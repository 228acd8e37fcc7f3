"""What the matches of a study say, as numbers with 95 % intervals.

A deal is played twice, with the same seed and other thoughts of the bots; what is averaged are
deals, for the matches of one are kin. A seat's score is 1 if it has won, 0 if it has lost, 1/2 in
between: its return, on another scale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...core.game import Ruleset
from ...core.rules import Move
from ..intervals import DOUBT, Estimate, Z, difference, estimate, share
from ..results import Pair, Results
from .recorder import MatchStats, Use, rules_of, use_of
from .study import AS_IT_IS, LADDER, Study, Switch, name_of

AHEAD = 0.05  # of a score: who is so much above the others leads
LOST = 0.25  # who was so much below them, and won, has come back
REPEATS = 1000  # of the bootstrap
APART = 10  # deals for each kind; with fewer, intervals of least squares are too narrow
Array = Any


class Length(NamedTuple):
    """How long matches are, in some measure."""

    what: str
    mean: Estimate
    quantiles: tuple[float, ...]  # least, 5 %, half, 95 %, most


class MoveUse(NamedTuple):
    """How a move was used."""

    move: Move
    each: Estimate  # how often a match
    matches: float  # the share of matches with it
    chosen: float  # of the times one of its actions was offered
    unoffered: int  # actions that nobody ever could take
    untaken: tuple[str, ...]  # words of those that somebody could, but nobody ever did


class CardUse(NamedTuple):
    """How a kind of card, or a figure, was used, and what it is worth."""

    name: str
    held: float  # share of seats that ever had it in hand, of all matches
    each: Estimate  # how often it was used in a match
    dealt_wins: Estimate | None  # the score of seats that have it in their first hand,
    used_wins: Estimate | None  # and of those that use it
    worth: Estimate | None  # of one more in the first hand, in place of an average card: score
    used: Estimate | None  # the same of one more use, which is no cause: who lives longer uses more


class Effect(NamedTuple):
    """What another value of an option does, on the same deals: differences."""

    switch: Switch
    first: Estimate  # of the score of who has the first turn, or else of seat 0
    draws: Estimate
    turns: Estimate
    decisions: Estimate
    same: float  # the share of matches that ended alike, after as many decisions


def by_deal(values: Iterable[Any]) -> Array:
    """The means of both matches of each deal."""
    a = np.asarray(list(values), float)
    return a.reshape(-1, 2, *a.shape[1:]).mean(axis=1)


def scores(seen: Sequence[MatchStats]) -> Array:
    """[matches, seats]: 0 .. 1."""
    return (1 + np.array([x.result.returns for x in seen])) / 2


def drawn(x: MatchStats) -> bool:
    """Nobody was above another."""
    return len(set(x.result.returns)) == 1


def within_deals(counts: Array, score: Array) -> list[Estimate | None]:
    """By kind: what one more of it adds to a seat's score, the others' being as they are.

    counts [deals, seats, kinds], score [deals, seats]. Least squares on all kinds at once, of
    differences from the mean of the seats; where hands are equally large, against the mean kind.
    None where a kind never differs, or where deals are too few to tell so many kinds apart.
    Intervals allow for seats of one deal hanging together (White 1980, by deals).
    """
    deals, _, kinds = counts.shape
    if deals < APART * kinds:
        return [None] * kinds
    found, x, pushes, bread = least_squares(counts, score, np.ones(deals))
    spread = Z * np.sqrt(np.diag(bread @ (pushes.T @ pushes) @ bread))
    return [
        Estimate(float(found[k]), float(found[k] - spread[k]), float(found[k] + spread[k]))
        if np.any(x[..., k])
        else None
        for k in range(kinds)
    ]


def least_squares(counts: Array, score: Array, weights: Array) -> tuple[Array, Array, Array, Array]:
    """What `within_deals` finds, a deal weighing so much; and of what that came: the differences
    [deals, seats, kinds], how each deal pushes it [deals, kinds], and the inverse that scales them.
    """
    own = (counts.shape[1] - 1) / counts.shape[1]  # so much further from the mean is one more
    x = counts - counts.mean(axis=1, keepdims=True)
    x -= np.average(x, axis=0, weights=weights)
    y = score - score.mean(axis=1, keepdims=True)
    y -= np.average(y, axis=0, weights=weights)
    weighed = x * weights[:, None, None]
    bread = np.linalg.pinv(np.einsum("dsk,dsl->kl", weighed, x), rcond=1e-9, hermitian=True)
    found = bread @ np.einsum("dsk,ds->k", weighed, y)
    pushes = np.einsum("dsk,ds->dk", weighed, y - x @ found)
    return own * found, x, pushes, own * bread


def kinship(score: Array) -> float:
    """How much of the spread of results [deals, 2, seats] lies between deals: 0 .. 1; by chance it
    comes out below 0.
    """
    apart = score - score.mean(axis=(0, 1))
    total = np.sum(apart**2) / 2
    return float(np.sum(apart[:, 0] * apart[:, 1]) / total) if total else 0.0


@dataclass(frozen=True)
class Findings:
    """What a study found. `seen`: by series, its matches in their order."""

    study: Study
    seen: dict[str, list[MatchStats]]

    @cached_property
    def own(self) -> list[MatchStats]:
        """The matches of the study's bots."""
        return [*self.seen["searched"], *self.seen["main"]]

    @property
    def length_unit(self) -> str:
        """What a match's length is counted in, as "turn"; empty if the game does not say."""
        return self.study.length_unit

    # ---- who wins ----
    @cached_property
    def seats(self) -> list[Estimate]:
        """Each seat's score."""
        return [share(column) for column in by_deal(scores(self.own)).T]

    @cached_property
    def first(self) -> Estimate | None:
        """The score of who has the first turn; None if the game does not say who has."""
        return share(by_deal(first_scores(self.own))) if begins(self.own) else None

    @cached_property
    def draws(self) -> Estimate:
        """The share of matches that nobody won."""
        return share(by_deal(drawn(x) for x in self.own))

    # ---- how long it is ----
    @cached_property
    def lengths(self) -> list[Length]:
        """In turns, decisions, and decisions that were any."""
        out = (
            [_length(f"{self.length_unit}s", self.own, lambda x: x.turns)]
            if self.length_unit
            else []
        )
        out.append(_length("decisions", self.own, lambda x: x.result.decisions))
        return [*out, _length("real choices", self.own, lambda x: x.choices)]

    # ---- how it goes ----
    @cached_property
    def leads(self) -> dict[int, list[float]]:
        """Of each match with a winner, by its number: by how much those who won were above the
        others each time, by what each of them could think.
        """
        out = {}
        for x in self.seen["searched"]:
            won = np.array(x.result.returns) == max(x.result.returns)
            if not drawn(x):
                at = np.array(x.chances)
                lead = at[:, won].mean(axis=1) - at[:, ~won].mean(axis=1)
                out[x.result.match] = lead.tolist()
        return out

    def _of_leads(self, of: Callable[[Sequence[float]], float]) -> list[float]:
        """The means of each deal, of one match where the other has no winner."""
        deals: dict[int, list[float]] = {}
        for match, lead in self.leads.items():
            deals.setdefault(match // 2, []).append(of(lead))
        return [float(np.mean(each)) for each in deals.values()]

    @cached_property
    def changes(self) -> Estimate:
        """How often the lead goes to the other side, in a match."""
        return estimate(self._of_leads(_changes))

    @cached_property
    def comebacks(self) -> Estimate:
        """The share of matches in which who won had been far behind."""
        return share(self._of_leads(lambda lead: min(lead) <= -LOST))

    @cached_property
    def decided(self) -> Estimate:
        """After which part of the match, 0 .. 1, who won led for good."""
        return share(self._of_leads(_decided))

    # ---- skill and luck ----
    @cached_property
    def ladder(self) -> list[Pair]:
        """Each level against the one below."""
        out = []
        for rung in LADDER:
            played = tuple(x.result for x in self.seen[name_of(*rung)])
            out.append(Results(self.study.plan(*rung), played).pair(0, 1))
        return out

    @cached_property
    def luck(self) -> Estimate:
        """How much of the spread of results the deal decides, between equals."""
        score = scores(self.own).reshape(-1, 2, self.study.rules.players)
        dice = np.random.default_rng(0)
        again = [kinship(score[dice.integers(len(score), size=len(score))]) for _ in range(REPEATS)]
        low, high = np.quantile(again, (DOUBT / 2, 1 - DOUBT / 2))
        return Estimate(kinship(score), float(low), float(high))

    # ---- what is used ----
    @cached_property
    def moves(self) -> list[MoveUse]:
        """Each move of the game."""
        offered = sum((x.offered for x in self.own), Counter[Use]())
        taken = sum((x.taken for x in self.own), Counter[Use]())
        words: dict[Use, str] = {}
        for x in self.own:
            words = {**x.words, **words}
        return [
            self._move(move, offered, taken, words) for move in self.study.rules.plain().build.moves
        ]

    def _move(
        self, move: Move, offered: Counter[Use], taken: Counter[Use], words: dict[Use, str]
    ) -> MoveUse:
        uses = [use_of(move.name, k) for k in range(move.count)]
        each = [sum(x.taken[use] for use in uses) for x in self.own]
        asked = sum(offered[use] for use in uses)
        return MoveUse(
            move,
            estimate(by_deal(each)),
            float(np.mean(np.array(each) > 0)),
            sum(each) / max(1, asked),
            sum(not offered[use] for use in uses),
            tuple(words[use] for use in uses if offered[use] and not taken[use]),
        )

    @cached_property
    def cards(self) -> list[CardUse]:
        """Each kind of card that anybody had or used, the most worthy first."""
        dealt = self.seen.get("cards", [])
        names: dict[str, str] = {}
        for x in (*dealt, *self.own):
            names.update(x.names)
        codes = sorted(names)
        worth = _worth(codes, dealt, hands_dealt) if dealt else [None] * len(codes)
        used = _worth(codes, self.own, hands_played)
        out = []
        for k, code in enumerate(codes):
            each = by_deal(sum(p[code] for p in x.played) for x in self.own)
            held = float(np.mean([[p[code] for p in x.held] for x in self.own]))
            name = f"{names[code]} ({code})" if code not in names[code].split() else names[code]
            wins = (_wins_with(code, dealt, hands_dealt), _wins_with(code, self.own, hands_played))
            out.append(CardUse(name, held, estimate(each), *wins, worth[k], used[k]))
        return sorted(out, key=lambda c: -c.worth.value if c.worth else 0)

    @cached_property
    def events(self) -> dict[str, tuple[Estimate, float]]:
        """How often each event happens in a match, and in which share of matches it does."""
        out = {}
        for event in self.study.rules.game.rules.Event:
            each = [x.events[event.name] for x in self.own]
            out[event.name] = (estimate(by_deal(each)), float(np.mean(np.array(each) > 0)))
        return out

    # ---- the rules ----
    @cached_property
    def rules(self) -> dict[str, list[str]]:
        """The ids of the rulebook by what became of them, in its order; each is in one list."""
        usual, other = self.seen["rules"], [x for s in self._others.values() for x in s]
        lists = {
            "followed": {id for x in usual for id in x.followed},
            "with other options": {id for x in other for id in x.followed},
            "asked, always no": {id for x in (*usual, *other) for id in x.asked},
            "never": {id for ids in rules_of(self.study.rules.game).values() for id in ids},
            "not traced": set(self.study.rules.game.rulebook),
        }
        out, done = dict[str, list[str]](), set[str]()
        for what, ids in lists.items():
            out[what] = [id for id in self.study.rules.game.rulebook if id in ids - done]
            done |= ids
        return out

    @cached_property
    def _others(self) -> dict[Switch, list[MatchStats]]:
        """The matches in which rules were traced with other options."""
        return {s: self.seen.get("rules " + name_of(*s), []) for s in self.study.switches}

    @cached_property
    def elsewhere(self) -> dict[str, list[Switch]]:
        """With which other values of options the rules are followed that need one."""
        return {
            id: [s for s, seen in self._others.items() if any(id in x.followed for x in seen)]
            for id in self.rules["with other options"]
        }

    @cached_property
    def effects(self) -> list[Effect]:
        """What each other value of an option does, that goes with the rest."""
        return [
            effect(switch, self.seen[AS_IT_IS], self.seen[name_of(*switch)])
            for switch, rules in self.study.switches.items()
            if isinstance(rules, Ruleset)
        ]


def effect(switch: Switch, before: Sequence[MatchStats], after: Sequence[MatchStats]) -> Effect:
    """What has changed on the deals that both have."""
    both = list(zip(before, after, strict=False))
    old, new = [a for a, _ in both], [b for _, b in both]

    def change(of: Callable[[Sequence[MatchStats]], Iterable[float]]) -> Any:
        return by_deal(of(new)) - by_deal(of(old))

    return Effect(
        switch,
        difference(change(first_scores)),
        difference(change(lambda seen: (drawn(x) for x in seen))),
        estimate(change(lambda seen: (x.turns for x in seen))),
        estimate(change(lambda seen: (x.result.decisions for x in seen))),
        float(np.mean([a.result == b.result for a, b in both])),
    )


Hands = tuple[Counter[str], ...]  # by seat


def hands_dealt(x: MatchStats) -> Hands:
    """The first hands of a match."""
    return x.dealt


def hands_played(x: MatchStats) -> Hands:
    """What each seat used in it."""
    return x.played


def _worth(
    codes: Sequence[str], seen: Sequence[MatchStats], of: Callable[[MatchStats], Hands]
) -> list[Estimate | None]:
    return within_deals(by_deal(counted(codes, seen, of)), by_deal(scores(seen)))


def counted(
    codes: Sequence[str], seen: Sequence[MatchStats], of: Callable[[MatchStats], Hands]
) -> Array:
    """[matches, seats, codes]: how many of each card."""
    return np.array([[[seat[code] for code in codes] for seat in of(x)] for x in seen], float)


def _wins_with(
    code: str, seen: Sequence[MatchStats], of: Callable[[MatchStats], Hands]
) -> Estimate | None:
    """The score of seats that have such a card, a deal weighing one; None if there are none."""
    deals: dict[int, list[float]] = {}
    for x, score in zip(seen, scores(seen).tolist(), strict=True):
        has = [s for s, hand in zip(score, of(x), strict=False) if hand[code]]
        if has:
            deals.setdefault(x.result.match // 2, []).extend(has)
    return share([np.mean(each) for each in deals.values()]) if deals else None


def first_scores(seen: Sequence[MatchStats]) -> list[float]:
    """Of each match: the score of who had the first turn, or else of seat 0."""
    return [(1 + x.result.returns[x.first or 0]) / 2 for x in seen]


def begins(seen: Sequence[MatchStats]) -> bool:
    """Somebody has the first turn, and not always the same seat."""
    return len({x.first for x in seen if x.first is not None}) > 1


def _length(what: str, seen: Sequence[MatchStats], of: Callable[[MatchStats], int]) -> Length:
    each = np.array([of(x) for x in seen])
    quantiles = np.quantile(each, (0, 0.05, 0.5, 0.95, 1))
    return Length(what, estimate(by_deal(each)), tuple(quantiles.tolist()))


def _changes(lead: Sequence[float]) -> int:
    """How often another side leads clearly than the one that did before."""
    sides = [x > 0 for x in lead if abs(x) >= AHEAD]
    return sum(a != b for a, b in pairwise(sides))


def _decided(lead: Sequence[float]) -> float:
    """After which part of all looks the lead stayed above 0."""
    behind = [k for k, x in enumerate(lead) if x <= 0]
    return (behind[-1] + 1) / len(lead) if behind else 0.0
