"""Loops over states, for every game and both builds.

`tt` is an array that holds one table record, `b` an array of states: from Python, an array and an
index cost a quarter of what passing a record costs.
"""

from __future__ import annotations

from typing import Any

from .contract import ACTIONS, apply, choices, redact, returns, run_on, tidy
from .rules import draw, rule


@rule
def begin(tt: Any, b: Any, i: int, blank: Any, seats: int, seed: int) -> None:
    """b[i] = a new match, run on to its first decision."""
    b[i] = blank[0]
    b[i].rng = seed
    b[i].seats = seats
    run_on(tt[0], b[i])


@rule
def resume(tt: Any, b: Any, i: int) -> None:
    """Runs on from a loaded position to the first decision."""
    run_on(tt[0], b[i])


@rule
def list_actions(tt: Any, b: Any, i: int, acts: Any) -> int:
    """How many legal actions there are; they stand in acts. 0: the match is over."""
    return choices(tt[0], b[i], acts)


@rule
def take(tt: Any, b: Any, i: int, action: int) -> None:
    """Applies one legal action."""
    apply(tt[0], b[i], action)


@rule
def observe(tt: Any, b: Any, i: int, o: Any, j: int, seat: int) -> None:
    """o[j] = b[i] as `seat` may know it (-1: a spectator)."""
    o[j] = b[i]
    redact(tt[0], b[i], o[j], seat)


@rule
def neat(b: Any, i: int) -> None:
    """Blanks the scratch fields, so that equal states have equal bytes."""
    tidy(b[i])


@rule
def results(tt: Any, b: Any, i: int, out: Any) -> None:
    """out[seat] = the return of each seat; the match is over."""
    returns(tt[0], b[i], out)


@rule
def playout(t: Any, s: Any, dice: Any, acts: Any, limit: int) -> int:
    """Random legal actions to the end, `limit` at most; how many they were."""
    steps = 0
    while steps < limit:
        n = choices(t, s, acts)
        if n == 0:
            break
        apply(t, s, acts[draw(dice, n)])
        steps += 1
    return steps


@rule
def play_many(
    tt: Any, b: Any, blank: Any, dice: Any, acts: Any, seats: int, seed: int, first: int, last: int,
    limit: int, out: Any, decisions: Any,
) -> int:  # fmt: skip
    """Plays the random matches first .. last-1 of a series; returns all their decisions together."""
    total = 0
    for g in range(first, last):
        begin(tt, b, 0, blank, seats, seed + g)
        dice[0].rng = seed + g + (1 << 40)  # a stream of its own
        n = playout(tt[0], b[0], dice[0], acts, limit)
        decisions[g] = n
        returns(tt[0], b[0], out[g])
        total += n
    return total


@rule
def show(tt: Any, b: Any, i: int, acts: Any, obs: Any, mask: Any, to_act: Any) -> int:
    """Writes what the seat to act of b[i] gets: observation and mask. Returns the number of actions."""
    n = choices(tt[0], b[i], acts)
    for a in range(ACTIONS):
        mask[i, a] = 0
    for k in range(n):
        mask[i, acts[k]] = 1
    to_act[i] = b[i].to_act
    obs[i] = b[i]
    redact(tt[0], b[i], obs[i], b[i].to_act)
    return n


@rule
def begin_all(
    tt: Any, b: Any, blank: Any, acts: Any, seats: int, seeds: Any, obs: Any, mask: Any, to_act: Any
) -> None:
    """Begins every match of a batch."""
    for i in range(len(b)):
        begin(tt, b, i, blank, seats, draw(seeds[0], 1 << 31))
        show(tt, b, i, acts, obs, mask, to_act)


@rule
def step_all(
    tt: Any, b: Any, blank: Any, acts: Any, seats: int, seeds: Any, actions: Any, obs: Any, mask: Any,
    to_act: Any, out: Any, done: Any,
) -> int:  # fmt: skip
    """One action in every match of a batch; a match that ends gives its returns and begins anew.

    Returns -1, or the first match whose action is not legal; then nothing has been changed.
    """
    for i in range(len(b)):
        a = actions[i]
        if a < 0 or a >= ACTIONS or mask[i, a] == 0:
            return i
    for i in range(len(b)):
        apply(tt[0], b[i], actions[i])
        if done[i] > 0:
            done[i] = 0
            for p in range(seats):
                out[i, p] = 0
        if show(tt, b, i, acts, obs, mask, to_act) == 0:
            done[i] = 1
            returns(tt[0], b[i], out[i])
            begin(tt, b, i, blank, seats, draw(seeds[0], 1 << 31))
            show(tt, b, i, acts, obs, mask, to_act)
    return -1
