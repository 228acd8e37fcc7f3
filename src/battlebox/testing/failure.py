"""What is wrong with a game, in words its author can use."""

from __future__ import annotations

import ast
import contextlib
import re
import shlex
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from ..core.errors import BattleboxError
from ..core.game import Game
from ..core.packages import folder_of

#: what is said of a number that does not fit (core/checked.py, and a memoryview of Python)
STORE = re.compile(r"^memoryview: invalid (value|type) for format|\bnever negative$")
WIDER = "Keep the number within that, or declare the field wider: n16(), n32(), i8() .. i32()."


class Failure(AssertionError):
    """What a check found wrong. where: file and line, or the match; hint: how to mend it."""

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, where, hint
        super().__init__(f"{where}: {what}" if where else what, hint)

    def __str__(self) -> str:
        said = f"{self.where}: {self.what}" if self.where else self.what
        return f"{said}\n{self.hint}" if self.hint else said


def in_words(error: BaseException, folder: Path) -> Failure:
    """Any error as a failure; one of Python's with the line of the game that it comes from."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, BattleboxError | AssertionError):
        return Failure(str(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [x for x in frames if Path(x.filename).is_relative_to(folder)]
    where = f"{own[-1].filename}:{own[-1].lineno}" if own else ""
    if isinstance(error, ValueError | TypeError) and (said := _of_a_store(error, folder)):
        return Failure(said, where, WIDER)
    return Failure(f"{type(error).__name__}: {error}", where)


def _of_a_store(error: Exception, folder: Path) -> str:
    """What to say of a number that does not fit into its field; empty if it is something else."""
    if not STORE.search(str(error)):
        return ""
    frame, number = None, 0
    for frame_of, n in traceback.walk_tb(error.__traceback__):
        if Path(frame_of.f_code.co_filename).is_relative_to(folder):
            frame, number = frame_of, n
    if frame is None:
        return ""
    try:
        tree = ast.parse(Path(frame.f_code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign) and (
            node.lineno <= number <= (node.end_lineno or number)
        ):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if len(targets) == 1 and isinstance(targets[0], ast.Attribute | ast.Subscript):
                return _said_of_a_store(node, targets[0], frame)
    return ""


def _said_of_a_store(
    node: ast.Assign | ast.AugAssign, target: ast.Attribute | ast.Subscript, frame: FrameType
) -> str:
    field = target.value if isinstance(target, ast.Subscript) else target
    value: ast.expr = node.value
    if isinstance(node, ast.AugAssign):
        value = ast.BinOp(ast.parse(ast.unparse(target), mode="eval").body, node.op, node.value)
    what, name = f"{ast.unparse(target)} cannot be this", ast.unparse(field).rpartition(".")[2]
    if not any(isinstance(x, ast.Call | ast.NamedExpr) for x in ast.walk(value)):
        with contextlib.suppress(Exception):  # it reads, and changes nothing
            found = eval(ast.unparse(value), frame.f_globals, frame.f_locals)
            what = f"{ast.unparse(target)} cannot be {found}"
    kind: Any = None
    if isinstance(field, ast.Attribute) and isinstance(field.value, ast.Name):
        record = getattr(frame.f_locals.get(field.value.id), "_record", None)
        with contextlib.suppress(Exception):  # no field of a record
            kind = record.dtype[name].base  # type: ignore[union-attr]
    if kind is None or kind.names:
        return what
    most = int(np.iinfo(kind).max)
    low = 0 if (kind.metadata or {}).get("low") == 0 else -most - 1
    return f"{what}: {name} holds {low} .. {most}"


def line_of(path: Path, text: str) -> str:
    """File and line where a text stands first, or the file if it does not."""
    if path.is_file():
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if text in line:
                return f"{path}:{n}"
    return str(path)


def word_of(game: Game) -> str:
    """How a command line names the game: as its folder, or by its name."""
    if folder_of(game.package) is None:
        return game.name
    here = Path.cwd()
    near = game.folder.is_relative_to(here)
    return shlex.quote(f"./{game.folder.relative_to(here)}" if near else str(game.folder))
