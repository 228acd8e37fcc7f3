"""Counts the steps of a game's code; a process that takes too many, a mutant that hangs, ends.

Of the unchanged game also which lines of the rules each scenario and test gets to: one that does
not get to the line of a mutant cannot notice it.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from typing import NamedTuple

HANGS = 3  # exit status
TOO_MANY = 10  # times the steps of the unchanged game
SPARE = 20_000


class Course(NamedTuple):
    """What the unchanged game does in a scenario, test or law."""

    steps: int
    lines: frozenset[str]  # "rules.py:12": statements that it gets to


Courses = Mapping[str, Course]


class Budget:
    """What is being done, the steps it takes, where it gets to; ends the process at so many."""

    def __init__(self) -> None:
        self.usual: Courses = {}  # of the unchanged game, if that is known
        self.line = ""  # of the mutant: "rules.py:12"; empty if it matters everywhere
        self.taken: dict[str, Course] = {}
        self._doing, self._steps, self._limit, self._lines = "", 0, 0, set[str]()

    def begin(self, doing: str) -> None:
        """What is done next."""
        self.end()
        usual = self.usual.get(doing)
        self._doing, self._steps, self._lines = doing, 0, set()
        self._limit = TOO_MANY * usual.steps + SPARE if usual else 0

    def end(self) -> None:
        """Notes what was done."""
        if self._doing:
            self.taken[self._doing] = Course(self._steps, frozenset(self._lines))
        self._doing = ""

    def usual_steps(self, doing: str) -> int:
        """How many steps the unchanged game takes for it."""
        return self.usual[doing].steps if doing in self.usual else 0

    def matters(self, doing: str) -> bool:
        """The mutant may be noticed there: the unchanged game gets to its line, or before it."""
        if not self.line or doing not in self.usual:
            return True
        before = ("import", "collection")
        return any(self.line in self.usual[x].lines for x in (doing, *before) if x in self.usual)

    def step(self) -> None:
        """One more: a call, or a turn of a loop."""
        self._steps += 1
        if self._steps == self._limit:
            os._exit(HANGS)

    def reach(self, line: str) -> None:
        """A statement of the rules is next."""
        self._lines.add(line)


budget = Budget()
step, reach = budget.step, budget.reach


def _call(name: str, like: ast.stmt, *args: str) -> ast.stmt:
    call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(x) for x in args], [])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), like))


def _counted_body(body: list[ast.stmt], file: str) -> list[ast.stmt]:
    """These statements of a function, each after a `reach` if there is a file."""
    out: list[ast.stmt] = []
    for node in body:
        if file:
            out.append(_call("_reach", node, f"{file}:{node.lineno}"))
        for field in ("body", "orelse"):
            if inner := getattr(node, field, None):
                inner = _counted_body(inner, file)
                if field == "body" and isinstance(node, ast.For | ast.While):
                    inner.insert(0, _call("_step", node))
                setattr(node, field, inner)
        out.append(node)
    return out


def counted(tree: ast.Module, file: str = "") -> ast.Module:
    """The tree (changed) with a `step` in every function and loop.

    file: with a `reach` before each statement of a function, which calls the file so.
    """
    for f in [x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef)]:
        first = 1 if ast.get_docstring(f) else 0
        rest = f.body[first:]
        if rest:
            f.body[first:] = [_call("_step", rest[0]), *_counted_body(rest, file)]
    names = [ast.alias("step", "_step"), ast.alias("reach", "_reach")]
    first = 1 if ast.get_docstring(tree) else 0  # it says what a game is called
    while isinstance(x := (tree.body[first:] or [None])[0], ast.ImportFrom) and (
        x.module == "__future__"
    ):
        first += 1
    tree.body.insert(first, ast.ImportFrom(__name__, names, 0))
    return ast.fix_missing_locations(tree)
