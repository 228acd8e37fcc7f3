"""A program that plays: a line of JSON in for each question, a line out for each answer.

It is started at its first question and then asked for all matches of this process, one after the
other, so that it can load what it needs once. What it writes to stderr stands on the terminal.
"""

from __future__ import annotations

import atexit
import json
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any

from pydantic import ValidationError

from ...core.errors import BotError, BotTimeout
from ...core.processes import ForeignProcess
from ...core.table import sentence
from .messages import Answer, Heard, Question

LAST = 1.0  # seconds in which a program ends that has closed its output
LONGEST = 1_000_000  # bytes of a line
TOLD = 80  # letters of a line that is none of the protocol


class Program:
    """A program, while it runs and before."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self._process: ForeignProcess | None = None
        self._lines = queue.SimpleQueue[bytes]()

    def ask(self, question: Question, seconds: float | None) -> Heard:
        """What it answers.

        Errors: BotTimeout if it takes longer: then it is ended, and the next question starts it
        again. BotError if it ends, or what it says is no answer; then, too.
        """
        try:
            return Heard(self._ask(question, seconds))
        except BaseException:  # Ctrl-C as well: what it says later would answer another question
            self.end()
            raise

    def _ask(self, question: Question, seconds: float | None) -> Answer:
        process = self._process or self._start()
        if not self._lines.empty() and (more := self._lines.get()):
            raise BotError(f"more than a line for one question: {_shown(more)}")
        _in_background(_write, process.stdin, question.model_dump_json().encode() + b"\n")
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise BotTimeout(f"no answer within {seconds:g} s") from None
        if not line:
            code = process.exit_code(LAST)
            how = "closed its output" if code is None else f"ended with exit code {code}"
            raise BotError(f"the program {how}")
        return self._read(line)

    def _start(self) -> ForeignProcess:
        try:
            process = ForeignProcess(self.command)
        except OSError as e:
            raise BotError(f"it cannot be started: {e.strerror}") from None
        self._process, self._lines = process, queue.SimpleQueue()
        _in_background(_read_lines, process.stdout, self._lines)
        return process

    def _read(self, line: bytes) -> Answer:
        shown = _shown(line)
        if len(line) >= LONGEST:
            raise BotError(f"a line of more than {LONGEST:,} bytes: {shown} ...")
        try:
            return Answer.model_validate(json.loads(line))
        except ValidationError as e:
            raise BotError(f"{shown} is no answer: {sentence(e)}") from None
        except ValueError:
            raise BotError(
                f"{shown} is no answer: it is not JSON. Answer with a line such as "
                '{"answer": "1"}, and write everything else to stderr'
            ) from None

    def end(self) -> None:
        """Ends it at once, whatever it does."""
        if self._process:
            self._process.end()
            self._process = None

    def finish(self) -> None:
        """Ends it, since nothing more will be asked."""
        if self._process:
            self._process.finish()
            self._process = None


def _shown(line: bytes) -> str:
    return repr(line[:TOLD].decode(errors="replace").strip())


def _read_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Each line as it comes; b"" when there are no more."""
    with stream:
        while line := stream.readline(LONGEST):
            lines.put(line)
    lines.put(b"")


def _write(stream: IO[bytes], line: bytes) -> None:
    """Blocks while a program reads nothing, if the line is long."""
    with suppress(OSError, ValueError):  # it has ended, which is seen where it is read
        stream.write(line)
        stream.flush()


def _in_background(work: Callable[..., None], *args: Any) -> None:
    threading.Thread(target=work, args=args, daemon=True).start()


_programs: dict[tuple[str, ...], Program] = {}  # those of this process, by their commands


def talk_to(command: tuple[str, ...]) -> Program:
    """The program of a command, one for all who play with it here."""
    if command not in _programs:
        _programs[command] = Program(command)
        atexit.register(_programs[command].finish)
    return _programs[command]
