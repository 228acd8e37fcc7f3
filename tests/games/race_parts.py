"""What `race` imports."""

from __future__ import annotations

from battlebox.core.rules import rule


@rule
def bonus(seat: int) -> int:
    """Seat 1 gets a step more."""
    return seat
