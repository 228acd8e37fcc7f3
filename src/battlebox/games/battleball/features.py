"""Battleball: what learners are told besides what stands on the field.

A policy is small, and has no eyes for a field: so it is told rows and distances, and of where it
may go what it comes to. Cells are left out of what policies learn from.
"""

from __future__ import annotations

from ...core.rules import Domain, IntEnum, Record, i8, move_of, n8, n16, rule
from .ball import give_other, give_own, hand_off, pass_ball
from .field import belongs, distance, piece, slot_of, standing, team_of
from .insight import (
    SCORE,
    SELECT,
    best_walk,
    chance_to_tackle,
    chance_to_walk,
    crowd,
    flood_from_ball,
    flood_from_goal,
    rows_to_go,
)
from .state import (
    AROUND,
    CELLS,
    COLS,
    FAR,
    LONGEST_RUN,
    NOWHERE,
    ROWS,
    SEATS,
    TEAM,
    Phase,
    Slot,
    State,
    Table,
)
from .tackling import tackle

#: what policies do without: who stands on which cell, and cells of what has happened
LEFT_OUT = frozenset(
    {
        *("viewer", "at", "plan", "square", "threat", "ball", "spot"),
        *("began", "ball_lay", "struck"),
    }
)

# action numbers
TACKLE = move_of(tackle).at
HAND_OFF, PASS = move_of(hand_off).at, move_of(pass_ball).at
GIVE_OWN, GIVE_OTHER = move_of(give_own).at, move_of(give_other).at
SURE = 100  # percent
MANY = 3  # pieces that could tackle, in percent of one: more are not told apart


class Ball(IntEnum):
    """Whose the ball is."""

    NOBODYS = 0  # not in play,
    LOOSE = 1  # or for whoever gets it
    OWN = 2  # the viewer's team has it
    THEIRS = 3


class RowsToGo(Domain, n=ROWS + 2):
    """Steps into the end zone that a team attacks, if nobody stood anywhere."""


class Column(Domain, n=COLS + 2):
    """How far to the right, in cells."""


class Standing(Domain, n=TEAM + 1):
    """How many pieces of a team are on the field."""


class Features(Record):
    """Rows are counted from the end zone that the viewer's team attacks; of each team's pieces,
    from the one that they attack. Chances are percents.
    """

    ball_is = n8(of=Ball)
    ball_to_go = n8(of=RowsToGo, first=1)
    ball_column = n8(of=Column, first=1)
    way_home = n8(high=SURE)  # that the carrier can walk home in one move,
    danger = n8(high=SURE)  # that the best of the others could come and tackle them,
    dangers = n16(high=MANY * SURE)  # and the sum of the chances of all others
    fetch = n8(each=SEATS, high=SURE)  # that a piece can walk to the loose ball in one move
    mover_to_go = n8(of=RowsToGo, first=1)
    mover_column = n8(of=Column, first=1)
    mover_has_ball = n8(high=1)
    standing = n8(each=SEATS, of=Standing)
    to_go = n8(TEAM, each=SEATS, high=ROWS + 1)  # of who is not on the field, none
    column = n8(TEAM, each=SEATS, high=COLS + 1)
    to_ball = n8(TEAM, each=SEATS, high=ROWS)  # steps, whatever stands between
    contact = n8(TEAM, each=SEATS, high=AROUND)  # feet of opponents beside it


@rule
def features(t: Table, s: State, me: int, f: Features) -> None:
    """BB-31, BB-39, BB-70: the ball, and each piece, by rows, distances and chances."""
    ball = ball_cell(s)
    if ball != NOWHERE:
        f.ball_to_go, f.ball_column = 1 + rows_to_go(t, me, ball), 1 + t.x[ball] // 2
        f.ball_is = Ball.LOOSE
        if s.holder > 0:
            tell_carrier(t, s, me, f)
        else:
            for team in range(SEATS):
                flood_from_ball(t, s, team)
                f.fetch[team] = int(SURE * best_walk(t, s, team))
    if s.mover < TEAM and s.at[s.turn, s.mover] != NOWHERE:
        cell = s.at[s.turn, s.mover]
        f.mover_to_go, f.mover_column = 1 + rows_to_go(t, s.turn, cell), 1 + t.x[cell] // 2
        f.mover_has_ball = 1 if s.holder == piece(s.turn, s.mover) else 0
    for team in range(SEATS):
        f.standing[team] = standing(s, team)
        for slot in range(TEAM):
            cell = s.at[team, slot]
            if cell != NOWHERE:
                f.to_go[team, slot] = rows_to_go(t, team, cell)
                f.column[team, slot] = t.x[cell] // 2
                f.contact[team, slot] = s.threat[1 - team, cell]
                if ball != NOWHERE:
                    f.to_ball[team, slot] = distance(t, cell, ball)


