"""Battleball's frame: lining up, turns, halves, halted play, restart, touchdowns, the end."""

from __future__ import annotations

from ...core.rules import Row, agreement, allow, allow_all, move, offer, pick, roll, rule, tell
from .field import clear_field, enter, ready, slot_of, take_ball, team_of
from .state import (
    AFTER_CELLS,
    AROUND,
    CARNAGE,
    CELLS,
    EMPTY,
    HEAVY,
    NOBODY,
    NODES,
    NOWHERE,
    PRESETS,
    RIGHT,
    TEAM,
    ZONE,
    Cell,
    Event,
    Lineup,
    Malfunction,
    Phase,
    PresetNumber,
    State,
    Status,
    Table,
    TeamRule,
    Why,
)


# ---- the end of the game ------------------------------------------------------------------------
@rule
def end_game(s: State) -> None:
    """BB-132, BB-138, AMB-34: more touchdowns win, else it is a tie."""
    s.phase = Phase.OVER
    tell(s, Event.ENDED, 0 if s.score[0] >= s.score[1] else 1, s.score[0], s.score[1])


@rule
def award(t: Table, s: State, team: int) -> None:
    """BB-2, BB-126, BB-129, BB-130, BB-132, AMB-62: a touchdown, and what half comes after it."""
    s.score[team] += 1
    tell(s, Event.TOUCHDOWN, team, s.score[team])
    if s.half == 1:
        s.first_loser = 1 + (1 - team)
    if s.score[team] >= t.touchdowns:
        end_game(s)
    else:
        s.half = min(s.half + 1, 3)


# ---- turns --------------------------------------------------------------------------------------
@rule
def begin_turn(t: Table, s: State, team: int) -> None:
    """BB-18, AMB-34: it is this team's turn, unless the match has been too long."""
    if s.turns >= t.max_plies:
        end_game(s)
        return
    s.turns += 1
    s.turn, s.to_act, s.phase = team, team, Phase.SELECT
    s.malfunction, s.moved, s.moved_steps = Malfunction.NONE, NOBODY, 0
    tell(s, Event.TURN, team)


# ---- lining up ----------------------------------------------------------------------------------
@rule
def next_to_place(t: Table, s: State, p: int) -> int:
    """BB-9, AMB-48: the piece that this coach places next, or NOBODY."""
    for i in range(TEAM):
        slot = t.order[i]
        if s.status[p, slot] == Status.READY and s.plan[p, slot] == 0:
            return slot
    return NOBODY


@rule
def list_places(t: Table, s: State, p: int, slot: int) -> int:
    """BB-10..13, AMB-4, AMB-5, AMB-49: the cells where a piece may be placed, in queue; how many.

    In a blind lineup the coach's own plan is all that stands in their zone.
    """
    for c in range(NODES):
        s.dist[c] = 0 if s.square[c] == EMPTY else 1
    for q in range(TEAM):
        if s.plan[p, q] > 0:
            cell = s.plan[p, q] - 1
            s.dist[cell] = 1
            if q == HEAVY:
                s.dist[t.near[cell, RIGHT]] = 1
    n, begin = 0, 0 if p == 0 else CELLS - ZONE
    for c in range(begin, begin + ZONE):
        wide = slot == HEAVY
        free = s.dist[c] == 0 and (not wide or s.dist[t.near[c, RIGHT]] == 0)
        if free and t.stand[1 if wide else 0, c] > 0:
            s.queue[n] = c
            n += 1
    return n


@rule
def put_down(t: Table, s: State, p: int, slot: int, cell: int) -> None:
    """AMB-11: a piece gets its place; in a blind lineup only its coach knows."""
    tell(s, Event.PLACED, p, slot, cell)
    if t.lineup == Lineup.BLIND:
        s.plan[p, slot] = 1 + cell
    else:
        enter(t, s, p, slot, cell)


@rule
def kick_off(t: Table, s: State) -> None:
    """BB-15..17, BB-119, BB-129, BB-131, BB-137, AMB-61: lineups are shown; who moves first."""
    for team in range(2):
        for slot in range(TEAM):
            if s.plan[team, slot] > 0:
                enter(t, s, team, slot, s.plan[team, slot] - 1)
                s.plan[team, slot] = 0
    if s.first == 0 and s.half == 2 and s.first_loser > 0:
        s.first = s.first_loser
    if s.first == 0 and t.starter >= 0:
        s.first = 1 + t.starter
    if s.first == 0:
        white, black = roll(s, 20), roll(s, 20)
        while white == black:  # AMB-12
            white, black = roll(s, 20), roll(s, 20)
        s.first = 1 if white > black else 2
        tell(s, Event.TOSSED, s.first - 1, white, black)
    begin_turn(t, s, s.first - 1)


