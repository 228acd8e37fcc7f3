"""Battleball: exact chances of what dice decide, for the coach who has to choose.

Nothing is sampled, and no rule stands here: every outcome of the dice is rolled by the rules' own
`roll_for` and judged by the rules' own functions, and the chances of the outcomes are added up as
fractions. All of it comes from an observation, so that it tells nothing that its seat may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from .ball import (
    any_match,
    carries,
    has_sure_hands,
    higher,
    lower,
    pass_is_fumbled,
    roll_for,
    roll_pass,
)
from .field import away, between, slot_of, standing, team_of
from .moving import is_malfunction
from .state import HEAVY, NOWHERE
from .tackling import BOTH, drops_ball, has_started_running, loser_of
from .ways import beside, reach

CACHED = 4096
WIN, TIE, LOSS = 1, 0, -1  # a tackle, as the attacker sees it


# ---- every outcome ------------------------------------------------------------------------------
class Every:
    """Chance that gives every outcome in turn, as an odometer counts: see `every`."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []  # what was given, and the highest there is
        self.lowest: list[int] = []
        self.at = 0

    def number(self, low: int, high: int) -> int:
        if self.at == len(self.path):
            self.path.append((low, high))
            self.lowest.append(low)
        self.at += 1
        return self.path[self.at - 1][0]

    @property
    def of(self) -> int:
        """One of how many outcomes this is, all as likely."""
        return prod(high - low + 1 for low, (_, high) in zip(self.lowest, self.path, strict=True))

    def turn(self) -> bool:
        """On to the next outcome; whether there is one."""
        self.at = 0
        while self.path:
            value, high = self.path.pop()
            if value < high:
                self.path.append((value + 1, high))
                return True
            self.lowest.pop()
        return False


def every(s: Any, play: Callable[[], Any]) -> dict[Any, Fraction]:
    """What `play` comes to when the rules roll in `s`, and the chance of each."""
    s._chance, found, more = Every(), Counter[tuple[Any, int]](), True
    while more:
        result = play()
        found[result, s._chance.of] += 1
        more = s._chance.turn()
    return _added((result, Fraction(n, of)) for (result, of), n in found.items())


