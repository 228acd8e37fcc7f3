"""The laws of `laws.audit` as rules, on either build: what a match played at random keeps to."""

from __future__ import annotations

from typing import Any, NamedTuple

from .contract import (
    ACTIONS,
    apply,
    candidate_features,
    candidates,
    census,
    choices,
    clear_candidate_features,
    clear_features,
    clear_scratch,
    consequences,
    determinize,
    ends_search,
    evaluate,
    features,
    max_length,
    redact,
    returns,
)
from .drivers import begin
from .rows import alike, blank
from .rules import draw, rule


class AuditArrays(NamedTuple):
    """What `audit_match` works on."""

    states: Any
    blank: Any
    dice: Any
    worlds: Any  # an observation, a determinization of it, its observation
    raw: Any  # their bytes
    acts: Any
    other: Any
    seen: Any
    count: Any
    wanted: Any
    score: Any
    facts: Any
    where: Any
    taken: Any  # the actions of the match
    features: Any
    candidate_features: Any


@rule
def same_census(s: Any, count: Any, wanted: Any) -> bool:
    """The state has just the pieces that are wanted."""
    blank(count)
    census(s, count)
    return alike(count, wanted)


@rule
def same_choices(t: Any, s: Any, acts: Any, n: int, other: Any) -> bool:
    """The state has just the n legal actions of the list."""
    if choices(t, s, other) != n:
        return False
    for k in range(n):
        if other[k] != acts[k]:
            return False
    return True


@rule
def audit_hiding(t: Any, w: AuditArrays, n: int) -> int:
    """The laws of observations in the present state, for each seat and a spectator."""
    truth, o, determinized = w.states[0], w.worlds[0], w.worlds[1]
    for seat in range(-1, truth.seats):
        w.worlds[0] = w.states[0]
        redact(t, truth, o, seat)
        w.worlds[1] = w.worlds[0]
        determinized.rng = draw(w.dice[0], 1 << 31)
        determinize(t, determinized)
        determinized.viewer = 0
        clear_scratch(determinized)
        w.worlds[2] = w.worlds[1]
        redact(t, determinized, w.worlds[2], seat)
        if not alike(w.raw[0], w.raw[2]):
            return 4
        if not same_census(determinized, w.count, w.wanted):
            return 5
        if seat == truth.to_act and n > 0:
            if not same_choices(t, o, w.acts, n, w.other):
                return 6
            if not same_choices(t, determinized, w.acts, n, w.other):
                return 6
    return 0


@rule
def audit_candidates(w: AuditArrays, n: int, most: int) -> bool:
    """The first of w.other are so many different ones of the n legal actions."""
    if most < 1 or most > n or not audit_list(w.other, most, w.seen):
        return False
    for i in range(most):
        k = 0
        while k < n and w.acts[k] != w.other[i]:
            k += 1
        if k == n:
            return False
    return True


@rule
def audit_insight(t: Any, w: AuditArrays, n: int) -> bool:
    """What a search and a learner are told in the present state, of n legal actions."""
    s = w.states[0]
    w.worlds[0] = w.states[0]
    judged = evaluate(t, s, w.score)
    for p in range(s.seats):
        if judged and not -1 <= w.score[p] <= 1:
            return False
        if not consequences(t, s, p, w.facts) and (judged or ends_search(t, s)):
            return False
    if n > 0:
        most = candidates(t, s, w.other, choices(t, s, w.other), 0)
        if not audit_candidates(w, n, most):
            return False
        for k in range(most):
            clear_candidate_features(w.candidate_features[0])
            candidate_features(t, s, w.other[k], k, w.candidate_features[0])
    for p in range(s.seats):
        clear_features(w.features[0])
        features(t, s, p, w.features[0])
    clear_scratch(s)
    w.worlds[1] = w.states[0]
    return alike(w.raw[0], w.raw[1])


@rule
def audit_list(acts: Any, n: int, seen: Any) -> bool:
    """n different action numbers."""
    good = True
    for k in range(n):
        a = acts[k]
        if a < 0 or a >= ACTIONS or seen[a] > 0:
            good = False
        else:
            seen[a] = 1
    for a in range(ACTIONS):
        seen[a] = 0
    return good


@rule
def audit_match(tt: Any, w: AuditArrays, seats: int, seed: int, over: int, cut: int) -> int:
    """One random match under all these laws: 0, or the number of the broken one.

    w.where[0] counts the decisions; after `cut` of them the match is left, if it is not negative.
    """
    begin(tt, w.states, 0, w.blank, seats, seed)
    w.dice[0].rng = seed + (1 << 40)
    t, s = tt[0], w.states[0]
    blank(w.wanted)
    census(s, w.wanted)
    most = max_length(t, seats)
    w.where[0] = 0
    while True:
        clear_scratch(s)
        n = choices(t, s, w.acts)
        clear_scratch(s)
        if (n == 0) != (s.phase == over):
            return 1
        if not audit_list(w.acts, n, w.seen):
            return 2
        if not same_census(s, w.count, w.wanted):
            return 3
        broken = audit_hiding(t, w, n)
        if broken > 0:
            return broken
        if not audit_insight(t, w, n):
            return 9
        if n == 0:
            break
        if w.where[0] == cut:
            return 0
        if w.where[0] >= most:
            return 7
        w.taken[w.where[0]] = w.acts[draw(w.dice[0], n)]
        apply(t, s, w.taken[w.where[0]])
        w.where[0] += 1
    returns(t, s, w.score)
    for p in range(seats):
        if w.score[p] < -1 or w.score[p] > 1:
            return 8
    return 0
