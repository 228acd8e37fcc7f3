"""Where things stand in the text of a game, for errors that name file and line."""

from __future__ import annotations

import ast
import difflib
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable
from typing import Any

Def = ast.FunctionDef | ast.AsyncFunctionDef


def place(f: Callable[..., Any]) -> str:
    """Where a function begins: "rules.py:12"."""
    code = inspect.unwrap(f).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def caller(depth: int = 1) -> str:
    """Where the function that asks was called from; `depth`: so many calls further out."""
    frame = sys._getframe(depth + 1)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def functions_in(file: str, names: dict[str, Any]) -> dict[int, Def]:
    """The functions of a file by the line they begin at, decorators included.

    names: the globals of its module, by which a file within an archive is found.
    """
    return {
        min([x.lineno for x in node.decorator_list], default=node.lineno): node
        for node in ast.walk(_parsed(file, names))
        if isinstance(node, Def)
    }


def _parsed(file: str, names: dict[str, Any] | None = None) -> ast.Module:
    linecache.checkcache(file)  # it may have been edited, and imported anew
    try:
        return ast.parse("".join(linecache.getlines(file, names)))
    except SyntaxError:  # edited since it was imported
        return ast.Module([], [])


def place_of(cls: type, member: str = "") -> str:
    """Where a class begins, or a member of it; its module alone, if it cannot be found there."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if not file:
        return cls.__module__
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            lines = [x.lineno for x in node.body if member in _assigned(x)]
            return f"{file}:{[*lines, node.lineno][0]}"
    return f"{file}:1"


def _assigned(node: ast.stmt) -> set[str]:
    targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
    return {x.id for x in targets if isinstance(x, ast.Name)}


def nearest(name: str, known: Iterable[str], before: str = "") -> str:
    """ "; did you mean s.at?", or nothing if no name is near. before: what comes before it."""
    found = difflib.get_close_matches(name, sorted(known), 1)
    return f"; did you mean {before}{found[0]}?" if found else ""
