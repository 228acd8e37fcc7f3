"""Battleball on the field: distances, who stands where, who is next to whom, who has the ball."""

from __future__ import annotations

from ...core.rules import rule
from .state import (
    AROUND,
    CELLS,
    EMPTY,
    HEAVY,
    NOBODY,
    NOWHERE,
    RIGHT,
    TEAM,
    WALL,
    Malfunction,
    State,
    Status,
    Table,
)


# ---- geometry -----------------------------------------------------------------------------------
@rule
def piece(team: int, slot: int) -> int:
    """One number for a piece: what square[] holds for it."""
    return 1 + TEAM * team + slot


@rule
def team_of(code: int) -> int:
    """The team of such a number."""
    return (code - 1) // TEAM


@rule
def slot_of(code: int) -> int:
    """The slot of such a number."""
    return (code - 1) % TEAM


@rule
def belongs(code: int, team: int) -> bool:
    """What a square holds is a piece of this team."""
    return 1 + TEAM * team <= code <= TEAM + TEAM * team


@rule
def distance(t: Table, a: int, b: int) -> int:
    """AMB-6: how many steps from cell to cell, whatever stands between."""
    dx, dy = abs(t.x[a] - t.x[b]), abs(t.row[a] - t.row[b])
    return max(dy, (dx + dy) // 2)


@rule
def away(t: Table, slot: int, cell: int, other: int) -> int:
    """AMB-7: how far a cell is from a piece that stands on `cell`, from the Heavy's nearer foot."""
    d = distance(t, cell, other)
    if slot == HEAVY:
        d = min(d, distance(t, t.near[cell, RIGHT], other))
    return d


@rule
def apart(t: Table, s: State, p: int, cell: int, other: int, q: int) -> int:
    """AMB-7: how far a piece that stands on `cell`, or would, is from one of a team."""
    there = s.at[other, q]
    d = away(t, p, cell, there)
    if q == HEAVY:
        d = min(d, away(t, p, cell, t.near[there, RIGHT]))
    return d


@rule
def between(t: Table, s: State, team: int, p: int, other: int, q: int) -> int:
    """AMB-7: how far two pieces are from each other."""
    return apart(t, s, p, s.at[team, p], other, q)


# ---- the field ----------------------------------------------------------------------------------
@rule
def cover(t: Table, s: State, slot: int, cell: int, what: int) -> None:
    """BB-52, BB-86: writes the cell of a piece, both cells of the Heavy Tackle."""
    s.square[cell] = what
    if slot == HEAVY:
        s.square[t.near[cell, RIGHT]] = what


@rule
def threaten(t: Table, s: State, team: int, cell: int, change: int) -> None:
    """BB-39: the cells around a foot of this team are next to it, or no longer."""
    for k in range(AROUND):
        s.threat[team, t.near[cell, k]] += change


@rule
def enter(t: Table, s: State, team: int, slot: int, cell: int) -> None:
    """A piece comes to stand on a cell."""
    s.at[team, slot], s.status[team, slot] = cell, Status.FIELD
    cover(t, s, slot, cell, piece(team, slot))
    threaten(t, s, team, cell, 1)
    if slot == HEAVY:
        threaten(t, s, team, t.near[cell, RIGHT], 1)


@rule
def leave(t: Table, s: State, team: int, slot: int, what: int) -> None:
    """It leaves its cells: EMPTY or CARNAGE stays there."""
    cell = s.at[team, slot]
    cover(t, s, slot, cell, what)
    threaten(t, s, team, cell, -1)
    if slot == HEAVY:
        threaten(t, s, team, t.near[cell, RIGHT], -1)
    s.at[team, slot] = NOWHERE


@rule
def is_next_to(t: Table, s: State, team: int, wide: bool, cell: int) -> bool:
    """BB-39, BB-43, BB-66: on this cell a piece is next to an opponent, with either foot."""
    if s.threat[1 - team, cell] > 0:
        return True
    return wide and s.threat[1 - team, t.near[cell, RIGHT]] > 0


@rule
def fits(t: Table, s: State, wide: bool, me: int, cell: int) -> bool:
    """BB-37, BB-38, BB-52, BB-58: neither another piece nor carnage is there, for either foot."""
    here = s.square[cell]
    if here != EMPTY and here != me:
        return False
    if not wide:
        return True
    there = s.square[t.near[cell, RIGHT]]
    return (there == EMPTY or there == me) and t.anchor[cell] > 0  # noqa: SIM109 - Numba


@rule
def standing(s: State, team: int) -> int:
    """How many pieces of a team are on the field."""
    n = 0
    for slot in range(TEAM):
        if s.status[team, slot] == Status.FIELD:
            n += 1
    return n


@rule
def first_standing(s: State, team: int) -> int:
    """The first piece of a team that is on the field, or NOBODY."""
    for slot in range(TEAM):
        if s.status[team, slot] == Status.FIELD:
            return slot
    return NOBODY


@rule
def ready(s: State, team: int) -> int:
    """How many pieces of a team are to be lined up."""
    n = 0
    for slot in range(TEAM):
        if s.status[team, slot] == Status.READY:
            n += 1
    return n


@rule
def take_ball(s: State, team: int, slot: int) -> None:
    """BB-63, AMB-34: a piece has the ball now; that it changes teams is progress."""
    if s.possession != 1 + team:
        s.no_progress = -1
    s.holder, s.ball, s.possession = piece(team, slot), NOWHERE, 1 + team


@rule
def clear_field(t: Table, s: State) -> None:
    """BB-5, BB-6, BB-88, BB-115, BB-126: nobody and nothing on the field but the ball."""
    for c in range(CELLS):
        s.square[c] = EMPTY
        s.threat[0, c], s.threat[1, c] = 0, 0
    s.square[NOWHERE], s.threat[0, NOWHERE], s.threat[1, NOWHERE] = WALL, 0, 0
    for team in range(2):
        for slot in range(TEAM):
            s.at[team, slot], s.plan[team, slot] = NOWHERE, 0
    s.ball, s.holder, s.whole = t.kick_off, 0, 1
    s.no_progress, s.skips, s.malfunction = 0, 0, Malfunction.NONE
    s.moved, s.moved_steps = NOBODY, 0
    s.began, s.ball_lay, s.grabbed, s.struck = 0, NOWHERE, 0, 0
