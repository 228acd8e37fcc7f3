"""The whole tree of a small game: exact values of policies, and best responses to them.

    root = exact.tree(rules)
    exact.values(root)                      # of random play, for each seat
    exact.best_response(root, seat=0)       # the most that seat 0 can get against it

A policy says the probability of each legal action of an information set: what the seat to act has
seen, and done, since the beginning (perfect recall).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..core.checked import Array
from ..core.errors import BattleboxError
from ..core.game import Ruleset
from ..core.histories import ChanceNode, Histories, History
from .run import Progress

MOST_NODES = 1_000_000


@dataclass(frozen=True, eq=False)
class Node:
    """A history. At a decision `actions` are legal, and lead to `after`; at the end there are none.

    Each action leads to one node for each outcome of chance, with its probability.
    """

    seat: int  # to act; -1: the match is over
    information: bytes  # what the seat to act has seen and done so far, as a short digest
    observation: bytes  # what it sees now: the record of its observation
    actions: tuple[int, ...]
    after: tuple[tuple[tuple[float, Node], ...], ...]
    returns: tuple[float, ...]


#: the probabilities of the actions of a node, in their order
Policy = Callable[[Node], Sequence[float]]
#: what may come of chance before the first decision
Root = tuple[tuple[float, Node], ...]


CLOSE = 1e-5  # to 1 that probabilities are to add up to: networks count in float32


def uniform(node: Node) -> Sequence[float]:
    """All legal actions alike: random play."""
    return [1 / len(node.actions)] * len(node.actions)


class _Builder:
    """Makes the nodes of a ruleset."""

    def __init__(self, rules: Ruleset, most: int, progress: Progress | None) -> None:
        self.rules, self.count, self.most, self.progress = rules, 0, most, progress
        self.histories = Histories(rules.plain())

    def branches(self, at: History | ChanceNode) -> Root:
        """The nodes that chance leads to from here."""
        if isinstance(at, History):
            return ((1.0, self.node(at)),)
        found = list[tuple[float, Node]]()
        for i, outcome in enumerate(at.outcomes):
            after = self.branches(self.histories.outcome(at, i))
            found += [(outcome.probability * p, node) for p, node in after]
        return tuple(found)

    def node(self, at: History) -> Node:
        self.count += 1
        if self.progress and self.count % 1000 == 0:
            self.progress(self.count, None)
        if self.count > self.most:
            raise BattleboxError(
                f"{self.rules}: more than {self.most:,} histories; make the game smaller by its "
                "options, or see what a --challenger wins"
            )
        if not at.actions:
            return Node(-1, b"", b"", (), (), at.returns)
        after = tuple(self.branches(self.histories.take(at, a)) for a in at.actions)
        known, seen = at.information[at.seat], at.seen[at.seat].tobytes()
        return Node(at.seat, known, seen, at.actions, after, ())


def tree(rules: Ruleset, most: int = MOST_NODES, progress: Progress | None = None) -> Root:
    """All histories of a ruleset; a card is dealt when somebody looks at it (core/histories.py).

    progress: is told now and then how many have been found.
    Errors: BattleboxError if they are more than `most`, or too long for Python to follow.
    """
    builder = _Builder(rules, most, progress)
    try:
        return builder.branches(builder.histories.begin())
    except RecursionError:
        raise BattleboxError(
            f"{rules}: its matches may be too long to search; make them shorter by its options, "
            "or see what a --challenger wins"
        ) from None


def asked_once(policies: Policy | Sequence[Policy]) -> Policy:
    """One policy of one for all, or one for each seat: it is asked at one node of each information
    set, so that it cannot tell apart what its seat cannot.

    Errors, when it is asked: BattleboxError, if what it gives are no probabilities.
    """
    known = dict[tuple[int, bytes], Sequence[float]]()

    def policy(node: Node) -> Sequence[float]:
        key = node.seat, node.information
        if key not in known:
            found = (policies if callable(policies) else policies[node.seat])(node)
            fits = len(found) == len(node.actions) and all(x >= 0 for x in found)
            if not fits or abs(sum(found) - 1) > CLOSE:
                raise BattleboxError(
                    f"the policy of seat {node.seat} gives {[*found]} for {len(node.actions)} "
                    "actions: these are no probabilities"
                )
            known[key] = found
        return known[key]

    return policy


def values(root: Root, policies: Policy | Sequence[Policy] = uniform) -> tuple[float, ...]:
    """The expected return of each seat; policies: one for all, or one for each seat."""
    policy = asked_once(policies)

    def value(node: Node) -> Array:
        if not node.actions:
            return np.array(node.returns)
        chances = zip(policy(node), node.after, strict=True)
        parts = [p * q * value(x) for p, after in chances if p for q, x in after]
        total: Array = np.sum(parts, axis=0)
        return total

    return tuple(np.sum([p * value(x) for p, x in root], axis=0).tolist())


def best_response(root: Root, seat: int, policies: Policy | Sequence[Policy] = uniform) -> float:
    """The most that a seat can expect if the others play by these policies."""
    policy = asked_once(policies)
    reached: dict[bytes, list[tuple[float, Node]]] = defaultdict(list)

    def gather(p: float, node: Node) -> None:
        if not node.actions:
            return
        if node.seat == seat:
            reached[node.information].append((p, node))
            chances: Sequence[float] = [1.0] * len(node.actions)
        else:
            chances = policy(node)
        for q, after in zip(chances, node.after, strict=True):
            for r, x in after if q else ():
                gather(p * q * r, x)

    for p, node in root:
        gather(p, node)

    @cache
    def best(information: bytes) -> int:
        nodes = reached[information]
        return max(
            range(len(nodes[0][1].actions)),
            key=lambda i: sum(p * mean(x.after[i]) for p, x in nodes),
        )

    @cache
    def value(node: Node) -> float:
        if not node.actions:
            return node.returns[seat]
        if node.seat == seat:
            return mean(node.after[best(node.information)])
        return sum(p * mean(x) for p, x in zip(policy(node), node.after, strict=True) if p)

    def mean(after: Sequence[tuple[float, Node]]) -> float:
        return sum(p * value(x) for p, x in after)

    return mean(root)
