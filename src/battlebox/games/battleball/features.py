"""Battleball: what learners are told besides what stands on the field.

A policy is small, and has no eyes for a field: so it is told rows and distances, and of where it
may go what it comes to. What is told by cells is left out of what policies learn from.
"""

from __future__ import annotations

from ...core.rules import Domain, IntEnum, Record, i8, move_of, n8, n16, rule
from .ball import give_other, give_own, hand_off, pass_ball, pass_bonus
from .field import apart, away, belongs, distance, piece, slot_of, standing, team_of
from .halves import next_to_place
from .insight import SCORE, SELECT, crowd
from .state import (
    AROUND,
    CELLS,
    COLS,
    HEAVY,
    LONGEST_RUN,
    NOWHERE,
    RIGHT,
    ROWS,
    SEATS,
    TEAM,
    Phase,
    Slot,
    State,
    Table,
)
from .tackling import tackle
from .walks import (
    SHUT,
    begin_flood,
    begin_flood_after,
    rows_to_go,
    seek_ball,
    seek_goal,
    seek_piece,
)

#: what policies do without: what is told by cells, of now and of the last move, and who looks
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
PLACES = 40  # among candidates that are told apart
MANY = 3 * SURE  # where sums of chances end


class Ball(IntEnum):
    """Whose the ball is."""

    NOBODYS = 0  # it is not in play
    LOOSE = 1  # it lies on the field
    OWN = 2  # the viewer's team has it
    THEIRS = 3


class RowsToGo(Domain, n=ROWS + 1):
    """Steps into the end zone that a team attacks, if nobody stood anywhere."""


class Column(Domain, n=COLS + 1):
    """How far to the right, in cells."""


class Standing(Domain, n=TEAM + 1):
    """How many pieces of a team are on the field."""


class Features(Record):
    """Rows are counted from the end zone that the viewer's team attacks; of each team's pieces,
    from the one that they attack. Chances are in percent.
    """

    ball_is = n8(of=Ball)
    ball_to_go = n8(of=RowsToGo, first=1)
    ball_column = n8(of=Column, first=1)
    way_home = n8(high=SURE)  # that the carrier can walk home in one move,
    danger = n8(high=SURE)  # that the best of the others could come and tackle them,
    dangers = n16(high=MANY)  # and the sum of the chances of all others
    fetch = n8(each=SEATS, high=SURE)  # that a piece can walk to the loose ball in one move
    mover_to_go = n8(of=RowsToGo, first=1)  # of the piece that moves in this turn
    mover_column = n8(of=Column, first=1)
    mover_has_ball = n8(high=1)
    standing = n8(each=SEATS, of=Standing)
    to_go = n8(TEAM, each=SEATS, high=ROWS)  # of who is not on the field, none
    column = n8(TEAM, each=SEATS, high=COLS)
    to_ball = n8(TEAM, each=SEATS, high=ROWS)  # steps, whatever stands between
    contact = n8(TEAM, each=SEATS, high=AROUND)  # feet of opponents beside it


@rule
def features(t: Table, s: State, me: int, f: Features) -> None:
    """BB-31, BB-39, BB-70: the ball, and each piece, by rows, distances and chances."""
    ball = ball_cell(s)
    if s.holder > 0:
        f.ball_is = Ball.OWN if team_of(s.holder) == me else Ball.THEIRS
    elif ball != NOWHERE:
        f.ball_is = Ball.LOOSE
        for team in range(SEATS):
            begin_flood(s, team)
            seek_ball(t, s)
            for slot in range(TEAM):
                f.fetch[team] = max(f.fetch[team], walk_of(t, s, team, slot))
    if ball != NOWHERE:
        f.ball_to_go, f.ball_column = 1 + rows_to_go(t, me, ball), 1 + t.x[ball] // 2
        if s.holder > 0:
            tell_carrier(t, s, f)
    if Phase.POWER <= s.phase <= Phase.INCOMPLETE and s.mover < TEAM:
        cell = s.at[s.turn, s.mover]
        if cell != NOWHERE:
            f.mover_to_go, f.mover_column = 1 + rows_to_go(t, s.turn, cell), 1 + t.x[cell] // 2
            f.mover_has_ball = 1 if s.holder == piece(s.turn, s.mover) else 0
    for team in range(SEATS):
        f.standing[team] = standing(s, team)
        for slot in range(TEAM):
            cell = s.at[team, slot]
            if cell != NOWHERE:
                f.to_go[team, slot] = rows_to_go(t, team, cell)
                f.column[team, slot] = t.x[cell] // 2
                f.contact[team, slot] = feet_beside(t, s, team, slot, cell)
                if ball != NOWHERE:
                    f.to_ball[team, slot] = away(t, slot, cell, ball)


