"""Battleball: random truths that fit what a seat knows. Only blind choices are hidden at all."""

from __future__ import annotations

from ...core.rules import Row, draw, pick, rule
from .halves import list_places, next_to_place
from .state import CELLS, EMPTY, HEAVY, NOBODY, TEAM, Lineup, Phase, State, Status, Table


@rule
def determinize(t: Table, o: State) -> None:
    """AMB-11, AMB-55: W's lineup or team rule, if W has decided and this seat may not know yet.

    How far a coach has come is hidden too, so that nothing is made up of one who is still at it.
    """
    if o.viewer == 1 or o.to_act == 0:
        return
    if o.phase == Phase.TEAMRULE and t.rule_blind > 0:
        o.choice[0] = 1 + draw(o, 7)
    if o.phase == Phase.LINEUP and t.lineup == Lineup.BLIND:
        slot = next_to_place(t, o, 0)
        while slot != NOBODY:
            o.plan[0, slot] = 1 + pick(o, o.queue, list_places(t, o, 0, slot))
            slot = next_to_place(t, o, 0)


@rule
def census(s: State, count: Row) -> None:
    """Each piece is in one place, on as many squares as it has feet; there is one ball.

    0 .. 21 the pieces, 22 the ball, 23 squares with pieces that are not there.
    """
    feet = 0
    for c in range(CELLS):
        if EMPTY < s.square[c] <= 2 * TEAM:
            count[s.square[c] - 1] += 1
            feet += 1
    for team in range(2):
        for slot in range(TEAM):
            here = 2 if slot == HEAVY else 1
            if s.status[team, slot] == Status.FIELD:
                count[TEAM * team + slot] += 1 - here
                feet -= here
            else:
                count[TEAM * team + slot] += 1
    placing = s.phase == Phase.PLACE or s.phase == Phase.GIVE or s.phase == Phase.INCOMPLETE
    count[22] += 1 if placing else 0
    count[22] += 1 if s.holder > 0 else 0
    count[22] += 1 if s.ball < CELLS else 0
    count[23] += feet
