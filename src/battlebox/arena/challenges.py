"""How much a bot wins against a policy: a lower bound of what a best response would win.

For games whose trees are too large to be searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.checked import Array
from ..core.errors import RulesetError
from ..core.game import Ruleset
from .intervals import Estimate, difference
from .plan import Plan, Result
from .run import Progress, tournament


@dataclass(frozen=True)
class Challenge:
    """How a challenger fared on one seat, while the policy played all others.

    gain: how much more it got there than the policy does, in returns, on average over the seats; so
    it bounds `Exploited.exploitability` from below. Its 95 % interval is of the deals alone.
    """

    policy: str
    challenger: str
    gain: Estimate
    matches: int


def challenge(
    rules: Ruleset,
    policy: str,
    challenger: str,
    matches: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Challenge:
    """Plays matches in which a challenger takes each seat in turn; bots by their words.

    matches: how many at most; only whole deals are played. Where returns do not add up to 0, what
    the policy gets among its own is measured in as many more.
    Errors: RulesetError where players are in teams: one seat alone is to be another's. And as of
    `Plan` and `tournament`.
    """
    if len(set(rules.sides)) < rules.players:
        raise RulesetError("a challenger takes one seat, and here players are in teams")

    def played(plan: Plan, of: Callable[[Result], float]) -> tuple[Array, Sequence[Result]]:
        found = tournament(plan, matches, workers=workers, progress=progress).matches
        each = np.array([of(x) for x in found]).reshape(-1, plan.table)
        return each.mean(axis=1), found

    plan = Plan(rules, (challenger, *[policy] * (rules.players - 1)), seed)
    gains, found = played(plan, lambda x: x.returns[plan.seats(x.match).index(0)])
    if any(abs(sum(x.returns)) > 1e-6 for x in found):
        among_its_own = Plan(rules, (policy,) * rules.players, seed)
        gains = gains - played(among_its_own, lambda x: float(np.mean(x.returns)))[0]
    gain = Estimate(*(2 * x for x in difference(gains / 2)))  # gains are -2 .. 2
    return Challenge(policy, challenger, gain, len(found))


def report(rules: Ruleset, rows: Sequence[Challenge]) -> str:
    """How challengers fared, as text: a line each."""
    width = max(len("policy"), *(len(x.policy) for x in rows))
    other = max(len("challenger"), *(len(x.challenger) for x in rows))
    lines = [
        f"{rules}: what a challenger gains on one seat; a best response gains at least as much",
        f"{'policy':<{width}}  {'challenger':<{other}}   gain     95 % interval  matches",
    ]
    for x in rows:
        gain, low, high = x.gain
        interval = f"{low:+.3f} .. {high:+.3f}"
        lines.append(
            f"{x.policy:<{width}}  {x.challenger:<{other}}  {gain:+.3f}  {interval:>16}  "
            f"{x.matches:7,}"
        )
    return "\n".join(lines)
