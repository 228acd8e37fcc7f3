"""Battle: what a search asks. A round is judged by itself."""

from __future__ import annotations

from ...core.rules import Row, rule
from .state import (
    Phase,
    Side,
    State,
    Table,
)


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
