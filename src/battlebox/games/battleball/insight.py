"""Battleball: what a search asks. The candidates among actions, and how a position stands.

Nothing here is a rule. `candidates` cuts the list of legal actions (a runner with a 20 has 250
destinations) to a short one that grows with the visits; `evaluate` judges a position at the
beginning of a turn, by what the dice can do in the next two turns and by who stands.

What it weighs was found by play: a logistic regression of who has the next touchdown, on 110,000
beginnings of turns in 800 matches, half of them of the Advanced Game, between bots of 300
simulations. How far the ball is from the end zone, who can tackle its carrier, and, where there are
passes, who could catch one near the end zone say hardly more.
"""

from __future__ import annotations

from math import tanh
from typing import Any

from ...core.rules import Row, move_of, rule
from ...core.saying import Consequence, Consequences
from .field import belongs, distance, piece, slot_of, standing, team_of
from .halves import is_untouched, line_up_preset, line_up_random
from .moving import score, select
from .state import AROUND, CELLS, NOWHERE, ROWS, TEAM, Phase, State, Table
from .walks import SHUT, begin_flood, rows_to_go, seek_ball, seek_goal

# action numbers
SCORE, SELECT = move_of(score).at, move_of(select).at
PRESET, RANDOM = move_of(line_up_preset).at, move_of(line_up_random).at
PLAIN = 4000  # what an action is worth of which nothing is known; ratings are never negative
FEW = 3  # so many actions at least are looked at

# logits of the next touchdown
KEPT = 0.12  # to have the ball,
HOME_NOW = 2.97  # with the chance to walk home with it in this turn,
HOME_LATER = 0.75  # or after the others' turn
FIRST = 0.03  # a loose ball, and to be on turn,
FETCH = 0.22  # with so much more chance to get to it in one walk than the others
PIECE = 0.36  # one more that stands


CONSEQUENCES = Consequences(
    "when the turn is over",
    (
        Consequence("{d} more often a touchdown", "{d} less often a touchdown", 12),
        Consequence("{d} less often a touchdown by them", "{d} more often a touchdown by them", 12),
        Consequence("the ball yours in {a}, not {b}", "the ball yours in {a}, not {b}", 3),
        Consequence("the ball theirs in {a}, not {b}", "the ball theirs in {a}, not {b}", 3),
        Consequence("the ball {n} row{s} further on", "the ball {n} row{s} further back", 0.15),
        Consequence("your way home open {d} more often", "your way home open {d} less often", 4),
        Consequence("their way home open {d} less often", "their way home open {d} more often", 8),
        Consequence("{n} more of your pieces standing", "{n} fewer of your pieces standing", 1.5),
        Consequence("{n} fewer of their pieces standing", "{n} more of their pieces standing", 1.5),
    ),
)


# ---- how a position stands ----------------------------------------------------------------------
@rule
def chance_to_walk(die: int, steps: int) -> float:
    """That a die shows so many steps at least."""
    return 1.0 if steps <= 0 else 0.0 if steps > die else (die + 1 - steps) / die


@rule
def chance_to_tackle(mine: int, theirs: int) -> float:
    """BB-70: that the die of so many sides shows less than the other."""
    return 1 - (mine + 1) / (2 * theirs) if mine <= theirs else (theirs - 1) / (2 * mine)


@rule
def best_walk(t: Table, s: State, team: int) -> float:
    """The chance of the team's best piece to walk where the flood began."""
    best = 0.0
    for slot in range(TEAM):
        cell = s.at[team, slot]
        if cell != NOWHERE and s.dist[cell] < SHUT:
            best = max(best, chance_to_walk(t.die[slot], s.dist[cell]))
    return best


@rule
def chance_home(t: Table, s: State) -> float:
    """That the piece with the ball can walk into the end zone in one move."""
    us, slot = team_of(s.holder), slot_of(s.holder)
    begin_flood(s, us)
    seek_goal(t, s, us)
    steps = s.dist[s.at[us, slot]]
    return chance_to_walk(t.die[slot], steps) if steps < SHUT else 0.0


@rule
def outlook_with_ball(t: Table, s: State) -> float:
    """How it stands for the team that has the ball, in logits."""
    now = s.turn == team_of(s.holder)
    return KEPT + (HOME_NOW if now else HOME_LATER) * chance_home(t, s)