@rule
def ask_lineup(t: Table, s: State) -> None:
    """AMB-11: who places next; at the end the kick-off. One coach after the other, or by turns."""
    p = s.to_act
    mine, theirs = next_to_place(t, s, p) != NOBODY, next_to_place(t, s, 1 - p) != NOBODY
    if not mine:
        tell(s, Event.LINED_UP, p)
    if theirs and (not mine or t.lineup == Lineup.ALTERNATE):
        s.to_act = 1 - p
    elif not mine:
        kick_off(t, s)


@rule
def begin_lineup(t: Table, s: State) -> None:
    """BB-9, BB-128: W begins; what it does is hidden until both are done."""
    s.phase, s.to_act = Phase.LINEUP, 0


@rule
def is_untouched(s: State, p: int) -> bool:
    """This coach has placed nobody yet."""
    for slot in range(TEAM):
        if s.plan[p, slot] > 0 or s.status[p, slot] == Status.FIELD:
            return False
    return True


@move(Phase.LINEUP, at=0)
def line_up(t: Table, s: State, cell: Cell) -> None:
    """BB-9..14: put the next piece there."""
    put_down(t, s, s.to_act, next_to_place(t, s, s.to_act), cell)
    ask_lineup(t, s)


@move(Phase.LINEUP, at=AFTER_CELLS + 180)
def line_up_preset(t: Table, s: State, number: PresetNumber) -> None:
    """BB-9: all pieces there are go to their places in a stored lineup."""
    p = s.to_act
    for slot in range(TEAM):
        if s.status[p, slot] == Status.READY:
            put_down(t, s, p, slot, t.preset[number].cell[p, slot])
    ask_lineup(t, s)


@move(Phase.LINEUP, at=AFTER_CELLS + 196)
def line_up_random(t: Table, s: State) -> None:
    """BB-9: each piece in its turn goes to any of the cells it may be placed on."""
    p = s.to_act
    slot = next_to_place(t, s, p)
    while slot != NOBODY:
        n = list_places(t, s, p, slot)
        put_down(t, s, p, slot, pick(s, s.queue, n))
        slot = next_to_place(t, s, p)
    ask_lineup(t, s)


@allow_all(line_up, line_up_preset, line_up_random)
def may_line_up(t: Table, s: State, can: Row) -> None:
    """BB-10..13: any cell that is free for the piece; a stored or a random lineup at first."""
    p = s.to_act
    for i in range(list_places(t, s, p, next_to_place(t, s, p))):
        offer(can, line_up, s.queue[i])
    if t.lineup != Lineup.ALTERNATE and is_untouched(s, p):
        for number in range(PRESETS):
            if t.preset[number].cell[0, 0] != NOWHERE:
                offer(can, line_up_preset, number)
        offer(can, line_up_random)


# ---- halves, halted play, restart ---------------------------------------------------------------
@rule
def charges(team_rule: int) -> int:
    """BB-166, BB-167, BB-169: how often a rule can be used in a half; 0: no limit, or no use."""
    if team_rule == TeamRule.FIELD_MEDICS or team_rule == TeamRule.SECOND_WIND:
        return 2
    return 1 if team_rule == TeamRule.GHOST_STEP else 0


@rule
def renew_team_rules(s: State) -> None:
    """BB-161, BB-162: what a rule may be used for is full again with each half and restart."""
    for team in range(2):
        s.left[team] = charges(s.team_rule[team])


@rule
def begin_half(t: Table, s: State, fresh: bool) -> None:
    """BB-126..128, BB-133, BB-135..139, AMB-36, AMB-51: all who are not in the box line up.

    `fresh`: it is not the same half again, so team rules are chosen anew (BB-162). A team without
    anybody concedes a touchdown; without anybody at all the game ends.
    """
    clear_field(t, s)
    for team in range(2):
        for slot in range(TEAM):
            if s.status[team, slot] != Status.BOX:
                s.status[team, slot] = Status.READY
    s.possession, s.first = 0, 0
    renew_team_rules(s)
    while s.phase != Phase.OVER and (ready(s, 0) == 0 or ready(s, 1) == 0):
        if ready(s, 0) == 0 and ready(s, 1) == 0:
            end_game(s)
        else:
            award(t, s, 0 if ready(s, 0) > 0 else 1)
            fresh = True
    if s.phase != Phase.OVER:
        tell(s, Event.HALF, 0, s.half)
        if fresh and t.team_rules > 0:
            s.phase, s.to_act = Phase.TEAMRULE, 0
            s.team_rule[0], s.team_rule[1] = 0, 0
        else:
            begin_lineup(t, s)