@rule
def ball_cell(s: State) -> int:
    """Where the ball is, or NOWHERE."""
    if s.holder > 0:
        return s.at[team_of(s.holder), slot_of(s.holder)]
    return s.ball


@rule
def tell_carrier(t: Table, s: State, me: int, f: Features) -> None:
    """BB-31, BB-70: the way home, and who could tackle the carrier."""
    team, slot = team_of(s.holder), slot_of(s.holder)
    cell = s.at[team, slot]
    f.ball_is = Ball.OWN if team == me else Ball.THEIRS
    flood_from_goal(t, s, team)
    f.way_home = walk_home(t, s, slot, cell)
    f.danger, f.dangers = worst(t, s, team, slot, cell), all_of(t, s, team, slot, cell)


@rule
def walk_home(t: Table, s: State, slot: int, cell: int) -> int:
    """BB-31: by the flood from the goal, that the die of this piece shows enough."""
    return int(SURE * chance_to_walk(t.die[slot], s.dist[cell])) if s.dist[cell] != FAR else 0


@rule
def chance_against(t: Table, s: State, team: int, slot: int, cell: int, other: int) -> int:
    """BB-70: that this opponent could come and tackle the piece on the cell, as the crow flies."""
    at = s.at[1 - team, other]
    if at == NOWHERE:
        return 0
    die = t.die[other]
    walk = chance_to_walk(die, distance(t, at, cell) - 1)
    return int(SURE * walk * chance_to_tackle(die, t.die[slot]))


@rule
def worst(t: Table, s: State, team: int, slot: int, cell: int) -> int:
    """BB-70: the best of these chances."""
    found = 0
    for other in range(TEAM):
        found = max(found, chance_against(t, s, team, slot, cell, other))
    return found


@rule
def all_of(t: Table, s: State, team: int, slot: int, cell: int) -> int:
    """BB-70: the sum of these chances."""
    found = 0
    for other in range(TEAM):
        found += chance_against(t, s, team, slot, cell, other)
    return found


# ---- candidates ---------------------------------------------------------------------------------
class CandidateFeatures(Record):
    """What an action comes to, for the team that acts. Chances are percents."""

    there = n8(high=1)  # there is a candidate in this place
    scores = n8(high=1)  # into the end zone with the ball
    slot = n8(of=Slot, first=1)  # the piece of the team's that it is about
    grabs = n8(high=1)  # the loose ball is taken on the way
    has_ball = n8(high=1)  # that piece has it then
    to_go = n8(high=ROWS + 1)  # from the cell that it is about,
    gains = i8(high=LONGEST_RUN)  # and how many rows less than from where the ball is now
    to_ball = n8(high=ROWS)  # steps from the cell to where the ball is now
    contact = n8(high=AROUND)  # feet of opponents beside the cell,
    odds = n8(high=SURE)  # of the best tackle there, or of this one,
    at_carrier = n8(high=1)  # which may be of the one who has the ball
    way_home = n8(high=SURE)  # with the ball, that the next move leads home
    danger = n8(high=SURE)  # that the best of the others could come and tackle there,
    dangers = n16(high=MANY * SURE)  # and the sum of the chances of all others
    fetch = n8(high=SURE)  # that this piece could walk to the ball from there
    detour = n8(high=ROWS)  # rows that the others' carrier would have to go for the cell
    friends_near = n16(high=SURE)  # `crowd` of its own team,
    foes_near = n16(high=SURE)  # and of the others