@rule
def outlook_of_loose_ball(t: Table, s: State) -> float:
    """How it stands for the team whose turn it is, in logits: who gets the ball first?"""
    begin_flood(s, s.turn)
    seek_ball(t, s)
    ours = best_walk(t, s, s.turn)
    begin_flood(s, 1 - s.turn)
    seek_ball(t, s)
    return FIRST + FETCH * (ours - best_walk(t, s, 1 - s.turn))


@rule
def outlook(t: Table, s: State) -> float:
    """How the half stands for W at the beginning of a turn: -1 lost .. 1 won."""
    if s.holder > 0:
        ball = outlook_with_ball(t, s)
        ball = ball if team_of(s.holder) == 0 else -ball
    else:
        ball = outlook_of_loose_ball(t, s)
        ball = ball if s.turn == 0 else -ball
    return tanh((ball + PIECE * (standing(s, 0) - standing(s, 1))) / 2)


@rule
def begins_half(s: State) -> bool:
    """No piece of the half has been placed yet."""
    lines_up = s.phase == Phase.LINEUP or s.phase == Phase.TEAMRULE
    return lines_up and s.to_act == 0 and is_untouched(s, 0)


@rule
def consequences(t: Table, s: State, seat: int, out: Any) -> bool:
    """At the beginning of a turn, and of a half, or at the end: touchdowns, the ball, pieces.

    The ball of a half that is over is where it was carried.
    """
    other, ball, rows = 1 - seat, 0, 0
    playing = s.phase != Phase.OVER and not begins_half(s)
    if not playing:
        ball = min(1, max(-1, s.score[seat] - s.score[other]))
        rows = 0 if ball > 0 else ROWS + 1
    elif s.holder > 0:
        ball = 1 if team_of(s.holder) == seat else -1
        rows = rows_to_go(t, seat, s.at[team_of(s.holder), slot_of(s.holder)])
    elif s.ball != NOWHERE:
        rows = rows_to_go(t, seat, s.ball)
    home = 0.0
    if playing and s.holder > 0 and s.phase == Phase.SELECT:
        home = chance_home(t, s)
    out[0], out[1] = s.score[seat], -s.score[other]
    out[2], out[3], out[4] = max(ball, 0), min(ball, 0), -rows
    out[5], out[6] = home if ball > 0 else 0.0, -home if ball < 0 else 0.0
    out[7], out[8] = standing(s, seat), -standing(s, other)
    return s.phase == Phase.SELECT or not playing


@rule
def evaluate(t: Table, s: State, out: Any) -> bool:
    """At the beginning of a turn, and of a half: a touchdown is half the match, in overtime all."""
    half = 0.0
    if s.phase == Phase.SELECT:
        half = outlook(t, s)
    elif not begins_half(s):
        return False
    lead = s.score[0] - s.score[1]
    if s.score[0] == 0 or s.score[1] == 0:
        half *= 0.5
    out[0] = 0.5 * lead + half
    out[1] = -out[0]
    return True


# ---- candidates ---------------------------------------------------------------------------------
@rule
def best_first(s: State, acts: Row, n: int, most: int) -> int:
    """The `most` best of n actions first, by their ratings in `queue`; how many they are."""
    most = min(n, most)
    for i in range(most):
        best = i
        for k in range(i + 1, n):
            if s.queue[k] > s.queue[best]:
                best = k
        a, rate = acts[best], s.queue[best]
        acts[best], s.queue[best] = acts[i], s.queue[i]
        acts[i], s.queue[i] = a, rate
    return most


@rule
def short_list(visits: int, share: int) -> int:
    """How many actions are looked at after so many visits: the square root of a share of them."""
    n = FEW
    while n * n * share < visits + FEW * FEW * share:
        n += 1
    return n


