"""Battleball: choosing a piece, its roll, and where it may go."""

from __future__ import annotations

from ...core.rules import Row, allow_all, move, offer, rule, tell
from .ball import after_move, fumble, higher, roll_for
from .field import enter, fits, is_next_to, leave, piece, take_ball
from .halves import end_turn, touchdown
from .state import (
    AFTER_CELLS,
    AROUND,
    EMPTY,
    FAR,
    HEAVY,
    LEFT,
    NODES,
    NOWHERE,
    RIGHT,
    RUNNERS,
    TEAM,
    Cell,
    Event,
    Grab,
    Malfunction,
    Phase,
    Slot,
    State,
    Table,
    TeamRule,
)


# ---- moving -------------------------------------------------------------------------------------
@rule
def is_on_ball(t: Table, s: State, wide: bool, cell: int) -> bool:
    """BB-60, AMB-7: the loose ball is under a foot of the piece."""
    if s.ball == NOWHERE:
        return False
    return cell == s.ball or (wide and t.near[cell, RIGHT] == s.ball)


@rule
def mark_free(t: Table, s: State, wide: bool, layers: int) -> None:
    """BB-37, BB-38, BB-52, BB-58: in `dist`, FAR where the mover can be, 0 where it cannot."""
    me = piece(s.turn, s.mover)
    if wide:
        for c in range(NODES):
            s.dist[c] = FAR if fits(t, s, True, me, c) else 0
    else:
        for c in range(NODES):
            s.dist[c] = FAR if s.square[c] == EMPTY or s.square[c] == me else 0
    for layer in range(1, layers):
        for c in range(NODES):
            s.dist[layer * NODES + c] = s.dist[c]


@rule
def flood(t: Table, s: State, begin: int, wide: bool, ghost: bool) -> int:
    """BB-31..44, BB-52..61, BB-122, BB-123, AMB-14: all cells that the mover can come to.

    Breadth first, over nodes: a cell, + NODES once the ball has been picked up on the way,
    + 2 * NODES once the Ghost Step is used. They stand in `queue`, their steps in `dist`; returns
    how many they are. `home`: the end zone can be reached with the ball.
    """
    us, loose = s.turn, s.ball != NOWHERE
    mine = s.holder == piece(us, s.mover)
    mark_free(t, s, wide, 4 if ghost else 2 if loose else 1)
    s.home, s.dist[begin], s.queue[0] = 0, 0, begin
    head, tail = 0, 1
    while head < tail:
        node = s.queue[head]
        layer = node // NODES
        c = node - layer * NODES
        steps = s.dist[node] + 1
        stop = head > 0 and is_next_to(
            t, s, us, wide, c
        )  # BB-41: the cell of the start stops nobody
        head += 1
        if steps > s.steps or (stop and not (ghost and layer < 2)):
            continue
        if stop:
            layer += 2
        if t.goal[us, c] > 0 and (mine or layer % 2 == 1):
            s.home = 1
        seeks = loose and layer % 2 == 0
        for k in range(AROUND):
            n = t.near[c, k]
            onto = layer * NODES + n
            if s.dist[onto] == FAR:
                if seeks and is_on_ball(t, s, wide, n):
                    if t.optional_pickup > 0:
                        s.dist[onto] = steps
                        s.queue[tail] = onto
                        tail += 1
                    onto += NODES
                    if s.dist[onto] != FAR:
                        continue
                s.dist[onto] = steps
                s.queue[tail] = onto
                tail += 1
    return tail


@rule
def has_ghost_step(s: State) -> bool:
    """BB-169: the mover may ignore one must-stop."""
    if s.team_rule[s.turn] != TeamRule.GHOST_STEP:
        return False
    return s.left[s.turn] > 0 and s.mover < RUNNERS


@rule
def leads_with_foot(t: Table, s: State) -> bool:
    """AMB-8 with heavy_lead_foot: the Heavy Tackle walks like a single piece on one of its feet."""
    return t.lead_foot > 0 and s.mover == HEAVY


