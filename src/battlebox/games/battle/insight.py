"""Battle: what a search asks. A round is judged by itself."""

from __future__ import annotations

from ...core.rules import Row, rule
from ...core.saying import Consequence, Consequences
from .state import RANKS, Phase, Side, State, Table

CONSEQUENCES = Consequences(
    "at your next turn",
    (
        Consequence("{n} fewer fight card{s} in your hand", "{n} more fight card{s} in your hand"),
        Consequence("{n} fewer rank{s} in your hand", "{n} more rank{s} in your hand"),
        Consequence("the lead yours {d} more often", "the lead yours {d} less often", 3),
        Consequence(
            "you out of the round {d} less often", "you out of the round {d} more often", 3
        ),
        Consequence("{n} more identities known", "{n} fewer identities known"),
        Consequence("your side shown {d} less often", "your side shown {d} more often", 1.5),
    ),
)


@rule
def consequences(t: Table, s: State, seat: int, out: Row) -> bool:
    """At the seat's next turn, or when the round is over: its hand, its lead, who is known.

    Who has won the round has all that is good, who has lost it nothing, and a hand dealt anew.
    """
    over = s.phase == Phase.OVER or ends_search(t, s)
    lead = s.phase == Phase.LM or s.phase == Phase.LD
    won = over and s.scored[seat] > 0
    ranks, known = 0, 0
    for rank in range(RANKS):
        ranks += 1 if s.hands[seat, rank] > 0 else 0
    for p in range(s.seats):
        known += 1 if p != seat and (won or (s.exposed[p] > 0 and not over)) else 0
    out[0], out[1] = (0, 0) if won else (-s.fights[seat], -ranks)
    out[2] = 1 if won or (lead and s.turn == seat) else 0
    out[3] = 1 if won or (s.living[seat] > 0 and not over) else 0
    out[4] = known
    out[5] = 0 if won or (s.exposed[seat] == 0 and not over) else -1
    return over or (s.turn == seat and (lead or s.phase == Phase.PD or s.phase == Phase.FL))


@rule
def evaluate(t: Table, s: State, out: Row) -> bool:
    """When the next round begins: +1 for all who got a point for the last one, -1 for the others.

    What comes after depends on other cards and other sides, of which nobody knows anything yet.
    """
    if not ends_search(t, s):
        return False
    for p in range(s.seats):
        out[p] = 0 if s.last_side == Side.VOID else 1 if s.scored[p] > 0 else -1
    return True


@rule
def ends_search(t: Table, s: State) -> bool:
    """A round has just been dealt, and it is not the first."""
    if s.last_side == 0 or s.turns > 0 or s.pile_size != 1:
        return False
    if s.phase == Phase.FX or s.phase == Phase.LM:
        return True
    for p in range(s.seats):
        if s.exposed[p] > 0:
            return False
    return s.phase == Phase.PD
