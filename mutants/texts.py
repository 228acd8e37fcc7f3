"""The mutants of a rules file: each is its text with one small change.

A change is made in the syntax tree and known by what it says: file, function, the line before and
after. So the mutants of one function stay the same while others are edited.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MARKS = {
    "public": ("secret",),
    "own": ("public", "secret"),
    "secret": ("public",),
    "scratch": ("public",),
}
COMPARED: dict[type, tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
RECKONED: dict[type, type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
DECORATORS = ("rule", "move", "agreement", "allow", "allow_all")


@dataclass(frozen=True)
class Mutant:
    """One change. `was` and `now` are what it says, as Python writes the tree."""

    file: Path
    line: int
    where: str  # the function or class
    was: str
    now: str
    again: int  # how many changes that say the same stand before it there
    at: str  # its statement, "rules.py:12"; empty for a declaration
    path: tuple[tuple[str, int | None], ...]  # from the module to the node: fields, indexes
    node: ast.AST  # what stands there instead

    @property
    def name(self) -> str:
        """What it is known by, in the file of the judged ones."""
        nth = f" ({self.again + 1})" if self.again else ""
        return f"{self.file.name} {self.where}{nth}: {self.was} -> {self.now}"

    @property
    def rank(self) -> str:
        """Draws lots: the lowest come first."""
        return hashlib.sha256(self.name.encode()).hexdigest()

    def tree(self) -> ast.Module:
        """The whole file with the change."""
        module = ast.parse(self.file.read_text(encoding="utf-8"))
        _put(module, self.path, self.node)
        _import_marks(module)
        return ast.fix_missing_locations(module)


def sample(mutants: list[Mutant], count: int) -> list[Mutant]:
    """So many of these, drawn by lot; the same ones whatever else is edited."""
    return sorted(mutants, key=lambda m: m.rank)[:count]


def every(files: list[Path]) -> list[Mutant]:
    """All mutants of these files."""
    return [m for file in files for m in _mutants(file)]


# ---- where ---------------------------------------------------------------------------------------
def _put(root: Any, path: tuple[tuple[str, int | None], ...], node: ast.AST) -> None:
    for field, i in path[:-1]:
        root = getattr(root, field) if i is None else getattr(root, field)[i]
    field, i = path[-1]
    if i is None:
        setattr(root, field, node)
    else:
        getattr(root, field)[i] = node


def _import_marks(module: ast.Module) -> None:
    """All marks are imported from where some are: a field may have got one that no other has."""
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            if names & {*MARKS}:
                node.names += [ast.alias(mark) for mark in MARKS if mark not in names]


def _mutants(file: Path) -> Iterator[Mutant]:
    module = ast.parse(file.read_text(encoding="utf-8"))
    seen = Counter[str]()
    for k, top in enumerate(module.body):
        if isinstance(top, ast.FunctionDef | ast.ClassDef):
            for path, node, line in _changes(top):
                was, now = _said(top, path, node)
                if was != now:
                    key = f"{top.name}: {was} -> {now}"
                    seen[key] += 1
                    whole = (("body", k), *path)
                    at = _statement_at(top, path)
                    yield Mutant(
                        file=file,
                        line=line,
                        where=top.name,
                        was=was,
                        now=now,
                        again=seen[key] - 1,
                        at=f"{file.name}:{at}" if at else "",
                        path=whole,
                        node=node,
                    )


def _statement_at(top: ast.stmt, path: Any) -> int:
    """The line of the innermost statement of a function that a path leads into; 0: of none."""
    if isinstance(top, ast.ClassDef) or path[0][0] != "body":
        return 0
    at, line = top, 0
    for field, i in path:
        at = getattr(at, field) if i is None else getattr(at, field)[i]
        if isinstance(at, ast.stmt):
            line = at.lineno
    return line


def _said(top: ast.stmt, path: Any, node: ast.AST) -> tuple[str, str]:
    """The statement around a change, or the head of one that has a body, before and after it."""
    at, statement, cut = top, top, 0
    for k, (field, i) in enumerate(path[:-1], 1):
        at = getattr(at, field) if i is None else getattr(at, field)[i]
        if isinstance(at, ast.stmt):
            statement, cut = at, k
    changed: Any = copy.deepcopy(statement)
    rest = path[cut:]
    if len(rest) == 1 and isinstance(node, ast.stmt):  # a statement as a whole
        field, i = rest[0]
        old = getattr(statement, field) if i is None else getattr(statement, field)[i]
        return _head(old), _head(node)
    _put(changed, rest, node)
    return _head(statement), _head(changed)


def _head(statement: Any) -> str:
    """A statement on one line, without what stands in its body."""
    if isinstance(getattr(statement, "body", None), list):
        statement = copy.copy(statement)
        statement.body, statement.orelse = [ast.Pass()], []
        text = ast.unparse(ast.fix_missing_locations(statement)).rpartition("pass")[0].rstrip()
    else:
        text = ast.unparse(statement)
    return " ".join(text.split())


# ---- what ----------------------------------------------------------------------------------------
Change = tuple[tuple[tuple[str, int | None], ...], ast.AST, int]


def _changes(top: ast.FunctionDef | ast.ClassDef) -> Iterator[Change]:
    """Every change of a function that is a rule, or of a class that declares events or fields."""
    if isinstance(top, ast.ClassDef):
        bases = {b.id for b in top.bases if isinstance(b, ast.Name)}
        if bases & {"Events", "StateRecord"}:
            for i, line in enumerate(top.body):
                if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
                    for call in _declared(line.value):
                        yield (("body", i), ("value", None)), call, line.lineno
        return
    if not any(_called(d) in DECORATORS for d in top.decorator_list):
        return
    for i, d in enumerate(top.decorator_list):
        if isinstance(d, ast.Call) and _called(d) in ("move", "agreement") and len(d.args) > 1:
            for k in range(len(d.args)):
                fewer = ast.Call(d.func, [a for j, a in enumerate(d.args) if j != k], d.keywords)
                yield (("decorator_list", i),), fewer, d.lineno
    yield from _whole(top)
    for i, statement in enumerate(top.body):
        if not (i == 0 and ast.get_docstring(top)):
            yield from _below(statement, (("body", i),), top)


def _whole(top: ast.FunctionDef) -> Iterator[Change]:
    """A condition of moves that always holds."""
    if any(_called(d) == "allow" for d in top.decorator_list):
        always = copy.copy(top)
        always.body = [ast.Return(ast.Constant(True))]
        first = 1 if ast.get_docstring(top) else 0
        if len(top.body) == first + 1:
            yield (("body", first),), always.body[0], top.body[first].lineno
        else:
            guard = ast.If(ast.Constant(True), always.body, [])
            yield (("body", first),), guard, top.body[first].lineno


def _below(node: ast.AST, path: Any, top: ast.FunctionDef) -> Iterator[Change]:
    """The changes of a node and of all that is in it."""
    line = getattr(node, "lineno", 0)
    for find in CHANGES:
        for new in find(node, top):
            yield path, ast.copy_location(new, node), line
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "ctx"):
            continue
        for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield from _below(child, (*path, (field, i)), top)


def _called(node: ast.AST) -> str:
    """The name of what a call calls, or of a decorator; empty if it has none."""
    f = node.func if isinstance(node, ast.Call) else node
    return f.id if isinstance(f, ast.Name) else ""


def _declared(call: ast.Call) -> Iterator[ast.Call]:
    """Another mark of a field; who is told of an event, and whether something hidden is seen."""
    for mark in MARKS.get(_called(call), ()):
        yield ast.Call(ast.Name(mark, ast.Load()), call.args, call.keywords)
    if _called(call) == "event":
        flags = {k.arg: k.value for k in call.keywords}
        for name in ("alone", "reveals"):
            if name in flags:
                rest = [k for k in call.keywords if k.arg != name]
            else:
                rest = [*call.keywords, ast.keyword(name, ast.Constant(True))]
            yield ast.Call(call.func, call.args, rest)
        rest = [k for k in call.keywords if k.arg != "own"]
        if "own" not in flags and len(call.args) > 1:
            rest.append(ast.keyword("own", ast.Tuple([call.args[-1]], ast.Load())))
        yield ast.Call(call.func, call.args, rest)


def _comparison(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARED.get(type(op), ()):
                ops = [other() if j == i else x for j, x in enumerate(node.ops)]
                yield ast.Compare(node.left, ops, node.comparators)


def _logic(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(other, node.values)
        for k in range(len(node.values)):
            rest = [x for j, x in enumerate(node.values) if j != k]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand


def _condition(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        new = copy.copy(node)
        new.test = ast.UnaryOp(ast.Not(), node.test)
        yield new


def _reckoning(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and type(node.op) in RECKONED:
        yield ast.BinOp(node.left, RECKONED[type(node.op)](), node.right)
    if isinstance(node, ast.AugAssign) and type(node.op) in RECKONED:
        yield ast.AugAssign(node.target, RECKONED[type(node.op)](), node.value)


def _number(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)


def _statement(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    """A statement dropped; a name that is only given a value must keep it."""
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
            for k, (x, _) in enumerate(pairs):
                if not isinstance(x, ast.Name):
                    rest = [p for j, p in enumerate(pairs) if j != k]
                    left = _all([a for a, _ in rest], ast.Store())
                    yield ast.Assign([left], _all([b for _, b in rest], ast.Load()))
        elif not isinstance(target, ast.Name | ast.Tuple):
            yield ast.Pass()
    elif isinstance(node, ast.Expr | ast.AugAssign | ast.Break | ast.Continue) or (
        isinstance(node, ast.Return) and node is not top.body[-1]
    ):
        yield ast.Pass()


def _all(nodes: list[ast.expr], use: ast.expr_context) -> ast.expr:
    return nodes[0] if len(nodes) == 1 else ast.Tuple(nodes, use)


def _returned(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.Return) and node.value is not None:
        if isinstance(node.value, ast.Constant):
            return  # which is changed as a number
        truth = isinstance(top.returns, ast.Name) and top.returns.id == "bool"
        if truth:
            yield ast.Return(ast.UnaryOp(ast.Not(), node.value))
        else:
            yield ast.Return(ast.BinOp(node.value, ast.Add(), ast.Constant(1)))


def _call(node: ast.AST, top: ast.FunctionDef) -> Iterator[ast.AST]:
    """A loop one short, the other end; what is told with arguments swapped, or another one."""
    if not isinstance(node, ast.Call):
        return
    name, args = _called(node), node.args
    if name == "range" and not isinstance(args[-1], ast.Constant):
        k = 0 if len(args) == 1 else 1
        short = ast.BinOp(args[k], ast.Sub(), ast.Constant(1))
        yield ast.Call(node.func, [*args[:k], short, *args[k + 1 :]], [])
    if name in ("min", "max"):
        yield ast.Call(ast.Name("max" if name == "min" else "min", ast.Load()), args, [])
    if name == "tell":
        for k in range(2, len(args)):
            if k + 1 < len(args):
                swapped = [*args[:k], args[k + 1], args[k], *args[k + 2 :]]
                yield ast.Call(node.func, swapped, [])
            other = ast.BinOp(args[k], ast.Add(), ast.Constant(1))
            yield ast.Call(node.func, [*args[:k], other, *args[k + 1 :]], [])


CHANGES: tuple[Callable[[ast.AST, ast.FunctionDef], Iterator[ast.AST]], ...] = (
    _comparison,
    _logic,
    _condition,
    _reckoning,
    _number,
    _statement,
    _returned,
    _call,
)
