"""What a search may ask of `race`: all but the last action at first; who is ahead, and how far."""

from __future__ import annotations

from typing import Any

from battlebox.core.rules import Row, rule
from battlebox.core.saying import Consequence, Consequences

from .race import State, Table

CONSEQUENCES = Consequences(
    "right away",
    (
        Consequence("{n} step{s} further", "{n} step{s} less far"),
        Consequence("the goal reached {d} more often", "the goal reached {d} less often", 20),
    ),
)


@rule
def candidates(t: Table, s: State, acts: Row, n: int, visits: int) -> int:
    """The first action alone, one more after every 20 visits."""
    return min(n, 1 + visits // 20)


@rule
def consequences(t: Table, s: State, seat: int, out: Row) -> bool:
    """At once: how far the seat is, and whether it is there."""
    out[0] = s.at[seat]
    out[1] = 1 if s.at[seat] >= t.goal else 0
    return True


@rule
def evaluate(t: Table, s: State, out: Any) -> bool:
    """Once both have had three turns: who is how far ahead, and that seat 0 moves first."""
    if s.turns < 6:
        return False
    out[0] = (s.at[0] - s.at[1]) / t.goal + 0.25
    out[1] = -out[0]
    return True
