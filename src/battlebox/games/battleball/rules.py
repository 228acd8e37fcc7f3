"""The rules of Battleball. Read them beside README.md, which says what each rule id means.

A turn: choose a piece, roll its die, move it (the ball is picked up on the way); then tackle if any
of your pieces is next to an opponent, else hand the ball off or pass it if you like. The first team
with two touchdowns wins.

Read in this order: state.py (what there is), field.py (who stands where), moving.py (choose, roll,
run), tackling.py, ball.py (fumbles, hand-offs, passes), halves.py (lineups, halts, halves). A
function stands after those that it calls: nothing here runs in a circle.
"""

from __future__ import annotations

from ...core.rules import Row, move, rule, tell
from .ball import after_move, ask_fumble, ask_incomplete
from .halves import ask_lineup, begin_half, begin_lineup, next_to_place, renew_team_rules
from .moving import select  # noqa: F401 - the moves of that file are found through it
from .state import AFTER_CELLS, NOBODY, TEAM, Event, Phase, RuleNumber, State, Status, Table
from .tackling import settle_dice


# ---- team rules ---------------------------------------------------------------------------------
@rule
def adopt(s: State, team: int) -> None:
    """BB-160: a choice takes effect and is open to all."""
    s.team_rule[team], s.choice[team] = s.choice[team] - 1, 0
    tell(s, Event.RULE_SHOWN, team, s.team_rule[team])


@move(Phase.TEAMRULE, at=AFTER_CELLS + 197, always=True)
def choose_rule(t: Table, s: State, number: RuleNumber) -> None:
    """BB-159..162, AMB-55: a rule for this half, or none; shown once both have chosen."""
    p = s.to_act
    s.choice[p] = 1 if number == 6 else 2 + number
    tell(s, Event.RULE_CHOSEN, p, s.choice[p] - 1)
    if p == 0:
        s.to_act = 1
        if t.rule_blind == 0:
            adopt(s, 0)
        return
    if s.choice[0] > 0:
        adopt(s, 0)
    adopt(s, 1)
    renew_team_rules(s)
    begin_lineup(t, s)


# ---- the beginning ------------------------------------------------------------------------------
@rule
def leave_out(t: Table, s: State) -> None:
    """AMB-60: with smaller teams the last pieces of each are in the Box from the beginning."""
    for team in range(2):
        for slot in range(t.team_size, TEAM):
            s.status[team, slot] = Status.BOX


@rule
def advance(t: Table, s: State) -> None:
    """From a match not yet begun, or a loaded position, to the first decision."""
    if s.phase == Phase.START:
        s.half, s.advanced = 1, t.advanced
        leave_out(t, s)
        begin_half(t, s, True)
    elif s.phase == Phase.LINEUP:
        if next_to_place(t, s, s.to_act) == NOBODY:
            ask_lineup(t, s)
    elif s.phase == Phase.AFTER_MOVE:
        after_move(t, s)
    elif s.phase == Phase.FUMBLE:
        ask_fumble(t, s)
    elif s.phase == Phase.INCOMPLETE:
        ask_incomplete(t, s)
    elif s.phase == Phase.DIE:
        settle_dice(t, s)


# ---- the end -------------------------------------------------------------------------------------
@rule
def returns(t: Table, s: State, out: Row) -> None:
    """BB-2, BB-132, BB-138: +1 for more touchdowns, -1 for fewer, 0 for a tie."""
    d = s.score[0] - s.score[1]
    out[0] = 1 if d > 0 else -1 if d < 0 else 0
    out[1] = -out[0]


@rule
def max_length(t: Table, seats: int) -> int:
    """AMB-34: at most eight decisions in each turn, and 26 before it if it begins a lineup."""
    return 34 * (t.max_plies + 4)
