"""Bots of others: a Python file that makes them.

    class Hasty:
        def __init__(self, rules, seed):
            self.seat = SeatView(rules.plain())

        def choose(self, observation):
            return self.seat.legal(observation)[0]

A file travels as its text, so that every process that plays a match, on whatever machine,
plays the same bot. It may import what is installed there, but no file beside it.
"""

from __future__ import annotations

import hashlib
import linecache
import operator
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..core.errors import BattleboxError, BotError
from ..core.game import Ruleset
from ..core.saying import either
from ..core.table import nearest, read_text
from .subprocess_bot import SubprocessBot, make_subprocess_bot


class LoadedBot:
    """A bot of a file on a seat. What it is shown is a copy that it cannot change; whatever it
    raises becomes a BotError that says where.
    """

    def __init__(self, file: BotFile, bot: Any) -> None:
        self.name, self._file, self._bot = file.word, file, bot

    def choose(self, observation: Any) -> int:
        """The number that the bot chose; whether it is legal, the match says.

        Errors: BotError if it raises, or gives no whole number.
        """
        shown = np.array(observation)
        shown.flags.writeable = False
        with self._file.blamed("choose"):
            action = self._bot.choose(shown)
        try:
            if not isinstance(action, bool):
                return operator.index(action)
        except TypeError:
            pass
        raise BotError(f"{self.name}: choose gave {action!r}, not an action's number")

    def warm(self) -> None:
        """Lets the bot prepare itself, if it likes. Errors: BotError if it raises."""
        if callable(warm := getattr(self._bot, "warm", None)):
            with self._file.blamed("warm"):
                warm()


@dataclass(frozen=True)
class BotFile:
    """The text of a Python file, and which of the bots in it is meant."""

    path: str  # as it was given: a name by now, nobody reads there any more
    text: str
    name: str  # of what is called with (rules, seed) to make a bot; "": the only class that chooses
    think: float | None = None  # seconds that a bot of it has for a decision

    @property
    def word(self) -> str:
        """What it is called: FILE.py, or FILE.py:NAME."""
        return f"{self.path}:{self.name}" if self.name else self.path

    @property
    def digest(self) -> str:
        """A short name of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def make(self, rules: Ruleset, seed: int) -> LoadedBot | SubprocessBot:
        """A bot of the file; with a time limit in a process of its own.

        Errors: BotError if none is in it, or it cannot be made.
        """
        if self.think is not None:
            return make_subprocess_bot(replace(self, think=None), rules, self.think, seed)
        with self.blamed("the file"):
            module = _run(self.path, self.text)
        name = self.name or self._only(module)
        if not callable(maker := getattr(module, name, None)):
            raise BotError(f"{self.path}: no bot {name!r} in it{nearest(name, _bots(module))}")
        with self.blamed(f"{name}(rules, seed)"):
            bot = maker(rules, seed)
        if not callable(getattr(bot, "choose", None)):
            raise BotError(f"{self.word}: what it makes, {bot!r}, has no choose(observation)")
        return LoadedBot(self, bot)

    def _only(self, module: ModuleType) -> str:
        """The name of the only bot. Errors: BotError if there is none, or another."""
        if not (found := _bots(module)):
            raise BotError(f"{self.path}: no bot in it, that is, no class with choose(observation)")
        if len(found) > 1:
            raise BotError(f"{self.path}: {either(found)}? Say {self.path}:{found[0]}")
        return found[0]

    @contextmanager
    def blamed(self, what: str) -> Iterator[None]:
        """Whatever the file's code raises in here becomes a BotError that says where."""
        try:
            yield
        except (Exception, SystemExit) as e:
            passed = [
                line
                for frame, line in traceback.walk_tb(e.__traceback__)
                if frame.f_code.co_filename == self.path
            ]
            said = str(e).partition("\n")[0]
            where = f" (line {passed[-1]})" if passed else ""
            raise BotError(f"{self.word}: {what} raised {type(e).__name__}: {said}{where}") from e


def read_bot(path: str, name: str = "", think: float | None = None) -> BotFile:
    """The file of a path, which is not run before it makes a bot; with a time limit, perhaps.

    Errors: BotError if it cannot be read.
    """
    try:
        return BotFile(path, read_text(Path(path)), name, think)
    except BattleboxError as e:
        raise BotError(str(e)) from None


def _bots(module: ModuleType) -> list[str]:
    """The classes of a file that choose; not those that it imports, nor _those."""
    own = {n: x for n, x in vars(module).items() if getattr(x, "__module__", "") == module.__name__}
    return [
        n for n, x in own.items() if isinstance(x, type) and hasattr(x, "choose") and n[0] != "_"
    ]


@cache
def _run(path: str, text: str) -> ModuleType:
    """The module that a text makes: run once in a process, whatever its file says by now."""
    digest = hashlib.sha256(f"{path}:{text}".encode()).hexdigest()[:16]
    module = ModuleType(name := f"battlebox_bot_{digest}")
    module.__file__ = path
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)  # tracebacks
    sys.modules[name] = module  # dataclasses and pickle look there
    try:
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module
