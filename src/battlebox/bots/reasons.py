"""Why one choice rather than another: what the two differ in that they lead to.

A game counts what a choice leads to (`consequences` of its insight.py: damage, pieces, the ball);
a search notes the mean of that over its simulations of each choice. So a reason comes from matches
that were played by the rules, against opponents who choose as the search expects. It is as sure as
the search is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..core.saying import Consequence, Consequences, percent

TOLD = 2  # reasons at most
LEAST = 0.25  # a difference is worth a word, as weights go; what is worth less nobody notices
SURE = 2.0  # and as many standard errors


class Measured(NamedTuple):
    """What choices of one kind led to, on average."""

    mean: float
    error: float  # standard error of the mean


def reasons(one: Sequence[Measured], other: Sequence[Measured], consequences: Consequences) -> str:
    """What speaks for the one choice, and what most against it if that is more than the second
    best of what speaks for it: "3 more damage done, though 1 more of your cards spent".

    "" if nothing that is counted speaks for it, beyond the chance of a search.
    """
    rated = [
        (x.weight * (a.mean - b.mean), _said(x, a.mean, b.mean))
        for a, b, x in zip(one, other, consequences.each, strict=True)
        if abs(a.mean - b.mean) > SURE * math.hypot(a.error, b.error)
        and abs(x.weight * (a.mean - b.mean)) >= LEAST
    ]
    best = max(rated, default=(0.0, ""))
    if best[0] <= 0:
        return ""
    rest = sorted((x for x in rated if x != best), key=lambda x: -abs(x[0]))
    more = [(" and " if worth > 0 else ", though ") + said for worth, said in rest[: TOLD - 1]]
    return best[1] + "".join(more)


def _said(about: Consequence, one: float, other: float) -> str:
    words, by = about.more if one > other else about.less, abs(one - other)
    a, b, d = (percent(min(abs(x), 1), sure=False) for x in (one, other, by))
    n = _rounded(by)
    return words.format(n=n, s="" if n == "1" else "s", a=a, b=b, d=d)


def _rounded(n: float) -> str:
    return f"{n:.1f}" if n < 10 and round(n, 1) % 1 else f"{n:.0f}"