@rule
def crowd(t: Table, s: State, team: int, cell: int) -> int:
    """How near a team's pieces are to a cell, those that tackle well counting more."""
    n = 0
    for slot in range(TEAM):
        at = s.at[team, slot]
        if at != NOWHERE:
            n += max(0, 24 - t.die[slot] // 2 - 3 * distance(t, at, cell))
    return n


@rule
def rate_contact(t: Table, s: State, cell: int) -> int:
    """How good it is to tackle from this cell: the best opponent next to it."""
    us, best = s.turn, 0
    for k in range(AROUND):
        code = s.square[t.near[cell, k]]
        if belongs(code, 1 - us):
            odds = int(1000 * chance_to_tackle(t.die[s.mover], t.die[slot_of(code)]))
            best = max(best, odds + 1500 if code == s.holder else odds - 300)
    return best


@rule
def rate_with_ball(t: Table, s: State, cell: int) -> int:
    """Forward, away from those who tackle, near friends; contact must be tackled (BB-24)."""
    us = s.turn
    rate = PLAIN - 100 * rows_to_go(t, us, cell) - 12 * crowd(t, s, 1 - us, cell)
    rate += 3 * crowd(t, s, us, cell)
    return rate - 600 if s.threat[1 - us, cell] > 0 else rate


@rule
def rate_without_ball(t: Table, s: State, cell: int) -> int:
    """Tackle, stand in the carrier's way, or be near one's own carrier or the loose ball."""
    us, rate = s.turn, PLAIN
    if s.threat[1 - us, cell] > 0:
        rate += rate_contact(t, s, cell)
    if s.holder == 0:
        return rate - 60 * distance(t, cell, s.ball)
    team = team_of(s.holder)
    ball = s.at[team, slot_of(s.holder)]
    far = distance(t, cell, ball)
    if team == us:
        return rate - 40 * far
    detour = far + rows_to_go(t, team, cell) - rows_to_go(t, team, ball)
    return rate - 60 * max(0, detour) - 30 * far


@rule
def rate_run(t: Table, s: State, action: int) -> int:
    """What a destination promises."""
    if action == SCORE:
        return 3 * PLAIN
    if action >= CELLS:
        return PLAIN + rate_with_ball(t, s, action - CELLS)
    if s.holder == piece(s.turn, s.mover):
        return rate_with_ball(t, s, action)
    return rate_without_ball(t, s, action)


@rule
def rate_piece(t: Table, s: State, slot: int) -> int:
    """What a piece promises before it rolls: to carry the ball, to get it, to tackle for it."""
    us, die = s.turn, t.die[slot]
    if s.holder == piece(us, slot):
        return 3 * PLAIN
    if s.holder == 0:
        return PLAIN + int(PLAIN * chance_to_walk(die, distance(t, s.at[us, slot], s.ball)))
    team, carrier = team_of(s.holder), slot_of(s.holder)
    if team == us:
        return PLAIN - die
    walk = chance_to_walk(die, distance(t, s.at[us, slot], s.at[team, carrier]) - 1)
    return PLAIN + int(PLAIN * walk * chance_to_tackle(die, t.die[carrier]))


@rule
def rate_spot(t: Table, s: State, cell: int) -> int:
    """What a place for the ball promises its coach: near to one's own, far from others."""
    us = s.to_act
    return PLAIN + crowd(t, s, us, cell) - crowd(t, s, 1 - us, cell) - 5 * rows_to_go(t, us, cell)


@rule
def only_stored(acts: Row, n: int) -> int:
    """Stored lineups alone, if there are any; a random one, if it may be; else any place."""
    m = 0
    for k in range(n):
        a = acts[k]
        if PRESET <= a < RANDOM:
            acts[m] = a
            m += 1
    if m == 0 and acts[n - 1] == RANDOM:
        acts[0], m = RANDOM, 1
    return m if m > 0 else n


@rule
def candidates(t: Table, s: State, acts: Row, n: int, visits: int) -> int:
    """The most promising actions first; how many of them are candidates after so many visits."""
    if s.phase == Phase.DEST:
        for k in range(n):
            s.queue[k] = rate_run(t, s, acts[k])
        if n > 0 and s.queue[n - 1] == 3 * PLAIN:  # the end zone is offered last
            acts[0] = SCORE
            return 1
        return best_first(s, acts, n, short_list(visits, 3))
    if s.phase == Phase.SELECT and n > FEW:
        for k in range(n):
            s.queue[k] = rate_piece(t, s, acts[k] - SELECT)
        return best_first(s, acts, n, short_list(visits, 3))
    if s.phase == Phase.PLACE or s.phase == Phase.INCOMPLETE:
        for k in range(n):
            s.queue[k] = rate_spot(t, s, acts[k]) if acts[k] < CELLS else PLAIN
        return best_first(s, acts, n, short_list(visits, 3))
    return only_stored(acts, n) if s.phase == Phase.LINEUP else n
