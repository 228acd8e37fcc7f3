"""What a search may ask of `race`: all but the last action at first, and who is ahead."""

from __future__ import annotations

from typing import Any

from battlebox.core.rules import Row, rule

from .race import State, Table


@rule
def candidates(t: Table, s: State, acts: Row, n: int, visits: int) -> int:
    """The first action alone, one more after every 20 visits."""
    return min(n, 1 + visits // 20)


@rule
def evaluate(t: Table, s: State, out: Any) -> bool:
    """Once both have had three turns: who is how far ahead, and that seat 0 moves first."""
    if s.turns < 6:
        return False
    out[0] = (s.at[0] - s.at[1]) / t.goal + 0.25
    out[1] = -out[0]
    return True
