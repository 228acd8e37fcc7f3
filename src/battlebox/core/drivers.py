"""Loops over states, for every game and both builds.

`tt` is an array that holds one table record, `b` an array of states: from Python, an array and an
index cost a quarter of what passing a record costs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .contract import (
    ACTIONS,
    advance,
    apply,
    choices,
    clear_scratch,
    determinize,
    encode,
    redact,
    returns,
    take_stock,
)
from .rules import draw, rule

#: actions whose bits share a number of `BatchArrays.legal`
BITS = 32
#: so often a match that is over before the caller was asked begins anew
MOST_BEGINNINGS = 100
#: `how` of `step_some` is one of these: matches begin anew; an action of the caller's; one of an
#: opponent's, within the caller's step
RESET, MINE, THEIRS = 0, 1, 2
#: and to the latter two one of these is added, where a match that ends begins anew: at once, or
#: with the next action
SAME_STEP, NEXT_STEP = 4, 8


class SeriesArrays(NamedTuple):
    """What `play_many` works on."""

    states: Any
    blank: Any
    dice: Any  # a state whose generator draws the actions
    acts: Any
    returns: Any  # [n, seats]
    decisions: Any  # [n]


class BatchArrays(NamedTuple):
    """What a batch works on, one of each match: first what `Batch` shows, then what it keeps."""

    observation: Any
    mask: Any
    actor: Any
    mine: Any
    match_seed: Any
    returns: Any
    terminated: Any
    truncated: Any
    length: Any
    final_observation: Any
    states: Any
    final: Any  # the state in which the last match ended
    legal: Any  # the mask as bits: others may change the mask, and this is less to write
    asked: Any  # the seat that the caller last acted for; -k: it was not asked in k matches
    moves: Any  # how many decisions the match has had
    over: Any
    dice: Any  # generators, that draw what is not the match's
    blank: Any
    acts: Any


@rule
def begin(tt: Any, b: Any, i: int, blank: Any, seats: int, seed: int) -> None:
    """b[i] = a new match, run on to its first decision."""
    begin_unstocked(tt, b, i, blank, seats, seed)
    take_stock(b[i])


@rule
def begin_unstocked(tt: Any, b: Any, i: int, blank: Any, seats: int, seed: int) -> None:
    """The same, but nobody has counted what there is: that would be to look at all cards."""
    b[i] = blank[0]
    b[i].rng = seed
    b[i].seats = seats
    advance(tt[0], b[i])


@rule
def resume(tt: Any, b: Any, i: int) -> None:
    """Runs on from a loaded position to the first decision."""
    advance(tt[0], b[i])
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
def finish(tt: Any, b: Any, i: int, dice: Any, acts: Any, limit: int, out: Any) -> None:
    """Plays b[i] on at random; out[seat] = the return of each seat, zeros if it is not over."""
    playout(tt[0], b[i], dice[0], acts, limit)
    score(tt[0], b[i], acts, out)


@rule
def determinize_into(tt: Any, o: Any, j: int, w: Any, k: int, seed: int) -> None:
    """w[k] = a random truth that fits the observation o[j]."""
    w[k] = o[j]
    w[k].rng = seed
    determinize(tt[0], w[k])
    w[k].viewer = 0


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
def encode_row(
    t: Any,
    s: Any,
    f: Any,
    me: int,
    seats: int,
    room: int,
    onehot: bool,
    at: Any,
    width: Any,
    scale: Any,
    out: Any,
    i: int,
    columns: int,
) -> None:
    """The first so many columns of row i of out = s as numbers, seen from `me`. It works on f, and
    on the scratch fields of s.
    """
    for k in range(columns):
        out[i, k] = 0
    encode(t, s, f, me, seats, room, onehot, at, width, scale, out, i)


@rule
def encode_all(
    tt: Any,
    b: Any,
    w: Any,
    ff: Any,
    seats: int,
    room: int,
    ego: bool,
    onehot: bool,
    at: Any,
    width: Any,
    scale: Any,
    out: Any,
) -> None:
    """out[i] = b[i] as numbers; ego: seen from its viewer, else from the seat to act. It works on
    ff[0], and on a copy in w[0], if w has one.
    """
    for i in range(len(b)):
        me = 0
        if ego:
            me = b[i].viewer - 1 if b[i].viewer > 0 else b[i].to_act
            me = me if 0 <= me < seats else 0  # nobody is to act, or nobody may know who
        s = b[i]
        if len(w) > 0:
            w[0] = b[i]
            s = w[0]
        how = room, onehot, at, width, scale
        encode_row(tt[0], s, ff[0], me, seats, *how, out, i, out.shape[1])


@rule
def observe_all(tt: Any, states: Any, out: Any, seats: Any) -> None:
    """out[i] = states[i] as seats[i] may know it (-1: a spectator)."""
    for i in range(len(states)):
        out[i] = states[i]
        redact(tt[0], states[i], out[i], seats[i])


@rule
def first_illegal(legal: Any, actions: Any, where: Any) -> int:
    """The first match whose action is not legal; -1: there is none."""
    for i in range(len(actions)):
        a = actions[i]
        if where[i] > 0 and (a < 0 or a >= ACTIONS or (legal[i, a // BITS] >> (a % BITS)) & 1 == 0):
            return i
    return -1


@rule
def draw_seeds(dice: Any, seeds: Any, where: Any) -> None:
    """seeds[i] = one that the generator of match i of a batch draws, where it begins anew."""
    for i in range(len(seeds)):
        if where[i] > 0:
            seeds[i] = draw(dice[i], 1 << 31)


@rule
def begin_at(tt: Any, w: BatchArrays, i: int, seats: int, by_lot: bool) -> None:
    """Match i of a batch begins anew, with the seed that stands there."""
    begin(tt, w.states, i, w.blank, seats, w.match_seed[i])
    w.moves[i], w.over[i] = 0, 0
    w.asked[i] = max(min(w.asked[i], 0) - 1, -MOST_BEGINNINGS)
    if by_lot:
        me = draw(w.dice[i], seats)
        for p in range(seats):
            w.mine[i, p] = 1 if p == me else 0


@rule
def end_at(tt: Any, w: BatchArrays, i: int, is_cut_off: bool) -> None:
    """Notes how match i of a batch has ended."""
    w.length[i] = w.moves[i]
    if is_cut_off:
        w.truncated[i] = 1
    else:
        w.terminated[i] = 1
        returns(tt[0], w.states[i], w.returns[i])
    w.final[i] = w.states[i]
    w.final_observation[i] = w.states[i]
    redact(tt[0], w.states[i], w.final_observation[i], w.asked[i])


@rule
def step_some(
    tt: Any,
    w: BatchArrays,
    seats: int,
    actions: Any,
    where: Any,
    first: int,
    last: int,
    how: int,
    limit: int,
    by_lot: bool,
) -> None:
    """One legal action in the matches first .. last-1 of a batch that `where` names.

    how: see `RESET` and what stands beside it.
    """
    # taking an array out of a tuple costs a count of its references: once, not for each match
    states, acts, mask, legal, actor = w.states, w.acts, w.mask, w.legal, w.actor
    observation, over, moves, length = w.observation, w.over, w.moves, w.length
    terminated, truncated = w.terminated, w.truncated
    for i in range(first, last):
        begins = how == RESET or over[i] > 0
        if where[i] == 0 or (over[i] > 0 and how != RESET and how & NEXT_STEP == 0):
            continue
        if how & THEIRS == 0:
            w.asked[i] = actor[i]
            if terminated[i] > 0 or truncated[i] > 0:
                terminated[i], truncated[i] = 0, 0
                for p in range(seats):
                    w.returns[i, p] = 0
        # what has all rules in it stands here once: twice, and a step takes a third longer
        n = 0
        while True:
            if begins:
                if how != RESET:
                    w.match_seed[i] = draw(w.dice[i], 1 << 31)
                begin_at(tt, w, i, seats, by_lot)
            else:
                apply(tt[0], states[i], actions[i])
                moves[i] += 1
            n = choices(tt[0], states[i], acts)
            if n > 0 and moves[i] < limit:
                break
            # what ends before the caller was asked is passed over, but not for ever
            if w.asked[i] >= 0 or w.asked[i] == -MOST_BEGINNINGS:
                if terminated[i] == 0 and truncated[i] == 0:  # one end in a step, the first
                    end_at(tt, w, i, n > 0)
                over[i] = 1
                if how & SAME_STEP == 0 or w.asked[i] < 0:
                    break
            begins = True
        if over[i] > 0:
            observation[i] = w.final_observation[i]
            actor[i] = max(w.asked[i], 0)
            for a in range(ACTIONS):
                mask[i, a] = 1
            for k in range(ACTIONS // BITS + 1):
                legal[i, k] = (1 << BITS) - 1
            continue
        for a in range(ACTIONS):
            mask[i, a] = 0
        for k in range(ACTIONS // BITS + 1):
            legal[i, k] = 0
        for k in range(n):
            a = acts[k]
            mask[i, a] = 1
            legal[i, a // BITS] |= 1 << (a % BITS)
        actor[i] = states[i].to_act
        observation[i] = states[i]
        redact(tt[0], states[i], observation[i], states[i].to_act)
        if terminated[i] == 0 and truncated[i] == 0:
            length[i] = moves[i]
