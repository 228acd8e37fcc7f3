"""Which variables of a function may have no value when they are read.

Python says so when it comes to such a line; compiled, the line reads what happens to be there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

Names = frozenset[str]


def first_without_value(body: list[ast.stmt], given: Names, names: Names) -> ast.Name | None:
    """The first reading of one of these names that is not sure to have a value, or None.

    given: the parameters.
    """
    return next(_Flow(names).through(body, given), None)


class _Flow:
    """Follows the statements; `after` is what has a value behind them, None: they never end."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.after: Names | None = None
        # what has a value at each break, and each continue, of the loops around
        self.breaks: list[list[Names]] = []
        self.continues: list[list[Names]] = []

    def through(self, body: list[ast.stmt], have: Names) -> Iterator[ast.Name]:
        now: Names | None = have
        for node in body:
            if now is None:  # nobody comes here
                break
            yield from self.statement(node, now)
            now = self.after
        self.after = now

    def statement(self, node: ast.stmt, have: Names) -> Iterator[ast.Name]:
        if isinstance(node, ast.If):
            yield from self.read(node.test, have)
            yield from self.through(node.body, have)
            one = self.after
            yield from self.through(node.orelse, have)
            self.after = _both(one, self.after)
        elif isinstance(node, ast.For | ast.While):
            yield from self.loop(node, have)
        else:
            if isinstance(node, ast.AugAssign):
                yield from self.read(node.target, have, ast.Store)
            yield from self.read(node, have)
            self.after = have | _stored(node)
            if isinstance(node, ast.Break):
                self.breaks[-1].append(have)
            if isinstance(node, ast.Continue):
                self.continues[-1].append(have)
            if isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
                self.after = None

    def loop(self, node: ast.For | ast.While, have: Names) -> Iterator[ast.Name]:
        self.breaks.append([])
        self.continues.append([])
        end: Names | None = have  # where no turn is left
        if isinstance(node, ast.For):
            yield from self.read(node.iter, have)
            yield from self.through(node.body, have | _stored(node.target))
            if _runs(node.iter):
                end = _all(self.after, self.continues[-1])
        else:
            yield from self.read(node.test, have)
            yield from self.through(node.body, have)
            if isinstance(node.test, ast.Constant) and node.test.value:
                end = None
        self.continues.pop()
        if end is not None:
            yield from self.through(node.orelse, end)
            end = self.after
        self.after = _all(end, self.breaks.pop())

    def read(
        self, node: ast.AST, have: Names, how: type[ast.expr_context] = ast.Load
    ) -> Iterator[ast.Name]:
        for x in ast.walk(node):
            if isinstance(x, ast.Name) and isinstance(x.ctx, how) and x.id in self.names - have:
                yield x


def _both(one: Names | None, two: Names | None) -> Names | None:
    if one is None or two is None:
        return two if one is None else one
    return one & two


def _all(one: Names | None, others: list[Names]) -> Names | None:
    for names in others:
        one = _both(one, names)
    return one


def _stored(node: ast.AST) -> Names:
    return frozenset(
        x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)
    )


def _runs(node: ast.expr) -> bool:
    """A loop over `range` of numbers that is sure to run."""
    if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "range"):
        return False
    numbers = [x.value for x in node.args if isinstance(x, ast.Constant)]
    return len(numbers) == len(node.args) and len(range(*map(int, map(str, numbers)))) > 0
