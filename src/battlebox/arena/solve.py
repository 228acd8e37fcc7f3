"""How far a policy is from one that nobody can exploit, and a policy that comes close (CFR+).

    root = exact.tree(rules)
    exploited(root, exact.uniform).exploitability       # of random play
    policy = cfr_plus(root, iterations=100)
    exploited(root, policy).exploitability

Policies are those of exact.py: the probabilities of a node's actions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..bots import Bot
from ..core.checked import Array
from ..core.errors import IllegalAction
from ..core.game import Ruleset
from .exact import Node, Policy, Root, asked_once, best_response, values
from .run import Progress


@dataclass(frozen=True)
class Exploited:
    """What others could make of a policy that all seats play.

    worth: what each seat can expect; best: what it could expect if it alone knew how to answer.
    """

    worth: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def nash_conv(self) -> float:
        """What all seats could gain, added up: 0 of an equilibrium."""
        return sum(self.best) - sum(self.worth)

    @property
    def exploitability(self) -> float:
        """What a seat could gain, on average."""
        return self.nash_conv / len(self.worth)


def exploited(root: Root, policy: Policy) -> Exploited:
    """Exactly, by a best response of each seat. Errors: BattleboxError, if what the policy gives
    are no probabilities.
    """
    policy = asked_once(policy)  # one policy for all that follows, even if it draws lots
    worth = values(root, policy)
    return Exploited(worth, tuple(best_response(root, p, policy) for p in range(len(worth))))


def policy_of(bot: Bot, rules: Ruleset, choices: int) -> Policy:
    """What a bot does in each information set: its probabilities, if it tells them; else how often
    it chose what, in so many choices. It is to choose by its observation alone.

    Errors, when it is asked: IllegalAction.
    """
    layout = rules.plain().build.state.layout
    tell = getattr(bot, "probabilities", None)

    def policy(node: Node) -> Sequence[float]:
        seen = np.frombuffer(node.observation, layout)[0]
        if tell is not None:
            told = tell(seen)
            return [told[a] for a in node.actions]
        chosen = Counter(bot.choose(seen) for _ in range(choices))
        if wrong := chosen.keys() - {*node.actions}:
            raise IllegalAction(f"a bot on seat {node.seat} chose {min(wrong)}, which is not legal")
        return [chosen[a] / choices for a in node.actions]

    return asked_once(policy)


def nodes(root: Root) -> Iterator[Node]:
    """All nodes of a tree."""
    todo = [node for _, node in root]
    while todo:
        node = todo.pop()
        yield node
        todo += [x for outcomes in node.after for _, x in outcomes]


def report(rules: Ruleset, root: Root, rows: Sequence[tuple[str, Exploited]]) -> str:
    """How policies fare, as text: a line each."""
    found = [x for x in nodes(root) if x.actions]
    sets = {x.information for x in found}
    letters = "ABCDEFGHIJ"[: rules.players]
    width = max(len(name) for name, _ in rows)
    heads = "".join(f"{f'{x} gains':>9}" for x in letters)
    lines = [
        f"{rules}: {len(found):,} decisions in {len(sets):,} information sets",
        f"{'policy':<{width}}  exploitability{heads}  worth {', '.join(letters)}",
    ]
    for name, x in rows:
        gains = "".join(f"{b - w:9.4f}" for b, w in zip(x.best, x.worth, strict=True))
        worth = ", ".join(f"{round(w, 4) + 0:.4f}" for w in x.worth)  # no -0.0000
        lines.append(f"{name:<{width}}  {x.exploitability:14.6f}{gains}  {worth}")
    return "\n".join(lines)


def cfr_plus(root: Root, iterations: int, progress: Progress | None = None) -> Policy:
    """The average policy of CFR+ (Tammelin 2014): regrets are never below 0, the later iterations
    weigh more, seats take turns. In zero-sum games of two it comes ever closer to an equilibrium.
    """
    regrets, sums = dict[bytes, Array](), dict[bytes, Array]()
    for node in nodes(root):
        if node.actions:
            regrets[node.information] = np.zeros(len(node.actions))
            sums[node.information] = np.zeros(len(node.actions))
    seats = sorted({node.seat for node in nodes(root) if node.actions})
    for t in range(iterations):
        for seat in seats:
            _Pass(seat, t + 1, regrets, sums).run(root)
        if progress:
            progress(t + 1, iterations)
    average = {information: _shares(x) for information, x in sums.items()}
    return lambda node: average[node.information]


def _shares(weights: Array) -> list[float]:
    """In proportion; where nothing speaks for any, all alike."""
    n, total = len(weights), weights.sum()
    found: list[float] = (weights / total).tolist() if total > 0 else [1 / n] * n
    return found


class _Pass:
    """What a seat regrets when it goes through the tree once."""

    def __init__(
        self, seat: int, weight: int, regrets: dict[bytes, Array], sums: dict[bytes, Array]
    ) -> None:
        self.seat, self.weight, self.regrets, self.sums = seat, weight, regrets, sums
        self.policy = {information: _shares(x) for information, x in regrets.items()}
        self.found: defaultdict[bytes, Array | float] = defaultdict(float)

    def run(self, root: Root) -> None:
        for p, node in root:
            self.value(node, 1.0, p)
        for information, found in self.found.items():
            kept = self.regrets[information]
            np.maximum(kept + found, 0, out=kept)

    def value(self, node: Node, mine: float, others: float) -> float:
        """What the seat can expect; mine, others: how likely it and all others come here."""
        if not (mine or others):
            return 0.0  # which counts for nothing
        if not node.actions:
            return node.returns[self.seat]
        chances, total = self.policy[node.information], 0.0
        if node.seat != self.seat:
            for p, after in zip(chances, node.after, strict=True):
                # what others never do regrets nothing, but the average is to count each node alike
                for q, x in after if p or mine else ():
                    total += p * q * self.value(x, mine, others * p * q)
            return total
        each = [
            sum(q * self.value(x, mine * p, others * q) for q, x in after)
            for p, after in zip(chances, node.after, strict=True)
        ]
        total = sum(p * v for p, v in zip(chances, each, strict=True))
        self.found[node.information] += others * (np.array(each) - total)
        self.sums[node.information] += self.weight * mine * np.array(chances)
        return total
