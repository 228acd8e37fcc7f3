"""Loops over states, for every game and both builds.

`tt` is an array that holds one table record, `b` an array of states: from Python, an array and an
index cost a quarter of what passing a record costs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .contract import (
    ACTIONS,
    apply,
    choices,
    clear_scratch,
    encode,
    redact,
    returns,
    run_on,
    take_stock,
)
from .rules import draw, rule


class SeriesArrays(NamedTuple):
    """What `play_many` works on."""

    states: Any
    blank: Any
    dice: Any  # a state whose generator draws the actions
    acts: Any
    returns: Any  # [n, seats]
    decisions: Any  # [n]


class BatchArrays(NamedTuple):
    """What the vector environment works on: n matches, and what their seats to act get."""

    states: Any
    blank: Any
    seeds: Any  # a state whose generator draws the seeds of new matches
    acts: Any
    observation: Any
    mask: Any
    to_act: Any
    returns: Any
    done: Any


@rule
def begin(tt: Any, b: Any, i: int, blank: Any, seats: int, seed: int) -> None:
    """b[i] = a new match, run on to its first decision."""
    b[i] = blank[0]
    b[i].rng = seed
    b[i].seats = seats
    run_on(tt[0], b[i])
    take_stock(b[i])


@rule
def resume(tt: Any, b: Any, i: int) -> None:
    """Runs on from a loaded position to the first decision."""
    run_on(tt[0], b[i])
    take_stock(b[i])


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
def clear_scratch_at(b: Any, i: int) -> None:
    """Blanks the scratch fields, so that equal states have equal bytes."""
    clear_scratch(b[i])


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
def score(t: Any, s: Any, acts: Any, out: Any) -> None:
    """out[seat] = the return of each seat; zeros while the match is not over."""
    for p in range(s.seats):
        out[p] = 0
    if choices(t, s, acts) == 0:
        returns(t, s, out)


@rule
def play_many(
    tt: Any, w: SeriesArrays, seats: int, seed: int, first: int, last: int, limit: int
) -> None:
    """Plays the random matches first .. last-1 of a series."""
    for g in range(first, last):
        begin(tt, w.states, 0, w.blank, seats, seed + g)
        w.dice[0].rng = seed + g + (1 << 40)  # a stream of its own
        w.decisions[g] = playout(tt[0], w.states[0], w.dice[0], w.acts, limit)
        score(tt[0], w.states[0], w.acts, w.returns[g])


@rule
def show(tt: Any, states: Any, i: int, acts: Any, observation: Any, mask: Any, to_act: Any) -> int:
    """Writes what the seat to act of match i gets; returns how many legal actions it has."""
    n = choices(tt[0], states[i], acts)
    for a in range(ACTIONS):
        mask[i, a] = 0
    for k in range(n):
        mask[i, acts[k]] = 1
    to_act[i] = states[i].to_act
    observation[i] = states[i]
    redact(tt[0], states[i], observation[i], states[i].to_act)
    return n


@rule
def encode_all(
    b: Any, seats: int, ego: bool, onehot: bool, at: Any, width: Any, scale: Any, out: Any
) -> None:
    """out[i] = b[i] as numbers; ego: seen from its viewer, else from the seat to act."""
    for i in range(len(b)):
        me = 0
        if ego:
            me = b[i].viewer - 1 if b[i].viewer > 0 else b[i].to_act
        for k in range(out.shape[1]):
            out[i, k] = 0
        encode(b[i], me, seats, onehot, at, width, scale, out, i)


@rule
def begin_all(tt: Any, w: BatchArrays, seats: int) -> None:
    """Begins every match of a batch."""
    for i in range(len(w.states)):
        begin(tt, w.states, i, w.blank, seats, draw(w.seeds[0], 1 << 31))
        show(tt, w.states, i, w.acts, w.observation, w.mask, w.to_act)


@rule
def step_all(tt: Any, w: BatchArrays, seats: int, actions: Any) -> int:
    """One action in every match of a batch; a match that ends gives its returns and begins anew.

    Returns -1, or the first match whose action is not legal; then nothing has been changed.
    """
    # taking an array out of a tuple costs a count of its references: once, not for each match
    states, acts, mask, done, out = w.states, w.acts, w.mask, w.done, w.returns
    observation, to_act = w.observation, w.to_act
    for i in range(len(states)):
        a = actions[i]
        if a < 0 or a >= ACTIONS or mask[i, a] == 0:
            return i
    for i in range(len(states)):
        apply(tt[0], states[i], actions[i])
        if done[i] > 0:
            done[i] = 0
            for p in range(seats):
                out[i, p] = 0
        if show(tt, states, i, acts, observation, mask, to_act) == 0:
            done[i] = 1
            returns(tt[0], states[i], out[i])
            begin(tt, states, i, w.blank, seats, draw(w.seeds[0], 1 << 31))
            show(tt, states, i, acts, observation, mask, to_act)
    return -1
