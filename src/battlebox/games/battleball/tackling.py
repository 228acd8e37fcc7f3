"""Battleball: tackles, injuries, and what becomes of the ball."""

from __future__ import annotations

from ...core.rules import Row, allow_all, move, offer, rule, tell
from .ball import any_match, fumble, higher, lower, roll_for
from .field import (
    between,
    first_standing,
    is_next_to,
    leave,
    piece,
    slot_of,
    standing,
    take_ball,
    team_of,
)
from .halves import end_turn, restart, survey, touchdown
from .state import (
    AFTER_CELLS,
    CARNAGE,
    HEAVY,
    NOWHERE,
    TEAM,
    Event,
    Phase,
    Slot,
    State,
    Status,
    Table,
    TeamRule,
)

BOTH = 2  # no team: each loses a piece


# ---- tackles ------------------------------------------------------------------------------------
@rule
def has_started_running(s: State) -> bool:
    """BB-168: Running Start, for the piece that moved three steps or more and now tackles."""
    if s.team_rule[s.turn] != TeamRule.RUNNING_START:
        return False
    return s.attacker == s.moved and s.moved_steps >= 3


@rule
def attack_value(s: State, natural: int) -> int:
    """BB-85, BB-168: what the attacker's die counts; Running Start: one less, but no 1 of it."""
    return max(2, natural - 1) if natural > 1 and has_started_running(s) else natural


@rule
def makes_last_stand(s: State, loser: int, by: int, winner_rolled: int) -> bool:
    """BB-170: who would lose by just 1 takes the winner along, unless that one rolled a 1."""
    return s.team_rule[loser] == TeamRule.LAST_STAND and by == 1 and winner_rolled != 1


@rule
def loser_of(s: State, attacker_rolled: int, target_rolled: int) -> int:
    """BB-70, BB-71, BB-85, BB-168, BB-170: the team whose piece these dice injure, or BOTH."""
    a, b = attack_value(s, attacker_rolled), target_rolled
    if a == b:
        return BOTH
    loser, winner_rolled = (s.turn, b) if a > b else (1 - s.turn, attacker_rolled)
    return BOTH if makes_last_stand(s, loser, abs(a - b), winner_rolled) else loser


@rule
def drops_ball(s: State, tie: bool) -> bool:
    """BB-78, BB-96, BB-97, BB-99: the one of the two that has the ball fumbles it."""
    return tie or any_match(s)


@rule
def injure(t: Table, s: State, team: int, slot: int, other_rolled: int) -> None:
    """BB-72..74, BB-79..82, BB-86, BB-166: off the field, carnage where it stood.

    The other's natural 1 is a serious injury; in a tie both have rolled it.
    """
    cell = s.at[team, slot]
    s.status[team, slot] = Status.LOCKER
    serious = other_rolled == 1
    if serious and s.team_rule[team] == TeamRule.FIELD_MEDICS and s.left[team] > 0:
        s.left[team] -= 1
        serious = False
        tell(s, Event.TREATED, team, slot)
    if serious:
        s.status[team, slot] = Status.BOX
        tell(s, Event.SERIOUSLY_INJURED, team, slot, cell)
    else:
        tell(s, Event.INJURED, team, slot, cell)
    leave(t, s, team, slot, CARNAGE)


@rule
def after_tackle(
    t: Table, s: State, tie: bool, attacker_won: bool, fumbler: int, spot: int
) -> None:
    """BB-26, BB-76, BB-78, BB-96..99, BB-106, BB-124, BB-125, BB-134: what becomes of the ball.

    `fumbler`: the piece of the two that had the ball, or 0; `spot`: where it stood.
    """
    us, them = s.turn, 1 - s.turn
    mine, theirs = standing(s, us), standing(s, them)
    if fumbler > 0 and not tie:
        if attacker_won:
            take_ball(s, us, s.attacker)
        else:
            take_ball(s, them, s.target)
    if mine == 0 and theirs == 0:
        restart(t, s)
    elif mine == 0 or theirs == 0:
        winner = us if mine > 0 else them
        if fumbler > 0 and tie:
            take_ball(s, winner, first_standing(s, winner))
        touchdown(t, s, winner)
    elif fumbler > 0 and drops_ball(s, tie):
        s.possession = 1 + team_of(fumbler)
        fumble(t, s, fumbler, spot)
    else:
        if fumbler > 0 and s.holder != fumbler:
            tell(s, Event.GOT_BALL, team_of(s.holder), slot_of(s.holder))
        end_turn(t, s)