@rule
def touchdown(t: Table, s: State, team: int) -> None:
    """BB-23, BB-122, BB-124: this half is over; the next begins, unless it was the second one."""
    award(t, s, team)
    if s.phase != Phase.OVER:
        begin_half(t, s, True)


@rule
def restart(t: Table, s: State) -> None:
    """BB-134..137, AMB-63: nobody is left on the field; the same half begins again."""
    if s.restarts + 1 == t.max_restarts:
        end_game(s)
        return
    s.restarts += 1
    tell(s, Event.RESTARTED, 0)
    begin_half(t, s, False)


@rule
def ball_after_halt(s: State, team: int, carrier: int) -> None:
    """AMB-31 with halt_ball=possession: who carried the ball has it again, else the first piece."""
    if carrier > 0 and team_of(carrier) == team:
        take_ball(s, team, slot_of(carrier))
        return
    for slot in range(TEAM):
        if s.status[team, slot] == Status.READY:
            take_ball(s, team, slot)
            return


@rule
def halt(t: Table, s: State, team: int, why: int) -> None:
    """BB-115..121, AMB-31: those on the field line up again; the team in possession goes first."""
    s.halts += 1
    tell(s, Event.HALTED, team, why)
    carrier = s.holder
    clear_field(t, s)
    for side in range(2):
        for slot in range(TEAM):
            if s.status[side, slot] == Status.FIELD:
                s.status[side, slot] = Status.READY
    s.first = 1 + team
    if t.halt_gives_ball > 0 and s.possession == 1 + team:
        ball_after_halt(s, team, carrier)
        s.no_progress = 0
    if ready(s, 0) > 0 and ready(s, 1) > 0:
        begin_lineup(t, s)
    elif ready(s, 0) > 0 or ready(s, 1) > 0:
        touchdown(t, s, 0 if ready(s, 0) > 0 else 1)
    else:
        restart(t, s)


# ---- can anybody still score? -------------------------------------------------------------------
@rule
def spread_region(t: Table, s: State, begin: int, number: int) -> None:
    """Gives a number to every cell that can be walked to from `begin`, if nobody stood anywhere."""
    head, tail = 0, 1
    s.queue[0], s.region[begin] = begin, number
    while head < tail:
        c = s.queue[head]
        head += 1
        for k in range(AROUND):
            n = t.near[c, k]
            if s.region[n] == 0 and s.square[n] != CARNAGE and n != NOWHERE:
                s.region[n] = number
                s.queue[tail] = n
                tail += 1


@rule
def find_regions(t: Table, s: State) -> int:
    """BB-114: the parts into which carnage divides the field; how many there are."""
    for c in range(NODES):
        s.region[c] = 0
    n = 0
    for c in range(CELLS):
        if s.region[c] == 0 and s.square[c] != CARNAGE:
            n += 1
            spread_region(t, s, c, n)
    return n


@rule
def survey(t: Table, s: State) -> None:
    """BB-114: is the field whole, and can both end zones be entered? Asked when carnage changes."""
    s.whole = 0
    if find_regions(t, s) == 1:
        for team in range(2):
            s.home = 0
            for c in range(CELLS):
                if t.goal[team, c] > 0 and s.region[c] > 0:
                    s.home = 1
            if s.home == 0:
                return
        s.whole = 1


@rule
def touches_live(s: State, team: int) -> bool:
    """A piece of this team stands in a part of the field that the ball can come to."""
    if s.holder > 0 and team_of(s.holder) == team:
        return True
    for slot in range(TEAM):
        if s.at[team, slot] != NOWHERE and s.live[s.region[s.at[team, slot]]] > 0:
            return True
    return False


@rule
def passes_on(s: State, team: int) -> bool:
    """BB-114, Advanced: a pass of this team carries the ball to all its pieces; is that new?"""
    new = False
    if touches_live(s, team):
        for slot in range(TEAM):
            if s.at[team, slot] != NOWHERE and s.live[s.region[s.at[team, slot]]] == 0:
                s.live[s.region[s.at[team, slot]]] = 1
                new = True
    return new