@rule
def ball_cell(s: State) -> int:
    """Where the ball is, or NOWHERE."""
    if s.holder > 0:
        return s.at[team_of(s.holder), slot_of(s.holder)]
    return s.ball


@rule
def tell_carrier(t: Table, s: State, f: Features) -> None:
    """BB-31, BB-70: the way home, and who could tackle the carrier."""
    team, slot = team_of(s.holder), slot_of(s.holder)
    begin_flood(s, team)
    seek_goal(t, s, team)
    f.way_home = walk_of(t, s, team, slot)
    begin_flood(s, 1 - team)
    seek_piece(t, s, slot, s.at[team, slot])
    for other in range(TEAM):
        chance = chance_to_catch(t, s, 1 - team, other, slot)
        f.danger = max(f.danger, chance)
        f.dangers += chance


@rule
def feet_beside(t: Table, s: State, team: int, slot: int, cell: int) -> int:
    """BB-39, BB-43: feet of opponents next to a piece of a team on this cell, or to its other."""
    return s.threat[1 - team, cell] + (s.threat[1 - team, t.near[cell, RIGHT]] * (slot == HEAVY))


# ---- chances, in percent -------------------------------------------------------------------------
@rule
def chance_to_roll(t: Table, slot: int, steps: int) -> float:
    """BB-4, BB-46: that a piece may go so far: the Heavy by the higher of two dice."""
    short = min(1.0, max(0, steps - 1) / t.die[slot])
    return 1 - (short * short if slot == HEAVY else short)


@rule
def walk(t: Table, s: State, slot: int, cell: int) -> int:
    """BB-31: by the flood, that this piece can walk from the cell to where that began."""
    steps = s.dist[cell]
    return percent(chance_to_roll(t, slot, steps)) if steps < SHUT else 0


@rule
def walk_of(t: Table, s: State, team: int, slot: int) -> int:
    """BB-31: the same of a piece from where it stands, if it does."""
    cell = s.at[team, slot]
    return walk(t, s, slot, cell) if cell != NOWHERE else 0


@rule
def chance_to_catch(t: Table, s: State, team: int, slot: int, other: int) -> int:
    """BB-31, BB-70: by the flood, that this piece can come and tackle the other."""
    cell = s.at[team, slot]
    if cell == NOWHERE or s.dist[cell] >= SHUT:
        return 0
    return percent(chance_to_roll(t, slot, s.dist[cell]) * chance_of_tackle(t, slot, other))


@rule
def percent(chance: float) -> int:
    """The nearest."""
    return int(SURE * chance + 0.5)


@rule
def more_than(t: Table, slot: int, n: int) -> float:
    """BB-83: that the die of a piece that counts is higher: of the Heavy's two the lower does."""
    chance = max(0, t.die[slot] - n) / t.die[slot]
    return chance * chance if slot == HEAVY else chance


@rule
def chance_of_tackle(t: Table, slot: int, other: int) -> float:
    """BB-70, BB-83: that a piece rolls less than the other; team rules change that a little."""
    found = 0.0
    for n in range(1, t.die[slot] + 1):
        found += (more_than(t, slot, n - 1) - more_than(t, slot, n)) * more_than(t, other, n)
    return found


@rule
def chance_against(t: Table, s: State, team: int, slot: int, cell: int, other: int) -> int:
    """BB-70: that this opponent could come and tackle the piece on the cell, as the crow flies."""
    if s.at[1 - team, other] == NOWHERE:
        return 0
    near = chance_to_roll(t, other, apart(t, s, slot, cell, 1 - team, other) - 1)
    return percent(near * chance_of_tackle(t, other, slot)) if near > 0 else 0


