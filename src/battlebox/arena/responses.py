"""What a bot gains that answers a policy, measured: at least so much a best response gains.

For games whose trees are too large to be searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.checked import Array
from ..core.game import Ruleset
from .intervals import Estimate, estimate
from .plan import Plan, Result
from .run import Progress, tournament


@dataclass(frozen=True)
class Response:
    """How a bot answered a policy that all other seats play.

    gain: what a seat gains by it, on average over the seats, with its 95 % interval.
    """

    policy: str
    by: str
    gain: Estimate
    matches: int


def measured(
    rules: Ruleset,
    policy: str,
    by: str,
    matches: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Response:
    """Lets the bot `by` take each side in turn, among those who play the policy; bots by words.

    matches: how many at most; only whole deals are played. With more than two sides what the
    policy itself gets is measured in as many more, as returns then need not add up to 0.
    Errors: as of `Plan` and `tournament`.
    """
    sides = len(set(rules.sides))
    plan = Plan(rules, (by, *[policy] * (sides - 1)), seed)
    played = tournament(plan, matches, workers=workers, progress=progress).matches
    gains = _by_deal(plan, played, lambda x: _return_of(plan, x))
    if sides > 2:
        usual = Plan(rules, (policy,) * sides, seed)
        found = tournament(usual, matches, workers=workers, progress=progress).matches
        gains -= _by_deal(usual, found, lambda x: float(np.mean(x.returns)))
    return Response(policy, by, estimate(gains), len(played))


def _return_of(plan: Plan, x: Result) -> float:
    """What the answering bot got, the mean of its seats."""
    seats = plan.seats(x.match)
    return float(np.mean([r for who, r in zip(seats, x.returns, strict=True) if who == 0]))


def _by_deal(plan: Plan, played: Sequence[Result], of: Callable[[Result], float]) -> Array:
    """The mean of each deal's matches."""
    found = np.array([of(x) for x in played]).reshape(-1, plan.table)
    return np.asarray(found.mean(axis=1))


def report(rules: Ruleset, rows: Sequence[Response]) -> str:
    """What was gained, as text: a line each."""
    width = max(len("policy"), *(len(x.policy) for x in rows))
    by = max(len("answered by"), *(len(x.by) for x in rows))
    lines = [
        f"{rules}: what a bot gains that answers a policy; a best response gains no less",
        f"{'policy':<{width}}  {'answered by':<{by}}  a seat gains     95 % interval  matches",
    ]
    for x in rows:
        gain, low, high = x.gain
        interval = f"{low:+.3f} .. {high:+.3f}"
        lines.append(
            f"{x.policy:<{width}}  {x.by:<{by}}  {gain:+12.3f}  {interval:>16}  {x.matches:7,}"
        )
    return "\n".join(lines)