@rule
def hops_on(t: Table, s: State) -> bool:
    """AMB-30 with halt_counts_fumble_hops: a fumble carries the ball two cells; is that new?"""
    new = False
    if touches_live(s, 0) or touches_live(s, 1):
        for c in range(CELLS):
            if s.live[s.region[c]] > 0:
                for k in range(AROUND):
                    middle = t.near[c, k]
                    for j in range(AROUND):
                        n = t.near[middle, j]
                        if s.region[n] > 0 and s.live[s.region[n]] == 0:
                            s.live[s.region[n]] = 1
                            new = True
    return new


@rule
def find_live(t: Table, s: State) -> None:
    """BB-114: marks the parts of the field that the ball can come to."""
    for i in range(NODES):
        s.live[i] = 0
    if s.holder > 0:
        s.live[s.region[s.at[team_of(s.holder), slot_of(s.holder)]]] = 1
    elif s.ball != NOWHERE:
        s.live[s.region[s.ball]] = 1
    more = True
    while more:
        more = False
        if s.advanced > 0:
            for team in range(2):
                if passes_on(s, team):
                    more = True
        if t.fumble_hops > 0 and hops_on(t, s):
            more = True


@rule
def heavy_gets_home(t: Table, s: State, team: int) -> bool:
    """BB-57, BB-114: the Heavy Tackle can walk to its goal row, if nobody stood anywhere."""
    begin = s.at[team, HEAVY]
    for c in range(NODES):
        s.dist[c] = 0
    head, tail = 0, 1
    s.queue[0], s.dist[begin] = begin, 1
    while head < tail:
        c = s.queue[head]
        head += 1
        if t.goal[team, c] > 0:
            return True
        for k in range(AROUND):
            n = t.near[c, k]
            clear = s.square[n] != CARNAGE and s.square[t.near[n, RIGHT]] != CARNAGE
            if clear and s.dist[n] == 0 and t.anchor[n] > 0:
                s.dist[n] = 1
                s.queue[tail] = n
                tail += 1
    return False


@rule
def has_way_home(t: Table, s: State, team: int) -> bool:
    """BB-113, BB-114: some piece of this team can come to the ball and with it to its goal row."""
    for slot in range(TEAM):
        cell = s.at[team, slot]
        if cell != NOWHERE and s.live[s.region[cell]] > 0:
            if slot == HEAVY:
                return heavy_gets_home(t, s, team)  # it is the last of the slots
            for c in range(CELLS):
                if t.goal[team, c] > 0 and s.region[c] == s.region[cell]:
                    return True
    return False


@rule
def is_closed(t: Table, s: State) -> bool:
    """BB-113, BB-114: neither team can score any more, even if all pieces got out of the way."""
    if s.whole > 0:
        for slot in range(HEAVY):
            if s.at[0, slot] != NOWHERE or s.at[1, slot] != NOWHERE:
                return False
    find_regions(t, s)
    find_live(t, s)
    return not has_way_home(t, s, 0) and not has_way_home(t, s, 1)


# ---- the end of a turn --------------------------------------------------------------------------
@rule
def in_possession(s: State, upcoming: int) -> int:
    """BB-119, BB-120: the team that has or last had the ball, else the one whose turn is next."""
    return s.possession - 1 if s.possession > 0 else upcoming


@rule
def end_turn(t: Table, s: State) -> None:
    """BB-30, BB-114, AMB-34, AMB-56: the other team's turn, unless play must be halted."""
    s.no_progress += 1
    if is_closed(t, s):
        halt(t, s, in_possession(s, 1 - s.turn), Why.CLOSED)
    elif s.skips >= 2:
        halt(t, s, in_possession(s, 1 - s.turn), Why.STUCK)
    elif t.no_progress_limit > 0 and s.no_progress >= t.no_progress_limit:
        s.np_halts += 1
        if s.np_halts >= t.max_np_halts:
            end_game(s)
        else:
            halt(t, s, in_possession(s, 1 - s.turn), Why.NO_PROGRESS)
    else:
        begin_turn(t, s, 1 - s.turn)


# ---- what both coaches agree on -----------------------------------------------------------------
@agreement(Phase.SELECT)
def halt_play(t: Table, s: State) -> None:
    """AMB-30, BB-115..121: both coaches see no way; the turn that has just begun is given up."""
    halt(t, s, in_possession(s, s.turn), Why.AGREED)


@allow(halt_play)
def may_halt_play(t: Table, s: State) -> bool:
    """AMB-30: with `allow_agreed_halt`, before a piece is chosen."""
    return t.agreed_halt > 0