@rule
def steps_to(t: Table, s: State, grab: int, cell: int) -> int:
    """BB-168, BB-169: steps of the shortest legal path without a Ghost Step, or FAR."""
    begin = s.at[s.turn, s.mover]
    if not leads_with_foot(t, s):
        flood(t, s, begin, s.mover == HEAVY, False)
        return s.dist[grab * NODES + cell]
    layers = 2 if s.ball != NOWHERE else 1
    best = FAR
    for foot in range(2):
        flood(t, s, t.near[begin, RIGHT] if foot > 0 else begin, False, False)
        on = t.near[cell, RIGHT] if foot > 0 else cell
        for layer in range(layers):
            best = min(best, s.dist[layer * NODES + on])
    return best


@rule
def note_path(t: Table, s: State, grab: int, cell: int) -> None:
    """BB-168, BB-169: what the team rules ask of the way: its length, and whether it was free."""
    r, tackles = s.team_rule[s.turn], is_next_to(t, s, s.turn, s.mover == HEAVY, cell)
    if r == TeamRule.RUNNING_START and tackles:
        s.moved, s.moved_steps = s.mover, steps_to(t, s, grab, cell)
    elif r == TeamRule.GHOST_STEP and has_ghost_step(s) and steps_to(t, s, grab, cell) == FAR:
        s.left[s.turn] -= 1
        tell(s, Event.GHOST_STEP, s.turn, s.mover)


@move(Phase.DEST, at=0)
def run(t: Table, s: State, grab: Grab, cell: Cell) -> None:
    """BB-31..45, BB-60..63: the piece goes there, and has the ball if it came over it."""
    note_path(t, s, grab, cell)
    us, slot = s.turn, s.mover
    s.began, s.ball_lay, s.grabbed, s.struck = 1 + s.at[us, slot], s.ball, grab, 0
    leave(t, s, us, slot, EMPTY)
    enter(t, s, us, slot, cell)
    tell(s, Event.MOVED, us, slot, cell)
    if grab > 0:
        tell(s, Event.PICKED_UP, us, slot, s.ball)
        take_ball(s, us, slot)
        s.no_progress = -1
    after_move(t, s)


@move(Phase.DEST, at=AFTER_CELLS)
def score(t: Table, s: State) -> None:
    """BB-44, BB-122, BB-123, AMB-9, AMB-10, AMB-20: into the end zone with the ball."""
    if s.holder == 0:
        take_ball(s, s.turn, s.mover)
    touchdown(t, s, s.turn)


@rule
def offer_lead_foot(t: Table, s: State, can: Row) -> None:
    """AMB-8 with heavy_lead_foot: one foot walks, only the end must fit both.

    Two floods, one for each foot; `live` marks what is offered without and `region` with the ball.
    """
    begin, me = s.at[s.turn, HEAVY], piece(s.turn, HEAVY)
    home = False
    for c in range(NODES):
        s.live[c], s.region[c] = 0, 0
    for foot in range(2):
        n = flood(t, s, t.near[begin, RIGHT] if foot > 0 else begin, False, False)
        home = home or s.home > 0
        for i in range(1, n):
            layer = s.queue[i] // NODES
            c = s.queue[i] - layer * NODES
            c = t.near[c, LEFT] if foot > 0 else c
            if c == begin or t.stand[1, c] == 0 or not fits(t, s, True, me, c):
                continue
            if layer > 0 or is_on_ball(t, s, True, c):
                if s.region[c] == 0:
                    offer(can, run, 1, c)
                s.region[c] = 1
            else:
                if s.live[c] == 0:
                    offer(can, run, 0, c)
                s.live[c] = 1
    if home:
        offer(can, score)


@allow_all(run, score)
def may_run(t: Table, s: State, can: Row) -> None:
    """BB-31..45, BB-122, BB-169: every cell in reach, without and with the ball; the end zone."""
    if leads_with_foot(t, s):
        offer_lead_foot(t, s, can)
        return
    begin, wide, ghost = s.at[s.turn, s.mover], s.mover == HEAVY, has_ghost_step(s)
    for i in range(1, flood(t, s, begin, wide, ghost)):
        node = s.queue[i]
        again = False
        if node >= 2 * NODES:  # BB-169: needs the Ghost Step, or can be had without it
            node -= 2 * NODES
            again = s.dist[node] != FAR
        grab = 1 if node >= NODES else 0
        c = node - grab * NODES
        if c == begin or again or t.stand[1 if wide else 0, c] == 0:
            continue
        if grab > 0 or t.optional_pickup == 0 or not is_on_ball(t, s, wide, c):
            offer(can, run, grab, c)
    if s.home > 0:
        offer(can, score)