def _added(chances: Iterable[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    """The chance of each result, of whatever it comes."""
    out = dict[Any, Fraction]()
    for result, p in chances:
        out[result] = out.get(result, Fraction()) + p
    return out


def _trial(**known: Any) -> Any:
    """As much of a state as a roll is judged by; the team whose turn it is has number 0."""
    dice = {(i, k): 0 for i in range(2) for k in range(2)}
    return SimpleNamespace(turn=0, dice=dice, roller=[0, 0], _listener=None, _chance=None, **known)


# ---- dice ---------------------------------------------------------------------------------------
Dice = tuple[int, int]  # of one piece, the higher one first; the second is 0 if it has only one


class Numbers(NamedTuple):
    """What of a table dice are judged by: what is found out once is known for all that have it."""

    die: tuple[int, ...]
    auto_low: int
    pass_any_match: int


@lru_cache(64)
def _numbers(r: Any) -> Numbers:
    """Those of a ruleset."""
    t = r.numbers
    return Numbers(tuple(t.die), t.auto_low, t.pass_any_match)


@lru_cache(CACHED)
def _same_dice(t: Numbers, slot: int) -> int:
    """The first piece that rolls what this one rolls: what one comes to is known of the other."""
    alike = (x for x in range(slot) if t.die[x] == t.die[slot])
    return slot if slot == HEAVY else next(alike, slot)


@lru_cache(CACHED)
def _rolled(numbers: Numbers, slot: int) -> dict[Dice, int]:
    """What a piece rolls, and how many times as likely as the rarest. Which die is which is all
    the same.
    """
    t, s = cast(Any, numbers), _trial()

    def play() -> Dice:
        roll_for(t, s, 0, 0, slot)
        return int(higher(s, 0)), int(lower(s, 0)) if s.dice[0, 1] else 0

    found = every(s, play)
    rarest = min(found.values())
    return {dice: int(p / rarest) for dice, p in found.items()}


def _both(
    s: Any,
    judge: Callable[[Dice, Dice], Any],
    first: dict[Dice, int],
    second: dict[Dice, int],
) -> dict[Any, Fraction]:
    """What the dice of two sides, laid into `s`, are judged to be, and the chance of each."""
    found = Counter[Any]()
    for dice, p in first.items():
        s.dice[0, 0], s.dice[0, 1] = dice
        for others, q in second.items():
            s.dice[1, 0], s.dice[1, 1] = others
            found[judge(dice, others)] += p * q
    of = sum(first.values()) * sum(second.values())
    return {result: Fraction(n, of) for result, n in found.items()}


# ---- tackles ------------------------------------------------------------------------------------
class Tackle(NamedTuple):
    """The chances of a tackle, as its attacker sees it."""

    win: Fraction
    tie: Fraction
    fumble: Fraction  # that the ball is lost, if one of the two has it; else 0


def tackle(r: Any, o: Any, slot: int, target: int, ran: int | None = None) -> Tackle:
    """Of a piece of the team on turn against one of the others.

    `ran`: steps that the attacker will have made in this turn, if it is still to move. Each coach
    of a Heavy Tackle lets the die count that is better for them.
    """
    us, rules = int(o.turn), (int(o.team_rule[o.turn]), int(o.team_rule[1 - o.turn]))
    steps = int(o.moved_steps) if ran is None and o.moved == slot else ran or 0
    steps = _running(rules[0], steps)
    has_ball = o.holder > 0 and (team_of(o.holder), slot_of(o.holder)) in {
        (us, slot), (1 - us, target),
    }  # fmt: skip
    last = has_ball and standing(o, us) == 1, has_ball and standing(o, 1 - us) == 1
    t = _numbers(r)
    pieces = _same_dice(t, slot), _same_dice(t, target)
    return _judged(t, *pieces, rules, steps, has_ball, last)


@lru_cache(CACHED)
def _running(rule: int, steps: int) -> int:
    """BB-168: so few steps count as much."""
    counts = [
        bool(has_started_running(_trial(team_rule=(rule, 0), attacker=0, moved=0, moved_steps=n)))
        for n in range(steps + 1)
    ]
    return counts.index(counts[-1])


@lru_cache(CACHED)
def _judged(
    t: Numbers,
    slot: int,
    target: int,
    rules: tuple[int, int],
    steps: int,
    has_ball: bool,
    last: tuple[bool, bool],
) -> Tackle:
    """`last`: which of the two is the last of its team on the field."""
    found, fumble = _tackle(t, slot, target, rules, steps), Fraction()
    for (end, drops), chance in found.items():
        # BB-124, BB-134: where a team has nobody left the half is over, and nothing is fumbled
        over = (last[0] and end != WIN) or (last[1] and end != LOSS)
        fumble += chance if has_ball and drops and not over else 0
    return Tackle(_sum(found, WIN), _sum(found, TIE), fumble)


def _sum(found: dict[tuple[int, bool], Fraction], end: int) -> Fraction:
    return sum((p for (x, _), p in found.items() if x == end), Fraction())


@lru_cache(CACHED)
def _tackle(
    t: Numbers, slot: int, target: int, rules: tuple[int, int], steps: int
) -> dict[tuple[int, bool], Fraction]:
    """How it ends, and whether a ball in it is dropped; `rules`: the teams' own."""
    s = _trial(team_rule=rules, attacker=slot, moved=slot, moved_steps=steps)
    mine, theirs = _rolled(t, slot), _rolled(t, target)
    best, worst = ({dice: _counts(t, s, dice) for dice in x} for x in (mine, theirs))
    values = [{v for x in counts.values() for v in x} for counts in (best, worst)]
    ends = {(a, b): _end(s, a, b) for a, b in product(*values)}

    def judge(own: Dice, other: Dice) -> tuple[int, bool]:
        end = max(min(ends[a, b] for b in worst[other]) for a in best[own])
        return end, bool(drops_ball(s, end == TIE))

    return _both(s, judge, mine, theirs)


def _counts(t: Numbers, s: Any, dice: Dice) -> tuple[int, ...]:
    """BB-83, AMB-23: the dice of a side that its coach may let count."""
    s.dice[0, 0], s.dice[0, 1] = dice
    return (lower(s, 0),) if t.auto_low else tuple({lower(s, 0), higher(s, 0)})


def _end(s: Any, a: int, b: int) -> int:
    loser = loser_of(s, a, b)
    return TIE if loser == BOTH else LOSS if loser == s.turn else WIN


# ---- the ball -----------------------------------------------------------------------------------
def hand_off(r: Any, o: Any, slot: int) -> Fraction:
    """The chance that this piece of the team on turn has the ball then."""
    s = _trial(team_rule=(int(o.team_rule[o.turn]), 0))
    t = _numbers(r)
    fumble = _hand_off_fumbles(t, _same_dice(t, slot_of(o.holder)), _same_dice(t, slot))
    return 1 - (fumble * fumble if has_sure_hands(s) else fumble)


@lru_cache(CACHED)
def _hand_off_fumbles(t: Numbers, giver: int, slot: int) -> Fraction:
    """By one roll (`ball.roll_hand_off`)."""
    s = _trial()
    found = _both(s, lambda *_: bool(any_match(s)), _rolled(t, giver), _rolled(t, slot))
    return found.get(True, Fraction())


class Pass(NamedTuple):
    """The chances of a pass; else it falls short."""

    caught: Fraction
    fumble: Fraction


def throw(r: Any, o: Any, slot: int) -> Pass:
    """Of a pass to this piece of the team on turn."""
    rule = int(o.team_rule[o.turn])
    far = int(between(r.numbers, o, o.turn, slot_of(o.holder), o.turn, slot))
    t = _numbers(r)
    caught, fumble = _pass(t, _same_dice(t, slot), rule, far)
    if has_sure_hands(_trial(team_rule=(rule, 0))):  # BB-165: a fumble is rolled once more
        return Pass(caught + fumble * caught, fumble * fumble)
    return Pass(caught, fumble)


@lru_cache(CACHED)
def _pass(t: Numbers, slot: int, rule: int, far: int) -> tuple[Fraction, Fraction]:
    """Caught, fumbled by one roll."""
    s = _trial(team_rule=(rule, 0))
    caught = fumble = Fraction()
    for (dice, football, fumbles), p in _passes(t, slot).items():
        s.dice[0, 0], s.dice[0, 1], s.dice[1, 0] = *dice, football
        fumble += p if fumbles else 0
        caught += p if not fumbles and carries(s, far) else 0
    return caught, fumble


@lru_cache(CACHED)
def _passes(numbers: Numbers, slot: int) -> dict[tuple[Dice, int, bool], Fraction]:
    """What is rolled for a pass: the receiver's dice, the football die, whether it is fumbled."""
    t, s = cast(Any, numbers), _trial()

    def play() -> tuple[Dice, int, bool]:
        roll_pass(t, s, slot)
        dice = int(higher(s, 0)), int(lower(s, 0)) if s.dice[0, 1] else 0
        return dice, s.dice[1, 0], bool(pass_is_fumbled(t, s))

    return every(s, play)


# ---- moves --------------------------------------------------------------------------------------
@lru_cache(CACHED)
def rolls(r: Any, slot: int) -> dict[int, Fraction]:
    """How far a piece may go by one roll; 0: a malfunction."""
    t, s = r.numbers, _trial(mover=slot)

    def play() -> int:
        roll_for(t, s, 0, 0, slot)
        return 0 if is_malfunction(s) else int(higher(s, 0))

    return every(s, play)


@lru_cache(CACHED)
def at_least(r: Any, slot: int, steps: int) -> Fraction:
    """The chance to roll so many steps or more."""
    return sum((p for n, p in rolls(r, slot).items() if n >= steps), Fraction())


class Aims(NamedTuple):
    """The chances of a piece that has not rolled yet; None: it cannot, whatever it rolls."""

    ball: Fraction | None = None  # to get to the loose ball
    carrier: Fraction | None = None  # to come next to the opponent that has the ball
    home: Fraction | None = None  # to carry the ball into the end zone


def aims(r: Any, o: Any, slot: int) -> Aims:
    """What a piece of the team on turn may come to in this move, if it is chosen."""
    t, most = r.numbers, max(rolls(r, slot))
    if not _might(t, o, slot, most):
        return Aims()
    if_chosen = copy(o)
    if_chosen.mover, if_chosen.steps = slot, most
    found, meets = reach(t, if_chosen), None
    if o.holder != 0 and team_of(o.holder) != o.turn:
        meets = found.to(beside(t, o, o.holder, slot == HEAVY))
    return Aims(*(_soonest(r, slot, steps) for steps in (found.ball, meets, found.home)))


def _soonest(r: Any, slot: int, steps: int | None) -> Fraction | None:
    """The chance of a way of so many steps."""
    return None if steps is None else at_least(r, slot, steps)


def _might(t: Any, o: Any, slot: int, most: int) -> bool:
    """Whether it is worth a search: what it could want is not too far even in a straight line."""
    us = int(o.turn)
    if o.holder == 0:
        return o.ball != NOWHERE and bool(away(t, slot, o.at[us, slot], o.ball) <= most)
    if team_of(o.holder) == us:
        return bool(slot_of(o.holder) == slot)
    return bool(between(t, o, us, slot, 1 - us, slot_of(o.holder)) - 1 <= most)