@rule
def candidate_features(t: Table, s: State, a: int, k: int, c: CandidateFeatures) -> None:
    """BB-31, BB-70, BB-90, BB-141: what can be said of where an action leads."""
    us = s.to_act
    c.there = 1
    if k == 0:
        flood_from_goal(t, s, us)
    if s.phase == Phase.DEST:
        tell_run(t, s, a, c)
    elif s.phase == Phase.SELECT and SELECT <= a < SELECT + TEAM:
        tell_piece(t, s, us, a - SELECT, c)
    elif s.phase == Phase.TACKLE:
        tell_tackle(t, s, (a - TACKLE) // TEAM, (a - TACKLE) % TEAM, c)
    elif HAND_OFF <= a < HAND_OFF + TEAM:
        tell_receiver(t, s, us, a - HAND_OFF, c)
    elif PASS <= a < PASS + TEAM:
        tell_receiver(t, s, us, a - PASS, c)
    elif s.phase == Phase.GIVE and GIVE_OWN <= a < GIVE_OWN + TEAM:
        tell_receiver(t, s, us, a - GIVE_OWN, c)
    elif (s.phase == Phase.PLACE or s.phase == Phase.INCOMPLETE) and a < CELLS:
        tell_cell(t, s, us, a, c)


@rule
def tell_cell(t: Table, s: State, us: int, cell: int, c: CandidateFeatures) -> None:
    """BB-39: a cell, for a team."""
    ball = ball_cell(s)
    c.to_go, c.contact = rows_to_go(t, us, cell), s.threat[1 - us, cell]
    if ball != NOWHERE:
        c.gains = rows_to_go(t, us, ball) - c.to_go
        c.to_ball = distance(t, cell, ball)
    c.friends_near, c.foes_near = crowd(t, s, us, cell), crowd(t, s, 1 - us, cell)


@rule
def tell_place(t: Table, s: State, us: int, slot: int, cell: int, c: CandidateFeatures) -> None:
    """BB-39, BB-70: a piece of the team to act on a cell."""
    tell_cell(t, s, us, cell, c)
    c.slot = 1 + slot
    c.danger, c.dangers = worst(t, s, us, slot, cell), all_of(t, s, us, slot, cell)
    if c.has_ball > 0:
        c.way_home = walk_home(t, s, slot, cell)


@rule
def tell_run(t: Table, s: State, a: int, c: CandidateFeatures) -> None:
    """BB-31, BB-60: where the mover may go."""
    us, slot = s.turn, s.mover
    if a == SCORE:
        c.scores, c.slot = 1, 1 + slot
        return
    cell = a % CELLS
    c.grabs = a // CELLS
    c.has_ball = 1 if c.grabs > 0 or s.holder == piece(us, slot) or s.ball == cell else 0
    tell_place(t, s, us, slot, cell, c)
    for j in range(AROUND):
        code = s.square[t.near[cell, j]]
        if belongs(code, 1 - us):
            c.odds = max(c.odds, int(SURE * chance_to_tackle(t.die[slot], t.die[slot_of(code)])))
            if code == s.holder:
                c.at_carrier = 1
    if s.holder > 0 and team_of(s.holder) != us:
        there = s.at[1 - us, slot_of(s.holder)]
        way = rows_to_go(t, 1 - us, there)
        c.detour = max(0, c.to_ball + rows_to_go(t, 1 - us, cell) - way)


@rule
def tell_piece(t: Table, s: State, us: int, slot: int, c: CandidateFeatures) -> None:
    """BB-31, BB-70: a piece that may roll."""
    c.has_ball = 1 if s.holder == piece(us, slot) else 0
    tell_place(t, s, us, slot, s.at[us, slot], c)
    die = t.die[slot]
    if s.holder == 0:
        c.fetch = int(SURE * chance_to_walk(die, c.to_ball))
    elif team_of(s.holder) != us:
        c.fetch = int(SURE * chance_to_walk(die, c.to_ball - 1))
        c.odds = int(SURE * chance_to_tackle(die, t.die[slot_of(s.holder)]))


@rule
def tell_tackle(t: Table, s: State, slot: int, target: int, c: CandidateFeatures) -> None:
    """BB-70: who tackles whom."""
    us = s.turn
    c.has_ball = 1 if s.holder == piece(us, slot) else 0
    c.at_carrier = 1 if s.holder == piece(1 - us, target) else 0
    tell_place(t, s, us, slot, s.at[us, slot], c)
    c.odds = int(SURE * chance_to_tackle(t.die[slot], t.die[target]))


@rule
def tell_receiver(t: Table, s: State, us: int, slot: int, c: CandidateFeatures) -> None:
    """BB-90, BB-141: who may get the ball."""
    c.has_ball = 1
    tell_place(t, s, us, slot, s.at[us, slot], c)