# ---- candidates ---------------------------------------------------------------------------------
class CandidateFeatures(Record):
    """What an action comes to, for the team that acts. Chances are in percent."""

    there = n8(high=1)  # there is a candidate in this place
    rank = n8(high=PLACES)  # and which: 0 is the best that the game holds
    scores = n8(high=1)  # into the end zone with the ball
    slot = n8(of=Slot, first=1)  # the piece of the team's that it is about
    grabs = n8(high=1)  # the loose ball is taken on the way
    has_ball = n8(high=1)  # that piece has it then
    to_go = n8(high=ROWS)  # from the cell that it is about,
    gains = i8(high=LONGEST_RUN)  # and how many rows less than from where the ball is now
    to_ball = n8(high=ROWS)  # steps from the cell to where the ball is now
    contact = n8(high=AROUND)  # feet of opponents beside the cell,
    odds = n8(high=SURE)  # of the best tackle there, or of this one,
    at_carrier = n8(high=1)  # which may be of the one who has the ball
    way_home = n8(high=SURE)  # with the ball, that the next move leads home
    danger = n8(high=SURE)  # that the best of the others could come and tackle there,
    dangers = n16(high=MANY)  # and the sum of the chances of all others
    rolls = n8(high=SURE)  # that this piece may go as far as it is from the cell to the ball
    detour = n8(high=ROWS)  # rows that the others' carrier would have to go for the cell
    spare = i8(high=ROWS)  # of a receiver: how much further a pass to it could be
    friends_near = n16(high=SURE)  # `crowd` of its own team,
    foes_near = n16(high=SURE)  # and of the others
    caught = n8(high=SURE)  # that the best of the others can come and tackle the carrier then,
    catches = n16(high=MANY)  # and the sum of the chances of all others
    their_way = n8(high=SURE)  # that their carrier can walk home in one move then,
    their_fetch = n8(high=SURE)  # and that one of them can walk to the loose ball


