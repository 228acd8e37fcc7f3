"""The whole tree of a small game: exact values of policies, and best responses to them.

    root = exact.tree(rules)
    exact.values(root)                      # of random play, for each seat
    exact.best_response(root, seat=0)       # the most that seat 0 can get against it

A policy says the probability of each legal action of an information set: what the seat to act has
seen, and done, since the beginning (perfect recall).
"""

from __future__ import annotations

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..core.checked import Array
from ..core.errors import BattleboxError
from ..core.game import Ruleset

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


def uniform(node: Node) -> Sequence[float]:
    """All legal actions alike: random play."""
    return [1 / len(node.actions)] * len(node.actions)


class _Branch(Exception):
    """Chance is asked for something new; it has so many outcomes."""

    def __init__(self, n: int) -> None:
        self.n = n


class _Branches:
    """A chance source that follows a list of outcomes, and stops where it ends."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self.count = 0

    def _next(self, n: int) -> int:
        if self.count == len(self.path):
            raise _Branch(n)
        self.count += 1
        return self.path[self.count - 1]

    def number(self, low: int, high: int) -> int:
        return low + self._next(high - low + 1)

    def one_of(self, values: list[int]) -> int:
        return values[self._next(len(values))]

    def order(self, values: list[int]) -> list[int]:
        orders = _orders(tuple(sorted(values)))
        return list(orders[self._next(len(orders))])

    def rewind(self, count: int) -> None:
        self.count = count

    def fresh_copy(self) -> _Branches:
        return _Branches()


@cache
def _orders(values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All that a shuffle may bring about; of a deck each order is as likely as another."""
    return sorted(set(itertools.permutations(values)))


class _Builder:
    """Makes the nodes of a ruleset."""

    def __init__(self, rules: Ruleset, most: int) -> None:
        self.rules, self.left, self.most = rules, most, most
        self.engine = rules.plain()
        build = self.engine.build
        self.states, self.seen, self.acts = build.states(), build.states(), build.action_buffer()
        self.s, self.o = build.access(self.states), build.access(self.seen)
        self.a, self.chance = build.access(self.acts), _Branches()
        self.s[0]._chance = self.chance

    def outcomes(self, before: Array, do: Callable[[], None]) -> Iterator[tuple[float, Array]]:
        """All states that come of it, with their probabilities."""
        todo: list[tuple[float, list[int]]] = [(1.0, [])]
        while todo:
            p, path = todo.pop()
            self.states[0], self.chance.path, self.chance.count = before, path, 0
            try:
                do()
            except _Branch as e:
                todo += [(p / e.n, [*path, i]) for i in range(e.n)]
                continue
            self.engine.f.clear_scratch_at(self.s, 0)
            yield p, self.states[0].copy()

    def begin(self) -> Root:
        blank = self.engine.build.states()[0]
        seats = range(self.rules.players)
        return tuple(
            (p, self.node(state, [b""] * len(seats)))
            for p, state in list(self.outcomes(blank, lambda: self.engine.begin(self.s, 0, 0)))
        )

    def node(self, state: Any, known: list[bytes]) -> Node:
        """The node of a state; known: what each seat has seen and done before."""
        self.left -= 1
        if self.left < 0:
            raise BattleboxError(
                f"{self.rules}: more than {self.most:,} histories; make the game smaller by its "
                "options"
            )
        f, tt = self.engine.f, self.engine.tt
        self.states[0] = state
        n = f.list_actions(tt, self.s, 0, self.a)
        actions = tuple(int(x) for x in self.acts[:n])
        if not actions:
            out = np.zeros(self.rules.players)
            f.results(tt, self.s, 0, self.engine.build.access(out))
            return Node(-1, b"", b"", (), (), tuple(out.tolist()))
        f.clear_scratch_at(self.s, 0)
        seat = int(self.s[0].to_act)
        seen = list[bytes]()
        for p in range(self.rules.players):
            f.observe(tt, self.s, 0, self.o, 0, p)
            seen.append(self.seen.tobytes())
        known = [_digest(k + o) for k, o in zip(known, seen, strict=True)]
        after = []
        for a in actions:
            mine = _digest(known[seat] + a.to_bytes(2, "little"))
            then = [*known[:seat], mine, *known[seat + 1 :]]
            states = list(self.outcomes(state, lambda a=a: f.take(tt, self.s, 0, a)))  # type: ignore[misc]
            after.append(tuple((p, self.node(x, then)) for p, x in states))
        return Node(seat, known[seat], seen[seat], actions, tuple(after), ())


def _digest(seen: bytes) -> bytes:
    return hashlib.blake2b(seen, digest_size=16).digest()


def tree(rules: Ruleset, most: int = MOST_NODES) -> Root:
    """All histories of a ruleset. Errors: BattleboxError if they are more than `most`."""
    return _Builder(rules, most).begin()


def values(root: Root, policies: Policy | Sequence[Policy] = uniform) -> tuple[float, ...]:
    """The expected return of each seat; policies: one for all, or one for each seat."""

    def value(node: Node) -> Array:
        if not node.actions:
            return np.array(node.returns)
        policy = policies if callable(policies) else policies[node.seat]
        chances = zip(policy(node), node.after, strict=True)
        parts = [p * q * value(x) for p, after in chances if p for q, x in after]
        total: Array = np.sum(parts, axis=0)
        return total

    return tuple(np.sum([p * value(x) for p, x in root], axis=0).tolist())


def best_response(root: Root, seat: int, policies: Policy | Sequence[Policy] = uniform) -> float:
    """The most that a seat can expect if the others play by these policies."""
    reached: dict[bytes, list[tuple[float, Node]]] = defaultdict(list)

    def gather(p: float, node: Node) -> None:
        if not node.actions:
            return
        if node.seat == seat:
            reached[node.information].append((p, node))
            chances: Sequence[float] = [1.0] * len(node.actions)
        else:
            chances = (policies if callable(policies) else policies[node.seat])(node)
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
        chances = (policies if callable(policies) else policies[node.seat])(node)
        return sum(p * mean(x) for p, x in zip(chances, node.after, strict=True) if p)

    def mean(after: Sequence[tuple[float, Node]]) -> float:
        return sum(p * value(x) for p, x in after)

    return mean(root)
