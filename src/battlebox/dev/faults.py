"""What is wrong with a game, as the page says it: what, where, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

from ..core.errors import BattleboxError
from ..testing.failure import Failure, in_words
from .messages import Fault, SourceLine

AROUND = 3  # lines before and after the one that is meant
PLACE = r"(?:[^\s:()]|(?<=\w) (?=\w))*?[^\s:()/\\]+\.(?:py|toml|md|scn)"
#: "rules.py:33: what", and "what (rules.py:33)"
FIRST = re.compile(rf"^(?P<where>{PLACE}:\d+): (?P<what>.+)$", re.DOTALL)
LAST = re.compile(rf"^(?P<what>.+) \((?P<where>{PLACE}:\d+)\)$", re.DOTALL)


def fault_of(error: BaseException, folder: Path) -> Fault:
    """Any error as a fault of the game in this folder."""
    if isinstance(error, SyntaxError) and error.filename:
        said = f"{type(error).__name__}: {error.msg}"
        return _made(said, f"{error.filename}:{error.lineno}", "", folder)
    if isinstance(error, BattleboxError):
        return of_text(str(error), folder)
    found = error if isinstance(error, Failure) else in_words(error, folder)
    if found.where:
        return _made(found.what, found.where, found.hint, folder)
    return of_text(found.what, folder, found.hint)


def of_text(said: str, folder: Path, hint: str = "") -> Fault:
    """The fault of a sentence that may name its place."""
    said = said.removeprefix(f"{folder}: ")
    for form in (FIRST, LAST):
        if found := form.match(said):
            return _made(found["what"], found["where"], hint, folder)
    return _made(said, "", hint, folder)


def placed(fault: Fault, where: str, folder: Path) -> Fault:
    """The same fault at this file and line."""
    return _made(fault.what, where, fault.hint, folder)


def _made(what: str, where: str, hint: str, folder: Path) -> Fault:
    path, colon, number = where.rpartition(":")
    at = int(number) if colon and number.isdecimal() else 0
    lines = _around(Path(path), at) if at else []
    short, what = (x.replace(f"{folder}/", "").replace(f"{folder}\\", "") for x in (where, what))
    if re.match(r"[a-z]+ [a-z]", what):  # no name of the game's
        what = what[0].upper() + what[1:]
    return Fault(what=what, where=short, hint=hint, lines=lines)


def _around(path: Path, at: int) -> list[SourceLine]:
    """The lines around one; none if they cannot be read."""
    try:
        texts = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    first = max(1, at - AROUND)
    return [
        SourceLine(number=n, text=text, meant=n == at)
        for n, text in enumerate(texts[first - 1 : at + AROUND], first)
    ]