@rule
def candidate_features(t: Table, s: State, a: int, k: int, c: CandidateFeatures) -> None:
    """BB-31, BB-70, BB-90, BB-141, AMB-11: what can be said of where an action leads."""
    us = s.to_act
    c.there, c.rank = 1, min(k, PLACES)
    if s.phase == Phase.DEST:
        tell_run(t, s, a, c)
    elif s.phase == Phase.SELECT and SELECT <= a < SELECT + TEAM:
        tell_piece(t, s, us, a - SELECT, c)
    elif s.phase == Phase.TACKLE:
        tell_tackle(t, s, (a - TACKLE) // TEAM, (a - TACKLE) % TEAM, c)
    elif s.phase == Phase.OPTION and HAND_OFF <= a < PASS + TEAM:
        tell_receiver(t, s, us, (a - HAND_OFF) % TEAM, c)
    elif s.phase == Phase.GIVE and GIVE_OWN <= a < GIVE_OWN + TEAM:
        tell_receiver(t, s, us, a - GIVE_OWN, c)
    elif s.phase == Phase.GIVE and GIVE_OTHER <= a < GIVE_OTHER + TEAM:
        tell_cell(t, s, us, s.at[1 - us, a - GIVE_OTHER], c)  # an opponent's: BB-110
    elif s.phase == Phase.INCOMPLETE and a >= GIVE_OTHER:
        tell_cell(t, s, us, s.at[s.turn, a - GIVE_OTHER], c)
    elif s.phase == Phase.LINEUP and a < CELLS:
        tell_cell(t, s, us, a, c)
        c.slot = 1 + next_to_place(t, s, us)
    elif a < CELLS and belongs(s.square[a], us):  # an interception: BB-152
        tell_receiver(t, s, us, slot_of(s.square[a]), c)
    elif a < CELLS:
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
    c.slot, c.contact = 1 + slot, feet_beside(t, s, us, slot, cell)
    for other in range(TEAM):
        chance = chance_against(t, s, us, slot, cell, other)
        c.danger = max(c.danger, chance)
        c.dangers += chance


@rule
def tell_run(t: Table, s: State, a: int, c: CandidateFeatures) -> None:
    """BB-31, BB-60: where the mover may go."""
    us, slot = s.turn, s.mover
    if a == SCORE:
        c.scores, c.slot = 1, 1 + slot
        return
    cell = a % CELLS
    c.grabs = a // CELLS
    c.has_ball = 1 if c.grabs > 0 or s.holder == piece(us, slot) else 0
    tell_place(t, s, us, slot, cell, c)
    tell_after(t, s, us, slot, cell, c)
    if c.contact > 0:
        tell_tackles(t, s, us, slot, cell, c)
    if s.holder > 0 and team_of(s.holder) != us:
        way = rows_to_go(t, 1 - us, s.at[1 - us, slot_of(s.holder)])
        c.detour = max(0, c.to_ball + rows_to_go(t, 1 - us, cell) - way)


@rule
def tell_tackles(t: Table, s: State, us: int, slot: int, cell: int, c: CandidateFeatures) -> None:
    """BB-66, BB-70: whom a piece may tackle from the cell."""
    for other in range(TEAM):
        if s.at[1 - us, other] != NOWHERE and apart(t, s, slot, cell, 1 - us, other) == 1:
            c.odds = max(c.odds, percent(chance_of_tackle(t, slot, other)))
            if s.holder == piece(1 - us, other):
                c.at_carrier = 1


@rule
def tell_piece(t: Table, s: State, us: int, slot: int, c: CandidateFeatures) -> None:
    """BB-31, BB-70: a piece that may roll."""
    c.has_ball = 1 if s.holder == piece(us, slot) else 0
    tell_place(t, s, us, slot, s.at[us, slot], c)
    if c.has_ball > 0:
        tell_after(t, s, us, slot, s.at[us, slot], c)
    elif s.holder == 0:
        begin_flood(s, us)
        seek_ball(t, s)
        c.rolls = walk_of(t, s, us, slot)
    elif team_of(s.holder) != us:
        begin_flood(s, us)
        seek_piece(t, s, slot_of(s.holder), s.at[1 - us, slot_of(s.holder)])
        c.rolls = walk_of(t, s, us, slot)
        c.odds = percent(chance_of_tackle(t, slot, slot_of(s.holder)))


@rule
def tell_tackle(t: Table, s: State, slot: int, target: int, c: CandidateFeatures) -> None:
    """BB-70: who tackles whom."""
    us = s.turn
    c.has_ball = 1 if s.holder == piece(us, slot) else 0
    c.at_carrier = 1 if s.holder == piece(1 - us, target) else 0
    tell_place(t, s, us, slot, s.at[us, slot], c)
    c.odds = percent(chance_of_tackle(t, slot, target))


@rule
def tell_receiver(t: Table, s: State, us: int, slot: int, c: CandidateFeatures) -> None:
    """BB-90, BB-141, BB-146: who may get the ball."""
    c.has_ball = 1
    tell_place(t, s, us, slot, s.at[us, slot], c)
    tell_after(t, s, us, slot, s.at[us, slot], c)
    c.spare = t.reach[slot] + pass_bonus(s) - c.to_ball


@rule
def tell_after(t: Table, s: State, us: int, slot: int, cell: int, c: CandidateFeatures) -> None:
    """BB-31, BB-70: what may come of the ball once this piece of the team stands on the cell."""
    if c.has_ball > 0 or (s.holder > 0 and team_of(s.holder) == us):
        carrier = slot if c.has_ball > 0 else slot_of(s.holder)
        at = cell if c.has_ball > 0 else s.at[us, carrier]
        begin_flood_after(t, s, us, us, slot, cell)
        seek_goal(t, s, us)
        c.way_home = walk(t, s, carrier, at)
        begin_flood_after(t, s, 1 - us, us, slot, cell)
        seek_piece(t, s, carrier, at)
        for other in range(TEAM):
            chance = chance_to_catch(t, s, 1 - us, other, carrier)
            c.caught = max(c.caught, chance)
            c.catches += chance
    elif s.holder > 0:
        begin_flood_after(t, s, 1 - us, us, slot, cell)
        seek_goal(t, s, 1 - us)
        c.their_way = walk_of(t, s, 1 - us, slot_of(s.holder))
    elif s.ball != NOWHERE:
        begin_flood_after(t, s, 1 - us, us, slot, cell)
        seek_ball(t, s)
        for other in range(TEAM):
            c.their_fetch = max(c.their_fetch, walk_of(t, s, 1 - us, other))
