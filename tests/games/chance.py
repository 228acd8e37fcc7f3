"""A driver for tests: every random function once, bound to a build by `Build.bind`."""

from __future__ import annotations

from typing import Any

from battlebox.core.rules import draw, pick, roll, rule, shuffle


@rule
def some_chance(b: Any, i: int, n: int, cards: Any, out: Any) -> None:
    """draw, roll, pick and shuffle, with 1 .. n outcomes each."""
    s = b[i]
    k = 0
    for m in range(1, n + 1):
        out[k] = draw(s, m)
        out[k + 1] = roll(s, m)
        out[k + 2] = pick(s, cards, m)
        k += 3
        shuffle(s, cards, m)
