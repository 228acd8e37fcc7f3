"""Battleball: how far it is to walk, for what searches and learners are told.

Distances are found by a flood that goes from where one wants to be against the way of the pieces:
to the end zone, to the loose ball, to the cells beside a carrier. First it is written into `dist`
what a team meets on each cell, as it is, or as it would be once a piece stands elsewhere. Nothing
here is a rule; the rules' own flood is in moving.py.
"""

from __future__ import annotations

from ...core.rules import rule
from .field import belongs, distance
from .state import (
    AROUND,
    CELLS,
    EMPTY,
    FAR,
    HEAVY,
    LONGEST_RUN,
    NODES,
    RIGHT,
    ROWS,
    State,
    Table,
)

# in `dist`, where nobody has come to yet: see `begin_flood`
SHUT, STOPS, STANDS = FAR - 3, FAR - 2, FAR - 1


@rule
def rows_to_go(t: Table, team: int, cell: int) -> int:
    """Steps into the end zone that this team attacks, if nobody stood anywhere."""
    return ROWS + 1 - t.row[cell] if team == 0 else t.row[cell]


@rule
def flood_back(t: Table, s: State, n: int) -> None:
    """dist[c] = steps from c to the nearest of the first n cells of `queue`, whose dist is given;
    SHUT or more if one cannot walk there in one move. `dist` says before who walks where.
    """
    head, tail = 0, n
    while head < tail:
        c = s.queue[head]
        head += 1
        steps = s.dist[c] + 1
        if steps > LONGEST_RUN:
            return
        for k in range(AROUND):
            cell = t.near[c, k]
            if s.dist[cell] == FAR:
                s.dist[cell] = steps
                s.queue[tail] = cell
                tail += 1
            elif s.dist[cell] == STANDS:
                s.dist[cell] = steps


@rule
def begin_flood(s: State, team: int) -> None:
    """In `dist`, what a piece of this team meets: FAR, where it may pass; STOPS, where it has to
    stop (BB-39); STANDS, where it or another of the team stands; else SHUT.
    """
    for c in range(NODES):
        code = s.square[c]
        if code == EMPTY:
            s.dist[c] = FAR if s.threat[1 - team, c] == 0 else STOPS
        else:
            s.dist[c] = STANDS if belongs(code, team) else SHUT


# ---- once a piece stands elsewhere ---------------------------------------------------------------
@rule
def begin_flood_after(t: Table, s: State, team: int, us: int, slot: int, cell: int) -> None:
    """In `dist`, what a piece of the team meets once this one of `us` stands on another cell."""
    begin_flood(s, team)
    at = s.at[us, slot]
    if at != cell:
        lift_foot(t, s, team, us, slot, at)
        if slot == HEAVY:
            lift_foot(t, s, team, us, slot, t.near[at, RIGHT])
        put_foot(t, s, team, us, cell)
        if slot == HEAVY:
            put_foot(t, s, team, us, t.near[cell, RIGHT])


@rule
def lift_foot(t: Table, s: State, team: int, us: int, slot: int, foot: int) -> None:
    """In `dist`: this foot of the piece leaves its cell."""
    s.dist[foot] = without(t, s, team, us, slot, foot)
    if team != us:
        for k in range(AROUND):
            cell = t.near[foot, k]
            if s.square[cell] == EMPTY:
                s.dist[cell] = without(t, s, team, us, slot, cell)


@rule
def without(t: Table, s: State, team: int, us: int, slot: int, cell: int) -> int:
    """What a piece of the team meets on a cell that is empty once this one of `us` is gone."""
    threat = s.threat[1 - team, cell]
    if team != us:
        threat -= feet_near(t, slot, s.at[us, slot], cell)
    return FAR if threat == 0 else STOPS


@rule
def feet_near(t: Table, slot: int, at: int, cell: int) -> int:
    """How many feet of a piece that stands here are next to a cell."""
    n = 1 if distance(t, at, cell) == 1 else 0
    if slot == HEAVY and distance(t, t.near[at, RIGHT], cell) == 1:
        n += 1
    return n


@rule
def put_foot(t: Table, s: State, team: int, us: int, foot: int) -> None:
    """In `dist`: a foot of a piece of `us` comes to stand on a cell."""
    s.dist[foot] = STANDS if team == us else SHUT
    if team != us:
        for k in range(AROUND):
            cell = t.near[foot, k]
            if s.dist[cell] == FAR:
                s.dist[cell] = STOPS


# ---- where one wants to be -----------------------------------------------------------------------
@rule
def seek_goal(t: Table, s: State, team: int) -> None:
    """dist = steps into the end zone that this team attacks."""
    n = 0
    for c in range(CELLS):
        if t.goal[team, c] > 0:
            if s.dist[c] == FAR:
                s.dist[c] = 1
                s.queue[n] = c
                n += 1
            elif s.dist[c] == STANDS:
                s.dist[c] = 1
    flood_back(t, s, n)


@rule
def seek_ball(t: Table, s: State) -> None:
    """dist = steps to the loose ball."""
    s.dist[s.ball], s.queue[0] = 0, s.ball
    flood_back(t, s, 1)


@rule
def seek_piece(t: Table, s: State, slot: int, at: int) -> None:
    """dist = steps to a cell beside a piece of the others that stands here, or would."""
    n = queue_around(t, s, at, 0)
    if slot == HEAVY:
        n = queue_around(t, s, t.near[at, RIGHT], n)
    flood_back(t, s, n)


@rule
def queue_around(t: Table, s: State, foot: int, n: int) -> int:
    """Puts the cells beside a foot into the queue, behind n others; how many they are then."""
    for k in range(AROUND):
        cell = t.near[foot, k]
        if s.dist[cell] == FAR or s.dist[cell] == STOPS:
            s.dist[cell] = 0
            s.queue[n] = cell
            n += 1
        elif s.dist[cell] == STANDS:
            s.dist[cell] = 0
    return n
