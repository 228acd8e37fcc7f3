"""Battleball: exact chances of what dice decide, for the coach who has to choose.

Nothing is sampled, and no rule stands here: every outcome of the dice is rolled by the rules' own
`roll_for` and judged by the rules' own functions, and the chances of the outcomes are added up as
fractions. All of it comes from an observation, so that it tells nothing that its seat may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from .ball import (
    any_match,
    carries,
    has_sure_hands,
    higher,
    lower,
    pass_is_fumbled,
    roll_for,
    roll_hand_off,
    roll_pass,
)
from .field import away, between, slot_of, standing, team_of
from .moving import is_malfunction, may_run
from .state import AFTER_CELLS, CELLS, NOWHERE, TeamRule
from .tackling import BOTH, drops_ball, loser_of
from .ways import contacts, lengths

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
    def chance(self) -> Fraction:
        """That it comes to just this."""
        ways = 1
        for low, (_, high) in zip(self.lowest, self.path, strict=True):
            ways *= high - low + 1
        return Fraction(1, ways)

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
    s._chance, found, more = Every(), dict[Any, Fraction](), True
    while more:
        result = play()
        found[result] = found.get(result, Fraction()) + s._chance.chance
        more = s._chance.turn()
    return found


def _trial(**known: Any) -> Any:
    """As much of a state as a roll is judged by; the team whose turn it is has number 0."""
    dice = {(i, k): 0 for i in range(2) for k in range(2)}
    return SimpleNamespace(turn=0, dice=dice, roller=[0, 0], _listener=None, _chance=None, **known)


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
    steps = steps if rules[0] == TeamRule.RUNNING_START else 0  # nobody else asks for them
    found = _tackle(r, slot, target, rules, steps)
    has_ball = o.holder > 0 and (team_of(o.holder), slot_of(o.holder)) in {
        (us, slot), (1 - us, target),
    }  # fmt: skip
    left = standing(o, us), standing(o, 1 - us)
    fumble = Fraction()
    for (end, drops), chance in found.items():
        # BB-124, BB-134: where a team has nobody left the half is over, and nothing is fumbled
        stand = (left[0] - (end != WIN), left[1] - (end != LOSS))
        fumble += chance if has_ball and drops and min(stand) > 0 else 0
    return Tackle(_sum(found, WIN), _sum(found, TIE), fumble)


def _sum(found: dict[tuple[int, bool], Fraction], end: int) -> Fraction:
    return sum((p for (x, _), p in found.items() if x == end), Fraction())


@lru_cache(CACHED)
def _tackle(
    r: Any, slot: int, target: int, rules: tuple[int, int], steps: int
) -> dict[tuple[int, bool], Fraction]:
    """How it ends, and whether a ball in it is dropped; `rules`: the teams' own."""
    t = r.numbers
    s = _trial(team_rule=rules, attacker=slot, moved=slot, moved_steps=steps)

    def play() -> tuple[int, bool]:
        roll_for(t, s, 0, 0, slot)
        roll_for(t, s, 1, 1, target)
        end = max(min(_end(s, a, b) for b in _counts(t, s, 1)) for a in _counts(t, s, 0))
        return end, bool(drops_ball(s, end == TIE))

    return every(s, play)


def _counts(t: Any, s: Any, i: int) -> set[int]:
    """BB-83, AMB-23: the dice of a side that its coach may let count."""
    return {lower(s, i)} if t.auto_low else {lower(s, i), higher(s, i)}


def _end(s: Any, a: int, b: int) -> int:
    loser = loser_of(s, a, b)
    return TIE if loser == BOTH else LOSS if loser == s.turn else WIN


# ---- the ball -----------------------------------------------------------------------------------
def hand_off(r: Any, o: Any, slot: int) -> Fraction:
    """The chance that this piece of the team on turn has the ball then."""
    s = _trial(team_rule=(int(o.team_rule[o.turn]), 0))
    fumble = _hand_off_fumbles(r, slot_of(o.holder), slot)
    return 1 - (fumble * fumble if has_sure_hands(s) else fumble)


@lru_cache(CACHED)
def _hand_off_fumbles(r: Any, giver: int, slot: int) -> Fraction:
    """By one roll."""
    t, s = r.numbers, _trial()

    def play() -> bool:
        roll_hand_off(t, s, giver, slot)
        return bool(any_match(s))

    return every(s, play).get(True, Fraction())


class Pass(NamedTuple):
    """The chances of a pass; else it falls short."""

    caught: Fraction
    fumble: Fraction


def throw(r: Any, o: Any, slot: int) -> Pass:
    """Of a pass to this piece of the team on turn."""
    rule = int(o.team_rule[o.turn])
    far = int(between(r.numbers, o, o.turn, slot_of(o.holder), o.turn, slot))
    caught, fumble = _pass(r, slot, rule, far)
    if has_sure_hands(_trial(team_rule=(rule, 0))):  # BB-165: a fumble is rolled once more
        return Pass(caught + fumble * caught, fumble * fumble)
    return Pass(caught, fumble)


@lru_cache(CACHED)
def _pass(r: Any, slot: int, rule: int, far: int) -> tuple[Fraction, Fraction]:
    """Caught, fumbled by one roll."""
    t, s = r.numbers, _trial(team_rule=(rule, 0))

    def play() -> str:
        roll_pass(t, s, slot)
        return "fumble" if pass_is_fumbled(t, s) else "caught" if carries(s, far) else "short"

    found = every(s, play)
    return found.get("caught", Fraction()), found.get("fumble", Fraction())


# ---- moves --------------------------------------------------------------------------------------
@lru_cache(CACHED)
def rolls(r: Any, slot: int) -> dict[int, Fraction]:
    """How far a piece may go by one roll; 0: a malfunction."""
    t, s = r.numbers, _trial(mover=slot)

    def play() -> int:
        roll_for(t, s, 0, 0, slot)
        return 0 if is_malfunction(s) else int(higher(s, 0))

    return every(s, play)


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
    found, home = lengths(t, if_chosen)
    runs = [(a, found[a]) for a in _runs(t, if_chosen) if a in found]
    takes = [steps for a, steps in runs if a >= CELLS]
    chased = o.holder != 0 and team_of(o.holder) != o.turn
    meets = [
        steps
        for a, steps in (runs if chased else ())
        if (slot, o.holder) in contacts(t, o, slot, a % CELLS)
    ]
    homes = [] if home is None else [home]
    return Aims(_soonest(r, slot, takes), _soonest(r, slot, meets), _soonest(r, slot, homes))


def _runs(t: Any, o: Any) -> list[int]:
    """Where the rules let the mover go, by the numbers of the actions."""
    can = [0] * (AFTER_CELLS + 2)  # the last place says how many they are
    may_run(t, o, can)  # type: ignore[arg-type]
    return can[: can[-1]]


def _soonest(r: Any, slot: int, steps: Sequence[int]) -> Fraction | None:
    """The chance of the shortest of these ways."""
    return at_least(r, slot, min(steps)) if steps else None


def _might(t: Any, o: Any, slot: int, most: int) -> bool:
    """Whether it is worth a search: what it could want is not too far even in a straight line."""
    us = int(o.turn)
    if o.holder == 0:
        return o.ball != NOWHERE and bool(away(t, slot, o.at[us, slot], o.ball) <= most)
    if team_of(o.holder) == us:
        return bool(slot_of(o.holder) == slot)
    return bool(between(t, o, us, slot, 1 - us, slot_of(o.holder)) - 1 <= most)
