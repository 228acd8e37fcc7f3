"""Counts the steps of a game's code; a process that takes too many, a mutant that hangs, ends."""

from __future__ import annotations

import ast
import os

HANGS = 3  # exit status
TOO_MANY = 10  # times the steps of the unchanged game
SPARE = 20_000


class Budget:
    """Counts steps by what is being done, and ends the process at so many."""

    def __init__(self) -> None:
        self.taken: dict[str, int] = {}
        self._doing, self._steps, self._limit = "", 0, 0

    def begin(self, doing: str, usual: int | None) -> None:
        """What is done next, and the steps that the unchanged game takes for it, if known."""
        self.end()
        self._doing, self._steps = doing, 0
        self._limit = 0 if usual is None else TOO_MANY * usual + SPARE

    def end(self) -> None:
        """Notes what was taken."""
        if self._doing:
            self.taken[self._doing] = self.taken.get(self._doing, 0) + self._steps
        self._doing = ""

    def step(self) -> None:
        """One more: a call, or a turn of a loop."""
        self._steps += 1
        if self._steps == self._limit:
            os._exit(HANGS)


budget = Budget()
step = budget.step


class Counted(ast.NodeTransformer):
    """Puts a `step` into every function and loop."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.For | ast.While):
            call = ast.Expr(ast.Call(ast.Name("_step", ast.Load()), [], []))
            first = 1 if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) else 0
            ast.copy_location(call, node.body[first] if len(node.body) > first else node)
            node.body.insert(first, call)
        elif isinstance(node, ast.Module):
            after = 1 + max(
                (
                    i
                    for i, x in enumerate(node.body)
                    if isinstance(x, ast.ImportFrom) and x.module == "__future__"
                ),
                default=-1,
            )
            take = ast.ImportFrom(__name__, [ast.alias("step", "_step")], 0)
            node.body.insert(after, take)
        return ast.fix_missing_locations(node)


def counted(tree: ast.Module) -> ast.Module:
    """The tree with its steps counted."""
    out = Counted().visit(tree)
    assert isinstance(out, ast.Module)
    return out