# ---- choosing a piece ---------------------------------------------------------------------------
@rule
def can_step(t: Table, s: State, slot: int) -> bool:
    """BB-20, AMB-15: it has a step to make, or can score; whatever it rolls, it can then move."""
    us = s.turn
    cell, me, wide = s.at[us, slot], piece(us, slot), slot == HEAVY
    if cell == NOWHERE:
        return False
    if s.holder == me and t.goal[us, cell] > 0:
        return True
    for k in range(AROUND):
        n = t.near[cell, k]
        if t.stand[1 if wide else 0, n] > 0 and fits(t, s, wide, me, n):
            return True
    return False


@rule
def is_malfunction(s: State) -> bool:
    """BB-48: the Heavy Tackle has rolled doubles for its move."""
    return s.mover == HEAVY and s.dice[0, 0] == s.dice[0, 1]


@rule
def malfunction(t: Table, s: State) -> None:
    """BB-48..51, AMB-19: the Heavy Tackle cannot move this turn, and fumbles if it has the ball."""
    tell(s, Event.MALFUNCTIONED, s.turn, s.mover)
    if s.holder == piece(s.turn, s.mover):
        s.malfunction = Malfunction.PLACING
        fumble(t, s, s.holder, s.at[s.turn, s.mover])
    elif t.malfunction_ends_turn > 0:
        end_turn(t, s)
    else:
        after_move(t, s)


@rule
def begin_move(t: Table, s: State) -> None:
    """BB-31, BB-46..48, AMB-18: the roll stands; of two dice the higher one contains the other."""
    if is_malfunction(s):
        malfunction(t, s)
    else:
        s.steps, s.phase = higher(s, 0), Phase.DEST


@rule
def roll_to_move(t: Table, s: State) -> None:
    """BB-31, BB-46: the die of the chosen piece."""
    s.dice[1, 0], s.dice[1, 1], s.roller[1] = 0, 0, 0
    roll_for(t, s, 0, s.turn, s.mover)


@move(Phase.SELECT, at=AFTER_CELLS + 1)
def select(t: Table, s: State, slot: Slot) -> None:
    """BB-18, BB-19, BB-31, BB-167: this piece moves; it rolls now."""
    s.mover, s.skips, s.began = slot, 0, 0
    roll_to_move(t, s)
    if s.team_rule[s.turn] == TeamRule.SECOND_WIND and s.left[s.turn] > 0:
        s.phase = Phase.POWER
    else:
        begin_move(t, s)


@move(Phase.SELECT, at=AFTER_CELLS + 206)
def skip(t: Table, s: State) -> None:
    """BB-21, AMB-16, AMB-53: nobody can move; the turn goes on without a move."""
    s.skips, s.began = s.skips + 1, 0
    tell(s, Event.SKIPPED, s.turn)
    after_move(t, s)


@allow_all(select, skip)
def may_select(t: Table, s: State, can: Row) -> None:
    """BB-20, BB-21, AMB-15, AMB-17: a piece that can step; only if there is none, a skip."""
    stuck = True
    for slot in range(TEAM):
        if can_step(t, s, slot):
            offer(can, select, slot)
            stuck = False
    if stuck:
        offer(can, skip)


@move(Phase.POWER, at=AFTER_CELLS + 204, always=True)
def use_power(t: Table, s: State) -> None:
    """BB-167: Second Wind: roll once more; this one stands."""
    s.left[s.turn] -= 1
    tell(s, Event.SECOND_WIND, s.turn, s.left[s.turn])
    roll_to_move(t, s)
    begin_move(t, s)


@move(Phase.POWER, at=AFTER_CELLS + 205, always=True)
def decline_power(t: Table, s: State) -> None:
    """BB-167: keep the roll."""
    begin_move(t, s)
