"""Bots of files in a process of their own, which is ended if one thinks longer than it may.

A bot that never returns cannot be stopped where it runs. So with a time limit it runs apart: it is
sent each observation and sends its action back. Without a limit nothing of this happens, so that
results never depend on how fast a machine is unless one asks for a limit.
"""

from __future__ import annotations

import atexit
import multiprocessing
import signal
import weakref
from contextlib import suppress
from functools import cached_property
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from ..core.errors import BotError, BotTimeout
from ..core.game import Ruleset
from ..core.processes import end_with_parent

if TYPE_CHECKING:
    from .file import BotFile
    from .levels import Bot

Answer = tuple[Any, str]  # what came of it, and what is wrong, if anything is


class Process:
    """A process in which the bots of a file live, for one ruleset. It begins with the first bot."""

    def __init__(self, file: BotFile, rules: Ruleset) -> None:
        self.file, self.rules, self.count = file, rules, 0

    @cached_property
    def line(self) -> Connection:
        """The line to it. A bot was made and warmed when it is there, which is not limited: that
        may have to compile.
        """
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        task = (theirs, self.file, self.rules)
        self.process = spawn.Process(target=_live, args=task, daemon=True)
        self.process.start()
        theirs.close()
        try:
            _answer(ours, self.file, None)
        except BaseException:
            self.process.kill()
            self.process.join()
            ours.close()
            raise
        return ours

    def ask(self, seconds: float, *words: Any) -> Any:
        """What it answers to one of the questions of `_live`.

        Errors: BotTimeout if it takes longer: then it is ended, with all bots in it, and the next
        question begins another. BotError for what the bot does wrong.
        """
        line = self.line
        try:
            line.send(words)
            return _answer(line, self.file, seconds)
        except BotTimeout:
            self.end()
            raise
        except OSError:
            raise BotError(f"{self.file.word}: its process ended") from None

    def end(self) -> None:
        """Ends it, whatever it does."""
        if "line" in self.__dict__:
            self.process.kill()
            self.process.join()
            self.line.close()
            del self.line

    def forget(self, number: int) -> None:
        """That bot is not needed any more."""
        if "line" in self.__dict__:
            with suppress(OSError):  # it has ended, with all of them
                self.line.send(("forget", number))


def _answer(line: Connection, file: BotFile, seconds: float | None) -> Any:
    if not line.poll(seconds):
        raise BotTimeout(f"{file.word}: no answer within {seconds:g} s, which forfeits the match")
    try:
        answer, wrong = line.recv()
    except (EOFError, OSError):
        raise BotError(f"{file.word}: its process ended") from None
    if wrong:
        raise BotError(wrong)
    return answer


class SubprocessBot:
    """A bot of a file that runs apart and has so many seconds for each decision."""

    def __init__(self, process: Process, seconds: float, seed: int) -> None:
        self.name, self._process, self._seconds = process.file.word, process, seconds
        process.count += 1
        self._number = process.count
        process.ask(seconds, "make", self._number, seed)
        weakref.finalize(self, process.forget, self._number)

    def choose(self, observation: Any) -> int:
        """The number that the bot chose; whether it is legal, the match says.

        Errors: BotTimeout if it takes too long; BotError if it raises, or gives no whole number.
        """
        action: int = self._process.ask(self._seconds, "choose", self._number, observation)
        return action

    def warm(self) -> None:
        """Nothing to do: it is warm."""


_processes: dict[tuple[str, str], Process] = {}  # those of this one, by file and ruleset


def make_subprocess_bot(file: BotFile, rules: Ruleset, seconds: float, seed: int) -> SubprocessBot:
    """A bot of a file that has so many seconds for each decision, and to be made.

    Errors: BotError if none is in it, or it cannot be made in time.
    """
    key = (f"{file.word} {file.digest}", rules.digest)
    if key not in _processes:
        _processes[key] = Process(file, rules)
        atexit.register(_processes[key].end)
    return SubprocessBot(_processes[key], seconds, seed)


# ---- in that process -----------------------------------------------------------------------------
def _live(line: Connection, file: BotFile, rules: Ruleset) -> None:
    """Makes bots and lets them choose, till nobody asks any more."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asked for it
    bots: dict[int, Bot] = {}

    def answer(word: str, number: int = 0, of: Any = None) -> Any:
        if word == "warm":
            file.make(rules, 0).warm()
        elif word == "make":
            bots[number] = file.make(rules, of)
        elif word == "choose":
            return bots[number].choose(of)
        return None

    words: tuple[Any, ...] = ("warm",)
    while True:
        if words[0] == "forget":
            bots.pop(words[1], None)
        else:
            try:
                said: Answer = answer(*words), ""
            except BotError as e:
                said = None, str(e)
            line.send(said)
        try:
            words = line.recv()
        except (EOFError, OSError):
            return