@rule
def resolve(t: Table, s: State) -> None:
    """BB-70..79, BB-85, BB-98, BB-168, BB-170, BB-171: the lower die wins, equal ones lose both."""
    us, them = s.turn, 1 - s.turn
    loser = loser_of(s, s.chosen[0], s.chosen[1])
    a, b = attack_value(s, s.chosen[0]), s.chosen[1]
    if loser == BOTH and a > b:
        tell(s, Event.LAST_STAND, us, s.attacker)
    if loser == BOTH and b > a:
        tell(s, Event.LAST_STAND, them, s.target)
    fumbler, spot = 0, NOWHERE
    if s.holder == piece(us, s.attacker):
        fumbler, spot = s.holder, s.at[us, s.attacker]
    elif s.holder == piece(them, s.target):
        fumbler, spot = s.holder, s.at[them, s.target]
    if loser != them:
        injure(t, s, us, s.attacker, s.chosen[1])
    if loser != us:
        injure(t, s, them, s.target, s.chosen[0])
    s.no_progress, s.skips = -1, 0
    survey(t, s)
    after_tackle(t, s, loser == BOTH, loser == them, fumbler, spot)


@rule
def settle_dice(t: Table, s: State) -> None:
    """BB-83..85, AMB-23: a Heavy's coach chooses if its dice differ, the attacker first."""
    for i in range(2):
        if s.chosen[i] == 0:
            differ = s.dice[i, 1] > 0 and s.dice[i, 0] != s.dice[i, 1]
            if differ and t.auto_low == 0:
                s.phase, s.to_act = Phase.DIE, s.turn if i == 0 else 1 - s.turn
                return
            s.chosen[i] = lower(s, i)
    resolve(t, s)


@move(Phase.TACKLE, at=AFTER_CELLS + 12)
def tackle(t: Table, s: State, attacker: Slot, target: Slot) -> None:
    """BB-65..69, BB-83, BB-84: one piece tackles one opponent; both roll."""
    s.attacker, s.target, s.chosen[0], s.chosen[1] = attacker, target, 0, 0
    s.struck = 1 + s.at[1 - s.turn, target]
    tell(s, Event.TACKLED, s.turn, attacker, target)
    roll_for(t, s, 0, s.turn, attacker)
    roll_for(t, s, 1, 1 - s.turn, target)
    settle_dice(t, s)


@allow_all(tackle)
def may_tackle(t: Table, s: State, can: Row) -> None:
    """BB-24, BB-25, BB-66..68, AMB-21: every pair of opponents next to each other."""
    us, them = s.turn, 1 - s.turn
    for p in range(TEAM):
        cell = s.at[us, p]
        if cell != NOWHERE and is_next_to(t, s, us, p == HEAVY, cell):
            for q in range(TEAM):
                if s.at[them, q] != NOWHERE and between(t, s, us, p, them, q) == 1:
                    offer(can, tackle, p, q)


@rule
def choose_die(t: Table, s: State, value: int) -> None:
    """BB-83: this die of a Heavy Tackle counts."""
    s.chosen[0 if s.to_act == s.turn else 1] = value
    tell(s, Event.DIE_CHOSEN, s.to_act, value)
    settle_dice(t, s)


@move(Phase.DIE, at=AFTER_CELLS + 156, always=True)
def choose_low(t: Table, s: State) -> None:
    """BB-83, AMB-23: the lower one."""
    choose_die(t, s, lower(s, 0 if s.to_act == s.turn else 1))


@move(Phase.DIE, at=AFTER_CELLS + 157, always=True)
def choose_high(t: Table, s: State) -> None:
    """BB-83, AMB-23: the higher one."""
    choose_die(t, s, higher(s, 0 if s.to_act == s.turn else 1))
